/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Off-CPU intervals: where they begin, with a stack where that is worth it, and how they end. */
#ifndef EV_BLOCK_H
#define EV_BLOCK_H

#define WINDOW_NS 100000000ull /* in which blocks are counted for thinning */
#define WINDOW_THREAD 16 /* stacks of a thread and window from which on they are thinned */
#define WINDOW_CPU 256 /* the same for all threads of a CPU */
#define WINDOW_COPIES 16 /* so many times fewer where each is copied */

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

static __noinline void block_send(struct thread_state *st, __u64 duration)
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
	ev.waker = st->waker;
	ev.waker_ustack = st->waker_ustack;
	ev.waker_kstack = st->waker_kstack;
	if (!ring_send(&ev, sizeof(ev)))
		count_loss(PA_LOSS_BLOCKS);
}

/* Adds a short block to the sums of its thread and stack. Those whose stack was not taken are
 * represented by those whose stack was. */
static __noinline void block_sum(struct thread_state *st, __u64 duration)
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
	key.waker = st->waker;
	if (record_wakers) {
		key.waker_ustack = st->waker_ustack;
		key.waker_kstack = st->waker_kstack;
	}
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
	__u32 over, weight = 1, less = copy_always ? WINDOW_COPIES : 1;

	if (now - st->window_ns > WINDOW_NS) {
		st->window_ns = now;
		st->window_blocks = 0;
	}
	if (now - cpu->window_ns > WINDOW_NS) {
		cpu->window_ns = now;
		cpu->window_stacks = 0;
	}
	over = st->window_blocks++ / (WINDOW_THREAD / less);
	if (over)
		weight <<= highest_bit(over);
	over = cpu->window_stacks / (WINDOW_CPU / less);
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
	st->ustack = current_user_stack(w, index, task, st->who.pid, now);
}

#endif
