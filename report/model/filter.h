/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which part of the traces is reported: some time, some processes, threads, CPUs or control groups. It is
 * applied where samples and intervals come into the model, once for all outputs; what it leaves out is
 * counted. Sums that were made by the recorder cannot be cut in time or by CPU, and are then absent.
 */
#ifndef RPT_FILTER_H
#define RPT_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rpt_model;
struct rpt_site;
struct rpt_trace;

/* A moment that the user named. */
struct rpt_when {
	enum {
		RPT_WHEN_NONE,
		RPT_WHEN_RELATIVE, /* ns since the trace's start */
		RPT_WHEN_WALL, /* ns since 1970 */
		RPT_WHEN_CLOCK, /* ns since midnight, UTC, on the day that the trace began, or the next */
	} kind;
	uint64_t ns;
};

struct rpt_names {
	const char *const *items;
	size_t count;
};

struct rpt_filter {
	struct rpt_when from, to; /* [from, to) */
	/* Any of the list has to match; all borrowed; empty = all do. */
	struct rpt_names pids, tids, cpus; /* numbers */
	struct rpt_names comms; /* a thread's name at the time */
	struct rpt_names cgroups; /* the path, or one above it */
	struct rpt_names
		containers; /* the beginning, of 8 characters at least, of an id in the path */
	bool by_cpu; /* samples of several CPUs are told apart */
	const char *
		text; /* all that is asked for, of stacks too, as the user gave it; "" = everything */
};

/* What a filter left out. */
struct rpt_left_out {
	uint64_t samples, intervals;
	bool stacks; /* stacks were chosen: sums of threads are of more than is reported */
	uint64_t threads_renamed; /* whose sums are of several names, and absent */
	/* By thread: intervals of other stacks, which the exact sums of threads hold, too. Owned; NULL = none. */
	uint64_t *recorded_ns, *thinned_ns;
	const char *sums_reason; /* why there are no sums; static; NULL = there are */
};

/* "2s", "2026-12-01 03:42:06.5", "03:42:06". False: it is none of them. */
bool rpt_when_parse(const char *text, struct rpt_when *when);
bool rpt_filter_is_empty(const struct rpt_filter *f);
/* The span of a trace that is left, on its clock. */
void rpt_filter_window(const struct rpt_filter *f, const struct rpt_trace *t, uint64_t *from_ns,
		       uint64_t *to_ns);
/* Whether what happened at a site (on a CPU, for samples) is wanted; time is not looked at. */
bool rpt_filter_wants(const struct rpt_filter *f, const struct rpt_model *m,
		      const struct rpt_site *site, bool has_cpu, uint32_t cpu);
/* The first number of pids, tids or cpus that nothing in the traces has, and what it is of; NULL = none. */
const char *rpt_filter_unknown(const struct rpt_filter *f, const struct rpt_model *m,
			       const char **what);
/* When all traces are loaded: takes out the sums that cannot be cut, and cuts the traces' lengths. */
void rpt_filter_sums(struct rpt_model *m);

#endif
