/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which stacks are reported, and how they begin: by the names of their functions, from a function inwards,
 * and below whom or what they are of. It changes what the groups of the model refer to, before any rows
 * are made, so that all outputs have the same.
 */
#ifndef RPT_STACK_FILTER_H
#define RPT_STACK_FILTER_H

#include <stdbool.h>

#include "report/model/code.h"
#include "report/model/model.h"

enum rpt_by {
	RPT_BY_NONE,
	RPT_BY_THREAD,
	RPT_BY_PROCESS,
	RPT_BY_CPU,
	RPT_BY_CGROUP,
	RPT_BY_TAG,
};

/* NULL = not asked for. */
struct rpt_stack_filter {
	const char *has, *exclude; /* extended regular expressions, of names as they are shown */
	const char *focus; /* a function's name */
	enum rpt_by by; /* an outermost frame for each of them */
};

/* Why a regular expression is none, in an owned text; NULL = it is one. */
char *rpt_regex_fault(const char *regex);
/* Applies it; the code is resolved. */
void rpt_stack_filter_apply(const struct rpt_stack_filter *f, struct rpt_model *m,
			    struct rpt_code *c);

#endif
