// SPDX-License-Identifier: GPL-2.0-or-later
/* The interpreter of call frame instructions. */
#include "record/unwind/cfi_run.h"

#include "format/util/cursor.h"
#include "format/util/err.h"
#include "record/unwind/arch.h"
#include "record/unwind/dwarf.h"

/* Instructions; the first three have their operand in the lower six bits. */
enum {
	CFA_ADVANCE_LOC = 0x40,
	CFA_OFFSET = 0x80,
	CFA_RESTORE = 0xc0,
	CFA_NOP = 0x00,
	CFA_SET_LOC,
	CFA_ADVANCE_LOC1,
	CFA_ADVANCE_LOC2,
	CFA_ADVANCE_LOC4,
	CFA_OFFSET_EXTENDED,
	CFA_RESTORE_EXTENDED,
	CFA_UNDEFINED,
	CFA_SAME_VALUE,
	CFA_REGISTER,
	CFA_REMEMBER_STATE,
	CFA_RESTORE_STATE,
	CFA_DEF_CFA,
	CFA_DEF_CFA_REGISTER,
	CFA_DEF_CFA_OFFSET,
	CFA_DEF_CFA_EXPRESSION,
	CFA_EXPRESSION,
	CFA_OFFSET_EXTENDED_SF,
	CFA_DEF_CFA_SF,
	CFA_DEF_CFA_OFFSET_SF,
	CFA_VAL_OFFSET,
	CFA_VAL_OFFSET_SF,
	CFA_VAL_EXPRESSION,
	CFA_AARCH64_NEGATE_RA_STATE_WITH_PC = 0x2c,
	CFA_NEGATE_RA_STATE = 0x2d, /* GNU_window_save elsewhere: no such registers here */
	CFA_GNU_ARGS_SIZE = 0x2e,
	CFA_GNU_NEGATIVE_OFFSET = 0x2f,
};

struct run {
	struct rec_cfi_machine *m;
	const struct rec_cie *cie;
	const struct rec_fde *fde; /* NULL: the CIE's own instructions */
	struct pa_cursor c;
	uint64_t addr; /* where row begins to hold */
	struct rec_row row;
	struct rec_row stack[REC_REMEMBER_DEPTH];
	size_t depth;
	int emit_error;
};

/* The column of a register, or NULL when it is none of those that are kept. */
static struct rec_rule *column(const struct run *r, struct rec_row *row, uint64_t reg)
{
	if (reg == r->cie->ra_reg)
		return &row->columns[REC_COLUMN_RA];
	if (reg == rec_arch_fp(r->m->arch))
		return &row->columns[REC_COLUMN_FP];
	if (reg == rec_arch_sp(r->m->arch))
		return &row->columns[REC_COLUMN_SP];
	if (reg == rec_arch_rbx(r->m->arch))
		return &row->columns[REC_COLUMN_RBX];
	return NULL;
}

/* A register number that nobody has stays one. */
static uint32_t clamp_reg(uint64_t reg)
{
	return reg < UINT32_MAX ? (uint32_t)reg : UINT32_MAX;
}

static void set_rule(struct run *r, uint64_t reg, enum rec_rule_kind kind, int64_t value)
{
	struct rec_rule *rule = column(r, &r->row, reg);

	if (rule)
		*rule = (struct rec_rule){.kind = kind, .value = value};
}

static void set_register(struct run *r, uint64_t reg, uint64_t from)
{
	struct rec_rule *rule = column(r, &r->row, reg);

	if (rule)
		*rule = (struct rec_rule){.kind = REC_RULE_REGISTER, .reg = clamp_reg(from)};
}

static void set_expression(struct run *r, struct rec_rule *rule, enum rec_rule_kind kind)
{
	uint64_t len = pa_cursor_varint(&r->c);
	const uint8_t *expr = pa_cursor_bytes(&r->c, len);

	if (rule)
		*rule = (struct rec_rule){.kind = kind, .expr = expr, .expr_len = len};
}

/* Back to what the CIE left; in a CIE itself there is nothing to go back to. */
static void restore(struct run *r, uint64_t reg)
{
	struct rec_rule *rule = column(r, &r->row, reg);

	if (!r->fde)
		pa_cursor_fail(&r->c, PA_E_CORRUPT);
	else if (rule)
		*rule = *column(r, &r->m->initial, reg);
}

static int64_t factored(const struct run *r, uint64_t units)
{
	return (int64_t)(units * (uint64_t)r->cie->data_align);
}

static void emit(struct run *r, int error)
{
	if (r->fde && !r->emit_error)
		r->emit_error = r->m->emit(r->m->ctx, r->addr, &r->row, error);
}

/* The row is finished where the next one begins. */
static void go_to(struct run *r, uint64_t addr)
{
	if (!r->fde || addr < r->addr) {
		pa_cursor_fail(&r->c, PA_E_CORRUPT);
		return;
	}
	if (addr == r->addr)
		return;
	emit(r, 0);
	r->addr = addr;
}

static void advance(struct run *r, uint64_t units)
{
	uint64_t bytes, addr;

	if (__builtin_mul_overflow(units, r->cie->code_align, &bytes) ||
	    __builtin_add_overflow(r->addr, bytes, &addr))
		pa_cursor_fail(&r->c, PA_E_CORRUPT);
	else
		go_to(r, addr);
}

static void set_loc(struct run *r)
{
	/* Relative to itself, which would need the place of the instruction: nobody writes that. */
	if (r->cie->fde_encoding & REC_PE_APPLICATION)
		pa_cursor_fail(&r->c, PA_E_UNSUPPORTED);
	else
		go_to(r, rec_dwarf_value(&r->c, r->cie->fde_encoding));
}

static void def_cfa(struct run *r, uint64_t reg, int64_t offset)
{
	r->row.cfa = (struct rec_rule){
		.kind = REC_RULE_REGISTER,
		.reg = clamp_reg(reg),
		.value = offset,
	};
}

/* Changes one half of a CFA that has to be a register and an offset. */
static void change_cfa(struct run *r, const uint64_t *reg, int64_t offset)
{
	if (r->row.cfa.kind != REC_RULE_REGISTER)
		pa_cursor_fail(&r->c, PA_E_CORRUPT);
	else if (reg)
		def_cfa(r, *reg, r->row.cfa.value);
	else
		r->row.cfa.value = offset;
}

static void remember(struct run *r)
{
	if (r->depth == REC_REMEMBER_DEPTH)
		pa_cursor_fail(&r->c, PA_E_LIMIT);
	else
		r->stack[r->depth++] = r->row;
}

static void recall(struct run *r)
{
	if (r->depth == 0)
		pa_cursor_fail(&r->c, PA_E_CORRUPT);
	else
		r->row = r->stack[--r->depth];
}

/* Instructions that define the CFA. False when op is none of them. */
static bool run_cfa(struct run *r, uint8_t op)
{
	struct pa_cursor *c = &r->c;
	uint64_t reg;

	switch (op) {
	case CFA_DEF_CFA:
		reg = pa_cursor_varint(c);
		def_cfa(r, reg, (int64_t)pa_cursor_varint(c));
		return true;
	case CFA_DEF_CFA_SF:
		reg = pa_cursor_varint(c);
		def_cfa(r, reg, factored(r, (uint64_t)rec_dwarf_sleb(c)));
		return true;
	case CFA_DEF_CFA_REGISTER:
		reg = pa_cursor_varint(c);
		change_cfa(r, &reg, 0);
		return true;
	case CFA_DEF_CFA_OFFSET:
		change_cfa(r, NULL, (int64_t)pa_cursor_varint(c));
		return true;
	case CFA_DEF_CFA_OFFSET_SF:
		change_cfa(r, NULL, factored(r, (uint64_t)rec_dwarf_sleb(c)));
		return true;
	case CFA_DEF_CFA_EXPRESSION:
		set_expression(r, &r->row.cfa, REC_RULE_VAL_EXPR);
		return true;
	default:
		return false;
	}
}

static bool begins_with_register(uint8_t op)
{
	switch (op) {
	case CFA_OFFSET_EXTENDED ... CFA_REGISTER:
	case CFA_EXPRESSION:
	case CFA_OFFSET_EXTENDED_SF:
	case CFA_VAL_OFFSET ... CFA_VAL_EXPRESSION:
	case CFA_GNU_NEGATIVE_OFFSET:
		return true;
	default:
		return false;
	}
}

/* Instructions that say where a register is. False when op is none of them. */
static bool run_register(struct run *r, uint8_t op)
{
	struct pa_cursor *c = &r->c;
	uint64_t reg;

	if (!begins_with_register(op))
		return false;
	reg = pa_cursor_varint(c);
	switch (op) {
	case CFA_OFFSET_EXTENDED:
		set_rule(r, reg, REC_RULE_OFFSET, factored(r, pa_cursor_varint(c)));
		break;
	case CFA_OFFSET_EXTENDED_SF:
		set_rule(r, reg, REC_RULE_OFFSET, factored(r, (uint64_t)rec_dwarf_sleb(c)));
		break;
	case CFA_GNU_NEGATIVE_OFFSET:
		set_rule(r, reg, REC_RULE_OFFSET, factored(r, -pa_cursor_varint(c)));
		break;
	case CFA_VAL_OFFSET:
		set_rule(r, reg, REC_RULE_VAL_OFFSET, factored(r, pa_cursor_varint(c)));
		break;
	case CFA_VAL_OFFSET_SF:
		set_rule(r, reg, REC_RULE_VAL_OFFSET, factored(r, (uint64_t)rec_dwarf_sleb(c)));
		break;
	case CFA_RESTORE_EXTENDED:
		restore(r, reg);
		break;
	case CFA_UNDEFINED:
		set_rule(r, reg, REC_RULE_UNDEFINED, 0);
		break;
	case CFA_SAME_VALUE:
		set_rule(r, reg, REC_RULE_SAME, 0);
		break;
	case CFA_EXPRESSION:
		set_expression(r, column(r, &r->row, reg), REC_RULE_EXPR);
		break;
	case CFA_VAL_EXPRESSION:
		set_expression(r, column(r, &r->row, reg), REC_RULE_VAL_EXPR);
		break;
	case CFA_REGISTER:
		set_register(r, reg, pa_cursor_varint(c));
		break;
	}
	return true;
}

static void run_other(struct run *r, uint8_t op)
{
	struct pa_cursor *c = &r->c;

	switch (op) {
	case CFA_NOP:
	case CFA_NEGATE_RA_STATE:
	case CFA_AARCH64_NEGATE_RA_STATE_WITH_PC:
		break;
	case CFA_SET_LOC:
		set_loc(r);
		break;
	case CFA_ADVANCE_LOC1:
		advance(r, pa_cursor_u8(c));
		break;
	case CFA_ADVANCE_LOC2:
		advance(r, pa_cursor_u16(c));
		break;
	case CFA_ADVANCE_LOC4:
		advance(r, pa_cursor_u32(c));
		break;
	case CFA_REMEMBER_STATE:
		remember(r);
		break;
	case CFA_RESTORE_STATE:
		recall(r);
		break;
	case CFA_GNU_ARGS_SIZE:
		pa_cursor_varint(c);
		break;
	default:
		pa_cursor_fail(c, PA_E_UNSUPPORTED);
		break;
	}
}

static void run_one(struct run *r)
{
	uint8_t op = pa_cursor_u8(&r->c);

	switch (op & 0xc0) {
	case CFA_ADVANCE_LOC:
		advance(r, op & 0x3f);
		return;
	case CFA_OFFSET:
		set_rule(r, op & 0x3f, REC_RULE_OFFSET, factored(r, pa_cursor_varint(&r->c)));
		return;
	case CFA_RESTORE:
		restore(r, op & 0x3f);
		return;
	}
	if (!run_cfa(r, op) && !run_register(r, op))
		run_other(r, op);
}

/* Runs all instructions. 0, or why they could not be run to their end. */
static int run_all(struct run *r, const uint8_t *insns, size_t len)
{
	pa_cursor_init(&r->c, insns, len);
	while (pa_cursor_left(&r->c) > 0 && !r->emit_error) {
		/* What lies behind the end of the range can't be looked up. */
		if (r->fde && r->addr >= r->fde->end)
			return 0;
		if (r->m->budget == 0) {
			r->emit_error = PA_E_LIMIT;
			break;
		}
		r->m->budget--;
		run_one(r);
	}
	return pa_cursor_error(&r->c);
}

/* Makes m->initial that of a CIE. */
static void prepare(struct run *r, uint32_t cie)
{
	if (r->m->initial_cie == cie)
		return;
	r->row = (struct rec_row){0};
	r->m->initial_error = run_all(r, r->cie->insns, r->cie->insns_len);
	r->m->initial = r->row;
	r->m->initial_cie = r->emit_error ? REC_NO_CIE : cie;
}

int rec_cfi_run(struct rec_cfi_machine *m, const struct rec_fde *fde)
{
	struct run r;
	int err;

	/* The stack is large and written before it is read: no need to clear it. */
	r.m = m;
	r.cie = &m->cfi->cies[fde->cie];
	r.fde = NULL;
	r.addr = fde->start;
	r.depth = 0;
	r.emit_error = 0;
	prepare(&r, fde->cie);
	r.fde = fde;
	r.row = m->initial;
	r.depth = 0;
	err = m->initial_error;
	if (!err && !r.emit_error)
		err = run_all(&r, fde->insns, fde->insns_len);
	if (r.addr < fde->end)
		emit(&r, err);
	return r.emit_error;
}
