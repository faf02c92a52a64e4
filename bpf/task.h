/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is read from a task: ids in the recorder's namespace, state, user registers. */
#ifndef EV_TASK_H
#define EV_TASK_H

static __always_inline __u32 ns_id(struct pid *pid)
{
	struct upid upid = {};
	__u32 level = namespace_level;

	if (!pid || level > 32 || BPF_CORE_READ(pid, level) < level)
		return 0;
	bpf_probe_read_kernel(&upid, sizeof(upid),
			      (void *)pid + bpf_core_field_offset(struct pid, numbers) +
				      (__u64)level * bpf_core_type_size(struct upid));
	return upid.nr;
}

/* Ids as the recorder sees them; 0 where the task is not visible from its namespace. */
static __always_inline void task_ids(struct task_struct *task, __u32 *pid, __u32 *tid)
{
	if (namespace_level == 0) {
		*pid = task->tgid;
		*tid = task->pid;
		return;
	}
	*pid = ns_id(BPF_CORE_READ(task, group_leader, thread_pid));
	*tid = ns_id(BPF_CORE_READ(task, thread_pid));
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
	return task->flags & PF_KTHREAD;
}

/* Number + 1 of the system call that a task is in; 0 = none. */
static __always_inline __u64 task_syscall(struct task_struct *task)
{
	struct pt_regs *saved = (struct pt_regs *)bpf_task_pt_regs(task);
	__u64 number;

	if (!saved)
		return 0;
#if defined(__TARGET_ARCH_x86)
	number = saved->orig_ax;
#else
	number = (__s64)saved->syscallno;
#endif
	/* An exception or interrupt leaves -1 there; error codes of old entry paths are no numbers. */
	return number < 1024 ? number + 1 : 0;
}

#endif
