/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Threads that come and go: forks are followed, exits keep their status. */
#ifndef EV_LIFE_H
#define EV_LIFE_H

/* A child's mappings are its parent's, until the recorder gives it its own. */
static __always_inline void inherit_mappings(__u32 parent_pid, __u32 pid)
{
	struct ev_unwind_process *process;

	if (!use_tables)
		return;
	process = bpf_map_lookup_elem(&unwind_processes, &parent_pid);
	if (process)
		bpf_map_update_elem(&unwind_processes, &pid, process, BPF_ANY);
}

/* With the scheduler's programs: every new thread of a target gets its state. */
SEC("tp_btf/sched_process_fork")
int BPF_PROG(on_fork, struct task_struct *parent, struct task_struct *child)
{
	__u32 pid, tid, parent_pid, parent_tid;
	__u8 one = 1;

	if (!recording)
		return 0;
	task_ids(parent, &parent_pid, &parent_tid);
	if (!is_target(parent_pid))
		return 0;
	task_ids(child, &pid, &tid);
	if (pid == 0)
		return 0; /* in a namespace that the recorder does not see */
	if (!record_all && pid != parent_pid &&
	    bpf_map_update_elem(&targets, &pid, &one, BPF_ANY) < 0)
		count_loss(PA_LOSS_THREADS);
	if (pid != parent_pid)
		inherit_mappings(parent_pid, pid);
	if (observe_threads)
		thread_new(child, pid, tid, false);
	return 0;
}

/* Whether a task has only its owner's privileges; a set-user-ID program or one with capabilities has more. */
static __always_inline bool is_owners(struct task_struct *task)
{
	const struct cred *cred = task->cred;
	__u64 capabilities = 0;

	bpf_core_read(&capabilities, sizeof(capabilities), &cred->cap_permitted);
	return cred->uid.val == owner_uid && cred->euid.val == owner_uid &&
	       cred->suid.val == owner_uid && cred->fsuid.val == owner_uid && capabilities == 0;
}

/* Nothing more is recorded of a process that is no longer the caller's. */
static __always_inline void leave(struct task_struct *task, __u32 pid, __u32 tid)
{
	struct ev_exit ev = {.pid = pid, .tid = tid, .process_ended = 1};

	bpf_map_delete_elem(&targets, &pid);
	if (have_task_storage)
		bpf_task_storage_delete(&threads, task);
	else
		thread_forget(task);
	ev.head = (struct ev_head){EV_LEFT, sizeof(ev), bpf_ktime_get_ns()};
	if (!ring_send(&ev, sizeof(ev)))
		count_loss(PA_LOSS_SIDEBAND);
}

/* The command begins: until now its process was the recorder's own child. */
static __always_inline void command_begins(struct task_struct *task, __u32 pid, __u32 tid)
{
	struct thread_state *st;
	__u8 one = 1;

	bpf_map_update_elem(&targets, &pid, &one, BPF_ANY);
	st = observe_threads ? thread_new(task, pid, tid, false) : NULL;
	if (st)
		st->phase = EV_ON_CPU;
}

#define EXEC_WAKE_NS 20000000ull /* between two wakings of the recorder */

/* Wakes the recorder, which is to hand the new image's mappings down while the process still lives. */
static __always_inline void wake_for_exec(void)
{
	struct ev_head head = {
		.kind = EV_EXEC, .bytes = sizeof(head), .time_ns = bpf_ktime_get_ns()};

	if (head.time_ns - exec_woken_ns < EXEC_WAKE_NS)
		return;
	exec_woken_ns = head.time_ns;
	/* If there is no room, it is awake already. */
	bpf_ringbuf_output(&ring, &head, sizeof(head), BPF_RB_FORCE_WAKEUP);
}

/* A new image: what the tables of mappings say of the old one no longer holds. */
SEC("tp_btf/sched_process_exec")
int BPF_PROG(on_exec, struct task_struct *task)
{
	__u32 pid, tid;

	if (!recording)
		return 0;
	task_ids(task, &pid, &tid);
	if (pid == 0)
		return 0;
	if (use_tables)
		bpf_map_delete_elem(&unwind_processes, &pid);
	if (pid == command_pid && !is_target(pid))
		command_begins(task, pid, tid);
	if (use_tables && is_target(pid))
		wake_for_exec();
	if (owner_only && is_target(pid) && !is_owners(task))
		leave(task, pid, tid);
	return 0;
}

SEC("tp_btf/sched_process_exit")
int BPF_PROG(on_exit, struct task_struct *task)
{
	struct ev_exit ev = {};

	if (!recording)
		return 0;
	task_ids(task, &ev.pid, &ev.tid);
	if (ev.pid == 0 || !is_target(ev.pid))
		return 0;
	ev.head = (struct ev_head){EV_EXIT, sizeof(ev), bpf_ktime_get_ns()};
	ev.process_ended = task->signal->live.counter == 0;
	ev.status = task->exit_code;
	if (!ring_send(&ev, sizeof(ev)))
		count_loss(PA_LOSS_SIDEBAND);
	if (ev.process_ended && !record_all)
		bpf_map_delete_elem(&targets, &ev.pid);
	return 0;
}

#endif
