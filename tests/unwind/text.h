/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rows of an unwind table as text, in a notation close to readelf's. */
#ifndef TEST_UNWIND_TEXT_H
#define TEST_UNWIND_TEXT_H

#include <inttypes.h>
#include <stdbool.h>

#include "format/util/buf.h"
#include "format/util/mem.h"
#include "record/unwind/unwind.h"

static inline void text_register(struct pa_buf *out, uint32_t arch, unsigned number)
{
	static const char *const x86_64[] = {"rax", "rdx", "rcx", "rbx", "rsi", "rdi",
					     "rbp", "rsp", "r8",  "r9",  "r10", "r11",
					     "r12", "r13", "r14", "r15", "rip"};

	if (arch == EV_UNWIND_X86_64 && number < PA_ARRAY_LEN(x86_64))
		pa_buf_add_str(out, x86_64[number]);
	else
		pa_buf_addf(out, "x%u", number);
}

static inline void text_loc(struct pa_buf *out, uint32_t arch, const struct ev_unwind_loc *loc)
{
	bool x86 = arch == EV_UNWIND_X86_64;

	if (loc->base == EV_UNWIND_BASE_SAME || loc->base == EV_UNWIND_BASE_LOST) {
		pa_buf_add_str(out, loc->base == EV_UNWIND_BASE_SAME ? " u" : " lost");
		return;
	}
	pa_buf_add_str(out, loc->deref ? " *(" : " ");
	if (loc->base == EV_UNWIND_BASE_CFA)
		pa_buf_add_str(out, "c");
	else if (loc->base == EV_UNWIND_BASE_SP)
		pa_buf_add_str(out, x86 ? "rsp" : "sp");
	else if (loc->base == EV_UNWIND_BASE_FP)
		pa_buf_add_str(out, x86 ? "rbp" : "x29");
	else if (loc->base == EV_UNWIND_BASE_LR)
		pa_buf_add_str(out, "x30");
	else
		text_register(out, arch, loc->base - EV_UNWIND_BASE_REG);
	pa_buf_addf(out, loc->deref ? "%+d)" : "%+d", loc->offset);
	if (loc->add)
		pa_buf_addf(out, "%+d", loc->add);
}

/* Spells a short rule out, as the side table would have it. */
static inline struct ev_unwind_side text_spell_out(uint32_t rule)
{
	uint32_t kind = EV_UNWIND_RULE_KIND(rule), saved = EV_UNWIND_RULE_SAVED(rule);
	int32_t slot = -(int32_t)EV_UNWIND_RULE_SLOT(rule) * EV_UNWIND_WORD;
	struct ev_unwind_side s = {
		.cfa = {.offset = EV_UNWIND_RULE_CFA(rule) * EV_UNWIND_WORD},
		.ra = {.base = EV_UNWIND_BASE_CFA, .deref = 1, .offset = -EV_UNWIND_WORD},
		.fp = {.base = EV_UNWIND_BASE_CFA, .deref = 1, .offset = slot},
	};

	s.cfa.base = kind == EV_UNWIND_SP ? EV_UNWIND_BASE_SP : EV_UNWIND_BASE_FP;
	s.cfa.deref = kind == EV_UNWIND_FP_DEREF;
	if (saved == EV_UNWIND_RA_LR || saved == EV_UNWIND_RA_LR_FP_SLOT)
		s.ra = (struct ev_unwind_loc){.base = EV_UNWIND_BASE_LR};
	if (saved == EV_UNWIND_RECORD_SLOT)
		s.ra.offset = slot + EV_UNWIND_WORD;
	if (saved == EV_UNWIND_RA_SLOT)
		s.ra.offset = slot;
	if (saved == EV_UNWIND_RA_LR || saved == EV_UNWIND_RA_TOP || saved == EV_UNWIND_RA_SLOT)
		s.fp = (struct ev_unwind_loc){.base = EV_UNWIND_BASE_SAME};
	if (saved == EV_UNWIND_RA_TOP_FP_LOST)
		s.fp = (struct ev_unwind_loc){.base = EV_UNWIND_BASE_LOST};
	if (saved == EV_UNWIND_RA_TOP_FP_AT_FP)
		s.fp = (struct ev_unwind_loc){.base = EV_UNWIND_BASE_FP, .deref = 1};
	return s;
}

/* Address, CFA, frame pointer, return address; or why there is no rule. */
static inline void text_row(struct pa_buf *out, const struct rec_unwind_view *v, uint32_t i)
{
	uint32_t rule = v->rules[i], kind = EV_UNWIND_RULE_KIND(rule);
	struct ev_unwind_side s;

	pa_buf_addf(out, "%" PRIx64, (uint64_t)v->head->base + v->keys[i]);
	if (kind == EV_UNWIND_NONE) {
		pa_buf_addf(out, " none %s\n", rec_unwind_why(EV_UNWIND_RULE_NUMBER(rule)));
		return;
	}
	if (kind == EV_UNWIND_ROOT) {
		pa_buf_add_str(out, " root\n");
		return;
	}
	if (kind == EV_UNWIND_PLT) {
		pa_buf_addf(out, " plt%+d/%u u *(c-8)\n", EV_UNWIND_RULE_CFA(rule) * EV_UNWIND_WORD,
			    EV_UNWIND_RULE_SLOT(rule));
		return;
	}
	s = kind == EV_UNWIND_SIDE ? v->sides[EV_UNWIND_RULE_NUMBER(rule)] : text_spell_out(rule);
	text_loc(out, v->head->arch, &s.cfa);
	text_loc(out, v->head->arch, &s.fp);
	text_loc(out, v->head->arch, &s.ra);
	pa_buf_addf(out, "%s%s\n", s.flags & EV_UNWIND_SIGNAL ? " signal" : "",
		    kind == EV_UNWIND_SIDE ? " side" : "");
}

#endif
