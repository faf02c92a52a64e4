/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Task iterators: who is there at the start, what each thread's totals are, where sleepers sleep. */
#ifndef EV_ITER_H
#define EV_ITER_H

/* In what phase a thread is now, for all that can be seen from outside. */
static __always_inline __u32 phase_now(struct task_struct *task)
{
	if (task_state(task) != 0)
		return EV_BLOCKED;
	return task->on_cpu ? EV_ON_CPU : EV_RUNQ;
}

/* Run before the start, to find the recorder's namespace; and at the start: puts the targets' threads under observation and lists them. */
SEC("iter/task")
int list_tasks(struct bpf_iter__task *ctx)
{
	struct task_struct *task = ctx->task;
	struct ev_task row = {};
	struct thread_state *st;

	if (!task)
		return 0;
	if (!recording) {
		find_namespace();
		return 0;
	}
	task_ids(task, &row.pid, &row.tid);
	if (row.pid == 0 || !is_target(row.pid) || task->exit_state)
		return 0;
	row.kernel_thread = is_kernel_thread(task);
	row.start_time_ns = task->start_time;
	BPF_CORE_READ_STR_INTO(&row.comm, task, comm);
	if (observe_threads) {
		st = thread_new(task, row.pid, row.tid, true);
		if (st && st->phase == EV_UNKNOWN) {
			st->first_phase = phase_now(task);
			st->block_state = block_state(task_state(task));
		}
	}
	bpf_seq_write(ctx->meta->seq, &row, sizeof(row));
	return 0;
}

/* Run every second and at the end: the totals of all threads that changed; at the end, of all. */
SEC("iter/task")
int dump_threads(struct bpf_iter__task *ctx)
{
	struct task_struct *task = ctx->task;
	struct ev_thread_stat *out;
	struct thread_state *st;
	__u64 events, now = bpf_ktime_get_ns();

	if (!task)
		return 0;
	st = thread_get(task);
	out = scratch_get(&stat_scratch);
	if (!st || !out || st->phase == EV_ENDED)
		return 0;
	events = st->events;
	barrier();
	/* A spinner has no events but runs: its time is to be seen while it does. */
	if (!final_flush && events == st->flushed && st->phase != EV_ON_CPU && st->phase != EV_RUNQ)
		return 0;
	thread_stat(task, st, out, final_flush ? stop_ns : now);
	if (out->phase == EV_UNKNOWN) {
		/* No event since it was found. What it does now may have begun after the end. */
		out->phase = st->first_phase;
		out->block_flags = PA_BLOCK_BEGAN_BEFORE;
	}
	barrier();
	/* It changed while it was read: the next flush has it. The last one comes after the events. */
	if (!final_flush && ((events & 1) || st->events != events))
		return 0;
	if (bpf_seq_write(ctx->meta->seq, out, sizeof(*out)) == 0)
		st->flushed = events;
	return 0;
}

#define SLEEPER_STACKS 6 /* pieces of stack that are copied for one walk */

/* Copies one page of a sleeper's stack, as copy_own_page(). */
static __always_inline bool copy_page_of(const struct copy_ctx *ctx)
{
	struct walker *w = walker_at(ctx->index);
	struct ev_copy *copy;
	__u32 at, bytes;
	__u64 from;

	if (!w)
		return false;
	copy = bpf_map_lookup_elem(&copies, &w->copy);
	bytes = next_page(w, &from);
	at = w->copied;
	if (!copy || !bytes || bytes > STACK_PAGE || at > EV_COPY_BYTES - STACK_PAGE ||
	    from >= ctx->end)
		return false;
	if (bpf_copy_from_user_task(copy->data + at, bytes, (void *)from, ctx->task, 0) < 0)
		return false;
	w->copied = at + bytes;
	return true;
}

static __always_inline void copy_stack_of(struct walker *w, struct copy_ctx *ctx, __u64 from)
{
	__u32 i;

	w->copy_from = from & ~7ull;
	w->copied = 0;
	for (i = 0; i < COPY_PAGES; i++)
		if (!copy_page_of(ctx))
			break;
}

/* The stacks of a thread that is off the CPU: its memory is copied first, then walked. */
static __always_inline void walk_sleeper(struct walker *w, __u32 index, struct task_struct *task,
					 __u64 now)
{
	struct copy_ctx ctx = {.task = task, .end = ~0ull, .index = index};
	__u64 walked;
	__u32 i;

	w->out.id = 0;
	w->out.user_frames = 0;
	w->out.user_end = PA_STACK_NONE;
	w->out.syscall = 0;
	if (is_kernel_thread(task) || !task->mm)
		return;
	w->out.user_end = PA_STACK_UNKNOWN_END;
	if (!task_saved_regs(task, &w->saved))
		return;
	w->out.syscall = regs_syscall(&w->saved);
	walker_begin(w);
	w->copy = copies_stacks() ? index : 0;
	for (i = 0; i < SLEEPER_STACKS; i++) {
		copy_stack_of(w, &ctx, w->regs.sp);
		/* Without a copy nothing can be read: not the memory of whoever runs the iterator. */
		if (!w->copied)
			break;
		if (i == 0)
			walk_user(w, index, w->out.who.pid);
		else
			walk_on(w, index);
		/* A signal's stack leads to another one; a deep one goes on behind the copy. */
		if (w->out.user_end != PA_STACK_BAD_MEMORY || w->regs.sp == w->copy_from)
			break;
	}
	if (!copies_stacks() || !wants_copy(w))
		return;
	ctx.end = stack_limit(task, w->saved.user.sp);
	copy_stack_of(w, &ctx, w->saved.user.sp);
	if (w->copied) {
		w->out.kernel_frames = 0;
		walked = stack_send(w, index, false, now);
		w->out.id = copy_send(w, walked, now);
	}
}

/* Run at the start, and when a thread's block turns out to be long and has no stack. */
SEC("iter.s/task")
int dump_sleepers(struct bpf_iter__task *ctx)
{
	struct task_struct *task = ctx->task;
	__u32 index = cpu_count * WALK_USES;
	struct thread_state *st;
	struct walker *w;
	__u64 events, now = bpf_ktime_get_ns();
	long got;

	if (!task)
		return 0;
	st = thread_get(task);
	w = walker_at(index);
	if (!st || !w || task->on_cpu || task_state(task) == 0)
		return 0;
	if (st->phase != EV_UNKNOWN &&
	    !(st->phase == EV_BLOCKED && st->ustack == PA_STACK_NOT_TAKEN))
		return 0;
	events = st->events;
	w->out.who = st->who;
	w->out.since_ns = st->since_ns;
	w->out.block_state = block_state(task_state(task));
	walk_sleeper(w, index, task, now);
	got = bpf_get_task_stack(task, &w->out.frames[bounded(w->out.user_frames)],
				 EV_KERNEL_FRAMES * sizeof(__u64), 0);
	w->out.kernel_frames = got > 0 ? (__u64)got / sizeof(__u64) : 0;
	w->out.kernel_end = w->out.kernel_frames ? PA_STACK_KERNEL : PA_STACK_UNKNOWN_END;
	w->out.head = (struct ev_head){EV_SLEEPER, sizeof(w->out), now};
	if (st->events != events || task_state(task) == 0)
		return 0; /* it woke up meanwhile */
	bpf_seq_write(ctx->meta->seq, &w->out, sizeof(w->out));
	return 0;
}

#endif
