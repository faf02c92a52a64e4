/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers that say how a process, or everything, is doing: one row each in the table of metrics.c. */
#ifndef RPT_METRICS_H
#define RPT_METRICS_H

#include <stdbool.h>
#include <stdint.h>

#include "report/analyse/sched.h"

enum rpt_metric_unit {
	RPT_UNIT_RATIO, /* 1.23 */
	RPT_UNIT_PERCENT, /* 12.3 % */
	RPT_UNIT_NS, /* a duration */
};

/* X(ID, id, title, unit, getter): the id is what rules, JSON and SQL call it; metrics.c has get_GETTER(). */
#define RPT_METRICS(X)                                                                            \
	X(IPC, "cpu.ipc", "instructions per cycle", RPT_UNIT_RATIO, ipc)                          \
	X(CACHE_MPKI, "cpu.cache_mpki", "cache misses / 1000 instr.", RPT_UNIT_RATIO, cache_mpki) \
	X(BRANCH_MPKI, "cpu.branch_mpki", "branch misses / 1000 instr.", RPT_UNIT_RATIO,          \
	  branch_mpki)                                                                            \
	X(SLICE_P999, "sched.slice_p999", "on-CPU slice, P99.9", RPT_UNIT_NS, slice_p999)         \
	X(RUNQ_P99, "sched.runq_p99", "run-queue latency, P99", RPT_UNIT_NS, runq_p99)            \
	X(VOLUNTARY, "sched.voluntary", "voluntary switches", RPT_UNIT_PERCENT, voluntary)        \
	X(PREEMPTED, "sched.preempted", "preempted switches", RPT_UNIT_PERCENT, preempted)

enum rpt_metric_id {
#define RPT_METRIC_ENUM_(ID, id, title, unit, getter) RPT_METRIC_##ID,
	RPT_METRICS(RPT_METRIC_ENUM_)
#undef RPT_METRIC_ENUM_
		RPT_METRIC_COUNT_
};

struct rpt_value {
	bool known;
	double number;
	double measured; /* share of the time that its counters counted, 0 to 1; 1 for all else */
	uint64_t basis; /* how many values it rests on; UINT64_MAX where that is no question */
	const char *basis_name; /* "slices", ... */
	const char *missing; /* counter that there is no reading of; NULL = none */
	const char *reason; /* why it is not known otherwise; static; NULL when it is */
};

struct rpt_metric {
	const char *id;
	const char *title;
	enum rpt_metric_unit unit;
	struct rpt_value (*get)(const struct rpt_model *m, const struct rpt_unit *u);
};
extern const struct rpt_metric rpt_metrics[RPT_METRIC_COUNT_];

/* The total of all counters of this name (a hybrid machine has one on each PMU). */
struct rpt_total rpt_unit_total(const struct rpt_model *m, const struct rpt_unit *u,
				const char *name);

#endif
