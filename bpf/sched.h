/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The scheduler's view of threads: slices, run-queue waits, blocks. Each thread under observation is in
 * one phase; every event closes the phase that it ends, so that the phases of a thread add up to the
 * time it was observed.
 */
#ifndef EV_SCHED_H
#define EV_SCHED_H

/* Reads the hardware counters and credits what they advanced since the CPU's last switch. */
static __always_inline void read_counters(struct thread_state *st, struct ev_cpu *cpu)
{
	__u32 here = bpf_get_smp_processor_id(), i;

	for (i = 0; i < EV_MAX_COUNTERS; i++) {
		struct bpf_perf_event_value v = {};

		if (i >= counter_count)
			break;
		if (bpf_perf_event_read_value(&counters, (__u64)i * cpu_count + here, &v,
					      sizeof(v)) < 0)
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

static __always_inline void thread_ended(struct task_struct *task, struct thread_state *st,
					 __u64 now)
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

static __noinline bool is_yielding(struct task_struct *task)
{
	struct ev_saved_regs regs;

	return !(task->flags & PF_KTHREAD) && task_saved_regs(task, &regs) &&
	       regs_syscall(&regs) == EV_NR_SCHED_YIELD + 1;
}

/* Closes the phase of a thread that was off the CPU. */
static __always_inline void wait_close(struct thread_state *st, __u64 now)
{
	__u64 wait;

	if (st->phase == EV_BLOCKED) {
		/* Its wakeup was not seen. */
		block_close(st, now);
		st->totals.discarded++;
		return;
	}
	wait = elapsed(st, now);
	st->totals.runq_ns += wait;
	if (st->phase == EV_RUNQ) {
		st->totals.runq_waits++;
		observe(st, PA_HIST_RUNQ, wait, now);
	}
}

/* Closes the phase of a thread that leaves the CPU, and opens the one that begins. */
static __always_inline void leave_cpu(void *ctx, struct thread_state *st, struct ev_cpu *cpu,
				      struct task_struct *prev, bool preempt, __u64 now)
{
	__u32 state = task_state(prev);
	__u64 slice;

	/* Some kernels lose a switch now and then: what a thread did last is what it is taken to have done. */
	if (st->phase == EV_BLOCKED || st->phase == EV_RUNQ) {
		st->totals.discarded++;
		wait_close(st, now);
	} else {
		slice = elapsed(st, now);
		st->totals.on_cpu_ns += slice;
		/* A slice whose beginning was not seen is in the sum, but in no distribution. */
		if (st->phase == EV_ON_CPU) {
			st->totals.slices++;
			observe(st, PA_HIST_SLICE, slice, now);
		}
	}
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

static __always_inline void switch_out(void *ctx, struct ev_cpu *cpu, struct task_struct *prev,
				       bool preempt, __u64 now)
{
	struct thread_state *st = thread_get(prev);

	read_counters(st, cpu);
	if (!st)
		return;
	change_begin(st);
	leave_cpu(ctx, st, cpu, prev, preempt, now);
	/* With the task its state may have gone where it is kept by thread id. */
	if (st->phase != EV_ENDED)
		change_end(st);
}

/* The thread gets the CPU. */
static __always_inline void switch_in(struct task_struct *next, __u64 now)
{
	struct thread_state *st = thread_get(next);
	__u32 cpu = bpf_get_smp_processor_id();

	if (!st)
		return;
	change_begin(st);
	if (st->phase == EV_ON_CPU) {
		/* That it had left was not seen. */
		st->totals.on_cpu_ns += elapsed(st, now);
		st->totals.discarded++;
	} else {
		wait_close(st, now);
	}
	if (st->last_cpu != cpu) {
		if (st->last_cpu != (__u32)-1)
			st->totals.migrations++;
		st->last_cpu = cpu;
	}
	st->phase = EV_ON_CPU;
	st->since_ns = now;
	change_end(st);
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
	change_begin(st);
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
	change_end(st);
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
	change_begin(st);
	st->phase = EV_RUNQ;
	st->born_ns = bpf_ktime_get_ns();
	st->since_ns = st->born_ns;
	change_end(st);
	return 0;
}

#endif
