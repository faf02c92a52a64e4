/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stacks that are sent once and referred to by an id. */
#ifndef EV_STACK_H
#define EV_STACK_H

/* splitmix64's finalizer; see format/util/htab.c. */
static __always_inline __u64 mix(__u64 v)
{
	v = (v ^ (v >> 30)) * 0xbf58476d1ce4e5b9ull;
	v = (v ^ (v >> 27)) * 0x94d049bb133111ebull;
	return v ^ (v >> 31);
}

/*
 * The id of the stack in w->out: a seeded 64-bit hash of its frames and of how it ended. The 100 000
 * distinct stacks of a large recording have one chance in 4 thousand million of a single collision.
 */
__noinline __u64 stack_id(__u32 index, __u32 count, __u32 end, __u32 kernel)
{
	struct walker *w = walker_at(index);
	__u64 hash = hash_seed ^ ((__u64)end << 32) ^ ((__u64)kernel << 40) ^ count, frame;
	__u32 i;

	if (!w)
		return 0;
	for (i = 0; i < EV_USER_FRAMES && i < count; i++) {
		frame = w->out.frames[bounded(i)];
		hash = mix(hash ^ frame) + frame;
	}
	return mix(hash) | 16; /* never one of the reserved ids */
}

/* Sends the stack in w->out, user or kernel, unless it is known already. Returns its id. */
static __always_inline __u64 stack_send(struct walker *w, __u32 index, bool kernel, __u64 now)
{
	__u32 count = kernel ? w->out.kernel_frames : w->out.user_frames;
	__u32 end = kernel ? w->out.kernel_end : w->out.user_end;
	__u64 id, bytes;
	__u8 one = 1;

	if (count == 0)
		return end;
	id = stack_id(index, count, end, kernel);
	if (bpf_map_lookup_elem(&seen_stacks, &id))
		return id;
	w->out.id = id;
	bytes = sizeof(w->out) - sizeof(w->out.frames) + bounded(count) * sizeof(__u64);
	w->out.head = (struct ev_head){.kind = EV_STACK, .bytes = bytes, .time_ns = now};
	if (!ring_send(&w->out, bytes)) {
		count_loss(PA_LOSS_STACKS);
		return PA_STACK_LOST;
	}
	bpf_map_update_elem(&seen_stacks, &id, &one, BPF_ANY);
	return id;
}

/* The current task's kernel stack at a switch, sent; its id. */
static __always_inline __u64 current_kernel_stack(void *ctx, struct walker *w, __u32 index,
						  __u64 now)
{
	long got = bpf_get_stack(ctx, w->out.frames, EV_KERNEL_FRAMES * sizeof(__u64), 0);
	__u32 count = got > 0 ? (__u64)got / sizeof(__u64) : 0;

	w->out.user_frames = 0;
	w->out.user_end = PA_STACK_NONE;
	w->out.kernel_frames = count;
	w->out.kernel_end = count < EV_KERNEL_FRAMES ? PA_STACK_KERNEL : PA_STACK_TRUNCATED;
	return count ? stack_send(w, index, true, now) : PA_STACK_UNKNOWN_END;
}

#endif
