// SPDX-License-Identifier: GPL-2.0-or-later
/* DWARF expressions of unwind information. */
#include "report/unwind/expr.h"

#include <dwarf.h>

#define MAX_DEPTH 32

struct stack {
	uint64_t items[MAX_DEPTH];
	size_t depth;
};

static enum rpt_expr_result push(struct stack *s, uint64_t value)
{
	if (s->depth == MAX_DEPTH)
		return RPT_EXPR_UNSUPPORTED;
	s->items[s->depth++] = value;
	return RPT_EXPR_OK;
}

/* Operations on the two topmost numbers, which the result replaces. */
static enum rpt_expr_result binary(struct stack *s, uint8_t atom)
{
	uint64_t a, b, r;

	if (s->depth < 2)
		return RPT_EXPR_UNSUPPORTED;
	a = s->items[s->depth - 2];
	b = s->items[s->depth - 1];
	switch (atom) {
	case DW_OP_plus:
		r = a + b;
		break;
	case DW_OP_minus:
		r = a - b;
		break;
	case DW_OP_mul:
		r = a * b;
		break;
	case DW_OP_and:
		r = a & b;
		break;
	case DW_OP_or:
		r = a | b;
		break;
	case DW_OP_xor:
		r = a ^ b;
		break;
	case DW_OP_shl:
		r = b < 64 ? a << b : 0;
		break;
	case DW_OP_shr:
		r = b < 64 ? a >> b : 0;
		break;
	case DW_OP_eq:
		r = a == b;
		break;
	case DW_OP_ne:
		r = a != b;
		break;
	case DW_OP_ge:
		r = (int64_t)a >= (int64_t)b;
		break;
	case DW_OP_gt:
		r = (int64_t)a > (int64_t)b;
		break;
	case DW_OP_le:
		r = (int64_t)a <= (int64_t)b;
		break;
	case DW_OP_lt:
		r = (int64_t)a < (int64_t)b;
		break;
	default:
		return RPT_EXPR_UNSUPPORTED;
	}
	s->depth--;
	s->items[s->depth - 1] = r;
	return RPT_EXPR_OK;
}

static enum rpt_expr_result push_register(struct rpt_expr_context *ctx, struct stack *s,
					  uint64_t number, uint64_t offset)
{
	uint64_t value;

	if (!rpt_frame_get(ctx->regs, number, &value))
		return RPT_EXPR_REGISTER;
	return push(s, value + offset);
}

/* Operations on the topmost number alone. */
static enum rpt_expr_result unary(struct rpt_expr_context *ctx, struct stack *s, const Dwarf_Op *op)
{
	uint64_t *top = s->items + s->depth - 1;

	if (s->depth < 1)
		return RPT_EXPR_UNSUPPORTED;
	switch (op->atom) {
	case DW_OP_dup:
		return push(s, *top);
	case DW_OP_drop:
		s->depth--;
		return RPT_EXPR_OK;
	case DW_OP_neg:
		*top = 0 - *top;
		return RPT_EXPR_OK;
	case DW_OP_not:
		*top = ~*top;
		return RPT_EXPR_OK;
	case DW_OP_plus_uconst:
		*top += op->number;
		return RPT_EXPR_OK;
	case DW_OP_deref:
		ctx->bad_address = *top;
		return rpt_frame_read(ctx->memory, *top, top) ? RPT_EXPR_OK : RPT_EXPR_MEMORY;
	default:
		return binary(s, op->atom);
	}
}

static enum rpt_expr_result step(struct rpt_expr_context *ctx, struct stack *s, const Dwarf_Op *op)
{
	if (op->atom >= DW_OP_lit0 && op->atom <= DW_OP_lit31)
		return push(s, op->atom - DW_OP_lit0);
	if (op->atom >= DW_OP_breg0 && op->atom <= DW_OP_breg31)
		return push_register(ctx, s, op->atom - DW_OP_breg0, op->number);
	switch (op->atom) {
	case DW_OP_bregx:
		return push_register(ctx, s, op->number, op->number2);
	case DW_OP_call_frame_cfa:
		return push(s, ctx->cfa);
	case DW_OP_const1u:
	case DW_OP_const1s:
	case DW_OP_const2u:
	case DW_OP_const2s:
	case DW_OP_const4u:
	case DW_OP_const4s:
	case DW_OP_const8u:
	case DW_OP_const8s:
	case DW_OP_constu:
	case DW_OP_consts:
		return push(s, op->number);
	case DW_OP_nop:
		return RPT_EXPR_OK;
	default:
		return unary(ctx, s, op);
	}
}

enum rpt_expr_result rpt_expr_value(struct rpt_expr_context *ctx, const Dwarf_Op *ops, size_t count,
				    uint64_t *value)
{
	struct stack s = {.depth = 0};
	enum rpt_expr_result result = RPT_EXPR_OK;
	size_t i;

	for (i = 0; i < count && result == RPT_EXPR_OK; i++)
		result = step(ctx, &s, &ops[i]);
	if (result != RPT_EXPR_OK)
		return result;
	if (s.depth == 0)
		return RPT_EXPR_UNSUPPORTED;
	*value = s.items[s.depth - 1];
	return RPT_EXPR_OK;
}

enum rpt_expr_result rpt_expr_content(struct rpt_expr_context *ctx, const Dwarf_Op *ops,
				      size_t count, uint64_t *value)
{
	uint64_t address = 0, number;
	enum rpt_expr_result result;

	if (count == 1 && (ops[0].atom == DW_OP_regx ||
			   (ops[0].atom >= DW_OP_reg0 && ops[0].atom <= DW_OP_reg31))) {
		number = ops[0].atom == DW_OP_regx ? ops[0].number :
						     (uint64_t)ops[0].atom - DW_OP_reg0;
		return rpt_frame_get(ctx->regs, number, value) ? RPT_EXPR_OK : RPT_EXPR_REGISTER;
	}
	if (count && ops[count - 1].atom == DW_OP_stack_value)
		return rpt_expr_value(ctx, ops, count - 1, value);
	result = rpt_expr_value(ctx, ops, count, &address);
	if (result != RPT_EXPR_OK)
		return result;
	ctx->bad_address = address;
	return rpt_frame_read(ctx->memory, address, value) ? RPT_EXPR_OK : RPT_EXPR_MEMORY;
}
