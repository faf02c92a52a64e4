/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Hot spots, and what the rules have to say on functions and on waits. */
#ifndef RPT_HINTS_H
#define RPT_HINTS_H

#include "report/analyse/profile.h"
#include "report/analyse/rules.h"

/* A function with a large share of its own. */
struct rpt_hot_spot {
	uint32_t function;
	uint64_t value; /* in the profile's unit */
	double percent; /* of the CPU time */
	const struct rpt_hint_rule *rule; /* what it is about; NULL = no rule says */
};

#define RPT_HINT_FUNCTIONS 3

struct rpt_hint {
	const struct rpt_hint_rule *rule; /* NULL: a class of idle waits, which are normal */
	uint32_t class; /* then; index in rpt_wait_classes */
	bool offcpu; /* a share of the blocked time, not of the CPU time */
	uint64_t value;
	double percent;
	/* On the CPU: functions that contribute most. */
	uint32_t functions[RPT_HINT_FUNCTIONS];
	uint64_t function_values[RPT_HINT_FUNCTIONS];
	size_t function_count;
};

struct rpt_hints {
	struct rpt_hot_spot *hot_spots; /* owned; hottest first */
	size_t hot_spot_count, hot_spot_cap;
	/* Owned; on the CPU only kinds of which no single function is a hot spot; then the waits, by share. */
	struct rpt_hint *items;
	size_t count, cap;
};

void rpt_hints_find(struct rpt_hints *h, const struct rpt_rules *rules,
		    const struct rpt_profile *oncpu, const struct rpt_profile *offcpu,
		    const struct rpt_model *m, const struct rpt_code *c);
void rpt_hints_fini(struct rpt_hints *h);

#endif
