/* SPDX-License-Identifier: GPL-2.0-or-later */
/* On-CPU samples: one program on a perf event per CPU. */
#ifndef EV_SAMPLE_H
#define EV_SAMPLE_H

static __always_inline bool in_user_mode(struct bpf_perf_event_data *ctx)
{
#if defined(__TARGET_ARCH_x86)
	return ctx->regs.cs & 3;
#else
	return (ctx->regs.pstate & 0xf) == 0;
#endif
}

/* The user part; nothing for kernel threads, and for those on their way out, whose memory is gone. */
static __always_inline void sample_user(struct walker *w, __u32 index, struct task_struct *task,
					__u32 pid, __u64 now)
{
	__u64 id;

	w->out.id = 0;
	w->out.user_frames = 0;
	w->out.user_end = PA_STACK_NONE;
	if (is_kernel_thread(task) || !BPF_CORE_READ(task, mm))
		return;
	w->out.user_end = PA_STACK_UNKNOWN_END;
	w->copied = 0;
	if (!task_saved_regs(task, &w->saved))
		return;
	walker_begin(w);
	walk_user(w, index, pid);
	if (!copies_stacks() || !wants_copy(w))
		return;
	w->out.kernel_frames = 0;
	id = copy_own_stack(w, index, task, now);
	w->out.id = id;
	w->out.user_frames = 0;
	w->out.user_end = id < 16 ? id : PA_STACK_UNKNOWN_END;
}

static __always_inline void sample_kernel(struct bpf_perf_event_data *ctx, struct walker *w)
{
	__u64 user = bounded(w->out.user_frames), count = 0;
	long got;

	w->out.kernel_frames = 0;
	w->out.kernel_end = PA_STACK_NONE;
	if (in_user_mode(ctx))
		return;
	got = bpf_get_stack(ctx, &w->out.frames[user], EV_KERNEL_FRAMES * sizeof(__u64), 0);
	if (got > 0)
		count = (__u64)got / sizeof(__u64);
	w->out.kernel_frames = count;
	w->out.kernel_end = count >= EV_KERNEL_FRAMES ? PA_STACK_TRUNCATED :
			    count                     ? PA_STACK_KERNEL :
							PA_STACK_UNKNOWN_END;
}

/*
 * What the counters advanced for this thread since its last sample: what it was credited with at switches,
 * and what has come since the last one. A sample amid a switch may see half of that: it advances nothing,
 * and the next one has it. Kernels without task storage refuse the other map in a program of perf events.
 */
static __always_inline void take_counters(struct walker *w, struct task_struct *task, __u64 at)
{
	__u32 here = bpf_get_smp_processor_id(), i;
	struct thread_state *st = bpf_task_storage_get(&threads, task, NULL, 0);
	struct ev_cpu *cpu = scratch_get(&cpus);
	__u64 total;

	if (!st || !cpu || !cpu->since_ns || at > EV_MAX_FRAMES)
		return;
	for (i = 0; i < EV_MAX_COUNTERS; i++) {
		struct bpf_perf_event_value v = {};

		if (i >= counter_count)
			break;
		total = st->sampled[i];
		if (bpf_perf_event_read_value(&counters, (__u64)i * cpu_count + here, &v,
					      sizeof(v)) == 0)
			total = st->counts[i].value + v.counter - cpu->last[i].value;
		if ((__s64)(total - st->sampled[i]) < 0)
			total = st->sampled[i];
		w->out.frames[at + i] = total - st->sampled[i];
		st->sampled[i] = total;
	}
	w->out.counters = counter_count;
}

SEC("perf_event")
int on_sample(struct bpf_perf_event_data *ctx)
{
	__u64 period = ctx->sample_period, now = bpf_ktime_get_ns(), bytes, frames;
	struct task_struct *task = current_task();
	__u32 index = walker_index(WALK_SAMPLE), pid, tid;
	struct walker *w;

	if (!recording || !(__u32)bpf_get_current_pid_tgid())
		return 0; /* the idle task */
	task_ids(task, &pid, &tid);
	if (pid == 0 || !is_target(pid))
		return 0;
	w = walker_at(index);
	if (!w)
		return 0;
	w->out.who = (struct ev_who){.pid = pid, .tid = tid};
	w->out.cpu = bpf_get_smp_processor_id();
	w->out.period = period;
	sample_user(w, index, task, pid, now);
	sample_kernel(ctx, w);
	frames = bounded_all((__u64)w->out.user_frames + w->out.kernel_frames);
	w->out.counters = 0;
	if (sample_counters)
		take_counters(w, task, frames);
	frames += w->out.counters;
	bytes = sizeof(w->out) - sizeof(w->out.frames) + frames * sizeof(__u64);
	if (bytes > sizeof(w->out))
		return 0;
	w->out.head = (struct ev_head){EV_SAMPLE, bytes, now};
	if (!ring_send(&w->out, bytes))
		count_loss(PA_LOSS_SAMPLES);
	return 0;
}

#endif
