/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counters by function: what they advanced between samples is credited to the function that was sampled. */
#ifndef RPT_COUNTS_H
#define RPT_COUNTS_H

#include "report/analyse/profile.h"
#include "report/analyse/sched.h"

/* A counter that samples carry. */
struct rpt_counts_column {
	uint32_t counter; /* index in the model's */
	double scale; /* for the time that it was not on the PMU */
	double measured; /* share of the time that it was, 0 to 1 */
};

/* What a function did itself on one PMU; -1 = not counted. */
struct rpt_function_counts {
	uint32_t function; /* the first of its name and module */
	uint32_t pmu; /* string; 0 where there is only one */
	uint64_t samples; /* that carry a count of this PMU */
	double cycles, instructions, cache_misses, branch_misses; /* scaled */
	double ipc, cache_mpki, branch_mpki; /* -1 = cannot be told */
};

struct rpt_counts {
	struct rpt_counts_column columns[RPT_MAX_SAMPLED]; /* as the model's sampled counters */
	size_t column_count;
	bool estimated; /* some counter was measured for part of the time only */
	double measured; /* of the one that was measured least */
	struct rpt_function_counts *items; /* owned; most cycles first */
	size_t count, cap;
	double cycles; /* of all */
};

void rpt_counts_find(struct rpt_counts *counts, const struct rpt_profile *oncpu,
		     const struct rpt_sched *sched, const struct rpt_model *m,
		     const struct rpt_code *c);
void rpt_counts_fini(struct rpt_counts *counts);
/* A count of a column as it would be had the counter been on the PMU all the time. */
uint64_t rpt_counts_scaled(const struct rpt_counts *counts, size_t column, uint64_t value);

#endif
