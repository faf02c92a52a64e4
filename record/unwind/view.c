// SPDX-License-Identifier: GPL-2.0-or-later
/* Finished tables: checking and taking apart. */
#include <stdbool.h>

#include "format/util/cursor.h"
#include "format/util/err.h"
#include "format/util/mem.h"
#include "record/unwind/unwind.h"

static int check_head(const struct ev_unwind_table *head)
{
	if (head->magic != EV_UNWIND_MAGIC)
		return PA_E_BAD_MAGIC;
	if (head->version != EV_UNWIND_VERSION)
		return PA_E_VERSION;
	if (head->arch != EV_UNWIND_X86_64 && head->arch != EV_UNWIND_AARCH64)
		return PA_E_CORRUPT;
	if (head->rows > EV_UNWIND_MAX_ROWS || head->sides > EV_UNWIND_MAX_SIDES ||
	    head->segments > EV_UNWIND_MAX_SEGMENTS)
		return PA_E_LIMIT;
	return 0;
}

static bool rule_is_valid(uint32_t rule, uint32_t sides)
{
	uint32_t kind = EV_UNWIND_RULE_KIND(rule);

	if (kind == EV_UNWIND_SIDE)
		return EV_UNWIND_RULE_NUMBER(rule) < sides;
	return kind < EV_UNWIND_KINDS &&
	       (kind == EV_UNWIND_NONE || EV_UNWIND_RULE_SAVED(rule) < EV_UNWIND_SAVEDS);
}

static int check_rows(const struct rec_unwind_view *v)
{
	uint32_t i;

	if (v->head->rows == 0 || v->keys[0] != 0)
		return PA_E_CORRUPT;
	for (i = 0; i < v->head->rows; i++)
		if ((i > 0 && v->keys[i] <= v->keys[i - 1]) ||
		    !rule_is_valid(v->rules[i], v->head->sides))
			return PA_E_CORRUPT;
	return 0;
}

int rec_unwind_open(const void *data, size_t len, struct rec_unwind_view *view)
{
	struct pa_cursor c;
	int err;

	pa_cursor_init(&c, data, len);
	view->head = (const void *)pa_cursor_bytes(&c, sizeof(*view->head));
	err = view->head ? check_head(view->head) : PA_E_TRUNCATED;
	if (err)
		return err;
	view->segments =
		(const void *)pa_cursor_bytes(&c, view->head->segments * sizeof(*view->segments));
	view->keys = (const void *)pa_cursor_bytes(&c, view->head->rows * sizeof(*view->keys));
	view->rules = (const void *)pa_cursor_bytes(&c, view->head->rows * sizeof(*view->rules));
	view->sides = (const void *)pa_cursor_bytes(&c, view->head->sides * sizeof(*view->sides));
	view->rbx = NULL;
	if (view->head->flags & EV_UNWIND_TRACKS_RBX)
		view->rbx =
			(const void *)pa_cursor_bytes(&c, view->head->rows * sizeof(*view->rbx));
	if (pa_cursor_error(&c))
		return pa_cursor_error(&c);
	if (pa_cursor_left(&c) > 0)
		return PA_E_CORRUPT;
	return check_rows(view);
}

const char *rec_unwind_why(unsigned why)
{
	static const char *const texts[EV_UNWIND_WHYS] = {
		[EV_UNWIND_GAP] = "not covered",
		[EV_UNWIND_CFA_EXPR] = "CFA expression of no known kind",
		[EV_UNWIND_RA_RULE] = "return address rule of no known kind",
		[EV_UNWIND_SP_RULE] = "stack pointer with a rule of its own",
		[EV_UNWIND_BAD_CODE] = "malformed unwind program",
		[EV_UNWIND_RANGE] = "number out of range",
	};

	return why < PA_ARRAY_LEN(texts) && texts[why] ? texts[why] : "unknown";
}
