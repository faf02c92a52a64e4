/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The wire between the programs in the kernel and record/: what stands in the ring buffer, in maps and
 * in what iterators write. Same machine, same build: it may change any day. Plain structs, no padding
 * left to the compiler.
 */
#ifndef EV_EVENTS_H
#define EV_EVENTS_H

#define EV_KERNEL_FRAMES 127 /* at most: the kernel's default limit */
#define EV_USER_FRAMES 511 /* at most; one less than a power of two, see bounded() */
#define EV_MAX_FRAMES (EV_KERNEL_FRAMES + EV_USER_FRAMES)
#define EV_HIST_RING 64 /* observations that a thread keeps until they are sent */
#define EV_MAX_COUNTERS 8 /* hardware counters */

enum ev_kind {
	EV_SAMPLE = 1,
	EV_THREAD,
	EV_BLOCK,
	EV_STACK,
	EV_SLEEPER,
	EV_HIST,
	EV_THREAD_END,
	EV_EXIT,
	EV_LEFT, /* as ev_exit: the process is no longer the caller's to record */
	EV_COPY,
	EV_EXEC, /* a head alone: one or more processes got a new image */
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

/*
 * Whatever carries stacks: a sample, a stack that is sent once and referred to by its id, or the place of
 * a sleeper. frames[] holds user frames first, then kernel frames, each innermost first. Only as many are
 * sent as there are.
 */
struct ev_frames {
	struct ev_head head;
	struct ev_who who; /* sample, sleeper */
	__u64 id; /* stack: its id, a 64-bit hash, never below 16; else: the copy of its user stack, or 0 */
	__u64 period; /* sample: of the event */
	__u64 since_ns; /* sleeper: when its block began */
	__u64 syscall; /* sleeper: number + 1 */
	__u64 wanted_ip; /* an address for which the walk had no table; 0 = none */
	__u32 cpu; /* sample */
	__u32 block_state; /* sleeper: enum pa_block_state */
	__u16 user_frames;
	__u16 kernel_frames;
	__u16 user_end; /* enum pa_stack_end */
	__u16 kernel_end;
	__u32 counters; /* sample: so many advances of counters stand behind the frames */
	__u32 reserved;
	__u64 frames[EV_MAX_FRAMES + EV_MAX_COUNTERS];
};

#define EV_COPY_BYTES 65536 /* of a stack; a power of two */
#define EV_COPY_REGS 32

/* A user stack that is walked later. Only as many bytes are sent as there are. */
struct ev_copy {
	struct ev_head head;
	struct ev_who who;
	__u64 id; /* as that of a stack, from the same numbers */
	__u64 walked; /* the stack as far as it was walked: its id, or how it ended */
	__u64 ip;
	__u64 regs[EV_COPY_REGS]; /* by DWARF number */
	__u64 start; /* address of the first byte */
	__u32 bytes;
	__u32 reserved;
	__u8 data[EV_COPY_BYTES];
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

#define EV_WAKER_INTERRUPT 0xffffffffu /* a timer, a device */
#define EV_WAKER_OUTSIDE 0xfffffffeu /* a thread that the recorder cannot see */

struct ev_block {
	struct ev_head head; /* time_ns: start of the interval */
	struct ev_who who;
	__u64 duration_ns;
	__u64 ustack;
	__u64 kstack;
	__u64 syscall; /* number + 1 */
	__u32 state; /* enum pa_block_state */
	__u32 flags; /* PA_BLOCK_* */
	__u32 waker; /* thread id; 0 = not known; or EV_WAKER_* */
	__u32 reserved;
	__u64 waker_ustack;
	__u64 waker_kstack;
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
	__u64 waker_ustack;
	__u64 waker_kstack;
	__u32 waker;
	__u32 reserved;
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
/* A symbol as printk has it: KSYM_SYMBOL_LEN of 6.1 and later, with room. */
#define EV_KSYM_BYTES 1024
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

#define EV_LOCK_BYTES 40 /* what a pthread mutex takes */
#define EV_SNAPSHOT_BYTES 64

/* A thread of a snapshot. In the iterator's stream it follows the ev_frames with its ids and stacks. */
struct ev_snapshot {
	__u64 now_ns;
	__u64 start_time_ns;
	/* By the scheduler's clock: when it got a CPU last, and when whoever runs the iterator did; 0 = not
	 * known. And how long it ran then. */
	__u64 arrival_ns;
	__u64 own_arrival_ns;
	__u64 slice_ns;
	__u64 user_ns;
	__u64 system_ns;
	__u64 voluntary;
	__u64 involuntary;
	__u64 syscall; /* number + 1 */
	__u64 args[6];
	__u32 state; /* enum pa_block_state */
	__u32 kernel_thread;
	__u32 memory_bytes;
	__u32 own_tid;
	char comm[16];
	__u8 memory[EV_SNAPSHOT_BYTES];
};

/* --- unwinding by tables: what the recorder gives to the programs --- */

#define EV_CHUNK_ROWS 2048 /* of a module's table; a power of two */
#define EV_CHUNK_INDEX (2 * EV_CHUNK_ROWS) /* entries of a table's index */
#define EV_CHUNK_MAPS 4
#define EV_SIDE_MAX 16384 /* rare rules of all modules */
#define EV_UNWIND_MODULES 4096
#define EV_UNWIND_MAPPINGS 65536 /* of all processes */

/* Rows of a table, see unwind_table.h. keys[] of the rows behind the last are ~0. */
struct ev_unwind_chunk {
	union {
		struct {
			__u32 keys[EV_CHUNK_ROWS];
			__u32 rules[EV_CHUNK_ROWS];
		};
		__u32 index
			[EV_CHUNK_INDEX]; /* or: for each so many bytes of code, the row of the first */
	};
};

/* A module whose table is there. Its chunks follow each other. */
struct ev_unwind_module {
	__u64 base;
	__u32 rows;
	__u32 first_chunk;
	__u32 first_side;
	__u32 sides;
	__u32 first_index; /* chunk */
	__u32 index_count; /* entries; 0 = the table is searched whole */
	__u32 index_shift; /* an entry stands for 1 << index_shift bytes */
	__u32 uses; /* counted by the programs, without a lock: it needn't be exact */
};

/* An executable mapping; those of a process follow each other, by address. */
struct ev_unwind_mapping {
	__u64 start, end;
	__u64 bias; /* what to add to an address to get the module's own */
	__u32 module; /* index + 1; 0 = it has no table: its code may keep frame pointers */
	__u32 reserved;
};

struct ev_unwind_process {
	__u32 first; /* in the table of mappings */
	__u32 count;
};

#endif
