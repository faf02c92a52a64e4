/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Copies of user stacks with their registers, for whoever reads the trace to walk. Page by page: a read
 * that crosses the top of the stack would fail whole.
 */
#ifndef EV_COPY_H
#define EV_COPY_H

#define COPY_PAGES (EV_COPY_BYTES / STACK_PAGE)

static __always_inline bool copies_stacks(void)
{
	return copy_always || copy_broken;
}

/* Whether the stack that was just walked is to be copied. */
static __always_inline bool wants_copy(const struct walker *w)
{
	if (copy_always)
		return true;
	if (!copy_broken)
		return false;
	switch (w->out.user_end) {
	case PA_STACK_FP_LOST:
	case PA_STACK_NO_TABLE:
	case PA_STACK_NO_RULE:
	case PA_STACK_BAD_MEMORY:
		return true;
	default:
		return false;
	}
}

/* Room for one more page behind what is copied: its address and length, or 0. */
static __always_inline __u32 next_page(const struct walker *w, __u64 *from)
{
	__u32 bytes;

	*from = w->copy_from + w->copied;
	bytes = STACK_PAGE - (*from & (STACK_PAGE - 1));
	return w->copied > EV_COPY_BYTES - STACK_PAGE || bytes > STACK_PAGE ? 0 : bytes;
}

struct copy_ctx {
	struct task_struct *task; /* a sleeper */
	__u64 end; /* where its stack ends at the latest */
	__u32 index; /* of the walker */
};

/* Copies one page of the current task's stack; the first one from the stack pointer to the page's end. False
 * when that was all. */
static __always_inline bool copy_own_page(const struct copy_ctx *ctx)
{
	struct walker *w = walker_at(ctx->index);
	struct ev_copy *copy;
	__u32 bytes, at;
	__u64 from;

	if (!w)
		return false;
	copy = bpf_map_lookup_elem(&copies, &w->copy);
	bytes = next_page(w, &from);
	at = w->copied;
	if (!copy || !bytes || bytes > STACK_PAGE || at > EV_COPY_BYTES - STACK_PAGE ||
	    from >= ctx->end)
		return false;
	if (bpf_probe_read_user(copy->data + at, bytes, (void *)from) < 0)
		return false;
	w->copied = at + bytes;
	return true;
}

/* C libraries put a thread's own data above its stack, and a thread's pointer points to them: what lies
 * behind is somebody else's. For main threads the pointer says nothing. */
static __always_inline __u64 stack_limit(struct task_struct *task, __u64 sp)
{
	__u64 pointer;

#if defined(__TARGET_ARCH_x86)
	pointer = BPF_CORE_READ(task, thread.fsbase);
#else
	pointer = BPF_CORE_READ(task, thread.uw.tp_value);
#endif
	return pointer >= sp && pointer - sp < EV_COPY_BYTES ? pointer : sp + EV_COPY_BYTES;
}

/* Sends what is copied. Its id, or 0 and counted when the ring is full. */
static __always_inline __u64 copy_send(struct walker *w, __u64 walked, __u64 now)
{
	struct ev_copy *copy = bpf_map_lookup_elem(&copies, &w->copy);
	__u64 bytes = w->copied;

	if (!copy || bytes > EV_COPY_BYTES)
		return 0;
	copy->who = w->out.who;
	copy->id = mix(hash_seed ^ now ^ ((__u64)w->copy << 48)) | 16;
	copy->walked = walked;
	copy->ip = w->saved.user.ip;
	__builtin_memcpy(copy->regs, w->dwarf_regs, sizeof(copy->regs));
	copy->start = w->copy_from;
	copy->bytes = bytes;
	bytes += sizeof(*copy) - sizeof(copy->data);
	copy->head = (struct ev_head){EV_COPY, bytes, now};
	if (bytes <= sizeof(*copy) && ring_send(copy, bytes))
		return copy->id;
	count_loss(PA_LOSS_COPIES);
	return 0;
}

/*
 * Copies the stack of the current task, which has been walked to no good end. The id of the copy; where
 * there is none, that of the stack as it was walked.
 */
static __always_inline __u64 copy_own_stack(struct walker *w, __u32 index, struct task_struct *task,
					    __u64 now)
{
	__u64 sp = w->saved.user.sp & ~7ull, walked, id = 0;
	struct copy_ctx ctx = {.index = index, .end = stack_limit(task, sp)};
	__u32 i;

	walked = stack_send(w, index, false, now);
	w->copy = index;
	w->copy_from = sp;
	w->copied = 0;
	for (i = 0; i < COPY_PAGES; i++)
		if (!copy_own_page(&ctx))
			break;
	if (w->copied)
		id = copy_send(w, walked, now);
	w->copied = 0; /* what is read next is memory */
	return id ? id : walked;
}

/* The current task's user stack at a switch, sent; its id. */
static __always_inline __u64 current_user_stack(struct walker *w, __u32 index,
						struct task_struct *task, __u32 pid, __u64 now)
{
	w->out.kernel_frames = 0;
	w->out.kernel_end = PA_STACK_NONE;
	w->out.who.pid = pid;
	w->copied = 0;
	walker_begin(w);
	walk_user(w, index, pid);
	if (copies_stacks() && wants_copy(w))
		return copy_own_stack(w, index, task, now);
	return stack_send(w, index, false, now);
}

#endif
