// SPDX-License-Identifier: GPL-2.0-or-later
/* Processes and threads of the recorded host, in the order of time. */
#include "record/world.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "format/util/mem.h"
#include "record/modules.h"
#include "record/sched.h"

/* Objects are reached by index, so that tables can grow; an index is used again once it is free. */
struct pool {
	void **items;
	size_t count, cap;
	uint32_t *free_list;
	size_t free_count, free_cap;
};

struct rec_world {
	struct pa_writer *writer;
	const struct rec_world_ops *ops;
	void *ctx;
	struct pool processes, threads;
	struct pa_htab by_pid, by_tid, by_slot;
	struct rec_modules modules;
	uint32_t next_process_id, next_thread_id;
	size_t living;
};

static struct rec_process *process_at(const struct rec_world *w, uint32_t i)
{
	return w->processes.items[i];
}

static struct rec_thread *thread_at(const struct rec_world *w, uint32_t i)
{
	return w->threads.items[i];
}

static int pool_add(struct pool *pool, void *item, uint32_t *index)
{
	int err;

	if (pool->free_count) {
		*index = pool->free_list[--pool->free_count];
	} else {
		err = pa_grow(&pool->items, &pool->cap, pool->count + 1, sizeof(*pool->items));
		/* Room for every index, so that giving one back cannot fail. */
		if (!err)
			err = pa_grow(&pool->free_list, &pool->free_cap, pool->count + 1,
				      sizeof(*pool->free_list));
		if (err)
			return err;
		*index = (uint32_t)pool->count++;
	}
	pool->items[*index] = item;
	return 0;
}

static void pool_del(struct pool *pool, uint32_t index)
{
	pool->items[index] = NULL;
	pool->free_list[pool->free_count++] = index;
}

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
	/* Ended ones can be found until somebody else gets the id, since their last events come late. */
	pa_htab_del(&w->by_pid, pa_hash_u64(pid), same_pid, w, &pid);
	if (pool_add(&w->processes, p, index) < 0) {
		free(p);
		return NULL;
	}
	if (pa_htab_add(&w->by_pid, pa_hash_u64(pid), *index) < 0) {
		pool_del(&w->processes, *index);
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
	if (pool_add(&w->threads, t, &t->index) < 0) {
		free(t);
		return NULL;
	}
	if (pa_htab_add(&w->by_tid, pa_hash_u64(tid), t->index) < 0) {
		pool_del(&w->threads, t->index);
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
	if (p->id && w->ops->process_done)
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

struct rec_world *rec_world_new(struct pa_writer *writer, const struct rec_world_ops *ops, void *ctx)
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
	free(w->processes.items);
	free(w->processes.free_list);
	free(w->threads.items);
	free(w->threads.free_list);
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

	return pa_htab_get(&w->by_tid, pa_hash_u64(tid), same_tid, w, &tid, &i) ? thread_at(w, i) : NULL;
}

struct rec_thread *rec_world_get_slot(struct rec_world *w, uint32_t slot)
{
	uint32_t i;

	return pa_htab_get(&w->by_slot, pa_hash_u64(slot), same_slot, w, &slot, &i) ? thread_at(w, i) :
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
	if (t->slot == slot)
		return 0;
	if (t->slot)
		pa_htab_del(&w->by_slot, pa_hash_u64(t->slot), same_slot, w, &t->slot);
	t->slot = slot;
	return pa_htab_add(&w->by_slot, pa_hash_u64(slot), t->index);
}

/* --- events --- */

int rec_world_present(struct rec_world *w, uint32_t pid, uint32_t tid, const char *comm, bool kernel,
		      uint64_t time_ns)
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

static int write_exec(struct rec_world *w, struct rec_process *p, uint64_t time_ns)
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
	return p->id ? write_exec(w, p, time_ns) : 0;
}

int rec_world_comm(struct rec_world *w, uint32_t pid, uint32_t tid, const char *comm, bool exec,
		   uint64_t time_ns)
{
	struct rec_process *p = rec_world_get_process(w, pid);
	struct rec_thread *t;
	struct pa_record rec = {.id = PA_REC_COMM};
	int err = 0;

	if (!p)
		return 0;
	t = rec_world_find_thread(w, pid, tid, comm, false, time_ns);
	if (!t)
		return -ENOMEM;
	set_comm(t->comm, comm);
	if (pid == tid)
		set_comm(p->comm, comm);
	if (exec)
		err = process_exec(w, p, time_ns);
	if (err || !t->id)
		return err;
	rec.comm.time_ns = time_ns;
	rec.comm.thread = t->id;
	err = pa_writer_string(w->writer, t->comm, strlen(t->comm), &rec.comm.comm);
	return err ? err : pa_writer_add(w->writer, &rec);
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

	if (!t || !t->id)
		return 0;
	rec.exit.time_ns = time_ns;
	rec.exit.thread = t->id;
	rec.exit.process_ended = process_ended;
	rec.exit.status_known = 1;
	rec.exit.status = status & 0xffff;
	return pa_writer_add(w->writer, &rec);
}

/* --- mappings --- */

/* Index of the first mapping that ends after address. */
static size_t mapping_after(const struct rec_process *p, uint64_t address)
{
	size_t lo = 0, hi = p->mapping_count;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (p->mappings[mid].end <= address)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

const struct rec_mapping *rec_process_mapping(const struct rec_process *p, uint64_t address)
{
	size_t i = mapping_after(p, address);

	return i < p->mapping_count && p->mappings[i].start <= address ? &p->mappings[i] : NULL;
}

struct rec_module *rec_world_module(struct rec_world *w, const struct rec_mapping *m)
{
	return rec_modules_get(&w->modules, m->module);
}

struct rec_module *rec_world_module_at(struct rec_world *w, uint32_t index)
{
	return rec_modules_get(&w->modules, index);
}

/* Cuts the range out of the process's mappings; a mapping around it leaves two. 0 or -ENOMEM. */
static int cut_out(struct rec_process *p, uint64_t start, uint64_t end)
{
	size_t i = mapping_after(p, start), last;
	struct rec_mapping *m;

	if (i < p->mapping_count && p->mappings[i].start < start && p->mappings[i].end > end) {
		if (pa_grow(&p->mappings, &p->mapping_cap, p->mapping_count + 1, sizeof(*p->mappings)) < 0)
			return -ENOMEM;
		m = &p->mappings[i];
		memmove(m + 1, m, (p->mapping_count - i) * sizeof(*m));
		p->mapping_count++;
		m[0].end = start;
		m[1].offset_bytes += end - m[1].start;
		m[1].start = end;
		return 0;
	}
	if (i < p->mapping_count && p->mappings[i].start < start)
		p->mappings[i++].end = start;
	for (last = i; last < p->mapping_count && p->mappings[last].end <= end; last++)
		;
	if (last < p->mapping_count && p->mappings[last].start < end) {
		m = &p->mappings[last];
		m->offset_bytes += end - m->start;
		m->start = end;
	}
	memmove(&p->mappings[i], &p->mappings[last], (p->mapping_count - last) * sizeof(*p->mappings));
	p->mapping_count -= last - i;
	return 0;
}

static int write_mapping(struct rec_world *w, struct rec_process *p, struct rec_mapping *m)
{
	struct rec_module *module = rec_modules_get(&w->modules, m->module);
	struct pa_record rec = {.id = PA_REC_MAPPING};
	int err;

	if (!module->id && !module->identified) {
		module->identified = true;
		if (module->kind == PA_MODULE_FILE && !p->ended_ns && w->ops->identify)
			w->ops->identify(w->ctx, p->pid, m, module);
	}
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

	if (!p || !(event->prot & 4) || fresh.end <= fresh.start)
		return 0;
	err = rec_modules_find(&w->modules, event, &fresh.module);
	if (err)
		return err;
	old = rec_process_mapping(p, fresh.start);
	if (old && old->start == fresh.start && old->end == fresh.end && old->module == fresh.module &&
	    old->offset_bytes == fresh.offset_bytes)
		return 0;
	err = cut_out(p, fresh.start, fresh.end);
	if (!err)
		err = pa_grow(&p->mappings, &p->mapping_cap, p->mapping_count + 1, sizeof(*p->mappings));
	if (err)
		return err;
	i = mapping_after(p, fresh.start);
	memmove(&p->mappings[i + 1], &p->mappings[i], (p->mapping_count - i) * sizeof(fresh));
	p->mappings[i] = fresh;
	p->mapping_count++;
	p->tables_dirty = true;
	return p->has_user_stacks ? write_mapping(w, p, &p->mappings[i]) : 0;
}

/* --- writing --- */

static int write_process(struct rec_world *w, struct rec_process *p)
{
	struct pa_record rec = {.id = PA_REC_PROCESS};
	struct pa_process *out = &rec.process;
	const struct rec_process_info *info = &p->info;
	int err;

	if (!p->info_known && !p->ended_ns && w->ops->process_info)
		w->ops->process_info(w->ctx, p->pid, &p->info);
	p->info_known = true;
	err = pa_writer_string(w->writer, p->comm, strlen(p->comm), &out->comm);
	if (!err && info->exe)
		err = pa_writer_string(w->writer, info->exe, strlen(info->exe), &out->exe);
	if (!err && info->cmdline)
		err = pa_writer_string(w->writer, info->cmdline, strlen(info->cmdline), &out->cmdline);
	if (!err && info->cgroup)
		err = pa_writer_string(w->writer, info->cgroup, strlen(info->cgroup), &out->cgroup);
	if (err)
		return err;
	p->id = ++w->next_process_id;
	out->time_ns = p->time_ns;
	out->id = p->id;
	out->pid = p->pid;
	out->parent = p->parent_id;
	out->origin = p->origin;
	out->ns_pids = (struct pa_list){info->ns_pids, info->ns_pid_count};
	out->uid = info->uid;
	return pa_writer_add(w->writer, &rec);
}

int rec_world_write_thread(struct rec_world *w, struct rec_thread *t, uint32_t *id)
{
	struct rec_process *p = process_at(w, t->process);
	struct pa_record rec = {.id = PA_REC_THREAD};
	int err = 0;

	*id = t->id;
	if (t->id)
		return 0;
	if (!p->id)
		err = write_process(w, p);
	if (!err)
		err = pa_writer_string(w->writer, t->comm, strlen(t->comm), &rec.thread.comm);
	if (err)
		return err;
	t->id = ++w->next_thread_id;
	*id = t->id;
	rec.thread.time_ns = t->time_ns;
	rec.thread.id = t->id;
	rec.thread.process = p->id;
	rec.thread.tid = t->tid;
	rec.thread.origin = t->origin;
	return pa_writer_add(w->writer, &rec);
}

int rec_world_write_mappings(struct rec_world *w, struct rec_process *p)
{
	size_t i;
	int err = 0;

	if (p->has_user_stacks || p->kernel)
		return 0;
	p->has_user_stacks = true;
	/* They name their process, so it has to stand before them. */
	if (!p->id)
		err = write_process(w, p);
	for (i = 0; i < p->mapping_count && !err; i++)
		if (!p->mappings[i].written)
			err = write_mapping(w, p, &p->mappings[i]);
	return err;
}

static bool same_address(const void *ctx, uint32_t value, const void *key)
{
	return ((const struct rec_process *)ctx)->jit[value] == *(const uint64_t *)key;
}

int rec_process_add_jit(struct rec_process *p, uint64_t address)
{
	uint64_t hash = pa_hash_u64(address);
	uint32_t value;
	int err;

	if (pa_htab_get(&p->jit_set, hash, same_address, p, &address, &value))
		return 0;
	err = pa_grow(&p->jit, &p->jit_cap, p->jit_count + 1, sizeof(*p->jit));
	if (!err)
		err = pa_htab_add(&p->jit_set, hash, (uint32_t)p->jit_count);
	if (!err)
		p->jit[p->jit_count++] = address;
	return err;
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
		pool_del(&w->threads, i);
		thread_free(t);
	}
	for (i = 0; i < w->processes.count; i++) {
		p = process_at(w, i);
		/* All its threads ended before it, so nothing refers to it any more. */
		if (!p || !p->ended_ns || p->ended_ns >= before_ns)
			continue;
		if (rec_world_get_process(w, p->pid) == p)
			pa_htab_del(&w->by_pid, pa_hash_u64(p->pid), same_pid, w, &p->pid);
		pool_del(&w->processes, i);
		process_free(p);
	}
}

void rec_world_finish(struct rec_world *w)
{
	size_t i;

	for (i = 0; i < w->processes.count; i++) {
		struct rec_process *p = w->processes.items[i];

		if (p && p->id && !p->ended_ns && w->ops->process_done)
			w->ops->process_done(w->ctx, p);
	}
}
