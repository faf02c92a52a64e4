/* SPDX-License-Identifier: GPL-2.0-or-later */
/* On-CPU samples: one program on a perf event per CPU. */
#ifndef EV_SAMPLE_H
#define EV_SAMPLE_H

/*
 * The registers at the sample; false in kernel mode. Each is kept in a register of its own (barrier_var):
 * the verifier takes loads from the context only with constant offsets, and the compiler likes to
 * move them behind computed ones.
 */
static __always_inline bool sample_regs(struct bpf_perf_event_data *ctx, struct user_regs *regs)
{
	__u64 ip = ctx->regs.ip, sp = ctx->regs.sp, fp, user;

#if defined(__TARGET_ARCH_x86)
	fp = ctx->regs.bp;
	user = ctx->regs.cs & 3;
#else
	fp = ctx->regs.regs[29];
	user = (ctx->regs.pstate & 0xf) == 0;
#endif
	barrier_var(ip);
	barrier_var(sp);
	barrier_var(fp);
	barrier_var(user);
	*regs = (struct user_regs){.ip = ip, .sp = sp, .fp = fp, .valid = true};
	return user;
}

SEC("perf_event")
int on_sample(struct bpf_perf_event_data *ctx)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct scratch *scratch;
	struct ev_sample *s;
	struct user_regs regs;
	__u64 bytes, kernel = 0, user = 0;
	bool user_mode = sample_regs(ctx, &regs);
	__u32 pid, tid;
	long got;

	if (!recording || !(__u32)bpf_get_current_pid_tgid())
		return 0; /* the idle task */
	task_ids(task, &pid, &tid);
	if (pid == 0 || !is_target(pid))
		return 0;
	scratch = scratch_get(&sample_scratch);
	if (!scratch)
		return 0;
	s = &scratch->sample;
	s->pid = pid;
	s->tid = tid;
	s->cpu = bpf_get_smp_processor_id();
	s->period = ctx->sample_period;
	s->kernel_end = PA_STACK_NONE;
	s->user_end = PA_STACK_NONE;
	if (!user_mode) {
		got = bpf_get_stack(ctx, s->frames, EV_MAX_FRAMES * sizeof(s->frames[0]), 0);
		if (got > 0)
			kernel = bounded((__u64)got / sizeof(s->frames[0]));
		s->kernel_end = kernel >= EV_MAX_FRAMES ? PA_STACK_TRUNCATED :
				kernel ? PA_STACK_KERNEL : PA_STACK_UNKNOWN_END;
	}
	if (!is_kernel_thread(task)) {
		if (!user_mode)
			task_user_regs(task, &regs);
		if (!task->mm)
			s->user_end = PA_STACK_NONE; /* on its way out: the memory is gone */
		else if (regs.valid)
			user = walk_user(&regs, &s->frames[bounded(kernel)], &s->user_end);
		else
			s->user_end = PA_STACK_UNKNOWN_END;
	}
	s->kernel_frames = kernel;
	s->user_frames = user;
	bytes = sizeof(*s) - sizeof(s->frames) + (bounded(kernel) + bounded(user)) * sizeof(s->frames[0]);
	if (bytes > sizeof(*s))
		return 0;
	s->head = (struct ev_head){EV_SAMPLE, bytes, bpf_ktime_get_ns()};
	if (!ring_send(s, bytes))
		count_loss(PA_LOSS_SAMPLES);
	return 0;
}

#endif
