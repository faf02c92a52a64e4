/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The wire between the programs in the kernel and record/: what stands in the ring buffer, in maps and
 * in what iterators write. Same machine, same build: it may change any day. Plain structs, no padding
 * left to the compiler.
 */
#ifndef EV_EVENTS_H
#define EV_EVENTS_H

#define EV_MAX_FRAMES 127 /* of a user stack, and of a kernel stack */
#define EV_HIST_RING 64 /* observations that a thread keeps until they are sent */
#define EV_MAX_COUNTERS 8 /* hardware counters */

enum ev_kind {
	EV_SAMPLE = 1,
	EV_THREAD,
	EV_BLOCK,
	EV_STACK,
	EV_HIST,
	EV_THREAD_END,
	EV_EXIT,
};

/* Head of every event. time_ns is CLOCK_MONOTONIC, as is everything here. */
struct ev_head {
	__u32 kind;
	__u32 bytes; /* of the whole event */
	__u64 time_ns;
};

/* Ids as the recorder's pid namespace sees them. slot is unique per thread and recording, from 1. */
struct ev_who {
	__u32 slot;
	__u32 pid;
	__u32 tid;
	__u32 reserved;
};

/* frames[] holds kernel frames first, then user frames, each innermost first. */
struct ev_sample {
	struct ev_head head;
	__u32 pid;
	__u32 tid;
	__u32 cpu;
	__u16 kernel_frames;
	__u16 user_frames;
	__u32 user_end; /* enum pa_stack_end */
	__u32 kernel_end;
	__u64 period; /* of the event; 0 = the default */
	__u64 frames[2 * EV_MAX_FRAMES];
};

/* A thread got a slot. */
struct ev_thread {
	struct ev_head head;
	struct ev_who who;
	__u64 start_time_ns;
	__u32 kernel_thread;
	__u32 reserved;
	char comm[16];
};

/* Stack ids are 64-bit hashes; below 16 they are enum pa_stack_end. */
struct ev_stack {
	struct ev_head head;
	__u64 id;
	__u32 count;
	__u32 end;
	__u32 kernel;
	__u32 reserved;
	__u64 frames[EV_MAX_FRAMES];
};

struct ev_block {
	struct ev_head head; /* time_ns: start of the interval */
	struct ev_who who;
	__u64 duration_ns;
	__u64 ustack;
	__u64 kstack;
	__u64 syscall; /* number + 1 */
	__u32 state; /* enum pa_block_state */
	__u32 flags; /* PA_BLOCK_* */
};

/* EV_HIST_RING observations: kind (enum pa_hist_kind) << 14 | bucket. */
struct ev_hist {
	struct ev_head head;
	struct ev_who who;
	__u64 first; /* number of the first one, counted over the thread's life */
	__u16 values[EV_HIST_RING];
};

struct ev_exit {
	struct ev_head head;
	__u32 pid;
	__u32 tid;
	__u32 status;
	__u32 process_ended;
};

/* Short blocks, summed by these. */
struct ev_sum_key {
	__u64 ustack;
	__u64 kstack;
	__u32 slot;
	__u32 state;
	__u64 syscall;
};

struct ev_sum {
	__u64 count;
	__u64 total_ns;
	__u64 max_ns;
	__u64 represents_count;
	__u64 represents_ns;
	__u32 pid;
	__u32 tid;
};

/* Cumulative totals of a thread: see THREAD_SUM in format/records.def. */
struct ev_totals {
	__u64 on_cpu_ns;
	__u64 runq_ns;
	__u64 sleep_ns;
	__u64 disk_ns;
	__u64 other_ns;
	__u64 iowait_ns;
	__u64 slices;
	__u64 voluntary;
	__u64 preempted;
	__u64 yielded;
	__u64 wakeups;
	__u64 runq_waits;
	__u64 blocks;
	__u64 migrations;
	__u64 discarded;
};

/* Extremes and sum of one of a thread's distributions. */
struct ev_extremes {
	__u64 count;
	__u64 sum_ns;
	__u64 min_ns;
	__u64 max_ns;
	__u64 max_time_ns;
};

struct ev_count {
	__u64 value;
	__u64 enabled_ns;
	__u64 running_ns;
};

enum ev_thread_phase { EV_UNKNOWN = 0, EV_ON_CPU, EV_RUNQ, EV_BLOCKED, EV_ENDED };

/* What a thread's state looks like from outside: sent when it ends, and by the iterator. */
struct ev_thread_stat {
	struct ev_who who;
	__u64 born_ns; /* when it came under observation */
	__u64 since_ns; /* when its phase began */
	__u64 now_ns; /* when this was read */
	__u32 phase; /* enum ev_thread_phase */
	__u32 block_state; /* enum pa_block_state, when blocked */
	__u64 ustack; /* of the present block */
	__u64 kstack;
	__u64 syscall;
	__u32 block_flags;
	__u32 reserved;
	struct ev_totals totals;
	struct ev_extremes extremes[3]; /* enum pa_hist_kind */
	__u64 hist_count; /* observations so far; the last EV_HIST_RING of them are in hist */
	__u16 hist[EV_HIST_RING];
	__u64 page_faults_minor;
	__u64 page_faults_major;
	__u64 kernel_migrations;
	struct ev_count counts[EV_MAX_COUNTERS];
};

struct ev_thread_end {
	struct ev_head head;
	struct ev_thread_stat stat;
};

/* Per CPU, cumulative. */
struct ev_cpu {
	__u64 since_ns; /* when the present task was switched in; 0 = not seen yet */
	__u64 born_ns;
	__u64 idle_ns;
	__u64 switches;
	__u32 idle_now;
	__u32 window_stacks; /* stacks taken in the present window */
	__u64 window_ns; /* when that began */
	__u32 slots; /* given to threads that were created here */
	__u32 reserved;
	struct ev_count last[EV_MAX_COUNTERS]; /* readings at the last switch */
};

/* What did not fit somewhere. Indexed by enum pa_loss_kind. */
#define EV_LOSS_KINDS 16

/* One row of the task iterator at the start. */
struct ev_task {
	__u32 pid;
	__u32 tid;
	__u32 kernel_thread;
	__u32 phase;
	__u64 start_time_ns;
	char comm[16];
};

/* The user stack of a thread that is off the CPU, from the sleepable iterator. */
struct ev_sleeper {
	struct ev_who who;
	__u64 since_ns;
	__u64 syscall;
	__u32 kernel_frames;
	__u32 user_frames;
	__u32 user_end;
	__u32 block_state;
	__u64 frames[2 * EV_MAX_FRAMES];
};

#endif
