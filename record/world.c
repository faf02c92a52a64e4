// SPDX-License-Identifier: GPL-2.0-or-later
/* Processes and threads of the recorded host, in the order of time. */
#include "record/world.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "format/util/mem.h"
#include "record/jitdump.h"
#include "record/mappings.h"
#include "record/sched.h"
#include "record/world_internal.h"

static bool same_pid(const void *ctx, uint32_t value, const void *key)
{
	return process_at(ctx, value)->pid == *(const uint32_t *)key;
}

static bool same_tid(const void *ctx, uint32_t value, const void *key)
{
	return thread_at(ctx, value)->tid == *(const uint32_t *)key;
}

static bool same_slot(const void *ctx, uint32_t value, const void *key)
{
	return thread_at(ctx, value)->slot == *(const uint32_t *)key;
}

/* --- life and death --- */

static void process_free(struct rec_process *p)
{
	if (!p)
		return;
	free(p->info.exe);
	free(p->info.cmdline);
	free(p->info.cgroup);
	free(p->mappings);
	free(p->jit);
	pa_htab_fini(&p->jit_set);
	rec_jitdump_free(p->dump);
	if (p->jit_fd >= 0)
		close(p->jit_fd);
	free(p);
}

static void thread_free(struct rec_thread *t)
{
	if (!t)
		return;
	rec_thread_sched_free(t->sched);
	free(t);
}

static void set_comm(char comm[REC_COMM_BYTES], const char *text)
{
	size_t len = strnlen(text, REC_COMM_BYTES - 1);

	memset(comm, 0, REC_COMM_BYTES);
	memcpy(comm, text, len);
}

static struct rec_process *process_new(struct rec_world *w, uint32_t pid, uint32_t origin,
				       uint64_t time_ns, uint32_t *index)
{
	struct rec_process *p = calloc(1, sizeof(*p));

	if (!p)
		return NULL;
	p->pid = pid;
	p->origin = origin;
	p->time_ns = time_ns;
	p->jit_fd = -1;
	/* Ended ones can be found until somebody else gets the id, since their last events come late. */
	pa_htab_del(&w->by_pid, pa_hash_u64(pid), same_pid, w, &pid);
	if (rec_pool_add(&w->processes, p, index) < 0) {
		free(p);
		return NULL;
	}
	if (pa_htab_add(&w->by_pid, pa_hash_u64(pid), *index) < 0) {
		rec_pool_del(&w->processes, *index);
		free(p);
		return NULL;
	}
	w->living++;
	return p;
}

static struct rec_thread *thread_new(struct rec_world *w, uint32_t process, uint32_t tid,
				     uint32_t origin, uint64_t time_ns)
{
	struct rec_thread *t = calloc(1, sizeof(*t));

	if (!t)
		return NULL;
	t->tid = tid;
	t->process = process;
	t->origin = origin;
	t->time_ns = time_ns;
	pa_htab_del(&w->by_tid, pa_hash_u64(tid), same_tid, w, &tid);
	if (rec_pool_add(&w->threads, t, &t->index) < 0) {
		free(t);
		return NULL;
	}
	if (pa_htab_add(&w->by_tid, pa_hash_u64(tid), t->index) < 0) {
		rec_pool_del(&w->threads, t->index);
		free(t);
		return NULL;
	}
	process_at(w, process)->threads++;
	return t;
}

static bool process_index(const struct rec_world *w, uint32_t pid, uint32_t *index)
{
	return pa_htab_get(&w->by_pid, pa_hash_u64(pid), same_pid, w, &pid, index);
}

static void process_end(struct rec_world *w, struct rec_process *p, uint64_t time_ns)
{
	if (p->ended_ns)
		return;
	p->ended_ns = time_ns ? time_ns : 1;
	w->living--;
	if (p->written && w->ops->process_done)
		w->ops->process_done(w->ctx, p);
}

static void thread_end(struct rec_world *w, struct rec_thread *t, uint64_t time_ns)
{
	struct rec_process *p = process_at(w, t->process);

	if (t->ended_ns)
		return;
	t->ended_ns = time_ns ? time_ns : 1;
	/* A leader may end long before its threads: the process lives as long as one of them. */
	if (--p->threads == 0)
		process_end(w, p, time_ns);
}

/* Somebody else gets the pid: whatever was known under it has ended, though its exit was lost. */
static void end_process_by_pid(struct rec_world *w, uint32_t pid, uint64_t time_ns)
{
	uint32_t index, i;

	if (!process_index(w, pid, &index) || process_at(w, index)->ended_ns)
		return;
	for (i = 0; i < w->threads.count; i++)
		if (w->threads.items[i] && thread_at(w, i)->process == index)
			thread_end(w, thread_at(w, i), time_ns);
	process_end(w, process_at(w, index), time_ns);
}

struct rec_world *rec_world_new(struct pa_writer *writer, const struct rec_world_ops *ops,
				void *ctx)
{
	struct rec_world *w = calloc(1, sizeof(*w));

	if (!w)
		return NULL;
	w->writer = writer;
	w->ops = ops;
	w->ctx = ctx;
	return w;
}

void rec_world_free(struct rec_world *w)
{
	size_t i;

	if (!w)
		return;
	for (i = 0; i < w->processes.count; i++)
		process_free(process_at(w, (uint32_t)i));
	for (i = 0; i < w->threads.count; i++)
		thread_free(thread_at(w, (uint32_t)i));
	rec_pool_fini(&w->processes);
	rec_pool_fini(&w->threads);
	pa_htab_fini(&w->by_pid);
	pa_htab_fini(&w->by_tid);
	pa_htab_fini(&w->by_slot);
	rec_modules_fini(&w->modules);
	free(w);
}

/* --- look-up --- */

struct rec_process *rec_world_get_process(struct rec_world *w, uint32_t pid)
{
	uint32_t i;

	return process_index(w, pid, &i) ? process_at(w, i) : NULL;
}

struct rec_thread *rec_world_get_thread(struct rec_world *w, uint32_t tid)
{
	uint32_t i;

	return pa_htab_get(&w->by_tid, pa_hash_u64(tid), same_tid, w, &tid, &i) ? thread_at(w, i) :
										  NULL;
}

struct rec_thread *rec_world_get_slot(struct rec_world *w, uint32_t slot)
{
	uint32_t i;

	return pa_htab_get(&w->by_slot, pa_hash_u64(slot), same_slot, w, &slot, &i) ?
		       thread_at(w, i) :
		       NULL;
}

struct rec_process *rec_world_process_of(struct rec_world *w, const struct rec_thread *t)
{
	return process_at(w, t->process);
}

size_t rec_world_living(const struct rec_world *w)
{
	return w->living;
}

struct rec_thread *rec_world_find_thread(struct rec_world *w, uint32_t pid, uint32_t tid,
					 const char *comm, bool kernel, uint64_t time_ns)
{
	struct rec_thread *t = rec_world_get_thread(w, tid);
	struct rec_process *p;
	uint32_t index;

	if (t && process_at(w, t->process)->pid == pid)
		return t;
	if (t) /* its exit was lost: the id is another thread's now */
		thread_end(w, t, time_ns);
	if (!process_index(w, pid, &index)) {
		p = process_new(w, pid, PA_ORIGIN_DISCOVERED, time_ns, &index);
		if (!p)
			return NULL;
		p->kernel = kernel;
		if (comm)
			set_comm(p->comm, comm);
	}
	t = thread_new(w, index, tid, PA_ORIGIN_DISCOVERED, time_ns);
	if (t)
		set_comm(t->comm, comm ? comm : process_at(w, index)->comm);
	return t;
}

int rec_world_set_slot(struct rec_world *w, struct rec_thread *t, uint32_t slot)
{
	struct rec_thread *before;

	if (t->slot == slot || slot == 0)
		return 0;
	if (t->slot)
		pa_htab_del(&w->by_slot, pa_hash_u64(t->slot), same_slot, w, &t->slot);
	t->slot = 0;
	/* A thread that changed its ids was taken for another one: each slot is one thread's alone. */
	before = rec_world_get_slot(w, slot);
	if (before) {
		pa_htab_del(&w->by_slot, pa_hash_u64(slot), same_slot, w, &slot);
		before->slot = 0;
	}
	t->slot = slot;
	return pa_htab_add(&w->by_slot, pa_hash_u64(slot), t->index);
}

/* --- events --- */

int rec_world_present(struct rec_world *w, uint32_t pid, uint32_t tid, const char *comm,
		      bool kernel, uint64_t time_ns)
{
	struct rec_thread *t = rec_world_find_thread(w, pid, tid, comm, kernel, time_ns);

	if (!t)
		return -ENOMEM;
	t->origin = PA_ORIGIN_PRESENT;
	process_at(w, t->process)->origin = PA_ORIGIN_PRESENT;
	if (pid == tid)
		set_comm(process_at(w, t->process)->comm, comm);
	return 0;
}

/* A child starts with its parent's mappings; they are in the trace where the parent's are. */
static int inherit(struct rec_process *child, const struct rec_process *parent)
{
	int err;
	size_t i;

	child->parent_pid = parent->pid;
	child->parent_id = parent->has_user_stacks ? parent->id : 0;
	child->kernel = parent->kernel;
	child->tables_wanted = parent->tables_wanted;
	child->tables_dirty = true;
	memcpy(child->comm, parent->comm, sizeof(child->comm));
	if (parent->mapping_count == 0)
		return 0;
	err = pa_grow(&child->mappings, &child->mapping_cap, parent->mapping_count,
		      sizeof(*child->mappings));
	if (err)
		return err;
	memcpy(child->mappings, parent->mappings, parent->mapping_count * sizeof(*child->mappings));
	child->mapping_count = parent->mapping_count;
	for (i = 0; i < child->mapping_count; i++)
		child->mappings[i].written = child->mappings[i].written && child->parent_id;
	return 0;
}

int rec_world_fork(struct rec_world *w, uint32_t pid, uint32_t tid, uint32_t parent_pid,
		   uint32_t parent_tid, uint64_t time_ns)
{
	struct rec_thread *maker = rec_world_get_thread(w, parent_tid), *t;
	struct rec_process *parent = rec_world_get_process(w, parent_pid), *p;
	uint32_t index;
	int err;

	if (!parent || parent->ended_ns)
		return 0; /* nobody that is recorded */
	t = rec_world_get_thread(w, tid);
	if (t)
		thread_end(w, t, time_ns); /* its exit was lost */
	if (pid != parent_pid) {
		end_process_by_pid(w, pid, time_ns);
		p = process_new(w, pid, PA_ORIGIN_CREATED, time_ns, &index);
		if (!p)
			return -ENOMEM;
		err = inherit(p, parent);
		if (err)
			return err;
	} else if (!process_index(w, pid, &index)) {
		return 0;
	}
	t = thread_new(w, index, tid, PA_ORIGIN_CREATED, time_ns);
	if (!t)
		return -ENOMEM;
	memcpy(t->comm, maker ? maker->comm : process_at(w, index)->comm, sizeof(t->comm));
	if (pid != parent_pid)
		memcpy(process_at(w, index)->comm, t->comm, sizeof(t->comm));
	return 0;
}

/* A new image: the mappings are gone, and every thread but the one that called exec. */
static int process_exec(struct rec_world *w, struct rec_process *p, uint64_t time_ns)
{
	p->mapping_count = 0;
	p->tables_dirty = true;
	p->kernel = false;
	p->info_known = false;
	free(p->info.exe);
	free(p->info.cmdline);
	p->info.exe = NULL;
	p->info.cmdline = NULL;
	if (p->written)
		return rec_world_write_exec(w, p, time_ns);
	p->exec_ns = p->id ? time_ns : 0;
	return 0;
}

void rec_world_expect(struct rec_world *w, uint32_t pid)
{
	w->expected_pid = pid;
}

/* The image that begins now is the first one that is recorded. */
static int begin_expected(struct rec_world *w, uint32_t pid, uint32_t tid, const char *comm,
			  uint64_t time_ns)
{
	struct rec_thread *t = rec_world_find_thread(w, pid, tid, comm, false, time_ns);
	struct rec_process *p = t ? process_at(w, t->process) : NULL;

	if (!p)
		return -ENOMEM;
	t->origin = PA_ORIGIN_CREATED;
	p->origin = PA_ORIGIN_CREATED;
	p->tables_wanted = true;
	return 0;
}

int rec_world_comm(struct rec_world *w, uint32_t pid, uint32_t tid, const char *comm, bool exec,
		   uint64_t time_ns)
{
	struct rec_process *p = rec_world_get_process(w, pid);
	struct rec_thread *t;
	int err = 0;

	if (exec && pid == w->expected_pid && !p) {
		w->expected_pid = 0;
		return begin_expected(w, pid, tid, comm, time_ns);
	}
	if (!p || p->ended_ns)
		return 0;
	t = rec_world_find_thread(w, pid, tid, comm, false, time_ns);
	if (!t)
		return -ENOMEM;
	set_comm(t->comm, comm);
	if (pid == tid)
		set_comm(p->comm, comm);
	if (exec)
		err = process_exec(w, p, time_ns);
	if (!err && t->written)
		return rec_world_write_comm(w, t, time_ns);
	t->renamed_ns = t->id ? time_ns : 0;
	return err;
}

int rec_world_exit(struct rec_world *w, uint32_t tid, uint64_t time_ns)
{
	struct rec_thread *t = rec_world_get_thread(w, tid);

	if (t)
		thread_end(w, t, time_ns);
	return 0;
}

int rec_world_exit_status(struct rec_world *w, uint32_t tid, uint32_t status, bool process_ended,
			  uint64_t time_ns)
{
	struct rec_thread *t = rec_world_get_thread(w, tid);
	struct pa_record rec = {.id = PA_REC_EXIT};
	uint32_t id;
	int err;

	if (!t || !t->id)
		return 0;
	err = rec_world_write_thread(w, t, &id);
	if (err)
		return err;
	rec.exit.time_ns = time_ns;
	rec.exit.thread = id;
	rec.exit.process_ended = process_ended;
	rec.exit.status_known = 1;
	rec.exit.status = status & 0xffff;
	return pa_writer_add(w->writer, &rec);
}

struct rec_module *rec_world_module(struct rec_world *w, const struct rec_mapping *m)
{
	return rec_modules_get(&w->modules, m->module);
}

struct rec_module *rec_world_module_at(struct rec_world *w, uint32_t index)
{
	return rec_modules_get(&w->modules, index);
}

int rec_world_leave(struct rec_world *w, uint32_t pid, uint64_t time_ns)
{
	end_process_by_pid(w, pid, time_ns);
	return 0;
}

int rec_world_mmap(struct rec_world *w, const struct rec_mmap_event *event)
{
	struct rec_process *p = rec_world_get_process(w, event->pid);
	struct rec_mapping fresh = {
		.start = event->start,
		.end = event->start + event->length_bytes,
		.offset_bytes = event->offset_bytes,
		.time_ns = event->time_ns,
		.elf_header = event->elf_header,
		.prot = event->prot,
		.flags = event->flags,
	};
	const struct rec_mapping *old;
	size_t i;
	int err;

	if (!p || p->ended_ns || !(event->prot & 4) || fresh.end <= fresh.start)
		return 0;
	if (event->path && rec_jitdump_is_path(event->path))
		p->jitdump = fresh.start;
	err = rec_modules_find(&w->modules, event, &fresh.module);
	if (err)
		return err;
	old = rec_process_mapping(p, fresh.start);
	if (old && old->start == fresh.start && old->end == fresh.end &&
	    old->module == fresh.module && old->offset_bytes == fresh.offset_bytes)
		return 0;
	err = rec_mappings_replace(p, &fresh, &i);
	if (err)
		return err;
	p->tables_dirty = true;
	return p->has_user_stacks ? rec_world_write_mapping(w, p, &p->mappings[i]) : 0;
}

/* --- all of them --- */

int rec_world_for_each_process(struct rec_world *w, rec_process_fn *fn, void *ctx)
{
	size_t i;
	int err = 0;

	for (i = 0; i < w->processes.count && !err; i++)
		if (w->processes.items[i])
			err = fn(ctx, w->processes.items[i]);
	return err;
}

int rec_world_for_each_thread(struct rec_world *w, rec_thread_fn *fn, void *ctx)
{
	size_t i;
	int err = 0;

	for (i = 0; i < w->threads.count && !err; i++)
		if (w->threads.items[i])
			err = fn(ctx, w->threads.items[i]);
	return err;
}

void rec_world_forget(struct rec_world *w, uint64_t before_ns)
{
	struct rec_thread *t;
	struct rec_process *p;
	uint32_t i;

	for (i = 0; i < w->threads.count; i++) {
		t = thread_at(w, i);
		if (!t || !t->ended_ns || t->ended_ns >= before_ns)
			continue;
		if (t->slot)
			pa_htab_del(&w->by_slot, pa_hash_u64(t->slot), same_slot, w, &t->slot);
		if (rec_world_get_thread(w, t->tid) == t)
			pa_htab_del(&w->by_tid, pa_hash_u64(t->tid), same_tid, w, &t->tid);
		rec_pool_del(&w->threads, i);
		thread_free(t);
	}
	for (i = 0; i < w->processes.count; i++) {
		p = process_at(w, i);
		/* All its threads ended before it, so nothing refers to it any more. */
		if (!p || !p->ended_ns || p->ended_ns >= before_ns)
			continue;
		if (rec_world_get_process(w, p->pid) == p)
			pa_htab_del(&w->by_pid, pa_hash_u64(p->pid), same_pid, w, &p->pid);
		rec_pool_del(&w->processes, i);
		process_free(p);
	}
}

void rec_world_finish(struct rec_world *w)
{
	size_t i;

	for (i = 0; i < w->processes.count; i++) {
		struct rec_process *p = w->processes.items[i];

		if (p && p->written && !p->ended_ns && w->ops->process_done)
			w->ops->process_done(w->ctx, p);
	}
}
