// SPDX-License-Identifier: GPL-2.0-or-later
/* Reading abbreviation tables. */
#include "report/symbols/dw_abbrev.h"

#include <stdlib.h>

#include <dwarf.h>

#include "format/util/err.h"
#include "report/symbols/dw_form.h"
#include "report/xmem.h"

#define MAX_ATTRS 128 /* of an entry; each is looked at for each entry */

void rpt_dw_abbrevs_init(struct rpt_dw_abbrevs *t, const struct pa_cursor *section,
			 uint64_t *budget)
{
	*t = (struct rpt_dw_abbrevs){.rest = *section, .budget = budget};
	/* Entries without attributes point into the array, too: it is there from the start. */
	rpt_xgrow(&t->attrs, &t->attr_cap, 1, sizeof(*t->attrs));
}

void rpt_dw_abbrevs_fini(struct rpt_dw_abbrevs *t)
{
	free(t->items);
	free(t->attrs);
	pa_htab_fini(&t->index);
}

static bool read_attrs(struct rpt_dw_abbrevs *t, struct rpt_dw_abbrev *a)
{
	struct pa_cursor *c = &t->rest;

	a->first_attr = (uint32_t)t->attr_count;
	while (!pa_cursor_error(c)) {
		uint64_t name = pa_cursor_varint(c), form = pa_cursor_varint(c);
		struct rpt_dw_attr attr = {
			.name = (uint16_t)name,
			.form = (uint16_t)form,
			.size = (int16_t)rpt_dw_form_size((uint16_t)form),
		};

		if (form == DW_FORM_implicit_const)
			attr.implicit = rpt_dw_read_sleb(c);
		if (name == 0 && form == 0)
			break;
		if (name > UINT16_MAX || form > UINT16_MAX ||
		    t->attr_count - a->first_attr >= MAX_ATTRS)
			pa_cursor_fail(c, PA_E_CORRUPT);
		rpt_xgrow(&t->attrs, &t->attr_cap, t->attr_count + 1, sizeof(*t->attrs));
		t->attrs[t->attr_count++] = attr;
	}
	a->attr_count = (uint32_t)t->attr_count - a->first_attr;
	return !pa_cursor_error(c);
}

/* Reads one more; false at the end of the table. */
static bool read_next(struct rpt_dw_abbrevs *t)
{
	struct rpt_dw_abbrev a = {.code = pa_cursor_varint(&t->rest)};

	if (a.code == 0 || *t->budget == 0)
		return false;
	--*t->budget;
	a.tag = (uint32_t)pa_cursor_varint(&t->rest);
	a.has_children = pa_cursor_u8(&t->rest) == DW_CHILDREN_yes;
	if (!read_attrs(t, &a))
		return false;
	rpt_xgrow(&t->items, &t->cap, t->count + 1, sizeof(*t->items));
	if (a.code != t->count + 1)
		rpt_xcheck(pa_htab_add(&t->index, pa_hash_u64(a.code), (uint32_t)t->count));
	t->items[t->count++] = a;
	return true;
}

static bool equal(const void *ctx, uint32_t value, const void *key)
{
	return ((const struct rpt_dw_abbrevs *)ctx)->items[value].code == *(const uint64_t *)key;
}

const struct rpt_dw_abbrev *rpt_dw_abbrevs_find(struct rpt_dw_abbrevs *t, uint64_t code)
{
	uint32_t value;

	for (;;) {
		if (code - 1 < t->count && t->items[code - 1].code == code)
			return &t->items[code - 1];
		if (t->index.count &&
		    pa_htab_get(&t->index, pa_hash_u64(code), equal, t, &code, &value))
			return &t->items[value];
		if (t->complete)
			return NULL;
		t->complete = !read_next(t);
	}
}
