/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Task iterators: who is there at the start, what each thread's totals are, where sleepers sleep. */
#ifndef EV_ITER_H
#define EV_ITER_H

/* Run once at the start: puts the targets' threads under observation and lists them. */
SEC("iter/task")
int list_tasks(struct bpf_iter__task *ctx)
{
	struct task_struct *task = ctx->task;
	struct ev_task row = {};
	struct thread_state *st;

	if (!task)
		return 0;
	task_ids(task, &row.pid, &row.tid);
	if (row.pid == 0 || !is_target(row.pid) || task->exit_state)
		return 0;
	row.kernel_thread = is_kernel_thread(task);
	row.start_time_ns = task->start_time;
	BPF_CORE_READ_STR_INTO(&row.comm, task, comm);
	if (observe_threads) {
		st = thread_new(task, row.pid, row.tid, true);
		if (st && st->phase == EV_UNKNOWN)
			st->block_state = block_state(task_state(task));
	}
	bpf_seq_write(ctx->meta->seq, &row, sizeof(row));
	return 0;
}

/* In what phase a thread is that had no event yet. */
static __always_inline __u32 unseen_phase(struct task_struct *task)
{
	if (task_state(task) != 0)
		return EV_BLOCKED;
	return task->on_cpu ? EV_ON_CPU : EV_RUNQ;
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
	st = bpf_task_storage_get(&threads, task, NULL, 0);
	out = scratch_get(&stat_scratch);
	if (!st || !out || st->phase == EV_ENDED)
		return 0;
	events = st->events;
	/* A spinner has no events but runs: its time is to be seen while it does. */
	if (!final_flush && events == st->flushed && st->phase != EV_ON_CPU && st->phase != EV_RUNQ)
		return 0;
	thread_stat(task, st, out, final_flush ? stop_ns : now);
	if (out->phase == EV_UNKNOWN) {
		out->phase = unseen_phase(task);
		out->block_flags = PA_BLOCK_BEGAN_BEFORE;
		if (out->phase == EV_BLOCKED)
			out->block_state = block_state(task_state(task));
	}
	/* It changed while it was read: the next flush has it. The last one comes after the events. */
	if (!final_flush && st->events != events)
		return 0;
	if (bpf_seq_write(ctx->meta->seq, out, sizeof(*out)) == 0)
		st->flushed = events;
	return 0;
}

/* The user stack of a thread that is off the CPU, by copying from its memory. */
static __always_inline __u32 walk_sleeper(struct task_struct *task, const struct user_regs *regs,
					  __u64 *frames, __u32 *end)
{
	__u64 fp = regs->fp;
	__u32 n = 1, i, stop = PA_STACK_TRUNCATED;
	struct frame_record rec;

	frames[0] = regs->ip;
	for (i = 1; i < EV_MAX_FRAMES; i++) {
		__u32 ended = fp_check(regs->sp, fp);

		if (!ended && bpf_copy_from_user_task(&rec, sizeof(rec), (void *)fp, task, 0) < 0)
			ended = PA_STACK_BAD_MEMORY;
		if (!ended)
			ended = fp_follow(&rec, &fp);
		if (ended) {
			stop = ended;
			break;
		}
		frames[i] = CODE_ADDRESS(rec.ra);
		n = i + 1;
	}
	*end = stop;
	return n;
}

/* Run at the start, and when a thread's block turns out to be long and has no stack. */
SEC("iter.s/task")
int dump_sleepers(struct bpf_iter__task *ctx)
{
	struct task_struct *task = ctx->task;
	struct ev_sleeper *out;
	struct thread_state *st;
	struct user_regs regs;
	__u64 events, kernel = 0;
	long got;

	if (!task)
		return 0;
	st = bpf_task_storage_get(&threads, task, NULL, 0);
	out = scratch_get(&sleeper_scratch);
	if (!st || !out || task->on_cpu || task_state(task) == 0)
		return 0;
	if (st->phase != EV_UNKNOWN && !(st->phase == EV_BLOCKED && st->ustack == PA_STACK_NOT_TAKEN))
		return 0;
	events = st->events;
	out->who = st->who;
	out->since_ns = st->since_ns;
	out->block_state = block_state(task_state(task));
	out->syscall = 0;
	out->user_frames = 0;
	out->user_end = PA_STACK_NONE;
	got = bpf_get_task_stack(task, out->frames, EV_MAX_FRAMES * sizeof(out->frames[0]), 0);
	if (got > 0)
		kernel = bounded((__u64)got / sizeof(out->frames[0]));
	out->kernel_frames = kernel;
	if (!is_kernel_thread(task) && task->mm) {
		task_user_regs(task, &regs);
		out->syscall = regs.syscall;
		out->user_end = PA_STACK_UNKNOWN_END;
		if (regs.valid)
			out->user_frames = walk_sleeper(task, &regs, &out->frames[bounded(kernel)],
						       &out->user_end);
	}
	if (st->events != events || task_state(task) == 0)
		return 0; /* it woke up meanwhile */
	bpf_seq_write(ctx->meta->seq, out, sizeof(*out));
	return 0;
}

#endif
