/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From the ids that a trace assigns to indexes into the session's tables. Ids are mostly dense, which
 * makes an array of them; what lies far above the rest goes to a hash table, so that a few large ids
 * cannot take much memory.
 */
#ifndef RPT_IDMAP_H
#define RPT_IDMAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/util/htab.h"

struct rpt_idmap {
	uint32_t *dense; /* owned; 0 = not there */
	size_t dense_cap;
	size_t count;
	struct rpt_idmap_far {
		uint64_t id;
		uint32_t value;
	} * far; /* owned */
	size_t far_count;
	size_t far_cap;
	struct pa_htab far_index;
};

void rpt_idmap_init(struct rpt_idmap *m);
void rpt_idmap_fini(struct rpt_idmap *m);
uint32_t rpt_idmap_get_far(const struct rpt_idmap *m, uint64_t id);

/* 0 when the id is not defined. */
static inline uint32_t rpt_idmap_get(const struct rpt_idmap *m, uint64_t id)
{
	if (id < m->dense_cap && m->dense[id])
		return m->dense[id];
	return m->far_count ? rpt_idmap_get_far(m, id) : 0;
}

/* value is not 0. Returns false, and changes nothing, when the id is defined already. */
bool rpt_idmap_add(struct rpt_idmap *m, uint64_t id, uint32_t value);

#endif
