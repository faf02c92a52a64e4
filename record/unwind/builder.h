/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A table in the making: rows in ascending order, equal neighbours merged. */
#ifndef REC_UNWIND_BUILDER_H
#define REC_UNWIND_BUILDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/util/htab.h"
#include "record/unwind/image.h"
#include "record/unwind/unwind.h"

struct rec_builder {
	uint64_t base; /* address of the first row */
	uint32_t *keys; /* owned, as all below */
	uint32_t *rules;
	uint16_t *rbx; /* where tracks_rbx */
	struct ev_unwind_side *sides;
	size_t rows, keys_cap, rules_cap, rbx_cap;
	size_t side_count, sides_cap;
	struct pa_htab side_index;
	struct rec_unwind_stats *stats;
	bool tracks_rbx; /* rows say where rbx is */
	bool needs_rbx; /* one of them has its CFA there */
};

void rec_builder_init(struct rec_builder *b, struct rec_unwind_stats *stats);
void rec_builder_fini(struct rec_builder *b);

/* Forgets all rows and sides; what has been allocated stays. */
void rec_builder_restart(struct rec_builder *b);

/*
 * From addr on this rule holds, and rbx is there, which counts where it is tracked only. addr is not
 * below that of the last call; at the same address, the last call wins. 0, PA_E_LIMIT (rows, or 4 GiB from the first one) or -ENOMEM.
 */
int rec_builder_add(struct rec_builder *b, uint64_t addr, uint32_t rule, uint16_t rbx);

/* The rule that stands for a side entry; equal entries share one. 0, PA_E_LIMIT or -ENOMEM. */
int rec_builder_side(struct rec_builder *b, const struct ev_unwind_side *side, uint32_t *rule);

/* Appends the finished table to out. 0 or -ENOMEM. */
int rec_builder_pack(const struct rec_builder *b, const struct rec_image *im, struct pa_buf *out);

#endif
