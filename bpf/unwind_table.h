/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The compiled unwind table of one module, as the programs in the kernel and the recorder read it: sorted
 * rows in two parallel arrays, so that a search touches nothing but keys. A row holds from its key up to
 * the next one's. As with events.h, the includer provides __u8 to __u64 and __s32.
 */
#ifndef EV_UNWIND_TABLE_H
#define EV_UNWIND_TABLE_H

#define EV_UNWIND_MAGIC 0x54775545u /* "EUwT"; also says that the byte order is this machine's */
#define EV_UNWIND_VERSION 1
#define EV_UNWIND_SEARCH_STEPS 24 /* of a binary search over the longest table */
#define EV_UNWIND_MAX_ROWS ((1u << EV_UNWIND_SEARCH_STEPS) - 1)
#define EV_UNWIND_MAX_SIDES (1u << 20)
#define EV_UNWIND_MAX_SEGMENTS 16

enum ev_unwind_arch {
	EV_UNWIND_X86_64 = 1,
	EV_UNWIND_AARCH64 = 2,
};

/*
 * Head of a table. There follow, without padding: segments, keys (a __u32 each), rules (a __u32 each),
 * sides, and with EV_UNWIND_TRACKS_RBX a __u16 for each row. A key is an address of the module, as its program headers count, minus base; the first key is 0.
 */
struct ev_unwind_table {
	__u32 magic;
	__u16 version;
	__u16 arch; /* enum ev_unwind_arch */
	__u64 base;
	__u32 rows;
	__u32 sides;
	__u32 segments;
	__u32 flags;
};

/*
 * In ev_unwind_table.flags: x86-64's dynamic linker binds symbols lazily in a frame that is reached through
 * rbx alone. Tables with such a row, and only they, say where rbx is: a __u16 for each row behind the
 * sides. 0 = unchanged, EV_UNWIND_RBX_LOST, or at CFA - 8 * n.
 */
#define EV_UNWIND_TRACKS_RBX 1u
#define EV_UNWIND_RBX_LOST 0xffffu
#define EV_UNWIND_RBX 3 /* its DWARF number */

/* An executable segment: what turns an offset in the file into an address of the module. */
struct ev_unwind_segment {
	__u64 vaddr;
	__u64 offset;
	__u64 bytes; /* in the file */
};

/*
 * A rule is 32 bits: kind (3), saved (4), CFA offset (13, signed), slot (12), from the lowest up; both
 * numbers count words of 8 bytes. NONE and SIDE have a 25-bit number instead of the last two fields.
 */
enum ev_unwind_kind {
	EV_UNWIND_NONE = 0, /* no rule; number: enum ev_unwind_why */
	EV_UNWIND_ROOT, /* the return address is undefined: outermost frame */
	EV_UNWIND_SP, /* CFA = sp + offset */
	EV_UNWIND_FP, /* CFA = fp + offset */
	EV_UNWIND_FP_DEREF, /* CFA = *(fp + offset): realigned stacks */
	EV_UNWIND_PLT, /* CFA = sp + offset, and 8 more when ip % 16 >= slot; x86-64 */
	EV_UNWIND_SIDE, /* number: index into the side table */
	EV_UNWIND_KINDS
};

/* Where the return address and the caller's frame pointer are. */
enum ev_unwind_saved {
	EV_UNWIND_RA_LR = 0, /* return address in the link register, fp unchanged */
	EV_UNWIND_RA_TOP, /* return address at CFA - 8, fp unchanged */
	EV_UNWIND_RA_TOP_FP_SLOT, /* return address at CFA - 8, fp at CFA - 8 * slot */
	EV_UNWIND_RA_TOP_FP_AT_FP, /* return address at CFA - 8, fp at *fp */
	EV_UNWIND_RECORD_SLOT, /* fp at CFA - 8 * slot, return address in the word above */
	EV_UNWIND_RA_SLOT, /* return address at CFA - 8 * slot, fp unchanged */
	EV_UNWIND_RA_LR_FP_SLOT, /* return address in the link register, fp at CFA - 8 * slot */
	EV_UNWIND_RA_TOP_FP_LOST, /* return address at CFA - 8, fp not known */
	EV_UNWIND_SAVEDS
};

/* Why there is no rule. */
enum ev_unwind_why {
	EV_UNWIND_GAP = 0, /* no unwind information covers the address */
	EV_UNWIND_CFA_EXPR, /* an expression of no known kind gives the CFA */
	EV_UNWIND_RA_RULE, /* the return address has a rule of no known kind, or none */
	EV_UNWIND_SP_RULE, /* the stack pointer has a rule of its own */
	EV_UNWIND_BAD_CODE, /* the rest of the function's unwind program is malformed */
	EV_UNWIND_RANGE, /* a number does not fit */
	EV_UNWIND_WHYS
};

#define EV_UNWIND_WORD 8
#define EV_UNWIND_MIN_CFA (-4096) /* in words */
#define EV_UNWIND_MAX_CFA 4095
#define EV_UNWIND_MAX_SLOT 4095

#define EV_UNWIND_RULE(kind, saved, cfa, slot) \
	((__u32)(kind) | (__u32)(saved) << 3 | ((__u32)(cfa)&0x1fffu) << 7 | (__u32)(slot) << 20)
#define EV_UNWIND_NUMBERED(kind, number) ((__u32)(kind) | (__u32)(number) << 7)
#define EV_UNWIND_RULE_KIND(rule) ((rule)&7u)
#define EV_UNWIND_RULE_SAVED(rule) ((rule) >> 3 & 0xfu)
#define EV_UNWIND_RULE_CFA(rule) ((__s32)((rule) << 12) >> 19) /* in words */
#define EV_UNWIND_RULE_SLOT(rule) ((rule) >> 20)
#define EV_UNWIND_RULE_NUMBER(rule) ((rule) >> 7)

/* What a location starts from. */
enum ev_unwind_base {
	EV_UNWIND_BASE_SAME = 0, /* the register is unchanged; nothing else counts */
	EV_UNWIND_BASE_LOST, /* its value in the caller is not known */
	EV_UNWIND_BASE_CFA,
	EV_UNWIND_BASE_SP,
	EV_UNWIND_BASE_FP,
	EV_UNWIND_BASE_LR,
	EV_UNWIND_BASE_REG = 0x80, /* + DWARF number: known in the innermost frame only */
};

#define EV_UNWIND_REGS 32 /* DWARF numbers that BASE_REG reaches */

/* base + offset; where deref is set, the word at that address, + add. */
struct ev_unwind_loc {
	__s32 offset;
	__s32 add;
	__u16 base; /* enum ev_unwind_base */
	__u16 deref;
};

/* The caller was interrupted: its ip is no return address, and its link register is at lr. */
#define EV_UNWIND_SIGNAL 1u

/* A rule that does not fit into 32 bits. */
struct ev_unwind_side {
	struct ev_unwind_loc cfa;
	struct ev_unwind_loc ra;
	struct ev_unwind_loc fp;
	struct ev_unwind_loc lr; /* read with EV_UNWIND_SIGNAL only; BASE_LOST on x86-64 */
	__u32 flags;
};

/* What came of a step; see unwind_step.h. */
enum ev_unwind_result {
	EV_UNWIND_STEPPED = 0,
	EV_UNWIND_AT_ROOT, /* this is the outermost frame, the table says */
	EV_UNWIND_AT_ZERO, /* the return address is 0 */
	EV_UNWIND_NO_RULE, /* nothing covers ip, or nothing that is understood */
	EV_UNWIND_BAD_MEMORY,
	EV_UNWIND_LOST, /* a register is needed that is not known, or the stack does not grow */
};

_Static_assert(sizeof(struct ev_unwind_table) == 32, "no padding");
_Static_assert(sizeof(struct ev_unwind_side) == 52, "no padding");

#endif
