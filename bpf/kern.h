/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel types that our programs read, and of them only the members that are read. CO-RE finds
 * the members' real places when a program is loaded, so this is neither complete nor in order, and
 * no BTF is needed where this is built. Renamed members have a flavour each (___suffix).
 */
#ifndef EV_KERN_H
#define EV_KERN_H

typedef unsigned char __u8;
typedef signed char __s8;
typedef unsigned short __u16;
typedef short __s16;
typedef unsigned int __u32;
typedef int __s32;
typedef unsigned long long __u64;
typedef long long __s64;
typedef __u16 __be16;
typedef __u32 __be32;
typedef __u32 __wsum;
typedef _Bool bool;
#define true 1
#define false 0
#define NULL ((void *)0)

/* From include/uapi/linux/bpf.h */
enum {
	BPF_MAP_TYPE_HASH = 1,
	BPF_MAP_TYPE_ARRAY = 2,
	BPF_MAP_TYPE_PERF_EVENT_ARRAY = 4,
	BPF_MAP_TYPE_PERCPU_ARRAY = 6,
	BPF_MAP_TYPE_LRU_HASH = 9,
	BPF_MAP_TYPE_RINGBUF = 27,
	BPF_MAP_TYPE_TASK_STORAGE = 29,
};
enum { BPF_ANY = 0, BPF_NOEXIST = 1, BPF_EXIST = 2 };
enum { BPF_F_NO_PREALLOC = 1 };
enum { BPF_LOCAL_STORAGE_GET_F_CREATE = 1 };
enum { BPF_RB_NO_WAKEUP = 1, BPF_RB_FORCE_WAKEUP = 2 };
enum { BPF_F_USER_STACK = 1 << 8 };
struct bpf_perf_event_value {
	__u64 counter;
	__u64 enabled;
	__u64 running;
};

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct pid_namespace;

struct upid {
	int nr;
	struct pid_namespace *ns;
};

struct pid {
	unsigned int level;
	struct upid numbers[1];
};

struct sched_entity {
	__u64 nr_migrations;
	__u64 sum_exec_runtime;
	__u64 prev_sum_exec_runtime;
};

/* Not there with every configuration. */
struct sched_info {
	__u64 last_arrival;
};

struct mm_struct;

struct atomic_count {
	int counter;
};

struct kernel_uid {
	unsigned int val;
};

/* Two 32-bit words until 6.2, one of 64 bits since: read as 8 bytes. */
struct kernel_capabilities {
};

struct cred {
	struct kernel_uid uid;
	struct kernel_uid suid;
	struct kernel_uid euid;
	struct kernel_uid fsuid;
	struct kernel_capabilities cap_permitted;
};

struct signal_struct {
	struct atomic_count live;
};

/* Where a thread's own data are: x86-64, arm64. */
struct user_words {
	unsigned long tp_value;
};
struct thread_struct {
	unsigned long fsbase;
	struct user_words uw;
};

struct thread_info {
	__u64 preempt_count; /* arm64 */
};

struct task_struct {
	struct thread_info thread_info;
	unsigned int __state;
	void *stack;
	unsigned int flags;
	int on_cpu;
	struct sched_entity se;
	struct mm_struct *mm;
	int exit_state;
	int exit_code;
	unsigned in_iowait : 1;
	int pid;
	int tgid;
	struct task_struct *real_parent;
	struct task_struct *group_leader;
	struct pid *thread_pid;
	__u64 start_time;
	__u64 utime;
	__u64 stime;
	unsigned long nvcsw;
	unsigned long nivcsw;
	struct sched_info sched_info;
	unsigned long min_flt;
	unsigned long maj_flt;
	char comm[16];
	struct signal_struct *signal;
	struct thread_struct thread;
	const struct cred *cred;
};

/* Renamed to __state by 2f064a59a11f ("sched: Change task_struct::state"), 5.14. */
struct task_struct___pre514 {
	long state;
};

struct seq_file;

struct bpf_iter_meta {
	struct seq_file *seq;
	__u64 session_id;
	__u64 seq_num;
};

struct bpf_iter__task {
	struct bpf_iter_meta *meta;
	struct task_struct *task;
};

#pragma clang attribute pop

/*
 * The user registers as the kernel saves them on entry (its struct pt_regs) and as a perf_event program
 * is given them: the same layout, fixed by ptrace on x86-64 and by user_pt_regs on arm64.
 */
#if defined(__TARGET_ARCH_x86)
struct ev_user_regs {
	__u64 r15, r14, r13, r12, bp, bx, r11, r10, r9, r8, ax, cx, dx, si, di;
	__u64 orig_ax, ip, cs, flags, sp, ss;
};
struct ev_saved_regs {
	struct ev_user_regs user;
};
#else
struct ev_user_regs {
	__u64 regs[31];
	__u64 sp, ip, pstate;
};
struct ev_saved_regs {
	struct ev_user_regs user;
	__u64 orig_x0;
	__s32 syscallno;
	__u32 reserved;
};
#endif
struct bpf_perf_event_data {
	struct ev_user_regs regs;
	__u64 sample_period;
	__u64 addr;
};

/* Its size is asked for where the kernel has no helper that finds the saved registers. */
struct pt_regs {
#if defined(__TARGET_ARCH_x86)
	unsigned long orig_ax;
#endif
} __attribute__((preserve_access_index));
#define EV_THREAD_SIZE 16384 /* of kernel stacks, with pages of 4 KiB */

/* include/linux/sched.h; values that 5.8 to 7.x share. */
#define TASK_INTERRUPTIBLE 0x1
#define TASK_UNINTERRUPTIBLE 0x2
#define TASK_STOPPED_BIT 0x4
#define TASK_TRACED_BIT 0x8
#define TASK_PARKED_BIT 0x40
#define TASK_DEAD_BIT 0x80
#define TASK_NOLOAD_BIT 0x400
#define TASK_FROZEN_BIT 0x8000
#define PF_KTHREAD 0x00200000

#if defined(__TARGET_ARCH_x86)
#define EV_NR_SCHED_YIELD 24
#define EV_NR_FUTEX 202
#define EV_NR_CONNECT 42
#else
#define EV_NR_SCHED_YIELD 124
#define EV_NR_FUTEX 98
#define EV_NR_CONNECT 203
#endif

#endif
