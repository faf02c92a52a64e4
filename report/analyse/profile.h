/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where time went, on the CPU or off it: rows (thread and stack), and their sums by function, process,
 * thread and state. All outputs read the same rows, so they agree to the last nanosecond.
 */
#ifndef RPT_PROFILE_H
#define RPT_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "report/model/code.h"
#include "report/model/model.h"

/* The group of a row that no interval was recorded for. */
#define RPT_NO_GROUP UINT32_MAX

struct rpt_row {
	uint32_t group; /* index in the model's samples, or blocks */
	uint32_t process;
	uint32_t thread;
	uint32_t comm; /* string: the thread's name then */
	uint32_t call; /* innermost frame */
	uint32_t state; /* enum pa_block_state, off CPU */
	uint32_t class; /* index in rpt_wait_classes, off CPU */
	uint32_t syscall; /* number + 1, off CPU; 0 = none or not known */
	uint32_t waker; /* off CPU: thread that ended it, as in rpt_site */
	uint32_t waker_call; /* innermost frame of his, 0 = not taken */
	uint64_t count; /* samples, or intervals */
	uint64_t value; /* in the profile's unit */
	uint64_t weight; /* units of the sampling event, on CPU */
	uint64_t open_count;
	uint64_t max_ns;
	const uint64_t *counters; /* as in rpt_group; borrowed */
};

struct rpt_function_value {
	uint32_t function; /* the first of its name and module */
	uint64_t self, total; /* in the profile's unit; recursion is counted once in total */
	uint64_t self_count, total_count;
};

struct rpt_share {
	uint32_t id; /* of a process, a thread, a state, a class */
	uint64_t value;
	uint64_t count;
	uint64_t open_count;
	uint64_t max_ns;
};

struct rpt_shares {
	struct rpt_share *items; /* owned; greatest first */
	size_t count;
};

struct rpt_profile {
	bool offcpu;
	bool by_time; /* values are nanoseconds; else samples, since their time is not known */
	bool estimated_time; /* nanoseconds come from the sampling rate, not from the clock */
	struct rpt_row *rows; /* owned */
	size_t row_count, row_cap;
	uint64_t total; /* sum of the rows' values */
	uint64_t count;
	uint64_t weight; /* sum of the rows' weights */
	uint64_t open_count;
	uint64_t thinned; /* part of total that is an estimate */
	uint64_t unrecorded; /* part of total that no interval was recorded for */
	struct rpt_function_value *functions; /* owned; by self time, greatest first */
	size_t function_count;
	uint32_t *by_total; /* owned; indexes of functions by total time, greatest first */
	struct rpt_shares processes, threads, states, classes;
};

/* Rows and sums of the samples, or of the off-CPU intervals, of the whole session. */
void rpt_profile_samples(struct rpt_profile *p, struct rpt_model *m, const struct rpt_code *c);
void rpt_profile_blocks(struct rpt_profile *p, struct rpt_model *m, struct rpt_code *c);
void rpt_profile_fini(struct rpt_profile *p);

/* Both profiles of one process. */
struct rpt_process_profile {
	uint32_t process;
	struct rpt_profile oncpu, offcpu;
};

/* A profile of the rows of one process of another profile. */
void rpt_profile_of_process(struct rpt_profile *p, const struct rpt_profile *all, uint32_t process,
			    const struct rpt_model *m, const struct rpt_code *c);

/* value as a share of total, 0 to 100; 0 when total is. */
double rpt_percent(uint64_t value, uint64_t total);

/* --- between the files of the profile --- */

/* Sums up the rows that are there. */
void rpt_profile_sum(struct rpt_profile *p, const struct rpt_model *m, const struct rpt_code *c);
void rpt_profile_add_row(struct rpt_profile *p, const struct rpt_row *row);

#endif
