// SPDX-License-Identifier: GPL-2.0-or-later
/* Handlers of what samples refer to: stacks, modules, processes, threads, mappings. */
#include <string.h>

#include "report/load.h"
#include "report/xmem.h"

void rpt_load_stack_record(struct rpt_load *l, const struct pa_record *record)
{
	const struct pa_stack *s = &record->stack;
	uint32_t parent, i;

	if (s->id < PA_STACK_FIRST_ID || s->parent >= s->id || s->id > PA_MAX_STACK_ID) {
		rpt_load_problem(l, RPT_PROBLEM_CYCLE);
		return;
	}
	parent = (uint32_t)s->parent;
	if (s->parent >= PA_STACK_FIRST_ID)
		parent = rpt_idmap_get(&l->stacks, s->parent);
	if (!parent) {
		rpt_load_problem(l, RPT_PROBLEM_CYCLE);
		return;
	}
	for (i = 0; i < s->frames.count; i++) {
		parent = rpt_stacks_intern(&l->m->stacks, parent, s->frames.items[i]);
		if (!parent) {
			rpt_load_problem(l, RPT_PROBLEM_DEPTH);
			return;
		}
		if (!rpt_idmap_add(&l->stacks, s->id + i, parent) &&
		    rpt_idmap_get(&l->stacks, s->id + i) != parent) {
			rpt_load_problem(l, RPT_PROBLEM_TWICE);
			return;
		}
	}
}

void rpt_load_module_record(struct rpt_load *l, const struct pa_record *record)
{
	const struct pa_module *r = &record->module;
	struct rpt_module module = {
		.kind = r->kind,
		.flags = r->flags,
		.path = rpt_load_string(l, r->path),
		.build_id_bytes = r->build_id.len,
		.build_id_kind = r->build_id_kind,
		.device = r->device,
		.inode = r->inode,
	};
	uint32_t index;

	if (r->id == 0 || r->build_id.len > PA_MAX_BUILD_ID_BYTES) {
		rpt_load_problem(l, RPT_PROBLEM_VALUE);
		return;
	}
	if (r->kind > PA_MODULE_SPECIAL)
		module.kind = PA_MODULE_SPECIAL;
	if (r->build_id.len)
		memcpy(module.build_id, r->build_id.data, r->build_id.len);
	index = rpt_modules_add(&l->m->modules, &l->m->strings, &module);
	if (!rpt_idmap_add(&l->modules, r->id, index) && rpt_idmap_get(&l->modules, r->id) != index)
		rpt_load_problem(l, RPT_PROBLEM_TWICE);
}

void rpt_load_process_record(struct rpt_load *l, const struct pa_record *record)
{
	const struct pa_process *r = &record->process;
	struct rpt_moment since = rpt_load_moment(l, r->time_ns);
	struct rpt_process process = {
		.pid = r->pid,
		.trace = (uint32_t)l->trace,
		.origin = r->origin,
		.start_ns = r->time_ns,
		.comm = rpt_load_string(l, r->comm),
		.exe = rpt_load_string(l, r->exe),
		.cmdline = rpt_load_string(l, r->cmdline),
		.cgroup = rpt_load_string(l, r->cgroup),
	};

	if (r->id == 0) {
		rpt_load_problem(l, RPT_PROBLEM_VALUE);
		return;
	}
	if (rpt_idmap_get(&l->processes, r->id)) {
		if (!l->continued)
			rpt_load_problem(l, RPT_PROBLEM_TWICE);
		return;
	}
	if (r->parent)
		process.parent = rpt_load_process(l, r->parent);
	rpt_idmap_add(&l->processes, r->id, rpt_process_add(&l->m->processes, &process, since));
}

void rpt_load_thread_record(struct rpt_load *l, const struct pa_record *record)
{
	const struct pa_thread *r = &record->thread;
	struct rpt_moment since = rpt_load_moment(l, r->time_ns);
	struct rpt_thread thread = {
		.process = rpt_load_process(l, r->process),
		.tid = r->tid,
		.origin = r->origin,
		.start_ns = r->time_ns,
	};
	uint32_t index;

	if (!thread.process)
		return;
	if (r->id == 0 || rpt_idmap_get(&l->threads, r->id)) {
		if (r->id == 0 || !l->continued)
			rpt_load_problem(l, RPT_PROBLEM_TWICE);
		return;
	}
	index = rpt_thread_add(&l->m->processes, &thread);
	rpt_idmap_add(&l->threads, r->id, index);
	rpt_thread_rename(&l->m->processes, index, rpt_load_string(l, r->comm), since);
}

void rpt_load_comm_record(struct rpt_load *l, const struct pa_record *record)
{
	struct rpt_moment since = rpt_load_moment(l, record->comm.time_ns);
	uint32_t thread = rpt_load_thread(l, record->comm.thread);

	if (thread)
		rpt_thread_rename(&l->m->processes, thread, rpt_load_string(l, record->comm.comm),
				  since);
}

void rpt_load_exec_record(struct rpt_load *l, const struct pa_record *record)
{
	const struct pa_exec *r = &record->exec;
	struct rpt_moment when = rpt_load_moment(l, r->time_ns);
	uint32_t index = rpt_load_process(l, r->process), comm, exe, cmdline;
	struct rpt_process *process;

	if (!index)
		return;
	comm = rpt_load_string(l, r->comm);
	exe = rpt_load_string(l, r->exe);
	cmdline = rpt_load_string(l, r->cmdline);
	rpt_process_exec(&l->m->processes, index, when);
	process = &l->m->processes.processes[index];
	process->comm = comm ? comm : process->comm;
	process->exe = exe ? exe : process->exe;
	process->cmdline = cmdline ? cmdline : process->cmdline;
	if (process->main_thread)
		rpt_thread_rename(&l->m->processes, process->main_thread, comm, when);
}

void rpt_load_exit_record(struct rpt_load *l, const struct pa_record *record)
{
	const struct pa_exit *r = &record->exit;
	uint32_t index = rpt_load_thread(l, r->thread);
	struct rpt_process *process;
	struct rpt_thread *thread;

	rpt_load_moment(l, r->time_ns);
	if (!index)
		return;
	thread = &l->m->processes.threads[index];
	thread->end_ns = r->time_ns;
	process = &l->m->processes.processes[thread->process];
	if (r->process_ended)
		process->end_ns = r->time_ns;
	if (r->status_known) {
		process->status_known = true;
		process->status = r->status;
	}
}

/* False, with the problem counted, when the range is empty or wraps around. */
static bool get_range(struct rpt_load *l, uint64_t start, uint64_t length, uint64_t *end)
{
	if (length && pa_add_ok(start, length, end))
		return true;
	rpt_load_problem(l, RPT_PROBLEM_RANGE);
	return false;
}

#define PROT_EXECUTE 4u

void rpt_load_mapping_record(struct rpt_load *l, const struct pa_record *record)
{
	const struct pa_mapping *r = &record->mapping;
	struct rpt_moment when = rpt_load_moment(l, r->time_ns);
	struct rpt_mapping mapping = {.start = r->start, .offset = r->offset_bytes};
	uint32_t process = rpt_load_process(l, r->process);

	if (!process)
		return;
	mapping.module = rpt_load_module(l, r->module);
	if (!mapping.module || !get_range(l, r->start, r->length_bytes, &mapping.end))
		return;
	mapping.named_by_address = !rpt_module_is_file(&l->m->modules.items[mapping.module]);
	rpt_process_map(&l->m->processes, process, &mapping, r->prot & PROT_EXECUTE, when);
}

void rpt_load_unmap_record(struct rpt_load *l, const struct pa_record *record)
{
	const struct pa_unmap *r = &record->unmap;
	struct rpt_moment when = rpt_load_moment(l, r->time_ns);
	uint32_t process = rpt_load_process(l, r->process);
	uint64_t end;

	if (process && get_range(l, r->start, r->length_bytes, &end))
		rpt_process_unmap(&l->m->processes, process, r->start, end, when);
}

void rpt_load_jit_symbol_record(struct rpt_load *l, const struct pa_record *record)
{
	const struct pa_jit_symbol *r = &record->jit_symbol;
	uint32_t process = rpt_load_process(l, r->process);
	struct rpt_moment when = {r->time_ns, l->m->sequence};
	struct rpt_mapping symbol = {.start = r->start, .module = rpt_load_string(l, r->name)};

	if (!process || !symbol.module || !get_range(l, r->start, r->length_bytes, &symbol.end))
		return;
	rpt_process_jit(&l->m->processes, process, &symbol, when);
}
