/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What every thread of the targets does at this moment, seen from outside: nothing is stopped for it. */
#ifndef EV_SNAPSHOT_H
#define EV_SNAPSHOT_H

/* Too large for the stack; there is one iterator at a time. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct ev_snapshot);
} snapshot_scratch SEC(".maps");

/* Times of the scheduler, which has a clock of its own; the recorder finds out how far it is off. */
static __always_inline void snapshot_times(struct task_struct *task, struct ev_snapshot *out)
{
	struct task_struct *self = current_task();

	out->user_ns = task->utime;
	out->system_ns = task->stime;
	out->voluntary = task->nvcsw;
	out->involuntary = task->nivcsw;
	out->arrival_ns = 0;
	out->own_arrival_ns = 0;
	out->slice_ns = task->se.sum_exec_runtime - task->se.prev_sum_exec_runtime;
	if (bpf_core_field_exists(task->sched_info.last_arrival)) {
		out->arrival_ns = task->sched_info.last_arrival;
		out->own_arrival_ns = BPF_CORE_READ(self, sched_info.last_arrival);
	}
}

/* Arguments as they were given; what was to be returned has not overwritten them yet. */
static __always_inline void snapshot_args(const struct ev_saved_regs *regs, struct ev_snapshot *out)
{
#if defined(__TARGET_ARCH_x86)
	out->args[0] = regs->user.di;
	out->args[1] = regs->user.si;
	out->args[2] = regs->user.dx;
	out->args[3] = regs->user.r10;
	out->args[4] = regs->user.r8;
	out->args[5] = regs->user.r9;
#else
	__builtin_memcpy(out->args, regs->user.regs, sizeof(out->args));
	out->args[0] = regs->orig_x0;
#endif
}

/* The few bytes that tell what a call is about: the lock of a futex, the address of a connection. */
static __always_inline void snapshot_memory(struct task_struct *task, struct ev_snapshot *out)
{
	__u64 at = 0;
	__u32 bytes = 0;

	if (out->syscall == EV_NR_FUTEX + 1) {
		at = out->args[0];
		bytes = EV_LOCK_BYTES;
	} else if (out->syscall == EV_NR_CONNECT + 1) {
		at = out->args[1];
		bytes = out->args[2] < EV_SNAPSHOT_BYTES ? out->args[2] : EV_SNAPSHOT_BYTES;
	}
	if (at && bytes && bytes <= EV_SNAPSHOT_BYTES &&
	    bpf_copy_from_user_task(out->memory, bytes, (void *)at, task, 0) == 0)
		out->memory_bytes = bytes;
}

/* Why a thread is off the CPU, or that it is not. */
static __always_inline __u32 snapshot_state(struct task_struct *task)
{
	__u32 state = task_state(task);

	if (task->exit_state)
		return PA_STATE_DEAD;
	if (task->on_cpu)
		return PA_STATE_RUNNING;
	return state ? block_state(state) : PA_STATE_RUNNABLE;
}

static __always_inline void snapshot_stacks(struct task_struct *task, struct ev_snapshot *out,
					    struct walker *w, __u32 index, bool memory)
{
	long got;

	/* What a thread that runs saved when it came into the kernel last is out of date. */
	if (out->state == PA_STATE_RUNNING) {
		w->out.user_end = PA_STACK_NOT_TAKEN;
		w->out.kernel_end = PA_STACK_NOT_TAKEN;
		return;
	}
	if (memory) {
		walk_sleeper(w, index, task, out->now_ns);
		out->syscall = w->out.syscall;
	} else if (!is_kernel_thread(task)) {
		w->out.user_end = PA_STACK_NOT_TAKEN;
		if (task_saved_regs(task, &w->saved))
			out->syscall = regs_syscall(&w->saved);
	}
	if (out->syscall)
		snapshot_args(&w->saved, out);
	got = bpf_get_task_stack(task, &w->out.frames[bounded(w->out.user_frames)],
				 EV_KERNEL_FRAMES * sizeof(__u64), 0);
	w->out.kernel_frames = got > 0 ? (__u64)got / sizeof(__u64) : 0;
	w->out.kernel_end = w->out.kernel_frames ? PA_STACK_KERNEL : PA_STACK_UNKNOWN_END;
}

static __always_inline int snapshot_task(struct bpf_iter__task *ctx, bool memory)
{
	struct task_struct *task = ctx->task;
	struct ev_snapshot *out = scratch_get(&snapshot_scratch);
	__u32 index = cpu_count * WALK_USES, pid, tid;
	struct walker *w = walker_at(index);

	if (!task || !out || !w)
		return 0;
	task_ids(task, &pid, &tid);
	if (pid == 0 || !is_target(pid))
		return 0;
	__builtin_memset(out, 0, sizeof(*out));
	w->out.who = (struct ev_who){.pid = pid, .tid = tid};
	w->out.id = 0;
	w->out.user_frames = 0;
	w->out.kernel_frames = 0;
	w->out.user_end = PA_STACK_NONE;
	w->out.kernel_end = PA_STACK_NONE;
	w->out.wanted_ip = 0;
	out->now_ns = bpf_ktime_get_ns();
	out->start_time_ns = task->start_time;
	out->kernel_thread = is_kernel_thread(task);
	out->state = snapshot_state(task);
	out->own_tid = own_tid(task);
	BPF_CORE_READ_STR_INTO(&out->comm, task, comm);
	snapshot_times(task, out);
	snapshot_stacks(task, out, w, index, memory);
	if (memory)
		snapshot_memory(task, out);
	w->out.head = (struct ev_head){EV_SLEEPER, sizeof(w->out), out->now_ns};
	bpf_seq_write(ctx->meta->seq, &w->out, sizeof(w->out));
	bpf_seq_write(ctx->meta->seq, out, sizeof(*out));
	return 0;
}

SEC("iter.s/task")
int dump_snapshot(struct bpf_iter__task *ctx)
{
	return snapshot_task(ctx, true);
}

/* For kernels without sleepable iterators (5.18): no memory of a process can be read. */
SEC("iter/task")
int dump_snapshot_plain(struct bpf_iter__task *ctx)
{
	return snapshot_task(ctx, false);
}

#endif
