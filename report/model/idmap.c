// SPDX-License-Identifier: GPL-2.0-or-later
/* From the ids of a trace to indexes. */
#include "report/model/idmap.h"

#include <stdlib.h>
#include <string.h>

#include "report/xmem.h"

/* An id goes to the array while the array stays below this many entries for each id that is known. */
#define SPARSENESS 4
#define SLACK 4096

void rpt_idmap_init(struct rpt_idmap *m)
{
	*m = (struct rpt_idmap){0};
	pa_htab_init(&m->far_index);
}

void rpt_idmap_fini(struct rpt_idmap *m)
{
	free(m->dense);
	free(m->far);
	pa_htab_fini(&m->far_index);
}

static bool equal(const void *ctx, uint32_t value, const void *key)
{
	const struct rpt_idmap *m = ctx;

	return m->far[value].id == *(const uint64_t *)key;
}

uint32_t rpt_idmap_get_far(const struct rpt_idmap *m, uint64_t id)
{
	uint32_t slot;

	if (pa_htab_get(&m->far_index, pa_hash_u64(id), equal, m, &id, &slot))
		return m->far[slot].value;
	return 0;
}

static void make_dense(struct rpt_idmap *m, uint64_t id)
{
	size_t old = m->dense_cap;

	rpt_xgrow(&m->dense, &m->dense_cap, (size_t)id + 1, sizeof(*m->dense));
	memset(m->dense + old, 0, (m->dense_cap - old) * sizeof(*m->dense));
}

bool rpt_idmap_add(struct rpt_idmap *m, uint64_t id, uint32_t value)
{
	if (rpt_idmap_get(m, id))
		return false;
	m->count++;
	if (id >= m->dense_cap && id / SPARSENESS < m->count + SLACK)
		make_dense(m, id);
	if (id < m->dense_cap) {
		m->dense[id] = value;
		return true;
	}
	rpt_xgrow(&m->far, &m->far_cap, m->far_count + 1, sizeof(*m->far));
	m->far[m->far_count] = (struct rpt_idmap_far){id, value};
	rpt_xcheck(pa_htab_add(&m->far_index, pa_hash_u64(id), (uint32_t)m->far_count++));
	return true;
}
