// SPDX-License-Identifier: GPL-2.0-or-later
/* The handler of what snapshots saw. */
#include <string.h>

#include "report/load.h"
#include "report/xmem.h"

void rpt_load_task_record(struct rpt_load *l, const struct pa_record *record)
{
	const struct pa_task *r = &record->task;
	struct rpt_model *m = l->m;
	struct rpt_task task = {
		.thread = rpt_load_thread(l, r->thread),
		.when = rpt_load_moment(l, r->time_ns),
		.state = r->state,
		.since_ns = r->since_ns,
		.ustack = rpt_load_stack(l, r->ustack),
		.kstack = rpt_load_stack(l, r->kstack),
		.syscall = (uint32_t)PA_MIN(r->syscall, UINT32_MAX),
		.target = rpt_load_string(l, r->target),
		.user_ns = r->user_ns,
		.system_ns = r->system_ns,
		.voluntary = r->voluntary,
		.involuntary = r->involuntary,
		.own_tid = r->own_tid,
	};
	uint32_t i;

	if (!task.thread)
		return;
	if (r->since_ns > r->time_ns || r->state > PA_STATE_RUNNING) {
		rpt_load_problem(l, RPT_PROBLEM_VALUE);
		return;
	}
	for (i = 0; i < r->args.count && i < RPT_TASK_ARGS; i++)
		task.args[i] = r->args.items[i];
	task.memory_bytes = PA_MIN(r->memory.len, (uint32_t)RPT_TASK_MEMORY);
	if (task.memory_bytes)
		memcpy(task.memory, r->memory.data, task.memory_bytes);
	rpt_process_use(&m->processes, m->processes.threads[task.thread].process);
	rpt_xgrow(&m->tasks, &m->task_cap, m->task_count + 1, sizeof(*m->tasks));
	m->tasks[m->task_count++] = task;
}
