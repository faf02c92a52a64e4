/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The state of a thread under observation, and the distributions of its durations. */
#ifndef EV_THREAD_H
#define EV_THREAD_H

static __always_inline struct thread_state *thread_get(struct task_struct *task)
{
	__u32 id;

	if (have_task_storage)
		return bpf_task_storage_get(&threads, task, NULL, 0);
	id = task->pid;
	return bpf_map_lookup_elem(&threads_by_id, &id);
}

static __always_inline struct thread_state *thread_make(struct task_struct *task)
{
	__u32 id, zero = 0;
	void *empty;

	if (have_task_storage)
		return bpf_task_storage_get(&threads, task, NULL, BPF_LOCAL_STORAGE_GET_F_CREATE);
	id = task->pid;
	empty = bpf_map_lookup_elem(&empty_thread, &zero);
	if (empty)
		bpf_map_update_elem(&threads_by_id, &id, empty, BPF_NOEXIST);
	return bpf_map_lookup_elem(&threads_by_id, &id);
}

static __always_inline void thread_forget(struct task_struct *task)
{
	__u32 id;

	if (have_task_storage)
		return; /* it goes with the task */
	id = task->pid;
	bpf_map_delete_elem(&threads_by_id, &id);
}

/*
 * A number that no other thread gets. Without an atomic add that returns the sum (5.12) each CPU counts
 * in a lane of its own; iterators, which can be preempted, have one more.
 */
static __always_inline __u32 slot_new(bool iterator)
{
	__u32 lane = iterator ? cpu_count : bpf_get_smp_processor_id(), n;
	struct ev_cpu *cpu;

	if (iterator) {
		n = iterator_slots++;
	} else {
		cpu = scratch_get(&cpus);
		if (!cpu)
			return 0;
		n = cpu->slots++;
	}
	return n * (cpu_count + 1) + lane + 1;
}

/* Puts a task under observation from now on; NULL (and counted) when there is no memory. */
static __always_inline struct thread_state *thread_new(struct task_struct *task, __u32 pid,
						       __u32 tid, bool iterator)
{
	__u64 now = bpf_ktime_get_ns();
	struct thread_state *st;
	struct ev_thread ev = {};

	st = thread_make(task);
	if (!st) {
		count_loss(PA_LOSS_THREADS);
		return NULL;
	}
	if (st->who.slot)
		return st;
	st->who.slot = slot_new(iterator);
	st->who.pid = pid;
	st->who.tid = tid;
	st->born_ns = now;
	st->since_ns = now;
	st->last_cpu = -1;
	st->minor_before = task->min_flt;
	st->major_before = task->maj_flt;
	st->migrations_before = task->se.nr_migrations;
	ev.head = (struct ev_head){EV_THREAD, sizeof(ev), now};
	ev.who = st->who;
	ev.start_time_ns = task->start_time;
	ev.kernel_thread = is_kernel_thread(task);
	BPF_CORE_READ_STR_INTO(&ev.comm, task, comm);
	if (!ring_send(&ev, sizeof(ev)))
		count_loss(PA_LOSS_THREADS);
	return st;
}

/*
 * Every change of a thread's numbers stands between these two, so that an iterator on another CPU knows what
 * it read half changed.
 */
static __always_inline void change_begin(struct thread_state *st)
{
	st->events++;
	barrier();
}

static __always_inline void change_end(struct thread_state *st)
{
	barrier();
	st->events++;
}

/* now - since, or 0 and counted when the clock of another CPU is behind. */
static __always_inline __u64 elapsed(struct thread_state *st, __u64 now)
{
	if (now >= st->since_ns)
		return now - st->since_ns;
	st->totals.discarded++;
	return 0;
}

static __always_inline void hist_send(struct thread_state *st, __u64 now)
{
	struct ev_hist ev;

	ev.head = (struct ev_head){EV_HIST, sizeof(ev), now};
	ev.who = st->who;
	ev.first = st->hist_count - EV_HIST_RING;
	__builtin_memcpy(ev.values, st->hist, sizeof(ev.values));
	/* What is lost here is noticed by its numbers. */
	ring_send(&ev, sizeof(ev));
}

/* Position of the highest bit; v is not 0. clang 14 has no BPF instruction for it. */
static __always_inline __u32 highest_bit(__u64 v)
{
	__u32 bit = 0;

	if (v >> 32) {
		bit += 32;
		v >>= 32;
	}
	if (v >> 16) {
		bit += 16;
		v >>= 16;
	}
	if (v >> 8) {
		bit += 8;
		v >>= 8;
	}
	if (v >> 4) {
		bit += 4;
		v >>= 4;
	}
	if (v >> 2) {
		bit += 2;
		v >>= 2;
	}
	return bit + (__u32)(v >> 1);
}

/* The same buckets as pa_hist_bucket() in format/hist.h; a test compares them. */
static __always_inline __u32 hist_bucket(__u64 value)
{
	__u32 shift;

	if (value < 64)
		return value;
	shift = highest_bit(value) - 5;
	return (shift << 5) + (__u32)(value >> shift);
}

static __always_inline void observe(struct thread_state *st, __u32 kind, __u64 value, __u64 now)
{
	struct ev_extremes *x = &st->extremes[kind];

	if (x->count == 0 || value < x->min_ns)
		x->min_ns = value;
	if (x->count == 0 || value > x->max_ns) {
		x->max_ns = value;
		x->max_time_ns = now;
	}
	x->count++;
	x->sum_ns += value;
	st->hist[st->hist_count % EV_HIST_RING] = (kind << 14) | hist_bucket(value);
	st->hist_count++;
	if (st->hist_count % EV_HIST_RING == 0)
		hist_send(st, now);
}

#endif
