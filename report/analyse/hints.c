// SPDX-License-Identifier: GPL-2.0-or-later
/* Shares of functions and of classes of waits, against the rules. */
#include "report/analyse/hints.h"

#include <stdlib.h>

#include "report/analyse/waits.h"
#include "report/xmem.h"

/* A function with more than this share of its own is a hot spot, whatever it is about. */
#define HOT_PERCENT 5.0
/* Idle waits below this share are not worth a line. */
#define IDLE_PERCENT 1.0

struct finder {
	struct rpt_hints *hints;
	const struct rpt_rules *rules;
	const struct rpt_profile *oncpu, *offcpu;
	const struct rpt_model *m;
	const struct rpt_code *c;
	struct rpt_hint *kinds; /* one for each rule */
	bool *has_hot_spot; /* by rule */
};

static void add_hint(struct rpt_hints *h, const struct rpt_hint *hint)
{
	rpt_xgrow(&h->items, &h->cap, h->count + 1, sizeof(*h->items));
	h->items[h->count++] = *hint;
}

/* --- on the CPU --- */

/* Functions come by their own time, so the first ones of a kind contribute most. */
static void add_to_kind(struct rpt_hint *kind, const struct rpt_function_value *v)
{
	rpt_add_saturated(&kind->value, v->self);
	if (kind->function_count == RPT_HINT_FUNCTIONS)
		return;
	kind->functions[kind->function_count] = v->function;
	kind->function_values[kind->function_count++] = v->self;
}

/* Only functions by name: what has none is in the tables. */
static void look_at(struct finder *f, const struct rpt_function_value *v)
{
	const struct rpt_function *function = &f->c->functions[v->function];
	struct rpt_hints *h = f->hints;
	struct rpt_hot_spot spot = {
		.function = v->function,
		.value = v->self,
		.percent = rpt_percent(v->self, f->oncpu->total),
	};

	if (!v->self || function->unnamed ||
	    f->m->modules.items[function->module].kind == RPT_MODULE_MARKER)
		return;
	spot.rule = rpt_rules_hint(f->rules, rpt_text(f->m, function->name));
	if (spot.rule)
		add_to_kind(&f->kinds[spot.rule - f->rules->hints], v);
	if (spot.percent <= HOT_PERCENT && !(spot.rule && spot.percent > spot.rule->min_percent))
		return;
	if (spot.rule && spot.percent <= spot.rule->min_percent)
		spot.rule = NULL;
	else if (spot.rule)
		f->has_hot_spot[spot.rule - f->rules->hints] = true;
	rpt_xgrow(&h->hot_spots, &h->hot_spot_cap, h->hot_spot_count + 1, sizeof(*h->hot_spots));
	h->hot_spots[h->hot_spot_count++] = spot;
}

static void find_hot_spots(struct finder *f)
{
	size_t i;

	for (i = 0; i < f->oncpu->function_count; i++)
		look_at(f, &f->oncpu->functions[i]);
	for (i = 0; i < f->rules->hint_count; i++) {
		struct rpt_hint *kind = &f->kinds[i];

		kind->rule = &f->rules->hints[i];
		kind->percent = rpt_percent(kind->value, f->oncpu->total);
		if (kind->value && kind->percent > kind->rule->min_percent && !f->has_hot_spot[i])
			add_hint(f->hints, kind);
	}
}

/* --- off the CPU --- */

static int compare_waits(const void *a, const void *b)
{
	const struct rpt_hint *x = a, *y = b;

	if (x->value != y->value)
		return x->value > y->value ? -1 : 1;
	if (!x->rule != !y->rule)
		return x->rule ? -1 : 1;
	if (x->rule && x->rule != y->rule)
		return x->rule < y->rule ? -1 : 1;
	return x->class < y->class ? -1 : x->class > y->class;
}

/* The blocked time of a set of classes. */
static struct rpt_hint waits_of(const struct finder *f, uint32_t classes)
{
	struct rpt_hint hint = {.offcpu = true};
	size_t i;

	for (i = 0; i < f->offcpu->classes.count; i++)
		if (classes & 1u << f->offcpu->classes.items[i].id)
			rpt_add_saturated(&hint.value, f->offcpu->classes.items[i].value);
	hint.percent = rpt_percent(hint.value, f->offcpu->total);
	return hint;
}

static void find_waits(struct finder *f)
{
	size_t first = f->hints->count, i;
	struct rpt_hint hint;
	uint32_t taken = 0;

	/* Of several rules for a class the first one counts, as it does for functions. */
	for (i = 0; i < f->rules->hint_count; i++) {
		hint = waits_of(f, f->rules->hints[i].classes & ~taken);
		taken |= f->rules->hints[i].classes;
		hint.rule = &f->rules->hints[i];
		if (hint.value && hint.percent > hint.rule->min_percent)
			add_hint(f->hints, &hint);
	}
	for (i = 0; i < rpt_wait_class_count; i++) {
		hint = waits_of(f, 1u << i);
		hint.class = (uint32_t)i;
		if (rpt_wait_classes[i].idle && hint.value && hint.percent >= IDLE_PERCENT)
			add_hint(f->hints, &hint);
	}
	if (f->hints->count > first)
		qsort(f->hints->items + first, f->hints->count - first, sizeof(*f->hints->items),
		      compare_waits);
}

void rpt_hints_find(struct rpt_hints *h, const struct rpt_rules *rules,
		    const struct rpt_profile *oncpu, const struct rpt_profile *offcpu,
		    const struct rpt_model *m, const struct rpt_code *c)
{
	struct finder f = {
		.hints = h,
		.rules = rules,
		.oncpu = oncpu,
		.offcpu = offcpu,
		.m = m,
		.c = c,
		.kinds = rpt_xcalloc(rules->hint_count, sizeof(*f.kinds)),
		.has_hot_spot = rpt_xcalloc(rules->hint_count, sizeof(*f.has_hot_spot)),
	};

	*h = (struct rpt_hints){0};
	find_hot_spots(&f);
	find_waits(&f);
	free(f.kinds);
	free(f.has_hot_spot);
}

void rpt_hints_fini(struct rpt_hints *h)
{
	free(h->hot_spots);
	free(h->items);
}
