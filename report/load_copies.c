// SPDX-License-Identifier: GPL-2.0-or-later
/* Handler of copied stacks: they are walked, and from then on are stacks like any others. */
#include "report/load.h"
#include "report/unwind/unwinder.h"

void rpt_load_set_unwinder(struct rpt_load *l, struct rpt_unwinder *unwinder)
{
	l->unwinder = unwinder;
}

static bool is_whole(enum pa_stack_end end)
{
	return end == PA_STACK_COMPLETE || end == PA_STACK_FP_END;
}

/* The better one of two walks of the same stack. */
static uint32_t better(const struct rpt_stacks *s, uint32_t ours, uint32_t recorders)
{
	enum pa_stack_end our_end = rpt_stacks_end(s, ours),
			  their_end = rpt_stacks_end(s, recorders);

	if (is_whole(our_end) || recorders < PA_STACK_FIRST_ID)
		return ours;
	if (is_whole(their_end) || ours < PA_STACK_FIRST_ID)
		return recorders;
	return s->nodes[recorders].depth > s->nodes[ours].depth ? recorders : ours;
}

static uint32_t walk(struct rpt_load *l, const struct pa_stack_copy *copy, uint32_t thread)
{
	struct rpt_moment when = rpt_load_moment(l, copy->time_ns);
	uint32_t process = l->m->processes.threads[thread].process;
	uint32_t image = rpt_image_at(&l->m->processes, process, when);
	const char *architecture = rpt_text(l->m, rpt_load_trace_get(l)->arch);

	/* Later mappings are not to change what its addresses mean. */
	rpt_process_use(&l->m->processes, process);
	return rpt_unwinder_walk(l->unwinder, l->m, copy, architecture, image);
}

void rpt_load_stack_copy_record(struct rpt_load *l, const struct pa_record *record)
{
	const struct pa_stack_copy *copy = &record->stack_copy;
	uint32_t thread = rpt_load_thread(l, copy->thread);
	uint32_t node;

	if (copy->walked >= copy->id) {
		rpt_load_problem(l, RPT_PROBLEM_CYCLE);
		return;
	}
	node = rpt_load_stack(l, copy->walked);
	if (l->unwinder && thread)
		node = better(&l->m->stacks, walk(l, copy, thread), node);
	if (!rpt_idmap_add(&l->stacks, copy->id, node))
		rpt_load_problem(l, RPT_PROBLEM_TWICE);
}
