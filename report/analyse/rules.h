/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the report goes by: bounds of verdicts, hints, and what is normal for threads of a name. The
 * built-in rules are docs/rules/default; a file of the user's changes or adds some. pa-rules(5) has the
 * syntax.
 */
#ifndef RPT_RULES_H
#define RPT_RULES_H

#include <stddef.h>
#include <stdint.h>

#include "report/analyse/metrics.h"

struct pa_buf;

/* Bounds of a metric's verdict, in its unit. */
struct rpt_bound {
	double healthy, investigate;
	bool higher_is_better;
	uint32_t line; /* where the user's file has it, 0 = built in */
};

/* A remark on functions by their share of the CPU time, or on classes of waits by their share of the
 * blocked time. */
struct rpt_hint_rule {
	char *kind; /* owned, as all text here; "memory allocation" */
	char *functions; /* patterns, see rpt_matches_any(); NULL = none */
	uint32_t classes; /* bits by index in rpt_wait_classes */
	double min_percent;
	char *advice;
	uint32_t line;
};

/* What threads of a name may block in. Where nothing is named, that is everything. */
struct rpt_thread_rule {
	char *name; /* one pattern, which may have spaces in it */
	char *process; /* the same for the process's name; NULL = any */
	char *calls; /* patterns of system calls */
	char *functions; /* of functions on the stack */
	uint32_t classes; /* as in a hint */
	char *never; /* patterns of calls and functions that are never normal */
	uint64_t slice_ns; /* longest slice that is normal, 0 = any */
	uint64_t period_ns; /* longest wait that is normal, 0 = any */
	uint32_t line;
};

struct rpt_rules {
	char *file; /* the user's, NULL = none */
	struct rpt_bound bounds[RPT_METRIC_COUNT_];
	struct rpt_hint_rule *hints; /* owned; the first that fits is taken */
	size_t hint_count, hint_cap;
	struct rpt_thread_rule *threads; /* owned; likewise */
	size_t thread_count, thread_cap;
};

/* The text of docs/rules/default. */
extern const char rpt_rules_default[];

/* With the built-in rules. Free with rpt_rules_free(). */
struct rpt_rules *rpt_rules_new(void);
void rpt_rules_free(struct rpt_rules *r);
/*
 * Takes the rules of a text, before those that are there. 0, or PA_E_SYNTAX and one sentence in error
 * that names file and line; nothing is to be done with the rules then but to free them.
 */
int rpt_rules_parse(struct rpt_rules *r, const char *file, const char *text, size_t len,
		    struct pa_buf *error);

/* The first rule that fits a thread; NULL = there is none. */
const struct rpt_thread_rule *rpt_rules_thread(const struct rpt_rules *r, const char *thread,
					       const char *process);
/* The first hint for a function by its name; NULL = there is none. */
const struct rpt_hint_rule *rpt_rules_hint(const struct rpt_rules *r, const char *function);

#endif
