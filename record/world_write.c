// SPDX-License-Identifier: GPL-2.0-or-later
/* Processes, threads and mappings on their way into the trace, when they are first needed there. */
#include <string.h>

#include "record/jitdump.h"
#include "record/world_internal.h"

int rec_world_write_exec(struct rec_world *w, struct rec_process *p, uint64_t time_ns)
{
	struct pa_record rec = {.id = PA_REC_EXEC};
	int err;

	if (!p->info_known && w->ops->process_info) {
		w->ops->process_info(w->ctx, p->pid, &p->info);
		p->info_known = true;
	}
	rec.exec.time_ns = time_ns;
	rec.exec.process = p->id;
	err = pa_writer_string(w->writer, p->comm, strlen(p->comm), &rec.exec.comm);
	if (!err && p->info.exe)
		err = pa_writer_string(w->writer, p->info.exe, strlen(p->info.exe), &rec.exec.exe);
	if (!err && p->info.cmdline)
		err = pa_writer_string(w->writer, p->info.cmdline, strlen(p->info.cmdline),
				       &rec.exec.cmdline);
	return err ? err : pa_writer_add(w->writer, &rec);
}

int rec_world_write_comm(struct rec_world *w, struct rec_thread *t, uint64_t time_ns)
{
	struct pa_record rec = {.id = PA_REC_COMM};
	int err;

	rec.comm.time_ns = time_ns;
	rec.comm.thread = t->id;
	err = pa_writer_string(w->writer, t->comm, strlen(t->comm), &rec.comm.comm);
	return err ? err : pa_writer_add(w->writer, &rec);
}

void rec_world_identify(struct rec_world *w, const struct rec_process *p,
			const struct rec_mapping *m)
{
	struct rec_module *module = rec_modules_get(&w->modules, m->module);

	if (module->identified)
		return;
	module->identified = true;
	if (module->kind == PA_MODULE_FILE && !p->ended_ns && w->ops->identify)
		w->ops->identify(w->ctx, p->pid, m, module);
}

int rec_world_write_mapping(struct rec_world *w, struct rec_process *p, struct rec_mapping *m)
{
	struct rec_module *module = rec_modules_get(&w->modules, m->module);
	struct pa_record rec = {.id = PA_REC_MAPPING};
	int err;

	rec_world_identify(w, p, m);
	err = rec_module_write(&w->modules, module, w->writer);
	if (err)
		return err;
	rec.mapping.time_ns = m->time_ns;
	rec.mapping.process = p->id;
	rec.mapping.start = m->start;
	rec.mapping.length_bytes = m->end - m->start;
	rec.mapping.offset_bytes = m->offset_bytes;
	rec.mapping.module = module->id;
	rec.mapping.prot = m->prot;
	rec.mapping.flags = m->flags;
	m->written = true;
	return pa_writer_add(w->writer, &rec);
}

static int write_process(struct rec_world *w, struct rec_process *p);

/* Who made it stands before it, even where nothing else was seen of that one. */
static int write_parent(struct rec_world *w, struct rec_process *p)
{
	struct rec_process *parent = rec_world_get_process(w, p->parent_pid);
	int err = 0;

	if (p->parent_id || !p->parent_pid || !parent || parent == p ||
	    parent->time_ns > p->time_ns)
		return 0;
	if (!parent->written)
		err = write_process(w, parent);
	p->parent_id = parent->id;
	return err;
}

/* NOLINTNEXTLINE(misc-no-recursion): as deep as the living ancestors of a process are many */
static int write_process(struct rec_world *w, struct rec_process *p)
{
	struct pa_record rec = {.id = PA_REC_PROCESS};
	struct pa_process *out = &rec.process;
	const struct rec_process_info *info = &p->info;
	int err;

	err = write_parent(w, p);
	if (err)
		return err;
	if (!p->info_known && !p->ended_ns && w->ops->process_info)
		w->ops->process_info(w->ctx, p->pid, &p->info);
	p->info_known = true;
	err = pa_writer_string(w->writer, p->comm, strlen(p->comm), &out->comm);
	if (!err && info->exe)
		err = pa_writer_string(w->writer, info->exe, strlen(info->exe), &out->exe);
	if (!err && info->cmdline)
		err = pa_writer_string(w->writer, info->cmdline, strlen(info->cmdline),
				       &out->cmdline);
	if (!err && info->cgroup)
		err = pa_writer_string(w->writer, info->cgroup, strlen(info->cgroup), &out->cgroup);
	if (err)
		return err;
	p->id = p->id ? p->id : ++w->next_process_id;
	p->written = true;
	out->time_ns = p->time_ns;
	out->id = p->id;
	out->pid = p->pid;
	out->parent = p->parent_id;
	out->origin = p->origin;
	out->ns_pids = (struct pa_list){info->ns_pids, info->ns_pid_count};
	out->uid = info->uid;
	err = pa_writer_add(w->writer, &rec);
	if (!err && p->exec_ns)
		err = rec_world_write_exec(w, p, p->exec_ns);
	p->exec_ns = 0;
	return err;
}

int rec_world_write_thread(struct rec_world *w, struct rec_thread *t, uint32_t *id)
{
	struct rec_process *p = process_at(w, t->process);
	struct pa_record rec = {.id = PA_REC_THREAD};
	int err = 0;

	*id = t->id;
	if (t->written)
		return 0;
	if (!p->written)
		err = write_process(w, p);
	if (!err)
		err = pa_writer_string(w->writer, t->comm, strlen(t->comm), &rec.thread.comm);
	if (err)
		return err;
	t->id = t->id ? t->id : ++w->next_thread_id;
	t->written = true;
	*id = t->id;
	rec.thread.time_ns = t->time_ns;
	rec.thread.id = t->id;
	rec.thread.process = p->id;
	rec.thread.tid = t->tid;
	rec.thread.origin = t->origin;
	err = pa_writer_add(w->writer, &rec);
	if (!err && t->renamed_ns)
		err = rec_world_write_comm(w, t, t->renamed_ns);
	t->renamed_ns = 0;
	return err;
}

int rec_world_write_mappings(struct rec_world *w, struct rec_process *p)
{
	size_t i;
	int err = 0;

	if (p->has_user_stacks || p->kernel)
		return 0;
	p->has_user_stacks = true;
	/* They name their process, so it has to stand before them. */
	if (!p->written)
		err = write_process(w, p);
	for (i = 0; i < p->mapping_count && !err; i++)
		if (!p->mappings[i].written)
			err = rec_world_write_mapping(w, p, &p->mappings[i]);
	return err;
}

void rec_world_begin_segment(struct rec_world *w)
{
	size_t i, k;

	for (i = 0; i < w->modules.count; i++)
		w->modules.items[i]->written = false;
	for (i = 0; i < w->threads.count; i++)
		if (w->threads.items[i])
			thread_at(w, (uint32_t)i)->written = false;
	for (i = 0; i < w->processes.count; i++) {
		struct rec_process *p = w->processes.items[i];

		if (!p)
			continue;
		p->written = false;
		p->has_user_stacks = false;
		/* It may have no parent here: its own mappings are written, those that it inherited too. */
		p->parent_id = 0;
		for (k = 0; k < p->mapping_count; k++)
			p->mappings[k].written = false;
		pa_htab_fini(&p->jit_set);
		p->jit_count = 0;
		if (p->dump)
			rec_jitdump_restart(p->dump);
	}
}
