/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a thread was waiting for, told by the functions of its stack. */
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
	const char *patterns; /* of function names, see rpt_matches_any() */
	const char *calls; /* of system calls, for waits whose stack tells nothing */
};

/* What comes first wins; the last one is for everything else. */
extern const struct rpt_wait_class rpt_wait_classes[];
extern const size_t rpt_wait_class_count;
#define RPT_WAIT_MAX 32 /* classes at most, so that a set of them is one word */
#define RPT_WAIT_OTHER ((uint32_t)rpt_wait_class_count - 1)

/* Class of each function of the code by its name; an array that the caller frees. */
uint8_t *rpt_wait_classify(const struct rpt_model *m, const struct rpt_code *c);

/* Where a thread waits. */
struct rpt_wait {
	uint32_t call; /* innermost */
	uint32_t state; /* enum pa_block_state */
	const char *syscall; /* its name, NULL = none or not known */
};
/*
 * Class of a wait: by its state where that says all (stopped, runnable), else of its frames' classes the
 * first one in the table, else by the system call.
 */
uint32_t rpt_wait_class(const struct rpt_code *c, const uint8_t *classes,
			const struct rpt_wait *wait);

/* Whether a name matches a pattern of len bytes: '*' is any text, '?' any character. */
bool rpt_matches(const char *pattern, size_t len, const char *name);
/* Whether a name matches one of the patterns, which are separated by spaces. */
bool rpt_matches_any(const char *patterns, const char *name);

#endif
