/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Everything that was read from the traces of a session, in the session's own terms. */
#ifndef RPT_MODEL_H
#define RPT_MODEL_H

#include "report/model/filter.h"
#include "report/model/kernel.h"
#include "report/model/modules.h"
#include "report/model/packed.h"
#include "report/model/points.h"
#include "report/model/processes.h"
#include "report/model/samples.h"
#include "report/model/stacks.h"
#include "report/model/strings.h"
#include "report/model/tasks.h"
#include "report/model/trace.h"

struct rpt_model {
	struct rpt_strings strings;
	struct rpt_stacks stacks;
	struct rpt_modules modules;
	struct rpt_kernel kernel;
	struct rpt_packed packed;
	struct rpt_processes processes;
	struct rpt_groups samples; /* on-CPU */
	struct rpt_groups blocks; /* off-CPU */
	bool keeps_points; /* single samples and intervals are kept, too: */
	struct rpt_points sample_points, block_points;
	struct rpt_task *tasks; /* owned; of snapshots, in the order of the trace */
	size_t task_count, task_cap;
	struct rpt_counter *counters; /* owned; [0] is none */
	size_t counter_count, counter_cap;
	uint32_t sampled[RPT_MAX_SAMPLED]; /* counters whose advance samples carry */
	size_t sampled_count;
	struct rpt_trace *traces; /* owned */
	size_t trace_count, trace_cap;
	const struct rpt_filter *filter; /* borrowed; NULL = everything is wanted */
	struct rpt_left_out left_out; /* by it, and by what is asked of stacks */
	uint64_t sequence; /* records read so far */
	uint64_t hist_buckets; /* that all distributions have room for */
};

void rpt_model_init(struct rpt_model *m);
void rpt_model_fini(struct rpt_model *m);

/* PA_MODE_* of any of the traces. */
uint32_t rpt_model_modes(const struct rpt_model *m);

/* Text of a string id. */
static inline const char *rpt_text(const struct rpt_model *m, uint32_t string)
{
	return rpt_strings_get(&m->strings, string);
}

#endif
