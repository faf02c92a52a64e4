/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The scheduler's sums, distributions and the counters, of each process and of everything together.
 * Distributions are merged value by value, so that a percentile of the whole is one of all values and
 * not of somebody's.
 */
#ifndef RPT_SCHED_H
#define RPT_SCHED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "report/model/model.h"

/* A counter's readings, scaled to the time that it should have counted. */
struct rpt_total {
	bool present; /* it was read, and counted for some of the time */
	double value;
	double measured; /* share of the time that it did count, 0 to 1 */
};

/* A process, or everything. */
struct rpt_unit {
	uint32_t process; /* 0 = everything */
	size_t threads; /* that have sums */
	struct rpt_sched_sum sum;
	struct pa_histogram hist[PA_HIST_KINDS_];
	uint32_t max_thread[PA_HIST_KINDS_]; /* whose the greatest value is */
	struct rpt_total *totals; /* owned; by counter */
};

/* A thread whose times don't add up. */
struct rpt_imbalance {
	uint32_t thread;
	double percent; /* of the observed time that is missing (or too much, when negative) */
};

struct rpt_sched {
	struct rpt_unit whole;
	struct rpt_unit *units; /* owned; the processes with sums or counters, by observed time */
	size_t unit_count;
	struct rpt_imbalance *imbalances; /* owned; worst first */
	size_t imbalance_count;
	/* All CPUs together. */
	size_t cpu_count; /* CPUs with sums */
	uint64_t cpu_observed_ns, cpu_idle_ns, cpu_switches;
};

void rpt_sched_analyse(struct rpt_sched *s, const struct rpt_model *m);
void rpt_sched_fini(struct rpt_sched *s);
/* Readings scaled for the time that the counter was not on the PMU. */
struct rpt_total rpt_total_of(const struct rpt_count *count);

#endif
