/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Copied stacks in a copy of a trace: they are walked, and only what came of that is written. Reading a
 * trace that was made so takes neither the copies nor the files that they are walked by.
 */
#ifndef RPT_WALKED_H
#define RPT_WALKED_H

#include <stddef.h>
#include <stdint.h>

#include "report/load.h"

struct rpt_walked {
	struct rpt_idmap ids; /* of copies in the source: their nodes in the copy */
	struct rpt_idmap nodes; /* of the model's stacks: the same */
	uint32_t used; /* ids that were given to new nodes */
	uint64_t *frames; /* owned: of the stack that was walked last */
	size_t frame_cap;
};

void rpt_walked_init(struct rpt_walked *w);
void rpt_walked_fini(struct rpt_walked *w);
/*
 * Turns a STACK_COPY record that load has taken into the STACK record of what came of it, which is valid
 * until the next call. False when nothing is to be written: it has no frames, or is there already. base is
 * what has been added to ids of the source's stacks.
 */
bool rpt_walked_replace(struct rpt_walked *w, struct rpt_load *load, struct pa_record *record,
			uint32_t base);
/* The node that stands in the copy for one of the source, to whose id base was added. */
uint64_t rpt_walked_map(const struct rpt_walked *w, uint64_t id);
/* The same for the user stack that a record refers to, if it refers to any. */
void rpt_walked_map_record(const struct rpt_walked *w, struct pa_record *record);

#endif
