// SPDX-License-Identifier: GPL-2.0-or-later
/* The tree of all stacks. */
#include "report/model/stacks.h"

#include <stdlib.h>

#include "report/xmem.h"

struct key {
	uint64_t address;
	uint32_t parent;
};

void rpt_stacks_init(struct rpt_stacks *s)
{
	uint32_t i;

	*s = (struct rpt_stacks){0};
	pa_htab_init(&s->index);
	rpt_xgrow(&s->nodes, &s->cap, PA_STACK_FIRST_ID, sizeof(*s->nodes));
	for (i = 0; i < PA_STACK_FIRST_ID; i++)
		s->nodes[i] = (struct rpt_stack_node){.end = (uint8_t)i};
	s->count = PA_STACK_FIRST_ID;
}

void rpt_stacks_fini(struct rpt_stacks *s)
{
	free(s->nodes);
	pa_htab_fini(&s->index);
}

static bool equal(const void *ctx, uint32_t value, const void *key)
{
	const struct rpt_stacks *s = ctx;
	const struct key *k = key;

	return s->nodes[value].address == k->address && s->nodes[value].parent == k->parent;
}

uint32_t rpt_stacks_intern(struct rpt_stacks *s, uint32_t parent, uint64_t address)
{
	struct key key = {address, parent};
	uint64_t hash = pa_hash_u64(pa_hash_u64(address) ^ parent);
	uint16_t depth = s->nodes[parent].depth;
	uint32_t id;

	if (pa_htab_get(&s->index, hash, equal, s, &key, &id))
		return id;
	if (depth >= PA_MAX_STACK_DEPTH)
		return 0;
	id = (uint32_t)s->count;
	rpt_xgrow(&s->nodes, &s->cap, s->count + 1, sizeof(*s->nodes));
	s->nodes[s->count++] = (struct rpt_stack_node){
		.address = address,
		.parent = parent,
		.depth = (uint16_t)(depth + 1),
		.end = s->nodes[parent].end,
	};
	rpt_xcheck(pa_htab_add(&s->index, hash, id));
	return id;
}

enum pa_stack_end rpt_stacks_end(const struct rpt_stacks *s, uint32_t node)
{
	return node < s->count ? s->nodes[node].end : PA_STACK_UNKNOWN_END;
}
