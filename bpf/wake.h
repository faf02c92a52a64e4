/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who wakes whom. */
#ifndef EV_WAKE_H
#define EV_WAKE_H

#define SOFTIRQ_SERVED 0x100
#define ANY_HARDIRQ 0xff0000 /* and NMI */

#if defined(__TARGET_ARCH_x86)
static __always_inline bool is_in_syscall(struct task_struct *task)
{
	struct ev_saved_regs regs;

	if (have_task_pt_regs)
		return ((struct pt_regs *)bpf_task_pt_regs(task))->orig_ax < 1024;
	return task_saved_regs(task, &regs) && regs_syscall(&regs);
}
#endif

/*
 * Whether the current task was merely interrupted by what runs now. The count of nested interrupts cannot be
 * read on every kernel of x86-64. But interrupts have a stack of their own there, unless they come from
 * user mode; and whoever comes into the kernel by himself comes by a system call. (One who wakes
 * another in an exception, which is rare, is taken for interrupted.) ctx lies on the stack in use.
 */
static __always_inline bool in_interrupt(void *ctx, struct thread_state *st,
					 struct task_struct *task)
{
#if defined(__TARGET_ARCH_x86)
	__u64 stack = (__u64)(have_task_storage ? task->stack : BPF_CORE_READ(task, stack));

	/* The verifier takes it for a number only when it has been in a map. */
	*(volatile __u64 *)&st->waker_ustack = (__u64)ctx;
	if (*(volatile __u64 *)&st->waker_ustack - stack >= EV_THREAD_SIZE)
		return true;
	return !is_kernel_thread(task) && !is_in_syscall(task);
#else
	return BPF_CORE_READ(task, thread_info.preempt_count) & (SOFTIRQ_SERVED | ANY_HARDIRQ);
#endif
}

/* The stacks of whoever wakes a thread. This runs with interrupts off, so nobody else uses the walker. */
static __always_inline void take_waker_stacks(void *ctx, struct thread_state *st,
					      struct task_struct *task, __u32 pid)
{
	__u32 index = walker_index(WALK_SWITCH);
	struct walker *w = walker_at(index);
	__u64 now = bpf_ktime_get_ns();

	if (!w)
		return;
	st->waker_kstack = current_kernel_stack(ctx, w, index, now);
	st->waker_ustack = PA_STACK_NONE;
	if ((task->flags & PF_KTHREAD) || !task->mm)
		return;
	st->waker_ustack = PA_STACK_UNKNOWN_END;
	if (task_saved_regs(task, &w->saved))
		st->waker_ustack = current_user_stack(w, index, task, pid, now);
}

/*
 * This comes in the context of the waker, without the run queue's lock: it changes nothing but who wakes
 * the thread, which the wakeup that follows takes. Loaded with --offcpu only.
 */
SEC("tp_btf/sched_waking")
int BPF_PROG(on_waking, struct task_struct *task)
{
	struct task_struct *waker;
	struct thread_state *st;
	__u32 pid, tid;
	bool interrupted;

	if (!recording)
		return 0;
	st = thread_get(task);
	if (!st)
		return 0;
	waker = current_task();
	/* The idle task finishes what an interrupt of another CPU asked for. */
	interrupted = !(__u32)bpf_get_current_pid_tgid() || in_interrupt(ctx, st, waker);
	st->waker_ustack = 0;
	st->waker_kstack = 0;
	if (interrupted) {
		st->waker = EV_WAKER_INTERRUPT;
		return 0;
	}
	task_ids(waker, &pid, &tid);
	st->waker = tid ? tid : EV_WAKER_OUTSIDE;
	/* A block whose own stack was not taken is only a number. */
	if (record_wakers && !(st->phase == EV_BLOCKED && st->weight == 0))
		take_waker_stacks(ctx, st, waker, pid);
	return 0;
}

#endif
