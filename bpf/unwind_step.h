/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One step up the stack by a compiled unwind table. It runs in the kernel and, for tests, in user space:
 * loops are bounded, and everything outside of the registers is reached through six macros, which the
 * includer defines first. ctx is passed through; each gives 0, or another value when it cannot:
 *
 *   EV_UNWIND_READ_KEY(ctx, index, out)   key of a row of the table
 *   EV_UNWIND_READ_RULE(ctx, index, out)  its rule
 *   EV_UNWIND_READ_SIDE(ctx, index, out)  entry of the side table; checks the index
 *   EV_UNWIND_READ_RBX(ctx, index, out)   where a row has rbx (__u16); a table may not have that
 *   EV_UNWIND_READ_WORD(ctx, addr, out)   __u64 of the walked process's memory
 *   EV_UNWIND_READ_REG(ctx, number, out)  register of the innermost frame by DWARF number; checks it
 */
#ifndef EV_UNWIND_STEP_H
#define EV_UNWIND_STEP_H

#include "unwind_table.h"

#ifndef __always_inline
#define __always_inline inline __attribute__((always_inline))
#endif

/* Pointer authentication: bits above those of an address of a process. */
#define EV_UNWIND_ADDRESS_MASK 0x0000ffffffffffffull

/* What is known of a frame. */
#define EV_UNWIND_FP_KNOWN 1u
#define EV_UNWIND_LR_KNOWN 2u
#define EV_UNWIND_IP_EXACT 4u /* ip is the next instruction, not a return address */
#define EV_UNWIND_INNERMOST 8u /* all registers can be read */
#define EV_UNWIND_RBX_KNOWN 16u

struct ev_unwind_regs {
	__u64 ip;
	__u64 sp;
	__u64 fp;
	__u64 lr; /* AArch64 */
	__u64 rbx; /* x86-64 */
	__u32 known; /* EV_UNWIND_*_KNOWN, ... */
	__u32 arch; /* enum ev_unwind_arch */
};

/* The address to look up for a frame: a return address belongs to the call before it. */
static __always_inline __u64 ev_unwind_lookup_ip(const struct ev_unwind_regs *r)
{
	return r->known & EV_UNWIND_IP_EXACT ? r->ip : r->ip - 1;
}

/*
 * Finds the row for an offset from the table's base among that many rows from first on, of which the first
 * one begins at or below it. EV_UNWIND_STEPPED with *row set, or EV_UNWIND_NO_RULE.
 */
static __always_inline int ev_unwind_search(void *ctx, __u32 first, __u32 rows, __u64 offset,
					    __u32 *row)
{
	__u32 key = 0, half, i;

	for (i = 0; i < EV_UNWIND_SEARCH_STEPS && rows > 1; i++) {
		half = rows / 2;
		if (EV_UNWIND_READ_KEY(ctx, first + half, &key))
			return EV_UNWIND_NO_RULE;
		if (key <= offset)
			first += half;
		rows -= half;
	}
	*row = first;
	return EV_UNWIND_STEPPED;
}

/*
 * Finds the row for an address of the module, as its program headers count, in a table of that many
 * rows. As ev_unwind_search().
 */
static __always_inline int ev_unwind_find(void *ctx, __u64 base, __u32 rows, __u64 vaddr,
					  __u32 *row)
{
	if (vaddr < base || vaddr - base > 0xffffffffull || rows == 0)
		return EV_UNWIND_NO_RULE;
	return ev_unwind_search(ctx, 0, rows, vaddr - base, row);
}

/* The value of a location other than BASE_SAME and BASE_LOST. */
static __always_inline int ev_unwind_value(void *ctx, const struct ev_unwind_regs *r, __u64 cfa,
					   const struct ev_unwind_loc *loc, __u64 *value)
{
	__u64 v = 0;

	if (loc->base == EV_UNWIND_BASE_CFA)
		v = cfa;
	else if (loc->base == EV_UNWIND_BASE_SP)
		v = r->sp;
	else if (loc->base == EV_UNWIND_BASE_FP && r->known & EV_UNWIND_FP_KNOWN)
		v = r->fp;
	else if (loc->base == EV_UNWIND_BASE_LR && r->known & EV_UNWIND_LR_KNOWN)
		v = r->lr;
	else if (loc->base == EV_UNWIND_BASE_REG + EV_UNWIND_RBX && r->known & EV_UNWIND_RBX_KNOWN)
		v = r->rbx;
	else if (loc->base < EV_UNWIND_BASE_REG || !(r->known & EV_UNWIND_INNERMOST) ||
		 EV_UNWIND_READ_REG(ctx, loc->base - EV_UNWIND_BASE_REG, &v))
		return EV_UNWIND_LOST;
	v += (__u64)(long long)loc->offset;
	if (loc->deref) {
		if (EV_UNWIND_READ_WORD(ctx, v, value))
			return EV_UNWIND_BAD_MEMORY;
		*value += (__u64)(long long)loc->add;
		return EV_UNWIND_STEPPED;
	}
	*value = v;
	return EV_UNWIND_STEPPED;
}

/* The caller's rbx. False when it is not known. */
static __always_inline int ev_unwind_rbx(void *ctx, const struct ev_unwind_regs *r, __u32 row,
					 __u64 cfa, __u64 *rbx)
{
	__u16 slot = 0;

	if (r->arch != EV_UNWIND_X86_64 || EV_UNWIND_READ_RBX(ctx, row, &slot) ||
	    slot == EV_UNWIND_RBX_LOST)
		return 0;
	*rbx = r->rbx;
	if (slot == 0)
		return r->known & EV_UNWIND_RBX_KNOWN;
	return !EV_UNWIND_READ_WORD(ctx, cfa - slot * EV_UNWIND_WORD, rbx);
}

/* Makes r the caller's frame. */
static __always_inline int ev_unwind_enter(struct ev_unwind_regs *r, __u64 cfa, __u64 ra,
					   __u32 known)
{
	if (r->arch == EV_UNWIND_AARCH64)
		ra &= EV_UNWIND_ADDRESS_MASK;
	if (ra == 0)
		return EV_UNWIND_AT_ZERO;
	r->ip = ra;
	r->sp = cfa;
	r->known = known;
	return EV_UNWIND_STEPPED;
}

static __always_inline int ev_unwind_step_side(void *ctx, struct ev_unwind_regs *r, __u32 row,
					       __u32 index)
{
	struct ev_unwind_side side = {};
	__u64 cfa = 0, ra = 0, fp = r->fp, lr = 0, rbx = 0;
	__u32 known = r->known & EV_UNWIND_FP_KNOWN;
	int err;

	if (EV_UNWIND_READ_SIDE(ctx, index, &side))
		return EV_UNWIND_NO_RULE;
	err = ev_unwind_value(ctx, r, 0, &side.cfa, &cfa);
	if (err)
		return err;
	/* Signal handlers may have a stack of their own; all else grows, but for code without a frame. */
	if (!(side.flags & EV_UNWIND_SIGNAL) && (cfa < r->sp || (cfa == r->sp && side.ra.deref)))
		return EV_UNWIND_LOST;
	err = ev_unwind_value(ctx, r, cfa, &side.ra, &ra);
	if (!err && side.fp.base == EV_UNWIND_BASE_LOST) {
		known = 0;
	} else if (!err && side.fp.base != EV_UNWIND_BASE_SAME) {
		known = ev_unwind_value(ctx, r, cfa, &side.fp, &fp) ? 0 : EV_UNWIND_FP_KNOWN;
	}
	if (side.flags & EV_UNWIND_SIGNAL)
		known |= EV_UNWIND_IP_EXACT;
	if (!err && side.flags & EV_UNWIND_SIGNAL && side.lr.base != EV_UNWIND_BASE_LOST) {
		err = ev_unwind_value(ctx, r, cfa, &side.lr, &lr);
		known |= EV_UNWIND_LR_KNOWN;
	}
	if (!err && ev_unwind_rbx(ctx, r, row, cfa, &rbx))
		known |= EV_UNWIND_RBX_KNOWN;
	if (!err)
		err = ev_unwind_enter(r, cfa, ra, known);
	if (!err) {
		r->fp = fp;
		r->lr = lr;
		r->rbx = rbx;
	}
	return err;
}

/* The CFA of a rule of the kinds SP to PLT. */
static __always_inline int ev_unwind_cfa(void *ctx, const struct ev_unwind_regs *r, __u32 rule,
					 __u64 *cfa)
{
	__u32 kind = EV_UNWIND_RULE_KIND(rule);
	__u64 offset = (__u64)(long long)(EV_UNWIND_RULE_CFA(rule) * EV_UNWIND_WORD);

	if (kind == EV_UNWIND_SP) {
		*cfa = r->sp + offset;
	} else if (kind == EV_UNWIND_PLT) {
		*cfa = r->sp + offset;
		if ((r->ip & 15) >= EV_UNWIND_RULE_SLOT(rule))
			*cfa += EV_UNWIND_WORD;
	} else if (!(r->known & EV_UNWIND_FP_KNOWN)) {
		return EV_UNWIND_LOST;
	} else if (kind == EV_UNWIND_FP) {
		*cfa = r->fp + offset;
	} else if (EV_UNWIND_READ_WORD(ctx, r->fp + offset, cfa)) {
		return EV_UNWIND_BAD_MEMORY;
	}
	return EV_UNWIND_STEPPED;
}

/* Where the caller's frame pointer is; 0 = not on the stack. */
static __always_inline __u64 ev_unwind_fp_slot(const struct ev_unwind_regs *r, __u32 saved,
					       __u64 cfa, __u64 slot)
{
	switch (saved) {
	case EV_UNWIND_RA_TOP_FP_SLOT:
	case EV_UNWIND_RECORD_SLOT:
	case EV_UNWIND_RA_LR_FP_SLOT:
		return cfa - slot;
	case EV_UNWIND_RA_TOP_FP_AT_FP:
		return r->fp;
	default:
		return 0;
	}
}

/* Where the return address is; 0 = in the link register. */
static __always_inline __u64 ev_unwind_ra_slot(__u32 saved, __u64 cfa, __u64 slot)
{
	switch (saved) {
	case EV_UNWIND_RA_LR:
	case EV_UNWIND_RA_LR_FP_SLOT:
		return 0;
	case EV_UNWIND_RECORD_SLOT:
		return cfa - slot + EV_UNWIND_WORD;
	case EV_UNWIND_RA_SLOT:
		return cfa - slot;
	default:
		return cfa - EV_UNWIND_WORD;
	}
}

/* Applies a rule of the kinds SP to PLT. As ev_unwind_step(). */
static __always_inline int ev_unwind_step_short(void *ctx, struct ev_unwind_regs *r, __u32 row,
						__u32 rule)
{
	__u32 saved = EV_UNWIND_RULE_SAVED(rule);
	__u32 known = r->known & EV_UNWIND_FP_KNOWN;
	__u64 slot = (__u64)EV_UNWIND_RULE_SLOT(rule) * EV_UNWIND_WORD;
	__u64 cfa = 0, ra = r->lr, fp = r->fp, rbx = 0, from;
	int err;

	err = ev_unwind_cfa(ctx, r, rule, &cfa);
	if (err)
		return err;
	from = ev_unwind_ra_slot(saved, cfa, slot);
	/* Only a leaf that has not saved its link register may have an empty frame. */
	if (from ? cfa <= r->sp : cfa < r->sp || !(r->known & EV_UNWIND_LR_KNOWN))
		return EV_UNWIND_LOST;
	if (from && EV_UNWIND_READ_WORD(ctx, from, &ra))
		return EV_UNWIND_BAD_MEMORY;
	if (saved == EV_UNWIND_RA_TOP_FP_LOST)
		known = 0;
	from = ev_unwind_fp_slot(r, saved, cfa, slot);
	if (from)
		known = EV_UNWIND_READ_WORD(ctx, from, &fp) ? 0 : EV_UNWIND_FP_KNOWN;
	if (ev_unwind_rbx(ctx, r, row, cfa, &rbx))
		known |= EV_UNWIND_RBX_KNOWN;
	err = ev_unwind_enter(r, cfa, ra, known);
	if (!err) {
		r->fp = fp;
		r->lr = 0;
		r->rbx = rbx;
	}
	return err;
}

/*
 * Applies the row of the frame's address to r, which becomes the caller's frame. A frame pointer that
 * cannot be read is not known from there on: compilers' rules for it are wrong just before some returns,
 * and most callers do without. enum ev_unwind_result; r is unchanged unless it is EV_UNWIND_STEPPED.
 */
static __always_inline int ev_unwind_step(void *ctx, struct ev_unwind_regs *r, __u32 row)
{
	__u32 rule = 0, kind;

	if (EV_UNWIND_READ_RULE(ctx, row, &rule))
		return EV_UNWIND_NO_RULE;
	kind = EV_UNWIND_RULE_KIND(rule);
	if (kind == EV_UNWIND_ROOT)
		return EV_UNWIND_AT_ROOT;
	if (kind == EV_UNWIND_SIDE)
		return ev_unwind_step_side(ctx, r, row, EV_UNWIND_RULE_NUMBER(rule));
	if (kind < EV_UNWIND_SP || kind > EV_UNWIND_PLT)
		return EV_UNWIND_NO_RULE;
	return ev_unwind_step_short(ctx, r, row, rule);
}

#endif
