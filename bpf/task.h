/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is read from a task: ids in the recorder's namespace, state, user registers. */
#ifndef EV_TASK_H
#define EV_TASK_H

/* The current task. Before 5.11 it is a plain address, so its members are read by BPF_CORE_READ. */
static __always_inline struct task_struct *current_task(void)
{
	if (have_task_storage)
		return bpf_get_current_task_btf();
	return (struct task_struct *)bpf_get_current_task();
}

/* The entry of a pid for a depth of namespaces. */
static __always_inline struct upid *upid_at(struct pid *pid, __u32 level)
{
	return (void *)pid + bpf_core_field_offset(struct pid, numbers) +
	       (__u64)level * bpf_core_type_size(struct upid);
}

/* Other namespaces are as deep as the recorder's: only the same one gives ids that mean something. */
static __always_inline __u32 ns_id(struct pid *pid)
{
	__u32 level = namespace_level;
	struct upid *upid;

	if (!pid || level > 32 || BPF_CORE_READ(pid, level) < level)
		return 0;
	upid = upid_at(pid, level);
	return (__u64)BPF_CORE_READ(upid, ns) == recorder_namespace ? BPF_CORE_READ(upid, nr) : 0;
}

/* Run in the recorder: its own pid namespace is the one that all ids are told in. */
static __always_inline void find_namespace(void)
{
	struct task_struct *self = (struct task_struct *)bpf_get_current_task();
	struct pid *pid = BPF_CORE_READ(self, thread_pid);
	__u32 level = BPF_CORE_READ(pid, level);

	if (level > 32)
		return;
	recorder_namespace = (__u64)BPF_CORE_READ(upid_at(pid, level), ns);
	namespace_level = level;
}

/* Ids as the recorder sees them; 0 where the task is not visible from its namespace. */
static __always_inline void task_ids(struct task_struct *task, __u32 *pid, __u32 *tid)
{
	if (namespace_level == 0) {
		*pid = BPF_CORE_READ(task, tgid);
		*tid = BPF_CORE_READ(task, pid);
		return;
	}
	*pid = ns_id(BPF_CORE_READ(task, group_leader, thread_pid));
	*tid = ns_id(BPF_CORE_READ(task, thread_pid));
}

/* A thread's id as it sees itself. */
static __always_inline __u32 own_tid(struct task_struct *task)
{
	struct pid *pid = BPF_CORE_READ(task, thread_pid);
	__u32 level = pid ? BPF_CORE_READ(pid, level) : 0;

	if (!pid || level > 32)
		return 0;
	return BPF_CORE_READ(upid_at(pid, level), nr);
}

static __always_inline bool is_target(__u32 pid)
{
	return record_all || bpf_map_lookup_elem(&targets, &pid) != NULL;
}

static __always_inline __u32 task_state(struct task_struct *task)
{
	if (bpf_core_field_exists(task->__state))
		return task->__state;
	return (__u32)((struct task_struct___pre514 *)task)->state;
}

/* Bits of include/linux/sched.h to enum pa_block_state; specific ones win over the sleep that they
 * are combined with. */
static __always_inline __u32 block_state(__u32 state)
{
	if (state & TASK_DEAD_BIT)
		return PA_STATE_DEAD;
	if (state & TASK_FROZEN_BIT)
		return PA_STATE_FROZEN;
	if (state & TASK_TRACED_BIT)
		return PA_STATE_TRACED;
	if (state & TASK_STOPPED_BIT)
		return PA_STATE_STOPPED;
	if (state & TASK_PARKED_BIT)
		return PA_STATE_PARKED;
	if (state & TASK_UNINTERRUPTIBLE)
		return state & TASK_NOLOAD_BIT ? PA_STATE_PARKED : PA_STATE_DISK;
	return PA_STATE_SLEEP;
}

static __always_inline bool is_kernel_thread(struct task_struct *task)
{
	return BPF_CORE_READ(task, flags) & PF_KTHREAD;
}

/*
 * Reads the registers with which a task will return to user mode. They stand at the top of its kernel
 * stack, also when it was interrupted in user mode. False when they can't be had.
 */
static __always_inline bool task_saved_regs(struct task_struct *task, struct ev_saved_regs *regs)
{
	void *saved;

	if (have_task_pt_regs)
		saved = (void *)bpf_task_pt_regs(task);
	else
		saved = BPF_CORE_READ(task, stack) + EV_THREAD_SIZE -
			bpf_core_type_size(struct pt_regs);
	return bpf_probe_read_kernel(regs, sizeof(*regs), saved) == 0;
}

/* Number + 1 of the system call that a task with these registers is in; 0 = none. */
static __always_inline __u64 regs_syscall(const struct ev_saved_regs *regs)
{
	__u64 number;

#if defined(__TARGET_ARCH_x86)
	number = regs->user.orig_ax;
#else
	number = (__s64)regs->syscallno;
#endif
	/* An exception or interrupt leaves -1 there; error codes of old entry paths are no numbers. */
	return number < 1024 ? number + 1 : 0;
}

#endif
