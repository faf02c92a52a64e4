// SPDX-License-Identifier: GPL-2.0-or-later
/* Reading of DWARF expressions, symbolically. */
#include "record/unwind/expr.h"

#include "format/util/cursor.h"
#include "format/util/err.h"
#include "record/unwind/arch.h"
#include "record/unwind/dwarf.h"

enum {
	OP_DEREF = 0x06,
	OP_CONST1U = 0x08,
	OP_CONST1S,
	OP_CONST2U,
	OP_CONST2S,
	OP_CONST4U,
	OP_CONST4S,
	OP_CONST8U,
	OP_CONST8S,
	OP_CONSTU,
	OP_CONSTS,
	OP_AND = 0x1a,
	OP_MINUS = 0x1c,
	OP_PLUS = 0x22,
	OP_PLUS_UCONST,
	OP_SHL,
	OP_GE = 0x2a,
	OP_LIT0 = 0x30,
	OP_LIT31 = 0x4f,
	OP_BREG0 = 0x70,
	OP_BREG31 = 0x8f,
	OP_BREGX = 0x92,
	OP_NOP = 0x96,
};

#define DEPTH 2
#define NO_REGISTER UINT32_MAX

/* A value on the stack: reg + offset; when deref, the word there + add. */
struct value {
	uint32_t reg; /* NO_REGISTER: a constant */
	bool deref;
	int64_t offset;
	int64_t add;
};

struct stack {
	struct value values[DEPTH];
	size_t depth;
	bool failed;
};

static void push(struct stack *s, uint32_t reg, int64_t offset)
{
	if (s->depth == DEPTH)
		s->failed = true;
	else
		s->values[s->depth++] = (struct value){.reg = reg, .offset = offset};
}

static void add(struct stack *s, struct value *v, int64_t n)
{
	if (__builtin_add_overflow(v->deref ? v->add : v->offset, n,
				   v->deref ? &v->add : &v->offset))
		s->failed = true;
}

/* Adds or subtracts the constant on top. */
static void add_top(struct stack *s, bool minus)
{
	struct value *top = &s->values[1];
	int64_t n = top->offset;

	if (s->depth != 2 || top->reg != NO_REGISTER || n == INT64_MIN) {
		s->failed = true;
		return;
	}
	s->depth = 1;
	add(s, &s->values[0], minus ? -n : n);
}

static void deref(struct stack *s)
{
	struct value *v;

	if (s->depth == 0) {
		s->failed = true;
		return;
	}
	v = &s->values[s->depth - 1];
	if (v->deref || v->reg == NO_REGISTER)
		s->failed = true;
	v->deref = true;
}

/* Pushes a constant. False when op is none. */
static bool push_const(struct stack *s, struct pa_cursor *c, uint8_t op)
{
	static const uint8_t encodings[] = {
		[OP_CONST2U - OP_CONST1U] = REC_PE_UDATA2,
		[OP_CONST2S - OP_CONST1U] = REC_PE_SDATA2,
		[OP_CONST4U - OP_CONST1U] = REC_PE_UDATA4,
		[OP_CONST4S - OP_CONST1U] = REC_PE_SDATA4,
		[OP_CONST8U - OP_CONST1U] = REC_PE_UDATA8,
		[OP_CONST8S - OP_CONST1U] = REC_PE_SDATA8,
		[OP_CONSTU - OP_CONST1U] = REC_PE_ULEB128,
		[OP_CONSTS - OP_CONST1U] = REC_PE_SLEB128,
	};

	if (op >= OP_LIT0 && op <= OP_LIT31)
		push(s, NO_REGISTER, op - OP_LIT0);
	else if (op == OP_CONST1U)
		push(s, NO_REGISTER, pa_cursor_u8(c));
	else if (op == OP_CONST1S)
		push(s, NO_REGISTER, (int8_t)pa_cursor_u8(c));
	else if (op >= OP_CONST2U && op <= OP_CONSTS)
		push(s, NO_REGISTER, (int64_t)rec_dwarf_value(c, encodings[op - OP_CONST1U]));
	else
		return false;
	return true;
}

static void run_one(struct stack *s, struct pa_cursor *c)
{
	uint8_t op = pa_cursor_u8(c);
	uint64_t reg;

	if (push_const(s, c, op))
		return;
	if (op >= OP_BREG0 && op <= OP_BREG31) {
		push(s, op - OP_BREG0, rec_dwarf_sleb(c));
	} else if (op == OP_BREGX) {
		reg = pa_cursor_varint(c);
		push(s, reg < NO_REGISTER ? (uint32_t)reg : NO_REGISTER - 1, rec_dwarf_sleb(c));
	} else if (op == OP_PLUS_UCONST && s->depth > 0) {
		push(s, NO_REGISTER, (int64_t)pa_cursor_varint(c));
		add_top(s, false);
	} else if (op == OP_PLUS || op == OP_MINUS) {
		add_top(s, op == OP_MINUS);
	} else if (op == OP_DEREF) {
		deref(s);
	} else if (op != OP_NOP) {
		s->failed = true;
	}
}

bool rec_loc_from_register(uint32_t arch, uint32_t reg, int64_t offset, struct ev_unwind_loc *loc)
{
	/* rip is where a frame is, not what it was called with. */
	if (reg >= (arch == EV_UNWIND_X86_64 ? REC_X86_RIP : EV_UNWIND_REGS) ||
	    offset != (int32_t)offset)
		return false;
	*loc = (struct ev_unwind_loc){.offset = (int32_t)offset};
	if (reg == rec_arch_sp(arch))
		loc->base = EV_UNWIND_BASE_SP;
	else if (reg == rec_arch_fp(arch))
		loc->base = EV_UNWIND_BASE_FP;
	else if (arch == EV_UNWIND_AARCH64 && reg == REC_ARM_LR)
		loc->base = EV_UNWIND_BASE_LR;
	else
		loc->base = (uint16_t)(EV_UNWIND_BASE_REG + reg);
	return true;
}

bool rec_expr_loc(uint32_t arch, const uint8_t *expr, size_t len, struct ev_unwind_loc *loc)
{
	struct stack s = {0};
	struct pa_cursor c;
	const struct value *v = &s.values[0];

	pa_cursor_init(&c, expr, len);
	while (pa_cursor_left(&c) > 0 && !s.failed)
		run_one(&s, &c);
	if (s.failed || pa_cursor_error(&c) || s.depth != 1 || v->add != (int32_t)v->add)
		return false;
	if (!rec_loc_from_register(arch, v->reg, v->offset, loc))
		return false;
	loc->deref = v->deref;
	loc->add = (int32_t)v->add;
	return true;
}

bool rec_expr_plt(const uint8_t *expr, size_t len, int64_t *offset, uint8_t *threshold)
{
	struct pa_cursor c;
	bool same;

	pa_cursor_init(&c, expr, len);
	same = pa_cursor_u8(&c) == OP_BREG0 + REC_X86_RSP;
	*offset = rec_dwarf_sleb(&c);
	same &= pa_cursor_u8(&c) == OP_BREG0 + REC_X86_RIP && rec_dwarf_sleb(&c) == 0;
	same &= pa_cursor_u8(&c) == OP_LIT0 + 15;
	same &= pa_cursor_u8(&c) == OP_AND;
	*threshold = pa_cursor_u8(&c) - OP_LIT0;
	same &= pa_cursor_u8(&c) == OP_GE;
	same &= pa_cursor_u8(&c) == OP_LIT0 + 3;
	same &= pa_cursor_u8(&c) == OP_SHL;
	same &= pa_cursor_u8(&c) == OP_PLUS;
	return same && pa_cursor_left(&c) == 0 && !pa_cursor_error(&c) && *threshold < 16;
}
