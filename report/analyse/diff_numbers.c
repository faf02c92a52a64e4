// SPDX-License-Identifier: GPL-2.0-or-later
/* Counters and the scheduler's percentiles of two sessions, side by side. */
#include <math.h>
#include <string.h>

#include "format/util/buf.h"
#include "report/analyse/diff.h"
#include "report/xmem.h"

/* The interval of a percentile is that of its rank, within so many standard deviations: 99.9 % sure. */
#define RANK_DEVIATIONS 3.3

static struct rpt_diff_number *add(struct rpt_diff_numbers *n, const char *name, const char *suffix)
{
	struct pa_buf text;

	pa_buf_init(&text);
	pa_buf_addf(&text, "%s%s", name, suffix);
	rpt_xcheck(pa_buf_error(&text));
	rpt_xgrow(&n->items, &n->cap, n->count + 1, sizeof(*n->items));
	n->items[n->count] = (struct rpt_diff_number){.name = rpt_xstrdup(pa_buf_str(&text))};
	pa_buf_fini(&text);
	return &n->items[n->count++];
}

/* --- percentiles --- */

struct range {
	uint64_t low, high;
};

/*
 * Bounds of a percentile by order statistics (Hahn and Meeker 1991, 5.2): the number of values below it is
 * binomial.
 */
static struct range range_of(const struct pa_histogram *h, unsigned per_10000)
{
	double q = per_10000 / 1e4;
	double half = RANK_DEVIATIONS * sqrt(q * (1.0 - q) / (double)h->count);
	double low = floor(1e4 * (q - half)) - 1.0, high = ceil(1e4 * (q + half)) + 1.0;

	return (struct range){
		pa_hist_percentile(h, low > 1.0 ? (unsigned)low : 1),
		high >= 1e4 ? h->max_ns : pa_hist_percentile(h, (unsigned)high),
	};
}

static void add_percentile(struct rpt_diff *d, const char *kind, const char *name,
			   unsigned per_10000, const struct pa_histogram *before,
			   const struct pa_histogram *after)
{
	struct rpt_diff_number *n = add(&d->percentiles, kind, name);
	struct range b, a;

	n->unit = RPT_UNIT_NS;
	n->before_known = before->count;
	n->after_known = after->count;
	if (before->count)
		n->before = (double)pa_hist_percentile(before, per_10000);
	if (after->count)
		n->after = (double)pa_hist_percentile(after, per_10000);
	if (!before->count || !after->count)
		return;
	b = range_of(before, per_10000);
	a = range_of(after, per_10000);
	n->has_test = true;
	n->significant = b.high < a.low || a.high < b.low;
}

static void add_percentiles(struct rpt_diff *d, const struct rpt_unit *before,
			    const struct rpt_unit *after)
{
	static const char *const kinds[PA_HIST_KINDS_] = {
		[PA_HIST_SLICE] = "slices",
		[PA_HIST_RUNQ] = "run queue",
		[PA_HIST_BLOCK] = "blocks",
	};
	size_t i;

	for (i = 0; i < PA_HIST_KINDS_; i++) {
		const struct pa_histogram *b = &before->hist[i], *a = &after->hist[i];

		if (!b->count && !a->count)
			continue;
		add_percentile(d, kinds[i], ", P50", 5000, b, a);
		add_percentile(d, kinds[i], ", P99", 9900, b, a);
		add_percentile(d, kinds[i], ", P99.9", 9990, b, a);
	}
}

/* --- counters --- */

static bool is_first_of_name(const struct rpt_model *m, size_t counter)
{
	size_t i;

	for (i = 1; i < counter; i++)
		if (m->counters[i].name == m->counters[counter].name)
			return false;
	return true;
}

/* A counter of both sides per unit of something else, which is known where it is more than 0. */
static void add_counter(struct rpt_diff *d, const char *name, const char *per,
			const struct rpt_total *values, const double *divisors)
{
	struct rpt_diff_number *n = add(&d->counters, name, per);

	n->before_known = values[0].present && divisors[0] > 0.0;
	n->after_known = values[1].present && divisors[1] > 0.0;
	if (n->before_known)
		n->before = values[0].value / divisors[0];
	if (n->after_known)
		n->after = values[1].value / divisors[1];
}

static bool is_there(const struct rpt_model *m, const char *name)
{
	size_t i;

	for (i = 1; i < m->counter_count; i++)
		if (strcmp(rpt_text(m, m->counters[i].name), name) == 0)
			return true;
	return false;
}

static void add_counters_of(struct rpt_diff *d, const struct rpt_model *m,
			    const struct rpt_diff_side *before, const struct rpt_diff_side *after,
			    const struct rpt_model *done)
{
	struct rpt_total b = rpt_unit_total(before->m, before->whole, "instructions");
	struct rpt_total a = rpt_unit_total(after->m, after->whole, "instructions");
	const double instructions[] = {b.present ? b.value : 0.0, a.present ? a.value : 0.0};
	const double seconds[] = {d->before_seconds, d->after_seconds};
	struct rpt_total values[2];
	const char *name;
	size_t i;

	for (i = 1; i < m->counter_count; i++) {
		name = rpt_text(m, m->counters[i].name);
		if (!is_first_of_name(m, i) || (done && is_there(done, name)))
			continue;
		values[0] = rpt_unit_total(before->m, before->whole, name);
		values[1] = rpt_unit_total(after->m, after->whole, name);
		if (!values[0].present && !values[1].present)
			continue;
		add_counter(d, name, " per second", values, seconds);
		if ((instructions[0] > 0.0 || instructions[1] > 0.0) &&
		    strcmp(name, "instructions") != 0)
			add_counter(d, name, " per instruction", values, instructions);
	}
}

void rpt_diff_numbers_make(struct rpt_diff *d, const struct rpt_diff_side *before,
			   const struct rpt_diff_side *after)
{
	add_counters_of(d, before->m, before, after, NULL);
	add_counters_of(d, after->m, before, after, before->m);
	add_percentiles(d, before->whole, after->whole);
}
