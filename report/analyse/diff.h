/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two sessions compared: functions, waits, counters and the scheduler, each with what chance alone may
 * make of it. Values are per second of recording, so that lengths may differ.
 */
#ifndef RPT_DIFF_H
#define RPT_DIFF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "report/analyse/profile.h"
#include "report/analyse/sched.h"
#include "report/analyse/verdicts.h"

/* One of the two; all is borrowed. */
struct rpt_diff_side {
	const struct rpt_model *m;
	const struct rpt_code *c;
	const struct rpt_profile *oncpu, *offcpu;
	const struct rpt_unit *whole;
	const struct rpt_verdicts *verdicts;
	uint64_t duration_ns;
};

struct rpt_diff_item {
	char *name; /* owned; of a function less what compilers add to it */
	const char *module; /* borrowed; NULL = it is in the name, or there is none */
	bool is_idle; /* of a class of waits: waiting for work */
	uint64_t before, after; /* as in the profiles */
	uint64_t before_count, after_count;
	double before_rate, after_rate; /* per second of recording */
	double before_percent, after_percent; /* of all */
	double change_percent; /* of the rate; 0 where there was nothing before */
	double half_percent; /* half of the 95 % interval of that */
	double p; /* see diff_stats.h */
	bool significant; /* not chance */
	size_t before_rank, after_rank; /* by value, from 1; 0 = it is not there */
};

/* Things that are compared, the greatest change per second first. */
struct rpt_diff_table {
	struct rpt_diff_item *items; /* owned */
	size_t count;
	struct rpt_diff_item all; /* everything together; it has no name */
	bool has_data; /* either side has anything */
	const char *not_comparable; /* why nothing is compared; NULL = it is */
};

/* A number of both sides, known or not. */
struct rpt_diff_number {
	char *name; /* owned */
	enum rpt_metric_unit unit;
	bool before_known, after_known;
	double before, after;
	bool has_test; /* something is known of its uncertainty */
	bool significant;
};
struct rpt_diff_numbers {
	struct rpt_diff_number *items; /* owned */
	size_t count, cap;
};

struct rpt_diff {
	double before_seconds, after_seconds;
	struct rpt_diff_table self, total; /* functions on the CPU */
	struct rpt_diff_table offcpu; /* functions off it, with what they call */
	struct rpt_diff_table classes; /* of waits */
	struct rpt_diff_numbers counters; /* per second, per instruction */
	struct rpt_diff_numbers percentiles; /* of the scheduler */
};

/* Compares; the models have to have kept points. Free with rpt_diff_free(). */
struct rpt_diff *rpt_diff_new(const struct rpt_diff_side *before,
			      const struct rpt_diff_side *after);
void rpt_diff_free(struct rpt_diff *d);

/* Whether anything got significantly worse, by more than that many percent: functions on the CPU, and
 * waits that are not idle. What is new counts by its share of all. */
bool rpt_diff_has_regression(const struct rpt_diff *d, double threshold_percent);

/* --- between the files of the comparison --- */

/* Name of a function without what compilers add to it: ".isra.0", ".part.1", ".cold", " [clone .x]". */
void rpt_diff_add_name(struct pa_buf *out, const char *name);

/* Which item each function of a side belongs to. */
struct rpt_diff_join {
	struct rpt_diff_item *items; /* owned until taken */
	size_t count, cap;
	uint32_t *of_before, *of_after; /* owned; by function: item */
};
void rpt_diff_join_init(struct rpt_diff_join *j, const struct rpt_diff_side *before,
			const struct rpt_diff_side *after);
void rpt_diff_join_fini(struct rpt_diff_join *j);

void rpt_diff_numbers_make(struct rpt_diff *d, const struct rpt_diff_side *before,
			   const struct rpt_diff_side *after);

#endif
