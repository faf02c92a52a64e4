// SPDX-License-Identifier: GPL-2.0-or-later
/* The tree of calls, by function. */
#include "report/analyse/calltree.h"

#include <stdlib.h>

#include "report/xmem.h"

static bool equal(const void *ctx, uint32_t value, const void *key)
{
	const struct rpt_callnode *node = &((const struct rpt_calltree *)ctx)->nodes[value];
	const struct rpt_callnode *wanted = key;

	return node->parent == wanted->parent && node->function == wanted->function;
}

static uint32_t add_node(struct rpt_calltree *t, const struct rpt_callnode *node)
{
	uint64_t hash = pa_hash_u64((uint64_t)node->parent << 32 | node->function);
	uint32_t index;

	if (pa_htab_get(&t->index, hash, equal, t, node, &index))
		return index;
	index = (uint32_t)t->count;
	rpt_xgrow(&t->nodes, &t->cap, t->count + 1, sizeof(*t->nodes));
	t->nodes[t->count++] = *node;
	rpt_xcheck(pa_htab_add(&t->index, hash, index));
	return index;
}

void rpt_calltree_init(struct rpt_calltree *t, const struct rpt_code *c)
{
	struct rpt_callnode node = {0};
	uint32_t i, k;

	*t = (struct rpt_calltree){0};
	pa_htab_init(&t->index);
	rpt_xgrow(&t->nodes, &t->cap, 1, sizeof(*t->nodes));
	t->nodes[t->count++] = node;
	t->leaf = rpt_xcalloc(c->call_count + 1, sizeof(*t->leaf));
	/* A caller comes before what it calls. */
	for (i = 1; i < c->call_count; i++) {
		const struct rpt_location *l = &c->locations[c->calls[i].location];

		node.parent = t->leaf[c->calls[i].parent];
		node.location = c->calls[i].location;
		for (k = l->line_count; k-- > 0;) {
			uint32_t function = c->lines[l->first_line + k].function;

			node.function = c->functions[function].same_name;
			node.parent = add_node(t, &node);
		}
		t->leaf[i] = node.parent;
	}
}

void rpt_calltree_fini(struct rpt_calltree *t)
{
	pa_htab_fini(&t->index);
	free(t->leaf);
	free(t->nodes);
}
