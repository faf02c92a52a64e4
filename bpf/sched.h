/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The scheduler's view of threads: slices, run-queue waits, blocks. Each thread under observation is in
 * one phase; every event closes the phase that it ends, so that the phases of a thread add up to the
 * time it was observed.
 */
#ifndef EV_SCHED_H
#define EV_SCHED_H

#define WINDOW_NS 100000000ull /* in which blocks are counted for thinning */
#define WINDOW_THREAD 16 /* stacks of a thread and window from which on they are thinned */
#define WINDOW_CPU 256 /* the same for all threads of a CPU */

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

	if (v >> 32) { bit += 32; v >>= 32; }
	if (v >> 16) { bit += 16; v >>= 16; }
	if (v >> 8) { bit += 8; v >>= 8; }
	if (v >> 4) { bit += 4; v >>= 4; }
	if (v >> 2) { bit += 2; v >>= 2; }
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

static __always_inline void add_blocked(struct thread_state *st, __u64 ns)
{
	if (st->block_state == PA_STATE_SLEEP)
		st->totals.sleep_ns += ns;
	else if (st->block_state == PA_STATE_DISK)
		st->totals.disk_ns += ns;
	else
		st->totals.other_ns += ns;
	if (st->block_flags & PA_BLOCK_IOWAIT)
		st->totals.iowait_ns += ns;
}

static __always_inline void block_send(struct thread_state *st, __u64 duration)
{
	struct ev_block ev = {};

	ev.head = (struct ev_head){EV_BLOCK, sizeof(ev), st->since_ns};
	ev.who = st->who;
	ev.duration_ns = duration;
	ev.ustack = st->ustack;
	ev.kstack = st->kstack;
	ev.syscall = st->syscall;
	ev.state = st->block_state;
	ev.flags = st->block_flags;
	if (!ring_send(&ev, sizeof(ev)))
		count_loss(PA_LOSS_BLOCKS);
}

/* Adds a short block to the sums of its thread and stack. Those whose stack was not taken are
 * represented by those whose stack was. */
static __always_inline void block_sum(struct thread_state *st, __u64 duration)
{
	struct ev_sum_key key = {};
	struct ev_sum *sum, fresh = {};
	void *map = epoch & 1 ? (void *)&sums_odd : (void *)&sums_even;

	if (st->weight == 0)
		return;
	key.ustack = st->ustack;
	key.kstack = st->kstack;
	key.slot = st->who.slot;
	key.state = st->block_state;
	key.syscall = st->syscall;
	sum = bpf_map_lookup_elem(map, &key);
	if (!sum) {
		fresh.pid = st->who.pid;
		fresh.tid = st->who.tid;
		bpf_map_update_elem(map, &key, &fresh, BPF_NOEXIST);
		sum = bpf_map_lookup_elem(map, &key);
		if (!sum) {
			count_loss(PA_LOSS_BLOCKS);
			return;
		}
	}
	/* Only this thread's own events come here, under its run queue's lock. */
	sum->count++;
	sum->total_ns += duration;
	sum->represents_count += st->weight;
	sum->represents_ns += duration * st->weight;
	if (duration > sum->max_ns)
		sum->max_ns = duration;
}

/* The block that began at since_ns ends now. */
static __always_inline void block_close(struct thread_state *st, __u64 now)
{
	__u64 duration = elapsed(st, now);

	add_blocked(st, duration);
	if (st->block_flags & PA_BLOCK_BEGAN_BEFORE) {
		if (record_offcpu)
			block_send(st, duration);
		return; /* its true length is not known: it is in no distribution */
	}
	st->totals.blocks++;
	observe(st, PA_HIST_BLOCK, duration, now);
	if (!record_offcpu)
		return;
	if (duration >= long_block_ns)
		block_send(st, duration);
	else
		block_sum(st, duration);
}

/*
 * For how many blocks this one's stack is to stand; 0 = don't take it. Every block of a thread that
 * blocks seldom is taken. Where there are many, one in N (a power of two) at random, so that the taken
 * ones, each with weight N, stand for all without bias; N follows the thread's and the CPU's rates.
 */
static __always_inline __u32 thin(struct thread_state *st, struct ev_cpu *cpu, __u64 now)
{
	__u32 over, weight = 1;

	if (now - st->window_ns > WINDOW_NS) {
		st->window_ns = now;
		st->window_blocks = 0;
	}
	if (now - cpu->window_ns > WINDOW_NS) {
		cpu->window_ns = now;
		cpu->window_stacks = 0;
	}
	over = st->window_blocks++ / WINDOW_THREAD;
	if (over)
		weight <<= highest_bit(over);
	over = cpu->window_stacks / WINDOW_CPU;
	if (over)
		weight <<= highest_bit(over) & 15;
	if (weight > 1 && (bpf_get_prandom_u32() & (weight - 1)))
		return 0;
	cpu->window_stacks++;
	return weight;
}

static __always_inline void block_open(void *ctx, struct thread_state *st, struct ev_cpu *cpu,
				       struct task_struct *task, __u64 now)
{
	__u32 index = walker_index(WALK_SWITCH);
	struct walker *w;

	st->syscall = 0;
	st->ustack = PA_STACK_NOT_TAKEN;
	st->kstack = PA_STACK_NOT_TAKEN;
	st->weight = 0;
	st->block_flags = 0;
	if (st->block_state == PA_STATE_DISK && BPF_CORE_READ_BITFIELD(task, in_iowait))
		st->block_flags = PA_BLOCK_IOWAIT;
	if (!record_offcpu)
		return;
	st->weight = thin(st, cpu, now);
	if (!st->weight)
		return;
	w = walker_at(index);
	if (!w)
		return;
	st->kstack = current_kernel_stack(ctx, w, index, now);
	if ((task->flags & PF_KTHREAD) || !task->mm) {
		st->ustack = PA_STACK_NONE;
		return;
	}
	st->ustack = PA_STACK_UNKNOWN_END;
	if (!task_saved_regs(task, &w->saved))
		return;
	st->syscall = regs_syscall(&w->saved);
	st->ustack = current_user_stack(w, index, st->who.pid, now);
}

/* Reads the hardware counters and credits what they advanced since the CPU's last switch. */
static __always_inline void read_counters(struct thread_state *st, struct ev_cpu *cpu)
{
	__u32 here = bpf_get_smp_processor_id(), i;

	for (i = 0; i < EV_MAX_COUNTERS; i++) {
		struct bpf_perf_event_value v = {};

		if (i >= counter_count)
			break;
		if (bpf_perf_event_read_value(&counters, (__u64)i * cpu_count + here, &v, sizeof(v)) < 0)
			continue;
		if (st && cpu->since_ns) {
			st->counts[i].value += v.counter - cpu->last[i].value;
			st->counts[i].enabled_ns += v.enabled - cpu->last[i].enabled_ns;
			st->counts[i].running_ns += v.running - cpu->last[i].running_ns;
		}
		cpu->last[i] = (struct ev_count){v.counter, v.enabled, v.running};
	}
}

/* Fills in what is seen of a thread from outside. */
static __always_inline void thread_stat(struct task_struct *task, struct thread_state *st,
					struct ev_thread_stat *out, __u64 now)
{
	out->who = st->who;
	out->born_ns = st->born_ns;
	out->since_ns = st->since_ns;
	out->now_ns = now;
	out->phase = st->phase;
	out->block_state = st->block_state;
	out->ustack = st->ustack;
	out->kstack = st->kstack;
	out->syscall = st->syscall;
	out->block_flags = st->block_flags;
	out->reserved = 0;
	out->hist_count = st->hist_count;
	__builtin_memcpy(&out->totals, &st->totals, sizeof(out->totals));
	__builtin_memcpy(out->extremes, st->extremes, sizeof(out->extremes));
	__builtin_memcpy(out->hist, st->hist, sizeof(out->hist));
	__builtin_memcpy(out->counts, st->counts, sizeof(out->counts));
	out->page_faults_minor = task->min_flt - st->minor_before;
	out->page_faults_major = task->maj_flt - st->major_before;
	out->kernel_migrations = task->se.nr_migrations - st->migrations_before;
}

static __always_inline void thread_ended(struct task_struct *task, struct thread_state *st, __u64 now)
{
	struct ev_thread_end *end = scratch_get(&end_scratch);

	st->phase = EV_ENDED;
	st->since_ns = now;
	if (!end)
		return;
	thread_stat(task, st, &end->stat, now);
	end->head = (struct ev_head){EV_THREAD_END, sizeof(*end), now};
	if (!ring_send(end, sizeof(*end)))
		count_loss(PA_LOSS_THREADS);
}

static __always_inline bool is_yielding(struct task_struct *task)
{
	struct ev_saved_regs regs;

	return !(task->flags & PF_KTHREAD) && task_saved_regs(task, &regs) &&
	       regs_syscall(&regs) == EV_NR_SCHED_YIELD + 1;
}

/* The thread leaves the CPU. */
static __always_inline void switch_out(void *ctx, struct ev_cpu *cpu, struct task_struct *prev,
				       bool preempt, __u64 now)
{
	struct thread_state *st = thread_get(prev);
	__u64 slice;
	__u32 state;

	read_counters(st, cpu);
	if (!st)
		return;
	st->events++;
	slice = elapsed(st, now);
	st->totals.on_cpu_ns += slice;
	/* A slice whose beginning was not seen is in the sum, but in no distribution. */
	if (st->phase == EV_ON_CPU) {
		st->totals.slices++;
		observe(st, PA_HIST_SLICE, slice, now);
	}
	state = task_state(prev);
	if (state & TASK_DEAD_BIT) {
		thread_ended(prev, st, now);
		thread_forget(prev);
		return;
	}
	st->since_ns = now;
	if (preempt || state == 0) {
		/* A tick's preemption on the way to user mode looks like a voluntary call of schedule():
		 * only the system call tells sched_yield. */
		if (!preempt && is_yielding(prev))
			st->totals.yielded++;
		else
			st->totals.preempted++;
		st->phase = EV_RUNQ;
		return;
	}
	st->totals.voluntary++;
	st->phase = EV_BLOCKED;
	st->block_state = block_state(state);
	block_open(ctx, st, cpu, prev, now);
}

/* The thread gets the CPU. */
static __always_inline void switch_in(struct task_struct *next, __u64 now)
{
	struct thread_state *st = thread_get(next);
	__u32 cpu = bpf_get_smp_processor_id();
	__u64 wait;

	if (!st)
		return;
	st->events++;
	if (st->phase == EV_BLOCKED) {
		/* Its wakeup was not seen. */
		block_close(st, now);
		st->totals.discarded++;
	} else {
		wait = elapsed(st, now);
		st->totals.runq_ns += wait;
		if (st->phase == EV_RUNQ) {
			st->totals.runq_waits++;
			observe(st, PA_HIST_RUNQ, wait, now);
		}
	}
	if (st->last_cpu != cpu) {
		if (st->last_cpu != (__u32)-1)
			st->totals.migrations++;
		st->last_cpu = cpu;
	}
	st->phase = EV_ON_CPU;
	st->since_ns = now;
}

SEC("tp_btf/sched_switch")
int BPF_PROG(on_switch, bool preempt, struct task_struct *prev, struct task_struct *next)
{
	__u64 now;
	struct ev_cpu *cpu;

	if (!recording)
		return 0;
	cpu = scratch_get(&cpus);
	if (!cpu)
		return 0;
	now = bpf_ktime_get_ns();
	switch_out(ctx, cpu, prev, preempt, now);
	switch_in(next, now);
	if (cpu->since_ns == 0)
		cpu->born_ns = now;
	else if (cpu->idle_now)
		cpu->idle_ns += now - cpu->since_ns;
	cpu->since_ns = now;
	cpu->switches++;
	cpu->idle_now = next->pid == 0;
	return 0;
}

static __always_inline void woken(struct task_struct *task)
{
	struct thread_state *st;
	__u64 now;

	if (!recording)
		return;
	st = thread_get(task);
	if (!st || st->phase == EV_ON_CPU || st->phase == EV_RUNQ || st->phase == EV_ENDED)
		return; /* it had not left yet */
	now = bpf_ktime_get_ns();
	st->events++;
	st->totals.wakeups++;
	if (st->phase == EV_UNKNOWN) {
		/* It has been asleep since before it was observed. */
		st->block_flags = PA_BLOCK_BEGAN_BEFORE;
		st->ustack = PA_STACK_NOT_TAKEN;
		st->kstack = PA_STACK_NOT_TAKEN;
		if (st->block_state > PA_STATE_FROZEN)
			st->block_state = PA_STATE_SLEEP;
	}
	block_close(st, now);
	st->phase = EV_RUNQ;
	st->since_ns = now;
}

SEC("tp_btf/sched_wakeup")
int BPF_PROG(on_wakeup, struct task_struct *task)
{
	woken(task);
	return 0;
}

/* The first wakeup of a new thread: its run-queue wait begins. */
SEC("tp_btf/sched_wakeup_new")
int BPF_PROG(on_wakeup_new, struct task_struct *task)
{
	struct thread_state *st;

	if (!recording)
		return 0;
	st = thread_get(task);
	if (!st)
		return 0;
	st->events++;
	st->phase = EV_RUNQ;
	st->born_ns = bpf_ktime_get_ns();
	st->since_ns = st->born_ns;
	return 0;
}

#endif
