// SPDX-License-Identifier: GPL-2.0-or-later
/* Reading the functions and inlined calls of a unit. */
#include "report/symbols/dw_scope.h"

#include <stdlib.h>

#include <dwarf.h>

#include "format/util/err.h"
#include "report/symbols/dw_ranges.h"
#include "report/xmem.h"

#define MAX_REFERENCES 16 /* from an entry to the one that has the name */

struct walk {
	struct rpt_dw_unit *unit;
	const struct rpt_elf *code;
	struct rpt_dw_scopes *scopes;
	struct pa_cursor cursor;
	uint32_t *open; /* owned; by depth, the scope that an entry's children are in */
	size_t depth;
	size_t cap;
};

void rpt_dw_scopes_free(struct rpt_dw_scopes *s)
{
	if (!s)
		return;
	free(s->items);
	rpt_ranges_fini(&s->index);
	free(s);
}

static uint32_t clamp(uint64_t number)
{
	return (uint32_t)PA_MIN(number, (uint64_t)UINT32_MAX);
}

static void read_scope(struct walk *w, const struct rpt_dw_abbrev *a, struct rpt_dw_scope *scope,
		       struct rpt_dw_pc *pc)
{
	const struct rpt_dw_attr *attr = &w->unit->abbrevs->attrs[a->first_attr];
	const struct rpt_dw_attr *end = attr + a->attr_count;
	struct rpt_dw_value v;

	for (; attr < end; attr++) {
		switch (attr->name) {
		case DW_AT_low_pc:
			rpt_dw_read_value(&w->cursor, w->unit, attr, &pc->low);
			break;
		case DW_AT_high_pc:
			rpt_dw_read_value(&w->cursor, w->unit, attr, &pc->high);
			break;
		case DW_AT_ranges:
			rpt_dw_read_value(&w->cursor, w->unit, attr, &pc->ranges);
			break;
		case DW_AT_call_file:
			rpt_dw_read_value(&w->cursor, w->unit, attr, &v);
			scope->call_file = clamp(v.number);
			break;
		case DW_AT_call_line:
			rpt_dw_read_value(&w->cursor, w->unit, attr, &v);
			scope->call_line = clamp(v.number);
			break;
		default:
			rpt_dw_skip_value(&w->cursor, w->unit, attr);
		}
	}
}

/* Reads an entry that may have code. Returns the scope that its children are in. */
static uint32_t add_scope(struct walk *w, const struct rpt_dw_abbrev *a, uint64_t die,
			  uint32_t parent)
{
	struct rpt_dw_scopes *s = w->scopes;
	bool inlined = a->tag == DW_TAG_inlined_subroutine;
	struct rpt_dw_scope scope = {
		.die = die,
		.inlined = inlined,
		/* A function within a function is one of its own. */
		.parent = inlined ? parent : RPT_DW_NO_SCOPE,
	};
	struct rpt_dw_pc pc = {0};

	read_scope(w, a, &scope, &pc);
	if (pa_cursor_error(&w->cursor) ||
	    !rpt_dw_add_ranges(w->unit, &pc, w->code, &s->index, (uint32_t)s->count))
		return parent;
	rpt_xgrow(&s->items, &s->cap, s->count + 1, sizeof(*s->items));
	s->items[s->count] = scope;
	return (uint32_t)s->count++;
}

static void push(struct walk *w, uint32_t scope)
{
	rpt_xgrow(&w->open, &w->cap, w->depth + 1, sizeof(*w->open));
	w->open[w->depth++] = scope;
}

/* Reads the next entry; false when the unit is done. */
static bool step(struct walk *w)
{
	uint64_t die = w->cursor.pos, code = pa_cursor_varint(&w->cursor);
	uint32_t scope = w->depth ? w->open[w->depth - 1] : RPT_DW_NO_SCOPE;
	const struct rpt_dw_abbrev *a;

	if (pa_cursor_error(&w->cursor))
		return false;
	if (code == 0) {
		if (w->depth)
			w->depth--;
		return w->depth > 0;
	}
	a = rpt_dw_abbrevs_find(w->unit->abbrevs, code);
	if (!a)
		return false;
	if (a->tag == DW_TAG_subprogram || a->tag == DW_TAG_inlined_subroutine)
		scope = add_scope(w, a, die, scope);
	else
		rpt_dw_skip_values(&w->cursor, w->unit, a);
	if (a->has_children)
		push(w, scope);
	return w->depth > 0;
}

const struct rpt_dw_scopes *rpt_dw_unit_get_scopes(struct rpt_dw_unit *u,
						   const struct rpt_elf *code)
{
	struct walk w = {.unit = u, .code = code};

	if (u->scopes)
		return u->scopes;
	u->scopes = rpt_xcalloc(1, sizeof(*u->scopes));
	if (!rpt_dw_unit_load(u))
		return u->scopes;
	w.scopes = u->scopes;
	w.cursor = rpt_dw_unit_cursor(u, u->first_die);
	while (step(&w))
		;
	free(w.open);
	rpt_ranges_flatten(&u->scopes->index);
	return u->scopes;
}

static bool is_in_alternate(uint16_t form)
{
	switch (form) {
	case DW_FORM_GNU_ref_alt:
	case DW_FORM_GNU_strp_alt:
	case DW_FORM_ref_sup4:
	case DW_FORM_ref_sup8:
	case DW_FORM_strp_sup:
		return true;
	default:
		return false;
	}
}

/* Takes what an entry says about a name; *next is the entry that it refers to for the rest. */
static bool read_name(struct rpt_dw_die die, struct rpt_dw_name *name, struct rpt_dw_die *next)
{
	struct pa_cursor c = rpt_dw_unit_cursor(die.unit, die.offset);
	const struct rpt_dw_abbrev *a =
		rpt_dw_abbrevs_find(die.unit->abbrevs, pa_cursor_varint(&c));
	struct rpt_dw_value v;
	bool found = false;
	uint32_t i;

	for (i = 0; a && i < a->attr_count; i++) {
		const struct rpt_dw_attr *attr = &die.unit->abbrevs->attrs[a->first_attr + i];

		rpt_dw_read_value(&c, die.unit, attr, &v);
		if (pa_cursor_error(&c))
			return false;
		if (is_in_alternate(v.form) && !die.unit->file->alternate)
			name->alternate_missing = true;
		switch (attr->name) {
		case DW_AT_name:
			if (!name->name)
				name->name = rpt_dw_get_string(die.unit, &v);
			break;
		case DW_AT_linkage_name:
		case DW_AT_MIPS_linkage_name:
			if (!name->linkage_name)
				name->linkage_name = rpt_dw_get_string(die.unit, &v);
			break;
		case DW_AT_decl_line:
			if (!name->line)
				name->line = clamp(v.number);
			break;
		case DW_AT_abstract_origin:
		case DW_AT_specification:
			found = rpt_dw_get_reference(die.unit, &v, next);
			break;
		default:
			break;
		}
	}
	return found;
}

void rpt_dw_get_name(struct rpt_dw_die die, struct rpt_dw_name *name)
{
	int hops;

	*name = (struct rpt_dw_name){0};
	for (hops = 0; hops < MAX_REFERENCES; hops++) {
		if (!read_name(die, name, &die))
			break;
	}
	if (name->name && !*name->name)
		name->name = NULL;
	if (name->linkage_name && !*name->linkage_name)
		name->linkage_name = NULL;
}
