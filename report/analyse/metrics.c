// SPDX-License-Identifier: GPL-2.0-or-later
/* The table of metrics, and how each is computed. */
#include "report/analyse/metrics.h"

#include <string.h>

struct rpt_total rpt_unit_total(const struct rpt_model *m, const struct rpt_unit *u,
				const char *name)
{
	struct rpt_total sum = {.measured = 1.0};
	size_t i;

	for (i = 1; i < m->counter_count; i++) {
		const struct rpt_total *t = &u->totals[i];

		if (!t->present || strcmp(rpt_text(m, m->counters[i].name), name) != 0)
			continue;
		sum.present = true;
		sum.value += t->value;
		sum.measured = PA_MIN(sum.measured, t->measured);
	}
	return sum;
}

static struct rpt_value unknown(const char *reason)
{
	return (struct rpt_value){.reason = reason};
}

static struct rpt_value missing_counter(const char *name)
{
	return (struct rpt_value){.missing = name};
}

/* factor * above / below, of two counters. */
static struct rpt_value counter_ratio(const struct rpt_model *m, const struct rpt_unit *u,
				      const char *above, const char *below, double factor)
{
	struct rpt_total a = rpt_unit_total(m, u, above), b = rpt_unit_total(m, u, below);

	if (!b.present)
		return missing_counter(below);
	if (!a.present)
		return missing_counter(above);
	if (b.value <= 0.0)
		return unknown(strcmp(below, "cycles") ? "no instructions were counted" :
							 "no cycles were counted");
	return (struct rpt_value){
		.known = true,
		.number = factor * a.value / b.value,
		.measured = PA_MIN(a.measured, b.measured),
		.basis = UINT64_MAX,
	};
}

static struct rpt_value get_ipc(const struct rpt_model *m, const struct rpt_unit *u)
{
	return counter_ratio(m, u, "instructions", "cycles", 1.0);
}

static struct rpt_value get_cache_mpki(const struct rpt_model *m, const struct rpt_unit *u)
{
	return counter_ratio(m, u, "cache-misses", "instructions", 1000.0);
}

static struct rpt_value get_branch_mpki(const struct rpt_model *m, const struct rpt_unit *u)
{
	return counter_ratio(m, u, "branch-misses", "instructions", 1000.0);
}

/* The scheduler is watched with --pmu only. */
static const char *why_no_scheduler(const struct rpt_model *m)
{
	if (m->left_out.sums_reason)
		return m->left_out.sums_reason;
	return rpt_model_modes(m) & PA_MODE_PMU ? "the scheduler saw nothing" :
						  "not recorded (needs --pmu)";
}

static struct rpt_value percentile(const struct rpt_model *m, const struct pa_histogram *h,
				   unsigned per_10000, const char *basis_name)
{
	if (h->count == 0)
		return unknown(why_no_scheduler(m));
	return (struct rpt_value){
		.known = true,
		.number = (double)pa_hist_percentile(h, per_10000),
		.measured = 1.0,
		.basis = h->count,
		.basis_name = basis_name,
	};
}

static struct rpt_value get_slice_p999(const struct rpt_model *m, const struct rpt_unit *u)
{
	return percentile(m, &u->hist[PA_HIST_SLICE], 9990, "slices");
}

static struct rpt_value get_runq_p99(const struct rpt_model *m, const struct rpt_unit *u)
{
	return percentile(m, &u->hist[PA_HIST_RUNQ], 9900, "waits");
}

static struct rpt_value switch_share(const struct rpt_model *m, const struct rpt_unit *u,
				     uint64_t part)
{
	uint64_t all = u->sum.voluntary;

	rpt_add_saturated(&all, u->sum.preempted);
	rpt_add_saturated(&all, u->sum.yielded);
	if (all == 0)
		return unknown(why_no_scheduler(m));
	return (struct rpt_value){
		.known = true,
		.number = 100.0 * (double)part / (double)all,
		.measured = 1.0,
		.basis = all,
		.basis_name = "switches",
	};
}

static struct rpt_value get_voluntary(const struct rpt_model *m, const struct rpt_unit *u)
{
	return switch_share(m, u, u->sum.voluntary);
}

static struct rpt_value get_preempted(const struct rpt_model *m, const struct rpt_unit *u)
{
	return switch_share(m, u, u->sum.preempted);
}

const struct rpt_metric rpt_metrics[RPT_METRIC_COUNT_] = {
#define ROW(ID, id_, title_, unit_, getter) [RPT_METRIC_##ID] = {id_, title_, unit_, get_##getter},
	RPT_METRICS(ROW)
#undef ROW
};
