// SPDX-License-Identifier: GPL-2.0-or-later
/* Counters of samples by function and PMU. */
#include "report/analyse/counts.h"

#include <stdlib.h>
#include <string.h>

#include "report/xmem.h"

enum { CYCLES, INSTRUCTIONS, CACHE_MISSES, BRANCH_MISSES, EVENTS };

static const char *const event_names[EVENTS] = {"cycles", "instructions", "cache-misses",
						"branch-misses"};

uint64_t rpt_counts_scaled(const struct rpt_counts *counts, size_t column, uint64_t value)
{
	double scale = counts->columns[column].scale, scaled = (double)value * scale;

	if (scale == 1.0)
		return value;
	return scaled < 1.8e19 ? (uint64_t)scaled : UINT64_MAX;
}

static void find_columns(struct rpt_counts *counts, const struct rpt_sched *sched,
			 const struct rpt_model *m)
{
	size_t i;

	counts->measured = 1.0;
	counts->column_count = m->sampled_count;
	for (i = 0; i < m->sampled_count; i++) {
		const struct rpt_total *t = &sched->whole.totals[m->sampled[i]];
		double measured = t->present && t->measured > 0.0 ? t->measured : 1.0;

		counts->columns[i] =
			(struct rpt_counts_column){m->sampled[i], 1.0 / measured, measured};
		counts->measured = PA_MIN(counts->measured, measured);
	}
	counts->estimated = counts->measured < 1.0;
}

/* The sampled counter of a name on a PMU; -1 = there is none. */
static int find_column(const struct rpt_counts *counts, const struct rpt_model *m, uint32_t pmu,
		       const char *name)
{
	size_t i;

	for (i = 0; i < counts->column_count; i++) {
		const struct rpt_counter *c = &m->counters[counts->columns[i].counter];

		if (c->pmu == pmu && strcmp(rpt_text(m, c->name), name) == 0)
			return (int)i;
	}
	return -1;
}

/* The function that a stack is innermost in. */
static uint32_t function_of(const struct rpt_code *c, uint32_t call)
{
	const struct rpt_location *l = &c->locations[c->calls[call].location];

	return l->line_count ? c->functions[c->lines[l->first_line].function].same_name : 0;
}

static double ratio(double above, double below, double factor)
{
	return above >= 0.0 && below > 0.0 ? factor * above / below : -1.0;
}

static void add_item(struct rpt_counts *counts, uint32_t function, uint32_t pmu,
		     const double *events, uint64_t samples)
{
	struct rpt_function_counts item = {
		.function = function,
		.pmu = pmu,
		.samples = samples,
		.cycles = events[CYCLES],
		.instructions = events[INSTRUCTIONS],
		.cache_misses = events[CACHE_MISSES],
		.branch_misses = events[BRANCH_MISSES],
		.ipc = ratio(events[INSTRUCTIONS], events[CYCLES], 1.0),
		.cache_mpki = ratio(events[CACHE_MISSES], events[INSTRUCTIONS], 1000.0),
		.branch_mpki = ratio(events[BRANCH_MISSES], events[INSTRUCTIONS], 1000.0),
	};

	rpt_xgrow(&counts->items, &counts->cap, counts->count + 1, sizeof(*counts->items));
	counts->items[counts->count++] = item;
	if (item.cycles > 0.0)
		counts->cycles += item.cycles;
}

/* All functions on one PMU. */
static void add_pmu(struct rpt_counts *counts, uint32_t pmu, const struct rpt_profile *oncpu,
		    const struct rpt_model *m, const struct rpt_code *c)
{
	double *sums = rpt_xcalloc(c->function_count * EVENTS, sizeof(*sums)), *of;
	uint64_t *samples = rpt_xcalloc(c->function_count, sizeof(*samples));
	int columns[EVENTS];
	size_t i, k;

	for (k = 0; k < EVENTS; k++)
		columns[k] = find_column(counts, m, pmu, event_names[k]);
	for (i = 0; i < oncpu->row_count; i++) {
		const struct rpt_row *row = &oncpu->rows[i];
		uint32_t function = function_of(c, row->call);
		bool counted = false;

		for (k = 0; row->counters && k < EVENTS; k++) {
			if (columns[k] < 0 || !row->counters[columns[k]])
				continue;
			sums[function * EVENTS + k] += counts->columns[columns[k]].scale *
						       (double)row->counters[columns[k]];
			counted = true;
		}
		if (counted)
			samples[function] += row->count;
	}
	for (i = 0; i < c->function_count; i++) {
		of = &sums[i * EVENTS];
		for (k = 0; k < EVENTS; k++)
			if (columns[k] < 0)
				of[k] = -1.0;
		if (samples[i])
			add_item(counts, (uint32_t)i, pmu, of, samples[i]);
	}
	free(samples);
	free(sums);
}

static int compare(const void *a, const void *b)
{
	const struct rpt_function_counts *x = a, *y = b;

	if (x->cycles != y->cycles)
		return x->cycles > y->cycles ? -1 : 1;
	if (x->instructions != y->instructions)
		return x->instructions > y->instructions ? -1 : 1;
	if (x->function != y->function)
		return x->function < y->function ? -1 : 1;
	return x->pmu < y->pmu ? -1 : x->pmu > y->pmu;
}

void rpt_counts_find(struct rpt_counts *counts, const struct rpt_profile *oncpu,
		     const struct rpt_sched *sched, const struct rpt_model *m,
		     const struct rpt_code *c)
{
	size_t i, k;

	*counts = (struct rpt_counts){0};
	find_columns(counts, sched, m);
	for (i = 0; i < counts->column_count; i++) {
		uint32_t pmu = m->counters[counts->columns[i].counter].pmu;

		for (k = 0; k < i; k++)
			if (m->counters[counts->columns[k].counter].pmu == pmu)
				break;
		if (k == i)
			add_pmu(counts, pmu, oncpu, m, c);
	}
	if (counts->count)
		qsort(counts->items, counts->count, sizeof(*counts->items), compare);
}

void rpt_counts_fini(struct rpt_counts *counts)
{
	free(counts->items);
}
