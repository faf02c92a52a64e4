/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Maps, settings and shared variables of the programs; each bounded, each with a loss counter. */
#ifndef EV_MAPS_H
#define EV_MAPS_H

/* A thread under observation. Only the scheduler's own events change it, all of them under the lock of
 * the run queue that the thread is on; iterators only read (but for the fields that say so). */
struct thread_state {
	struct ev_who who;
	__u64 born_ns;
	__u64 since_ns;
	__u64 ustack;
	__u64 kstack;
	__u64 syscall;
	/* Who wakes it; written by the waker alone. */
	__u64 waker_ustack;
	__u64 waker_kstack;
	__u64 events; /* twice the changes so far; odd while one is being made */
	__u64 flushed; /* value of events when last sent; written by the iterator */
	__u64 hist_count;
	__u64 window_ns; /* start of the window in which blocks are counted for thinning */
	__u32 window_blocks;
	__u32 weight; /* blocks that the present block's stack stands for; 0 = stack not taken */
	__u32 phase; /* enum ev_thread_phase */
	__u32 first_phase; /* the one it was found in; holds while phase is EV_UNKNOWN */
	__u32 block_state;
	__u32 block_flags;
	__u32 waker; /* thread id, or EV_WAKER_* */
	__u32 last_cpu;
	__u16 hist[EV_HIST_RING];
	struct ev_totals totals;
	struct ev_extremes extremes[3];
	struct ev_count counts[EV_MAX_COUNTERS];
	__u64 sampled
		[EV_MAX_COUNTERS]; /* values of counts at the last sample; written by that alone */
	__u64 minor_before; /* the kernel's own counts when observation began */
	__u64 major_before;
	__u64 migrations_before;
};

struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct thread_state);
} threads SEC(".maps");

/* The same by global thread id, for kernels without task storage. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 65536);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, __u32);
	__type(value, struct thread_state);
} threads_by_id SEC(".maps");
/* An empty one, to begin with: too large for the stack. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct thread_state);
} empty_thread SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 4 << 20); /* set by the recorder */
} ring SEC(".maps");

/* Processes to record, by pid in the recorder's namespace. Not used with record_all. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 16384);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, __u32);
	__type(value, __u8);
} targets SEC(".maps");

/* Stacks that have been sent. Losing an entry only means that its stack is sent again. */
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 16384);
	__type(key, __u64);
	__type(value, __u8);
} seen_stacks SEC(".maps");

/* Sums of short blocks: one map is filled while the other is read and emptied. */
#define SUM_MAP(name)                            \
	struct {                                 \
		__uint(type, BPF_MAP_TYPE_HASH); \
		__uint(max_entries, 16384);      \
		__type(key, struct ev_sum_key);  \
		__type(value, struct ev_sum);    \
	} name SEC(".maps")
SUM_MAP(sums_even);
SUM_MAP(sums_odd);

/* Hardware counters: counter * cpus + cpu. */
struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, sizeof(__u32));
	__uint(max_entries, 1); /* set by the recorder */
} counters SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct ev_cpu);
} cpus SEC(".maps");

/* Too large for the BPF stack. */
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct ev_thread_end);
} end_scratch SEC(".maps");
/* Iterators can be preempted, so theirs is not per CPU; there is one iterator at a time. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct ev_thread_stat);
} stat_scratch SEC(".maps");

/* Settings; constant once loaded, so that what is off costs nothing. */
const volatile bool record_all = false;
const volatile bool record_offcpu = false;
const volatile bool record_wakers = false; /* their stacks */
const volatile bool owner_only =
	false; /* the caller may only record processes that are wholly his */
const volatile __u32 owner_uid = 0;
const volatile __u32 command_pid = 0; /* becomes a target when it executes the command; 0 = none */
const volatile bool observe_threads = false; /* keep scheduler statistics */
const volatile bool use_tables =
	false; /* walk user stacks by unwind tables, where there are some */
const volatile __u32 chunk_map_shift = 0; /* each map of chunks holds 1 << this */
const volatile bool use_frame_pointers = true; /* and by frame pointers where there are none */
const volatile bool copy_always = false; /* copy user stacks */
const volatile bool copy_broken = false; /* copy those that could not be walked to their end */
const volatile __u32 counter_count = 0;
const volatile bool sample_counters = false; /* samples carry what they advanced */
const volatile __u32 cpu_count = 1;
const volatile __u64 hash_seed = 0;
const volatile __u32 ring_wake_bytes = 2 << 20; /* wake the recorder when so much is waiting */
const volatile __u64 long_block_ns = 10000000; /* from here on a block is sent by itself */

/* What this kernel has, as the recorder found out. */
const volatile bool have_task_storage = false; /* 5.11 */
const volatile bool have_task_pt_regs = false; /* 5.15 */

/* Shared with the recorder while it runs. */
bool recording = false;
bool final_flush = false;
__u32 namespace_level = 0; /* depth of the recorder's pid namespace; found out before the start */
__u64 recorder_namespace = 0; /* and its address */
__u32 epoch = 0;
__u64 stop_ns = 0;
__u32 iterator_slots = 0;
__u64 exec_woken_ns = 0;
__u64 lost[EV_LOSS_KINDS] = {};

static __always_inline void count_loss(__u32 kind)
{
	if (kind < EV_LOSS_KINDS)
		__sync_fetch_and_add(&lost[kind], 1);
}

/* Sends one event; false when the ring is full, which the caller counts. */
static __always_inline bool ring_send(void *event, __u64 bytes)
{
	__u64 flags = BPF_RB_NO_WAKEUP;

	if (bpf_ringbuf_query(&ring, 0 /* BPF_RB_AVAIL_DATA */) > ring_wake_bytes)
		flags = BPF_RB_FORCE_WAKEUP;
	return bpf_ringbuf_output(&ring, event, bytes, flags) == 0;
}

/*
 * n, of which the verifier then knows that it is at most EV_USER_FRAMES, below EV_UNWIND_REGS, or below 1024; written
 * in assembly, since the compiler would see that it changes nothing.
 */
static __always_inline __u64 bounded(__u64 n)
{
	asm volatile("%0 &= 511" : "+r"(n));
	return n;
}
static __always_inline __u64 bounded_reg(__u64 n)
{
	asm volatile("%0 &= 31" : "+r"(n));
	return n;
}
static __always_inline __u64 bounded_all(__u64 n)
{
	asm volatile("%0 &= 1023" : "+r"(n));
	return n;
}

static __always_inline void *scratch_get(void *map)
{
	__u32 zero = 0;

	return bpf_map_lookup_elem(map, &zero);
}

#endif
