/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The walk of a user stack: by unwind tables where there are some, by frame pointers where there are
 * none (yet). This is the one place where user stacks are walked.
 */
#ifndef EV_WALK_H
#define EV_WALK_H

#include "unwind_table.h"

/* What the step needs of its surroundings; ctx is the walker. */
struct walker;
static __always_inline int read_key(struct walker *w, __u32 index, __u32 *out);
static __always_inline int read_rule(struct walker *w, __u32 index, __u32 *out);
static __always_inline int read_side(struct walker *w, __u32 index, struct ev_unwind_side *out);
static __always_inline int read_word(struct walker *w, __u64 addr, __u64 *out);
static __always_inline int read_reg(struct walker *w, __u32 number, __u64 *out);
#define EV_UNWIND_READ_KEY(ctx, index, out) read_key(ctx, index, out)
#define EV_UNWIND_READ_RULE(ctx, index, out) read_rule(ctx, index, out)
#define EV_UNWIND_READ_SIDE(ctx, index, out) read_side(ctx, index, out)
/* Which modules keep rbx, few functions need it for, is not handed down. */
#define EV_UNWIND_READ_RBX(ctx, index, out) 1
#define EV_UNWIND_READ_WORD(ctx, addr, out) read_word(ctx, addr, out)
#define EV_UNWIND_READ_REG(ctx, number, out) read_reg(ctx, number, out)
#include "unwind_step.h"

/* No thread's stack is larger; what lies farther away is no frame. */
#define MAX_STACK_SPAN (64ull << 20)
#define MAPPING_SEARCH_STEPS 17 /* of a binary search over EV_UNWIND_MAPPINGS */
#define STACK_PAGE 4096

/* A walk in progress, and the event that it fills in. */
struct walker {
	struct ev_unwind_regs regs;
	__u64 dwarf_regs[EV_UNWIND_REGS];
	struct ev_saved_regs saved;
	/* The process's mappings; count 0 = not known. */
	struct ev_unwind_process process;
	/* The mapping and module of the last frame. */
	struct ev_unwind_mapping mapping;
	struct ev_unwind_module module;
	__u64 bottom_sp; /* of the innermost frame */
	__u64 copy_from; /* sleepers: what is copied of the stack */
	__u32 by_fp; /* the last step was by frame pointer */
	__u32 copied; /* bytes; 0 = the memory is read directly */
	__u32 copy; /* index of the copy */
	__u32 reserved;
	struct ev_frames out;
};

/* Two per CPU (a sample may interrupt a switch) and one for the iterator. */
enum walker_use { WALK_SAMPLE = 0, WALK_SWITCH = 1, WALK_USES = 2 };
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1); /* set by the recorder: cpus * WALK_USES + 1 */
	__type(key, __u32);
	__type(value, struct walker);
} walkers SEC(".maps");

/* As the walkers where stacks are copied; else one, for the iterator. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1); /* set by the recorder */
	__type(key, __u32);
	__type(value, struct ev_copy);
} copies SEC(".maps");

/*
 * Tables, filled in by the recorder as modules turn up in stacks. They are several maps, for the kernel
 * makes a map at one go: the memory of all of them would keep everything else off the CPU for milliseconds
 * where the kernel isn't preemptible.
 */
#define CHUNK_MAP(name)                                                                       \
	struct {                                                                              \
		__uint(type, BPF_MAP_TYPE_ARRAY);                                             \
		__uint(max_entries, 1); /* set by the recorder: the memory that is allowed */ \
		__type(key, __u32);                                                           \
		__type(value, struct ev_unwind_chunk);                                        \
	} name SEC(".maps")
CHUNK_MAP(unwind_chunks_0);
CHUNK_MAP(unwind_chunks_1);
CHUNK_MAP(unwind_chunks_2);
CHUNK_MAP(unwind_chunks_3);
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, EV_SIDE_MAX);
	__type(key, __u32);
	__type(value, struct ev_unwind_side);
} unwind_sides SEC(".maps");
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, EV_UNWIND_MODULES);
	__type(key, __u32);
	__type(value, struct ev_unwind_module);
} unwind_modules SEC(".maps");
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, EV_UNWIND_MAPPINGS);
	__type(key, __u32);
	__type(value, struct ev_unwind_mapping);
} unwind_mappings SEC(".maps");
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 16384);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, __u32);
	__type(value, struct ev_unwind_process);
} unwind_processes SEC(".maps");

static __always_inline struct walker *walker_at(__u32 index)
{
	return bpf_map_lookup_elem(&walkers, &index);
}

static __always_inline __u32 walker_index(enum walker_use use)
{
	return bpf_get_smp_processor_id() * WALK_USES + use;
}

/* --- reading for the step --- */

static __always_inline struct ev_unwind_chunk *chunk_at(__u32 chunk)
{
	__u32 at = chunk & ((1u << chunk_map_shift) - 1);

	switch (chunk >> chunk_map_shift) {
	case 0:
		return bpf_map_lookup_elem(&unwind_chunks_0, &at);
	case 1:
		return bpf_map_lookup_elem(&unwind_chunks_1, &at);
	case 2:
		return bpf_map_lookup_elem(&unwind_chunks_2, &at);
	case 3:
		return bpf_map_lookup_elem(&unwind_chunks_3, &at);
	}
	return NULL;
}

static __always_inline struct ev_unwind_chunk *chunk_of(struct walker *w, __u32 index)
{
	return chunk_at(w->module.first_chunk + index / EV_CHUNK_ROWS);
}

static __always_inline int read_key(struct walker *w, __u32 index, __u32 *out)
{
	struct ev_unwind_chunk *chunk = chunk_of(w, index);

	if (!chunk)
		return 1;
	*out = chunk->keys[index & (EV_CHUNK_ROWS - 1)];
	return 0;
}

static __always_inline int read_rule(struct walker *w, __u32 index, __u32 *out)
{
	struct ev_unwind_chunk *chunk = chunk_of(w, index);

	if (!chunk)
		return 1;
	*out = chunk->rules[index & (EV_CHUNK_ROWS - 1)];
	return 0;
}

static __always_inline int read_side(struct walker *w, __u32 index, struct ev_unwind_side *out)
{
	struct ev_unwind_side *side;
	__u32 at = w->module.first_side + index;

	if (index >= w->module.sides)
		return 1;
	side = bpf_map_lookup_elem(&unwind_sides, &at);
	if (!side)
		return 1;
	*out = *side;
	return 0;
}

/* Each call takes time, whatever it reads: what stands together is read at once. */
static __always_inline int read_user(struct walker *w, __u64 addr, void *out, const __u32 bytes)
{
	struct ev_copy *copy;
	__u64 at;

	if (!w->copied)
		return bpf_probe_read_user(out, bytes, (void *)addr);
	at = addr - w->copy_from;
	if (at + bytes > w->copied || at > EV_COPY_BYTES - bytes)
		return 1;
	copy = bpf_map_lookup_elem(&copies, &w->copy);
	if (!copy)
		return 1;
	return bpf_probe_read_kernel(out, bytes, copy->data + at);
}

static __always_inline int read_word(struct walker *w, __u64 addr, __u64 *out)
{
	return read_user(w, addr, out, sizeof(*out));
}

static __always_inline int read_reg(struct walker *w, __u32 number, __u64 *out)
{
	if (number >= EV_UNWIND_REGS)
		return 1;
	*out = w->dwarf_regs[bounded_reg(number)];
	return 0;
}

/* --- the walk --- */

/* Finds the mapping of an address among those of the process; false when there is none. */
static __always_inline bool find_mapping(struct walker *w, __u64 ip)
{
	__u32 lo = w->process.first, count = w->process.count, half, at, i;
	struct ev_unwind_mapping *m;
	struct ev_unwind_module *module;

	if (ip >= w->mapping.start && ip < w->mapping.end)
		return true;
	/* The last mapping that starts at or below ip. */
	for (i = 0; i < MAPPING_SEARCH_STEPS && count > 1; i++) {
		half = count / 2;
		at = lo + half;
		m = bpf_map_lookup_elem(&unwind_mappings, &at);
		if (!m)
			return false;
		if (m->start <= ip)
			lo = at;
		count -= half;
	}
	m = bpf_map_lookup_elem(&unwind_mappings, &lo);
	if (!m || ip < m->start || ip >= m->end)
		return false;
	w->mapping = *m;
	w->module.rows = 0;
	if (m->module) {
		at = m->module - 1;
		module = bpf_map_lookup_elem(&unwind_modules, &at);
		if (module) {
			module->uses++;
			w->module = *module;
		}
	}
	return true;
}

/* Entry of the index of w->module. */
static __always_inline int read_index(struct walker *w, __u32 index, __u32 *out)
{
	struct ev_unwind_chunk *chunk = chunk_at(w->module.first_index + index / EV_CHUNK_INDEX);

	if (!chunk)
		return 1;
	*out = chunk->index[index & (EV_CHUNK_INDEX - 1)];
	return 0;
}

/*
 * The row for an address of w->module. Searching a long table whole would touch a cache line in each step,
 * none of which is there when a program is interrupted.
 */
static __always_inline int find_row(struct walker *w, __u64 vaddr, __u32 *row)
{
	const struct ev_unwind_module *m = &w->module;
	__u64 offset = vaddr - m->base, entry = offset >> (m->index_shift & 31);
	__u32 first = 0, last = 0;

	if (vaddr < m->base || entry + 1 >= m->index_count)
		return ev_unwind_find(w, m->base, m->rows, vaddr, row);
	if (read_index(w, entry, &first) || read_index(w, entry + 1, &last) || last < first)
		return EV_UNWIND_NO_RULE;
	return ev_unwind_search(w, first, last - first + 1, offset, row);
}

/* One step by frame pointer: 0, or how the stack ends here (enum pa_stack_end). */
static __always_inline __u32 step_by_fp(struct walker *w)
{
	struct ev_unwind_regs *r = &w->regs;
	__u64 fp = r->fp, record[2] = {}, next, ra;

	if (!(r->known & EV_UNWIND_FP_KNOWN))
		return PA_STACK_FP_LOST;
	if (fp == 0)
		return PA_STACK_FP_END;
	if ((fp & 7) || fp < r->sp || fp - w->bottom_sp > MAX_STACK_SPAN)
		return PA_STACK_FP_LOST;
	if (read_user(w, fp, record, sizeof(record)))
		return PA_STACK_BAD_MEMORY;
	next = record[0];
	ra = record[1];
	if (r->arch == EV_UNWIND_AARCH64)
		ra &= EV_UNWIND_ADDRESS_MASK;
	if (ra == 0)
		return next == 0 ? PA_STACK_FP_END : PA_STACK_FP_LOST;
	r->ip = ra;
	r->sp = fp + 16;
	/* The return address beside a saved 0 is a real caller. A chain that does not grow is broken, but
	 * this frame's caller still is what it says. */
	r->fp = next;
	r->known = next == 0 || next > fp ? EV_UNWIND_FP_KNOWN : 0;
	return 0;
}

static __always_inline __u32 end_of(int result)
{
	switch (result) {
	case EV_UNWIND_AT_ROOT:
		return PA_STACK_COMPLETE;
	case EV_UNWIND_AT_ZERO:
		return PA_STACK_FP_END;
	case EV_UNWIND_BAD_MEMORY:
		return PA_STACK_BAD_MEMORY;
	case EV_UNWIND_LOST:
		return PA_STACK_FP_LOST;
	default:
		return PA_STACK_NO_RULE;
	}
}

/*
 * A step by frame pointer where tables have nothing, for which that is the reason if the chain breaks here.
 * A 0 ends a chain that was followed so far; after a step by a table, which keeps the register like any
 * other, it is just a number.
 */
static __always_inline __u32 step_without(struct walker *w, __u32 reason)
{
	__u32 end = step_by_fp(w);

	if (end == PA_STACK_FP_LOST || end == PA_STACK_BAD_MEMORY ||
	    (end == PA_STACK_FP_END && !w->by_fp))
		return reason;
	w->by_fp = 1;
	return end;
}

/* From a frame to its caller: 0, or how the stack ends here. */
static __always_inline __u32 step_up(struct walker *w)
{
	__u64 ip = ev_unwind_lookup_ip(&w->regs);
	__u32 row = 0;
	int result;

	if (!use_tables)
		return step_by_fp(w);
	/* What lies in no mapping may be in one that is too new to be known here, or be no code at all, which
	 * the recorder can tell. */
	if (!w->process.count || !find_mapping(w, ip) || !w->module.rows) {
		if (!w->out.wanted_ip)
			w->out.wanted_ip = ip;
		return use_frame_pointers ? step_without(w, PA_STACK_NO_TABLE) : PA_STACK_NO_TABLE;
	}
	result = find_row(w, ip + w->mapping.bias, &row);
	if (!result)
		result = ev_unwind_step(w, &w->regs, row);
	/* Hand-written assembly without rules may keep frame pointers. */
	if (result == EV_UNWIND_NO_RULE && use_frame_pointers)
		return step_without(w, PA_STACK_NO_RULE);
	w->by_fp = 0;
	return result == EV_UNWIND_STEPPED ? 0 : end_of(result);
}

/* Takes the registers of the innermost frame from w->saved. */
static __always_inline void walker_begin(struct walker *w)
{
	const struct ev_user_regs *saved = &w->saved.user;
	struct ev_unwind_regs *r = &w->regs;
	__u64 *d = w->dwarf_regs;

	r->known = EV_UNWIND_FP_KNOWN | EV_UNWIND_IP_EXACT | EV_UNWIND_INNERMOST;
	r->ip = saved->ip;
	r->sp = saved->sp;
#if defined(__TARGET_ARCH_x86)
	r->arch = EV_UNWIND_X86_64;
	r->known |= EV_UNWIND_RBX_KNOWN;
	r->fp = saved->bp;
	r->lr = 0;
	r->rbx = saved->bx;
	/* Numbers of the psABI, figure 3.36. */
	d[0] = saved->ax, d[1] = saved->dx, d[2] = saved->cx, d[3] = saved->bx;
	d[4] = saved->si, d[5] = saved->di, d[6] = saved->bp, d[7] = saved->sp;
	d[8] = saved->r8, d[9] = saved->r9, d[10] = saved->r10, d[11] = saved->r11;
	d[12] = saved->r12, d[13] = saved->r13, d[14] = saved->r14, d[15] = saved->r15;
#else
	r->arch = EV_UNWIND_AARCH64;
	r->known |= EV_UNWIND_LR_KNOWN;
	r->fp = saved->regs[29];
	r->lr = saved->regs[30];
	__builtin_memcpy(d, saved->regs, sizeof(saved->regs));
#endif
}

/*
 * Global functions are verified once each, with any arguments, and calls of them cost the verifier nothing:
 * inlined into each program that walks, and followed through each of its loop's rounds, they would be several
 * times what it looks at (1 000 000 instructions).
 */

/* One frame, and the step to its caller; not 0 when it was the last one. */
__noinline int walk_frame(__u32 index)
{
	struct walker *w = walker_at(index);
	__u32 n, end;

	if (!w)
		return 1;
	n = w->out.user_frames;
	if (n >= EV_USER_FRAMES) {
		w->out.user_end = PA_STACK_TRUNCATED;
		return 1;
	}
	w->out.frames[bounded(n)] = w->regs.ip;
	w->out.user_frames = n + 1;
	end = step_up(w);
	if (!end)
		return 0;
	w->out.user_end = end;
	return 1;
}

__noinline int walk_frames(__u32 index)
{
	struct walker *w = walker_at(index);
	__u32 i;

	if (!w)
		return 0;
	w->out.user_end = PA_STACK_UNKNOWN_END;
	for (i = 0; i <= EV_USER_FRAMES; i++)
		if (walk_frame(index))
			break;
	return 0;
}

/*
 * Walks from the registers in w->regs; fills in the user frames of w->out, their number and how the
 * stack ended.
 */
static __always_inline void walk_user(struct walker *w, __u32 index, __u32 pid)
{
	struct ev_unwind_process *process = NULL;

	w->out.user_frames = 0;
	w->out.wanted_ip = 0;
	w->by_fp = 0;
	w->mapping.start = 0;
	w->mapping.end = 0;
	w->module.rows = 0;
	w->bottom_sp = w->regs.sp;
	w->process.count = 0;
	if (use_tables)
		process = bpf_map_lookup_elem(&unwind_processes, &pid);
	if (process)
		w->process = *process;
	walk_frames(index);
}

/* Goes on where a walk could not read the memory, now that it can. */
static __always_inline void walk_on(struct walker *w, __u32 index)
{
	if (w->out.user_frames)
		w->out.user_frames--; /* the frame whose step failed is looked at again */
	walk_frames(index);
}

#endif
