// SPDX-License-Identifier: GPL-2.0-or-later
/* Encoding of rules. */
#include "record/unwind/rule.h"

#include <stdbool.h>

#include "record/unwind/arch.h"
#include "record/unwind/expr.h"

#define TOP (-EV_UNWIND_WORD) /* where a call instruction leaves the return address, from the CFA */

static bool same_loc(const struct ev_unwind_loc *a, const struct ev_unwind_loc *b)
{
	return a->base == b->base && a->offset == b->offset && a->deref == b->deref &&
	       a->add == b->add;
}

/* The address of one word on the stack turned into its content. */
static bool load(struct ev_unwind_loc *loc)
{
	if (loc->deref)
		return false;
	loc->deref = 1;
	return true;
}

/* Where a register of the caller is, from a rule that says so. False when it can't be expressed. */
static bool register_loc(uint32_t arch, const struct rec_rule *rule, struct ev_unwind_loc *loc)
{
	*loc = (struct ev_unwind_loc){.base = EV_UNWIND_BASE_SAME};
	switch (rule->kind) {
	case REC_RULE_NONE:
	case REC_RULE_SAME:
		return true;
	case REC_RULE_UNDEFINED:
		loc->base = EV_UNWIND_BASE_LOST;
		return true;
	case REC_RULE_OFFSET:
	case REC_RULE_VAL_OFFSET:
		loc->base = EV_UNWIND_BASE_CFA;
		loc->offset = (int32_t)rule->value;
		loc->deref = rule->kind == REC_RULE_OFFSET;
		return rule->value == loc->offset;
	case REC_RULE_REGISTER:
		return rec_loc_from_register(arch, rule->reg, 0, loc);
	case REC_RULE_EXPR:
		return rec_expr_loc(arch, rule->expr, rule->expr_len, loc) && load(loc);
	case REC_RULE_VAL_EXPR:
		return rec_expr_loc(arch, rule->expr, rule->expr_len, loc);
	}
	return false;
}

static bool cfa_loc(uint32_t arch, const struct rec_rule *rule, struct ev_unwind_loc *loc)
{
	if (rule->kind == REC_RULE_REGISTER)
		return rec_loc_from_register(arch, rule->reg, rule->value, loc);
	return rule->kind == REC_RULE_VAL_EXPR &&
	       rec_expr_loc(arch, rule->expr, rule->expr_len, loc);
}

/* The caller's stack pointer is the CFA; a rule of its own may only say so again. */
static bool sp_is_cfa(uint32_t arch, const struct rec_rule *rule, const struct ev_unwind_loc *cfa)
{
	struct ev_unwind_loc sp;

	if (rule->kind == REC_RULE_NONE)
		return true;
	if (rule->kind == REC_RULE_VAL_OFFSET)
		return rule->value == 0;
	return rule->kind != REC_RULE_SAME && register_loc(arch, rule, &sp) && same_loc(&sp, cfa);
}

static bool is_saved(const struct ev_unwind_loc *loc)
{
	return loc->base == EV_UNWIND_BASE_CFA && loc->deref && loc->add == 0;
}

/* The slot of a saved register below the CFA, or 0 when it has none that fits. */
static uint32_t slot_of(const struct ev_unwind_loc *loc)
{
	if (!is_saved(loc) || loc->offset >= 0 || loc->offset % EV_UNWIND_WORD != 0 ||
	    loc->offset < -EV_UNWIND_MAX_SLOT * EV_UNWIND_WORD)
		return 0;
	return (uint32_t)(-loc->offset / EV_UNWIND_WORD);
}

/* The short form of where return address and frame pointer are. False when there is none. */
static bool short_saved(const struct ev_unwind_side *s, enum ev_unwind_saved *saved, uint32_t *slot)
{
	const struct ev_unwind_loc at_fp = {.base = EV_UNWIND_BASE_FP, .deref = 1};
	const struct ev_unwind_loc in_lr = {.base = EV_UNWIND_BASE_LR};
	uint32_t ra = slot_of(&s->ra), fp = slot_of(&s->fp);
	bool top = is_saved(&s->ra) && s->ra.offset == TOP;
	bool in_register = same_loc(&s->ra, &in_lr);

	*slot = fp;
	if (s->fp.base == EV_UNWIND_BASE_SAME) {
		*slot = top ? 0 : ra;
		*saved = in_register ? EV_UNWIND_RA_LR : top ? EV_UNWIND_RA_TOP : EV_UNWIND_RA_SLOT;
		return in_register || ra;
	}
	if (s->fp.base == EV_UNWIND_BASE_LOST) {
		*saved = EV_UNWIND_RA_TOP_FP_LOST;
		return top;
	}
	if (top && same_loc(&s->fp, &at_fp)) {
		*saved = EV_UNWIND_RA_TOP_FP_AT_FP;
		return true;
	}
	if (fp == 0)
		return false;
	if (top)
		*saved = EV_UNWIND_RA_TOP_FP_SLOT;
	else if (in_register)
		*saved = EV_UNWIND_RA_LR_FP_SLOT;
	else
		*saved = EV_UNWIND_RECORD_SLOT;
	return top || in_register || ra + 1 == fp;
}

/* The 32-bit form. False when there is none. */
static bool short_form(const struct ev_unwind_side *s, uint32_t *rule)
{
	int32_t cfa = s->cfa.offset / EV_UNWIND_WORD;
	enum ev_unwind_saved saved;
	enum ev_unwind_kind kind;
	uint32_t slot;

	if (s->flags || s->cfa.offset % EV_UNWIND_WORD != 0 || cfa < EV_UNWIND_MIN_CFA ||
	    cfa > EV_UNWIND_MAX_CFA || s->cfa.add != 0 || !short_saved(s, &saved, &slot))
		return false;
	if (s->cfa.base == EV_UNWIND_BASE_SP && !s->cfa.deref)
		kind = EV_UNWIND_SP;
	else if (s->cfa.base == EV_UNWIND_BASE_FP)
		kind = s->cfa.deref ? EV_UNWIND_FP_DEREF : EV_UNWIND_FP;
	else
		return false;
	*rule = EV_UNWIND_RULE(kind, saved, cfa, slot);
	return true;
}

static uint32_t none(struct rec_builder *b, enum ev_unwind_why why)
{
	b->stats->unsupported[why]++;
	return EV_UNWIND_NUMBERED(EV_UNWIND_NONE, why);
}

/* Procedure linkage tables push nothing but what the processor does. */
static bool plt_rule(uint32_t arch, const struct rec_row *row, uint32_t *rule)
{
	const struct rec_rule *ra = &row->columns[REC_COLUMN_RA];
	uint8_t threshold;
	int64_t offset;

	if (arch != EV_UNWIND_X86_64 || row->cfa.kind != REC_RULE_VAL_EXPR ||
	    !rec_expr_plt(row->cfa.expr, row->cfa.expr_len, &offset, &threshold))
		return false;
	if (offset % EV_UNWIND_WORD != 0 || offset < 0 ||
	    offset / EV_UNWIND_WORD > EV_UNWIND_MAX_CFA || ra->kind != REC_RULE_OFFSET ||
	    ra->value != TOP || row->columns[REC_COLUMN_FP].kind != REC_RULE_NONE ||
	    row->columns[REC_COLUMN_SP].kind != REC_RULE_NONE)
		return false;
	*rule = EV_UNWIND_RULE(EV_UNWIND_PLT, EV_UNWIND_RA_TOP, offset / EV_UNWIND_WORD, threshold);
	return true;
}

/* The return address's place. False when it has none that is known. */
static bool ra_loc(uint32_t arch, const struct rec_cie *cie, const struct rec_rule *rule,
		   struct ev_unwind_loc *loc)
{
	if (!register_loc(arch, rule, loc) || loc->base == EV_UNWIND_BASE_LOST)
		return false;
	/* Unchanged: still in the register that calls leave it in, if that is one. */
	return loc->base != EV_UNWIND_BASE_SAME || rec_loc_from_register(arch, cie->ra_reg, 0, loc);
}

/* The frame pointer's place; BASE_LOST where it has none that is known. */
static void fp_loc(const struct rec_rule_source *from, const struct rec_rule *rule,
		   struct ev_unwind_loc *loc)
{
	if (!register_loc(from->arch, rule, loc) ||
	    (from->fp_unsaid && loc->base == EV_UNWIND_BASE_SAME))
		*loc = (struct ev_unwind_loc){.base = EV_UNWIND_BASE_LOST};
}

uint16_t rec_rule_rbx(const struct rec_row *row)
{
	const struct rec_rule *rbx = &row->columns[REC_COLUMN_RBX];
	int64_t slot = rbx->value / -EV_UNWIND_WORD;

	if (rbx->kind == REC_RULE_NONE || rbx->kind == REC_RULE_SAME)
		return 0;
	if (rbx->kind != REC_RULE_OFFSET || rbx->value % EV_UNWIND_WORD != 0 || slot <= 0 ||
	    slot >= EV_UNWIND_RBX_LOST)
		return EV_UNWIND_RBX_LOST;
	return (uint16_t)slot;
}

int rec_rule_make(struct rec_builder *b, const struct rec_rule_source *from,
		  const struct rec_row *row, uint32_t *rule)
{
	const struct rec_rule *ra = &row->columns[REC_COLUMN_RA];
	uint32_t arch = from->arch;
	struct ev_unwind_side s = {.lr = {.base = EV_UNWIND_BASE_LOST}};

	if (ra->kind == REC_RULE_UNDEFINED) {
		*rule = EV_UNWIND_RULE(EV_UNWIND_ROOT, 0, 0, 0);
		return 0;
	}
	if (plt_rule(arch, row, rule))
		return 0;
	s.flags = from->cie->signal ? EV_UNWIND_SIGNAL : 0;
	if (!cfa_loc(arch, &row->cfa, &s.cfa))
		*rule = none(b, row->cfa.kind == REC_RULE_REGISTER ? EV_UNWIND_RANGE :
								     EV_UNWIND_CFA_EXPR);
	else if (!ra_loc(arch, from->cie, ra, &s.ra))
		*rule = none(b, EV_UNWIND_RA_RULE);
	else if (!sp_is_cfa(arch, &row->columns[REC_COLUMN_SP], &s.cfa))
		*rule = none(b, EV_UNWIND_SP_RULE);
	else {
		fp_loc(from, &row->columns[REC_COLUMN_FP], &s.fp);
		b->needs_rbx |= s.cfa.base == EV_UNWIND_BASE_REG + rec_arch_rbx(arch);
		b->stats->fp_lost += s.fp.base == EV_UNWIND_BASE_LOST;
		if (!short_form(&s, rule))
			return rec_builder_side(b, &s, rule);
	}
	return 0;
}
