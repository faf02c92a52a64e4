// SPDX-License-Identifier: GPL-2.0-or-later
/* Nested address ranges to a sorted, disjoint index. */
#include "report/symbols/ranges.h"

#include <stdlib.h>

#include "report/xmem.h"

void rpt_ranges_fini(struct rpt_ranges *r)
{
	free(r->items);
	*r = (struct rpt_ranges){0};
}

void rpt_ranges_add(struct rpt_ranges *r, uint64_t start, uint64_t end, uint32_t value)
{
	if (end <= start)
		return;
	rpt_xgrow(&r->items, &r->cap, r->count + 1, sizeof(*r->items));
	r->items[r->count++] = (struct rpt_range){start, end, value};
}

/* Outer ranges before inner ones. */
static int compare(const void *a, const void *b)
{
	const struct rpt_range *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	if (x->end != y->end)
		return x->end > y->end ? -1 : 1;
	return x->value < y->value ? -1 : x->value > y->value;
}

static bool is_sorted(const struct rpt_ranges *r)
{
	size_t i;

	for (i = 1; i < r->count; i++) {
		if (compare(&r->items[i - 1], &r->items[i]) > 0)
			return false;
	}
	return true;
}

/* Appends to a result in order; neighbours of one value become one range. */
static void emit(struct rpt_ranges *out, uint64_t start, uint64_t end, uint32_t value)
{
	struct rpt_range *last = out->count ? &out->items[out->count - 1] : NULL;

	if (last && last->end == start && last->value == value)
		last->end = end;
	else
		rpt_ranges_add(out, start, end, value);
}

/* What is open at the position that the result has come to: the innermost range is on top. */
struct sweep {
	struct rpt_range *open;
	size_t height;
	uint64_t position;
};

/* Brings the result up to limit; ranges that end by then are taken off the stack. */
static void sweep_until(struct sweep *s, uint64_t limit, struct rpt_ranges *out)
{
	while (s->height) {
		const struct rpt_range *top = &s->open[s->height - 1];

		if (top->end > s->position)
			emit(out, s->position, PA_MIN(top->end, limit), top->value);
		if (top->end > limit)
			break;
		s->position = PA_MAX(s->position, top->end);
		s->height--;
	}
	s->position = limit;
}

void rpt_ranges_flatten(struct rpt_ranges *r)
{
	struct sweep s = {.open = rpt_xcalloc(r->count, sizeof(*s.open))};
	struct rpt_ranges out = {0};
	size_t i;

	if (!is_sorted(r))
		qsort(r->items, r->count, sizeof(*r->items), compare);
	for (i = 0; i < r->count; i++) {
		sweep_until(&s, r->items[i].start, &out);
		s.open[s.height++] = r->items[i];
	}
	sweep_until(&s, UINT64_MAX, &out);
	free(s.open);
	free(r->items);
	*r = out;
}

bool rpt_ranges_find(const struct rpt_ranges *r, uint64_t address, uint32_t *value)
{
	size_t low = 0, high = r->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (r->items[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == 0 || r->items[low - 1].end <= address)
		return false;
	*value = r->items[low - 1].value;
	return true;
}
