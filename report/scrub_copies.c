// SPDX-License-Identifier: GPL-2.0-or-later
/* Copied stacks in a scrubbed trace. */
#include "report/scrub_copies.h"

#include <stdlib.h>

#include "report/load.h"
#include "report/unwind/unwinder.h"
#include "report/xmem.h"

/* New nodes have ids from here on: no recorder gives so many, and a node's parent has to have a lower one. */
#define FIRST_NEW_ID (PA_MAX_STACK_ID / 2)

void rpt_scrub_copies_init(struct rpt_scrub_copies *c, struct pa_reader *reader,
			   const struct rpt_symbol_options *options)
{
	*c = (struct rpt_scrub_copies){.used = 0};
	rpt_model_init(&c->model);
	rpt_idmap_init(&c->ids);
	rpt_idmap_init(&c->nodes);
	c->load = rpt_load_new(&c->model);
	if (options) {
		c->unwinder = rpt_unwinder_new(options);
		rpt_load_set_unwinder(c->load, c->unwinder);
	}
	rpt_load_begin(c->load, reader, "");
}

void rpt_scrub_copies_fini(struct rpt_scrub_copies *c)
{
	rpt_load_free(c->load);
	rpt_unwinder_free(c->unwinder);
	rpt_idmap_fini(&c->ids);
	rpt_idmap_fini(&c->nodes);
	rpt_model_fini(&c->model);
	free(c->frames);
}

void rpt_scrub_copies_note(struct rpt_scrub_copies *c, const struct pa_record *record)
{
	switch (record->id) {
	case PA_REC_SESSION:
	case PA_REC_STACK:
	case PA_REC_STACK_COPY:
	case PA_REC_MODULE:
	case PA_REC_PROCESS:
	case PA_REC_THREAD:
	case PA_REC_EXEC:
	case PA_REC_MAPPING:
	case PA_REC_UNMAP:
	case PA_REC_FILE_IMAGE:
		rpt_load_record(c->load, record);
		break;
	default:
		break;
	}
}

bool rpt_scrub_copies_walk(struct rpt_scrub_copies *c, struct pa_record *record)
{
	const struct rpt_stack_node *nodes = c->model.stacks.nodes;
	uint64_t copy = record->stack_copy.id;
	uint32_t node = rpt_load_stack(c->load, copy), depth, known, i;

	known = node < PA_STACK_FIRST_ID ? node : rpt_idmap_get(&c->nodes, node);
	depth = node < PA_STACK_FIRST_ID ? 0 : nodes[node].depth;
	if (known || c->used + depth > PA_MAX_STACK_ID - FIRST_NEW_ID) {
		rpt_idmap_add(&c->ids, copy, known ? known : PA_STACK_LOST);
		return false;
	}
	rpt_xgrow(&c->frames, &c->frame_cap, depth, sizeof(*c->frames));
	*record = (struct pa_record){.id = PA_REC_STACK};
	record->stack.id = FIRST_NEW_ID + c->used;
	record->stack.frames = (struct pa_list){c->frames, depth};
	c->used += depth;
	rpt_idmap_add(&c->ids, copy, FIRST_NEW_ID + c->used - 1);
	rpt_idmap_add(&c->nodes, node, FIRST_NEW_ID + c->used - 1);
	for (i = depth; i > 0; i--, node = nodes[node].parent)
		c->frames[i - 1] = nodes[node].address;
	record->stack.parent = node;
	return true;
}

uint64_t rpt_scrub_copies_map(const struct rpt_scrub_copies *c, uint64_t id)
{
	uint32_t mapped = rpt_idmap_get(&c->ids, id);

	return mapped ? mapped : id;
}
