/* SPDX-License-Identifier: GPL-2.0-or-later */
/* User stacks by frame pointers, kernel stacks by the kernel, and the ids under which they are sent. */
#ifndef EV_STACK_H
#define EV_STACK_H

/* No thread's stack is larger; what lies farther away is no frame. */
#define MAX_STACK_SPAN (64ull << 20)

struct frame_record {
	__u64 fp;
	__u64 ra;
};

#if defined(__TARGET_ARCH_arm64)
/* Pointer authentication codes stand above the 48 bits of a user address. */
#define CODE_ADDRESS(a) ((a) & ((1ull << 48) - 1))
#else
#define CODE_ADDRESS(a) (a)
#endif

/* Whether fp can be a frame's address: 0, or how the stack ends there (enum pa_stack_end). */
static __always_inline __u32 fp_check(__u64 sp, __u64 fp)
{
	if (fp == 0)
		return PA_STACK_FP_END;
	if ((fp & 7) || fp < sp || fp - sp > MAX_STACK_SPAN)
		return PA_STACK_FP_LOST;
	return 0;
}

/* Takes the frame record that stands at *fp: 0 and the next *fp, or how the stack ends. */
static __always_inline __u32 fp_follow(const struct frame_record *rec, __u64 *fp)
{
	if (rec->ra == 0)
		return rec->fp == 0 ? PA_STACK_FP_END : PA_STACK_FP_LOST;
	/* The return address beside a saved 0 is a real caller: the next step reports the end. A chain
	 * that does not grow is broken, but this frame's caller still is what it says. */
	*fp = rec->fp != 0 && rec->fp <= *fp ? 1 : rec->fp;
	return 0;
}

/*
 * The user stack of the current task, innermost first; returns the number of frames and sets *end.
 * This is the one place where user stacks are walked.
 */
static __always_inline __u32 walk_user(const struct user_regs *regs, __u64 *frames, __u32 *end)
{
	__u32 n = 1, i, stop = PA_STACK_TRUNCATED;
	struct frame_record rec;
	__u64 fp = regs->fp;

	frames[0] = regs->ip;
	for (i = 1; i < EV_MAX_FRAMES; i++) {
		__u32 ended = fp_check(regs->sp, fp);

		if (!ended && bpf_probe_read_user(&rec, sizeof(rec), (void *)fp) < 0)
			ended = PA_STACK_BAD_MEMORY;
		if (!ended)
			ended = fp_follow(&rec, &fp);
		if (ended) {
			stop = ended;
			break;
		}
		frames[i] = CODE_ADDRESS(rec.ra);
		n = i + 1;
	}
	*end = stop;
	return n;
}

/* n, of which the verifier then knows that it is at most EV_MAX_FRAMES (which is a power of two less
 * one); written in assembly, since the compiler would see that it changes nothing. */
static __always_inline __u64 bounded(__u64 n)
{
	asm volatile("%0 &= 127" : "+r"(n));
	return n;
}

/* splitmix64's finalizer; see format/util/htab.c. */
static __always_inline __u64 mix(__u64 v)
{
	v = (v ^ (v >> 30)) * 0xbf58476d1ce4e5b9ull;
	v = (v ^ (v >> 27)) * 0x94d049bb133111ebull;
	return v ^ (v >> 31);
}

/*
 * The id of a stack: a seeded 64-bit hash of its frames and of how it ended. A thousand million
 * distinct stacks have one chance in 37 of a single collision; the 100 000 of a large recording one in
 * 4 thousand million.
 */
static __always_inline __u64 stack_id(const __u64 *frames, __u32 count, __u32 end, __u32 kernel)
{
	__u64 h = hash_seed ^ ((__u64)end << 32) ^ ((__u64)kernel << 40) ^ count;
	__u32 i;

	for (i = 0; i < EV_MAX_FRAMES; i++) {
		if (i >= count)
			break;
		h = mix(h ^ frames[i]) + frames[i];
	}
	return mix(h) | 16; /* never one of the reserved ids */
}

/* Sends a stack that stands in scratch unless it is known already. Returns its id. */
static __always_inline __u64 stack_send(struct ev_stack *s, __u64 now)
{
	__u64 id, bytes;
	__u8 one = 1;

	if (s->count == 0)
		return s->end;
	id = stack_id(s->frames, s->count, s->end, s->kernel);
	if (bpf_map_lookup_elem(&seen_stacks, &id))
		return id;
	s->id = id;
	bytes = sizeof(*s) - sizeof(s->frames) + (__u64)s->count * sizeof(s->frames[0]);
	if (bytes > sizeof(*s))
		return PA_STACK_LOST;
	s->head = (struct ev_head){.kind = EV_STACK, .bytes = bytes, .time_ns = now};
	if (!ring_send(s, bytes)) {
		count_loss(PA_LOSS_STACKS);
		return PA_STACK_LOST;
	}
	bpf_map_update_elem(&seen_stacks, &id, &one, BPF_ANY);
	return id;
}

/* The current task's stacks at a switch, sent; their ids. */
static __always_inline __u64 current_kernel_stack(void *ctx, struct ev_stack *s, __u64 now)
{
	long got = bpf_get_stack(ctx, s->frames, sizeof(s->frames), 0);

	s->kernel = 1;
	s->reserved = 0;
	s->count = got > 0 ? got / sizeof(s->frames[0]) : 0;
	s->end = s->count < EV_MAX_FRAMES ? PA_STACK_KERNEL : PA_STACK_TRUNCATED;
	return s->count ? stack_send(s, now) : PA_STACK_UNKNOWN_END;
}

static __always_inline __u64 current_user_stack(const struct user_regs *regs, struct ev_stack *s,
						__u64 now)
{
	s->kernel = 0;
	s->reserved = 0;
	s->count = walk_user(regs, s->frames, &s->end);
	return stack_send(s, now);
}

#endif
