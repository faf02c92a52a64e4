/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a thread was waiting for, told by the functions of its stack; and what functions are about. */
#ifndef RPT_WAITS_H
#define RPT_WAITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "report/model/code.h"
#include "report/model/model.h"

/* A state that no record names: time of which only the sum is known. */
#define RPT_STATE_UNKNOWN 9

/* "sleeping", "disk wait", ... */
const char *rpt_state_text(uint32_t state);

struct rpt_wait_class {
	const char *name;
	bool idle; /* waiting for work: normal, not a fault */
	const char *advice; /* shown from min_percent of the blocked time on; NULL = none */
	double min_percent;
	const char *patterns; /* of function names, see rpt_matches_any() */
};

/* What comes first wins; the last one is for everything else. */
extern const struct rpt_wait_class rpt_wait_classes[];
extern const size_t rpt_wait_class_count;
#define RPT_WAIT_OTHER ((uint32_t)rpt_wait_class_count - 1)

/* Class of each function of the code by its name; an array that the caller frees. */
uint8_t *rpt_wait_classify(const struct rpt_model *m, const struct rpt_code *c);
/* Class of the stack with this innermost call: of its frames' classes the first one in the table. */
uint32_t rpt_wait_class(const struct rpt_code *c, const uint8_t *classes, uint32_t call);

/* Whether a name matches one of the patterns, which are separated by spaces; '*' is any text, '?' any
 * character. */
bool rpt_matches_any(const char *patterns, const char *name);

struct rpt_hint {
	const char *kind;
	const char *advice;
	const char *patterns;
};

/* The hint for a function by its name, NULL when there is none for it. */
const struct rpt_hint *rpt_hint_find(const char *function);

#endif
