// SPDX-License-Identifier: GPL-2.0-or-later
/* Two sessions compared: tables of functions and waits. */
#include "report/analyse/diff.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/analyse/diff_stats.h"
#include "report/analyse/slices.h"
#include "report/analyse/waits.h"
#include "report/xmem.h"

/* What one side has of each item. */
struct values {
	uint64_t *value, *count; /* by item */
	uint64_t *blocks; /* by item and block */
	size_t block_count;
	uint64_t all_value, all_count;
	uint64_t *all_blocks;
};

static void values_init(struct values *v, size_t items, size_t block_count)
{
	*v = (struct values){.block_count = block_count};
	v->value = rpt_xcalloc(items, sizeof(*v->value));
	v->count = rpt_xcalloc(items, sizeof(*v->count));
	v->blocks = rpt_xcalloc(items * block_count, sizeof(*v->blocks));
	v->all_blocks = rpt_xcalloc(block_count, sizeof(*v->all_blocks));
}

static void values_fini(struct values *v)
{
	free(v->value);
	free(v->count);
	free(v->blocks);
	free(v->all_blocks);
}

/* A profile's rows, cut into blocks of time. */
struct cut {
	const struct rpt_profile *p;
	uint64_t *grid; /* owned; by row and block */
	size_t block_count;
};

static void cut_init(struct cut *cut, const struct rpt_diff_side *side, const struct rpt_profile *p)
{
	uint32_t *rows = rpt_xcalloc(p->row_count, sizeof(*rows));
	struct rpt_slices slices;
	size_t i;

	for (i = 0; i < p->row_count; i++)
		rows[i] = (uint32_t)i;
	rpt_slices_init(&slices, side->m, side->duration_ns / RPT_DIFF_BLOCKS + 1);
	*cut = (struct cut){.p = p, .block_count = slices.count};
	cut->grid = rpt_slices_sum(&slices, side->m, p, rows, p->row_count);
	rpt_slices_fini(&slices);
	free(rows);
}

static void add_row(struct values *v, const struct cut *cut, size_t row, uint32_t item)
{
	size_t i;

	rpt_add_saturated(&v->value[item], cut->p->rows[row].value);
	rpt_add_saturated(&v->count[item], cut->p->rows[row].count);
	for (i = 0; i < v->block_count; i++)
		rpt_add_saturated(&v->blocks[item * v->block_count + i],
				  cut->grid[row * v->block_count + i]);
}

static void add_all(struct values *v, const struct cut *cut)
{
	size_t i, k;

	v->all_value = cut->p->total;
	v->all_count = cut->p->count;
	for (i = 0; i < cut->p->row_count; i++)
		for (k = 0; k < v->block_count; k++)
			rpt_add_saturated(&v->all_blocks[k], cut->grid[i * v->block_count + k]);
}

/* --- what rows are about --- */

static void sum_self(struct values *v, const struct cut *cut, const struct rpt_code *c,
		     const uint32_t *items)
{
	size_t i;

	for (i = 0; i < cut->p->row_count; i++) {
		uint32_t call = cut->p->rows[i].call;
		const struct rpt_location *l = &c->locations[c->calls[call].location];

		if (call && l->line_count)
			add_row(v, cut, i, items[c->lines[l->first_line].function]);
	}
}

static void sum_total(struct values *v, const struct cut *cut, const struct rpt_code *c,
		      const uint32_t *items, size_t item_count)
{
	size_t *stamps = rpt_xcalloc(item_count, sizeof(*stamps)), i;
	uint32_t at, k, item;

	for (i = 0; i < cut->p->row_count; i++) {
		for (at = cut->p->rows[i].call; at; at = c->calls[at].parent) {
			const struct rpt_location *l = &c->locations[c->calls[at].location];

			for (k = 0; k < l->line_count; k++) {
				item = items[c->lines[l->first_line + k].function];
				if (stamps[item] == i + 1)
					continue;
				stamps[item] = i + 1;
				add_row(v, cut, i, item);
			}
		}
	}
	free(stamps);
}

static void sum_classes(struct values *v, const struct cut *cut)
{
	size_t i;

	for (i = 0; i < cut->p->row_count; i++)
		add_row(v, cut, i, cut->p->rows[i].class);
}

/* --- tables --- */

static int by_before(const void *a, const void *b)
{
	const struct rpt_diff_item *x = *(struct rpt_diff_item *const *)a;
	const struct rpt_diff_item *y = *(struct rpt_diff_item *const *)b;

	if (x->before != y->before)
		return x->before > y->before ? -1 : 1;
	return strcmp(x->name, y->name);
}

static int by_after(const void *a, const void *b)
{
	const struct rpt_diff_item *x = *(struct rpt_diff_item *const *)a;
	const struct rpt_diff_item *y = *(struct rpt_diff_item *const *)b;

	if (x->after != y->after)
		return x->after > y->after ? -1 : 1;
	return strcmp(x->name, y->name);
}

static int by_change(const void *a, const void *b)
{
	const struct rpt_diff_item *x = a, *y = b;
	double p = fabs(x->after_rate - x->before_rate), q = fabs(y->after_rate - y->before_rate);

	if (p != q)
		return p > q ? -1 : 1;
	if (x->after != y->after)
		return x->after > y->after ? -1 : 1;
	return strcmp(x->name, y->name);
}

static void rank(struct rpt_diff_table *t)
{
	struct rpt_diff_item **order = rpt_xcalloc(t->count, sizeof(struct rpt_diff_item *));
	size_t i;

	for (i = 0; i < t->count; i++)
		order[i] = &t->items[i];
	qsort(order, t->count, sizeof(*order), by_before);
	for (i = 0; i < t->count && order[i]->before; i++)
		order[i]->before_rank = i + 1;
	qsort(order, t->count, sizeof(*order), by_after);
	for (i = 0; i < t->count && order[i]->after; i++)
		order[i]->after_rank = i + 1;
	free(order);
}

struct comparison {
	const struct values *before, *after;
	double before_seconds, after_seconds;
	bool counted; /* values are made of equal events */
	double alpha; /* chance of a false alarm in the table */
};

static void compare(struct rpt_diff_item *item, const struct comparison *cmp,
		    const uint64_t *before_blocks, const uint64_t *after_blocks, bool is_all)
{
	const struct values *b = cmp->before, *a = cmp->after;
	struct rpt_diff_sample x = {
		.blocks = before_blocks,
		.block_count = b->block_count,
		.seconds = cmp->before_seconds,
		.value = (double)item->before,
		.count = is_all ? 0 : item->before_count,
		.all_count = cmp->counted ? b->all_count : UINT64_MAX,
	};
	struct rpt_diff_sample y = {
		.blocks = after_blocks,
		.block_count = a->block_count,
		.seconds = cmp->after_seconds,
		.value = (double)item->after,
		.count = is_all ? 0 : item->after_count,
		.all_count = cmp->counted ? a->all_count : UINT64_MAX,
	};
	struct rpt_diff_test test = rpt_diff_compare(&x, &y);

	if (cmp->before_seconds > 0.0)
		item->before_rate = (double)item->before / cmp->before_seconds;
	if (cmp->after_seconds > 0.0)
		item->after_rate = (double)item->after / cmp->after_seconds;
	item->before_percent = rpt_percent(item->before, b->all_value);
	item->after_percent = rpt_percent(item->after, a->all_value);
	item->p = test.p;
	if (item->before_rate > 0.0) {
		item->change_percent =
			100.0 * (item->after_rate - item->before_rate) / item->before_rate;
		item->half_percent = 100.0 * test.half / item->before_rate;
	}
}

/* A row's part of the table's chance of a false alarm: by its weight on both sides together. */
static void judge(struct rpt_diff_table *t, double alpha)
{
	double all = 0.0, weight;
	size_t i;

	for (i = 0; i < t->count; i++)
		all += t->items[i].before_percent + t->items[i].after_percent;
	for (i = 0; i < t->count && all > 0.0; i++) {
		weight = (t->items[i].before_percent + t->items[i].after_percent) / all;
		t->items[i].significant = t->items[i].p < alpha * weight;
	}
	t->all.significant = t->all.p < alpha / 4;
}

/* Takes the items with what both sides have of them; those with nothing on either are dropped. */
static void finish_table(struct rpt_diff_table *t, const struct rpt_diff_item *items, size_t count,
			 const struct comparison *cmp)
{
	const struct values *b = cmp->before, *a = cmp->after;
	size_t i;

	t->items = rpt_xcalloc(count, sizeof(*t->items));
	t->has_data = b->all_count || a->all_count || b->all_value || a->all_value;
	for (i = 0; i < count; i++) {
		struct rpt_diff_item item = items[i];

		item.before = b->value[i];
		item.after = a->value[i];
		item.before_count = b->count[i];
		item.after_count = a->count[i];
		if (!item.before && !item.after)
			continue;
		item.name = rpt_xstrdup(items[i].name);
		compare(&item, cmp, b->blocks + i * b->block_count, a->blocks + i * a->block_count,
			false);
		t->items[t->count++] = item;
	}
	t->all = (struct rpt_diff_item){.before = b->all_value,
					.after = a->all_value,
					.before_count = b->all_count,
					.after_count = a->all_count};
	compare(&t->all, cmp, b->all_blocks, a->all_blocks, true);
	rank(t);
	judge(t, cmp->alpha);
	if (t->count)
		qsort(t->items, t->count, sizeof(*t->items), by_change);
}

/* --- the tables --- */

enum kind {
	SELF,
	TOTAL,
	CLASSES,
};

static void sum_side(struct values *v, const struct cut *cut, const struct rpt_diff_side *side,
		     const uint32_t *items, enum kind kind, size_t count)
{
	values_init(v, count, cut->block_count);
	add_all(v, cut);
	if (kind == SELF)
		sum_self(v, cut, side->c, items);
	else if (kind == TOTAL)
		sum_total(v, cut, side->c, items, count);
	else
		sum_classes(v, cut);
}

struct context {
	const struct rpt_diff *d;
	const struct rpt_diff_side *before, *after;
	struct rpt_diff_join join;
	struct rpt_diff_item *classes;
};

static void make_table(struct rpt_diff_table *t, const struct context *x, const struct cut *before,
		       const struct cut *after, enum kind kind)
{
	size_t count = kind == CLASSES ? rpt_wait_class_count : x->join.count;
	const struct rpt_diff_item *items = kind == CLASSES ? x->classes : x->join.items;
	struct values b, a;
	struct comparison cmp = {
		.before = &b,
		.after = &a,
		.before_seconds = x->d->before_seconds,
		.after_seconds = x->d->after_seconds,
		.counted = !before->p->offcpu,
		/* What a function has with all it calls says little that is new. */
		.alpha = kind == SELF ? RPT_DIFF_ALPHA : RPT_DIFF_ALPHA / 2,
	};

	sum_side(&b, before, x->before, x->join.of_before, kind, count);
	sum_side(&a, after, x->after, x->join.of_after, kind, count);
	finish_table(t, items, count, &cmp);
	values_fini(&b);
	values_fini(&a);
}

static void compare_oncpu(struct rpt_diff *d, const struct context *x)
{
	struct cut before, after;

	if (x->before->oncpu->by_time != x->after->oncpu->by_time && x->before->oncpu->count &&
	    x->after->oncpu->count) {
		d->self.not_comparable = d->total.not_comparable =
			"the samples' time is known on one side only";
		return;
	}
	cut_init(&before, x->before, x->before->oncpu);
	cut_init(&after, x->after, x->after->oncpu);
	make_table(&d->self, x, &before, &after, SELF);
	make_table(&d->total, x, &before, &after, TOTAL);
	free(before.grid);
	free(after.grid);
}

static void compare_offcpu(struct rpt_diff *d, const struct context *x)
{
	struct cut before, after;

	cut_init(&before, x->before, x->before->offcpu);
	cut_init(&after, x->after, x->after->offcpu);
	make_table(&d->offcpu, x, &before, &after, TOTAL);
	make_table(&d->classes, x, &before, &after, CLASSES);
	free(before.grid);
	free(after.grid);
}

static void name_classes(struct context *x)
{
	uint32_t i;

	x->classes = rpt_xcalloc(rpt_wait_class_count, sizeof(*x->classes));
	for (i = 0; i < rpt_wait_class_count; i++) {
		x->classes[i].name = rpt_xstrdup(rpt_wait_classes[i].name);
		x->classes[i].is_idle = rpt_wait_classes[i].idle;
	}
}

struct rpt_diff *rpt_diff_new(const struct rpt_diff_side *before, const struct rpt_diff_side *after)
{
	struct rpt_diff *d = rpt_xcalloc(1, sizeof(*d));
	struct context x = {.d = d, .before = before, .after = after};
	size_t i;

	d->before_seconds = (double)before->duration_ns / 1e9;
	d->after_seconds = (double)after->duration_ns / 1e9;
	rpt_diff_join_init(&x.join, before, after);
	name_classes(&x);
	compare_oncpu(d, &x);
	compare_offcpu(d, &x);
	rpt_diff_numbers_make(d, before, after);
	for (i = 0; i < rpt_wait_class_count; i++)
		free(x.classes[i].name);
	free(x.classes);
	rpt_diff_join_fini(&x.join);
	return d;
}

static void free_table(struct rpt_diff_table *t)
{
	size_t i;

	for (i = 0; i < t->count; i++)
		free(t->items[i].name);
	free(t->items);
}

static void free_numbers(struct rpt_diff_numbers *n)
{
	size_t i;

	for (i = 0; i < n->count; i++)
		free(n->items[i].name);
	free(n->items);
}

void rpt_diff_free(struct rpt_diff *d)
{
	if (!d)
		return;
	free_table(&d->self);
	free_table(&d->total);
	free_table(&d->offcpu);
	free_table(&d->classes);
	free_numbers(&d->counters);
	free_numbers(&d->percentiles);
	free(d);
}

/* --- regressions --- */

static bool is_regression(const struct rpt_diff_item *item, double threshold)
{
	if (!item->significant || item->after_rate <= item->before_rate)
		return false;
	return item->before ? item->change_percent > threshold : item->after_percent > threshold;
}

static bool table_has_regression(const struct rpt_diff_table *t, double threshold)
{
	size_t i;

	for (i = 0; i < t->count; i++)
		if (!t->items[i].is_idle && is_regression(&t->items[i], threshold))
			return true;
	return false;
}

bool rpt_diff_has_regression(const struct rpt_diff *d, double threshold_percent)
{
	return table_has_regression(&d->self, threshold_percent) ||
	       table_has_regression(&d->total, threshold_percent) ||
	       table_has_regression(&d->classes, threshold_percent);
}
