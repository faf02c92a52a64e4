// SPDX-License-Identifier: GPL-2.0-or-later
/* Copied stacks in a copy of a trace. */
#include "report/walked.h"

#include <stdlib.h>

#include "report/xmem.h"

/* New nodes have ids from here on: no recorder gives so many, and a node's parent has to have a lower one. */
#define FIRST_NEW_ID (PA_MAX_STACK_ID / 2)

void rpt_walked_init(struct rpt_walked *w)
{
	*w = (struct rpt_walked){.used = 0};
	rpt_idmap_init(&w->ids);
	rpt_idmap_init(&w->nodes);
}

void rpt_walked_fini(struct rpt_walked *w)
{
	rpt_idmap_fini(&w->ids);
	rpt_idmap_fini(&w->nodes);
	free(w->frames);
}

bool rpt_walked_replace(struct rpt_walked *w, struct rpt_load *load, struct pa_record *record,
			uint32_t base)
{
	const struct rpt_stack_node *nodes = load->m->stacks.nodes;
	uint64_t copy = record->stack_copy.id;
	uint32_t node = rpt_load_stack(load, copy), depth, known, i;

	known = node < PA_STACK_FIRST_ID ? node : rpt_idmap_get(&w->nodes, node);
	depth = node < PA_STACK_FIRST_ID ? 0 : nodes[node].depth;
	if (known || w->used + depth > PA_MAX_STACK_ID - FIRST_NEW_ID) {
		rpt_idmap_add(&w->ids, copy + base, known ? known : PA_STACK_LOST);
		return false;
	}
	rpt_xgrow(&w->frames, &w->frame_cap, depth, sizeof(*w->frames));
	*record = (struct pa_record){.id = PA_REC_STACK};
	record->stack.id = FIRST_NEW_ID + w->used;
	record->stack.frames = (struct pa_list){w->frames, depth};
	w->used += depth;
	rpt_idmap_add(&w->ids, copy + base, FIRST_NEW_ID + w->used - 1);
	rpt_idmap_add(&w->nodes, node, FIRST_NEW_ID + w->used - 1);
	for (i = depth; i > 0; i--, node = nodes[node].parent)
		w->frames[i - 1] = nodes[node].address;
	record->stack.parent = node;
	return true;
}

uint64_t rpt_walked_map(const struct rpt_walked *w, uint64_t id)
{
	uint32_t mapped = rpt_idmap_get(&w->ids, id);

	return mapped ? mapped : id;
}

void rpt_walked_map_record(const struct rpt_walked *w, struct pa_record *record)
{
	switch (record->id) {
	case PA_REC_SAMPLE:
		record->sample.ustack = rpt_walked_map(w, record->sample.ustack);
		break;
	case PA_REC_BLOCK:
		record->block.ustack = rpt_walked_map(w, record->block.ustack);
		record->block.waker_ustack = rpt_walked_map(w, record->block.waker_ustack);
		break;
	case PA_REC_BLOCK_SUM:
		record->block_sum.ustack = rpt_walked_map(w, record->block_sum.ustack);
		record->block_sum.waker_ustack = rpt_walked_map(w, record->block_sum.waker_ustack);
		break;
	case PA_REC_OPEN_BLOCK:
		record->open_block.ustack = rpt_walked_map(w, record->open_block.ustack);
		break;
	case PA_REC_TASK:
		record->task.ustack = rpt_walked_map(w, record->task.ustack);
		break;
	default:
		break;
	}
}
