// SPDX-License-Identifier: GPL-2.0-or-later
/* Sums of samples and off-CPU intervals by site. */
#include "report/model/samples.h"

#include <stdlib.h>
#include <string.h>

#include "report/xmem.h"

void rpt_groups_init(struct rpt_groups *g)
{
	*g = (struct rpt_groups){0};
	pa_htab_init(&g->index);
}

void rpt_groups_fini(struct rpt_groups *g)
{
	size_t i;

	for (i = 0; i < g->count; i++)
		free(g->items[i].counters);
	free(g->items);
	pa_htab_fini(&g->index);
}

static bool equal(const void *ctx, uint32_t value, const void *key)
{
	const struct rpt_groups *g = ctx;

	return memcmp(&g->items[value].site, key, sizeof(struct rpt_site)) == 0;
}

uint64_t rpt_site_hash(const struct rpt_site *site)
{
	uint64_t stacks = (uint64_t)site->kstack << 32 | site->ustack;
	uint64_t who = ((uint64_t)site->thread << 32 | site->image) + pa_hash_u64(site->cpu);
	uint64_t what = (uint64_t)site->comm << 32 | (site->state << 16 ^ site->syscall);
	uint64_t waker = (uint64_t)site->waker << 32 ^ (uint64_t)site->waker_ustack << 16 ^
			 site->waker_kstack;

	what = what * 0x9e3779b97f4a7c15ull + waker * 0xc2b2ae3d27d4eb4full;
	return pa_hash_u64(pa_hash_u64(stacks) ^ pa_hash_u64(who + what));
}

void rpt_groups_expect_index(const struct rpt_groups *g, uint64_t hash)
{
	pa_htab_expect(&g->index, hash);
}

void rpt_groups_expect_group(const struct rpt_groups *g, uint64_t hash)
{
	uint32_t i;

	if (!pa_htab_peek(&g->index, hash, &i))
		return;
	__builtin_prefetch(&g->items[i]);
	__builtin_prefetch((const char *)&g->items[i] + sizeof(g->items[i]) - 1);
}

struct rpt_group *rpt_groups_get(struct rpt_groups *g, const struct rpt_site *site, uint64_t hash)
{
	uint32_t i;

	if (pa_htab_get(&g->index, hash, equal, g, site, &i))
		return &g->items[i];
	i = (uint32_t)g->count;
	rpt_xgrow(&g->items, &g->cap, g->count + 1, sizeof(*g->items));
	g->items[g->count++] = (struct rpt_group){.site = *site};
	rpt_xcheck(pa_htab_add(&g->index, hash, i));
	return &g->items[i];
}
