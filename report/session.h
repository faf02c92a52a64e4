/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What one or several traces say, all worked out: the model, the names, and the analyses. Outputs read
 * a const session and compute nothing of their own.
 */
#ifndef RPT_SESSION_H
#define RPT_SESSION_H

#include "report/analyse/counts.h"
#include "report/analyse/coverage.h"
#include "report/analyse/explain.h"
#include "report/analyse/missing.h"
#include "report/analyse/expect.h"
#include "report/analyse/hints.h"
#include "report/analyse/diff.h"
#include "report/analyse/profile.h"
#include "report/analyse/rules.h"
#include "report/analyse/sched.h"
#include "report/analyse/sites.h"
#include "report/analyse/snapshot.h"
#include "report/analyse/stack_filter.h"
#include "report/analyse/verdicts.h"
#include "report/analyse/wakes.h"
#include "report/model/code.h"
#include "report/model/model.h"

struct rpt_load;
struct rpt_symbol_options;
struct rpt_symbolizer;
struct rpt_unwinder;

struct rpt_session {
	struct rpt_model model;
	struct rpt_load *load; /* owned; until the analysis */
	struct rpt_rules *rules; /* in force */
	const struct rpt_stack_filter *stack_filter; /* borrowed; NULL = all stacks are wanted */
	struct rpt_code code;
	struct rpt_unwinder *unwinder; /* NULL: copied stacks are not walked */
	struct rpt_symbolizer *symbolizer;
	const char *explain_what; /* borrowed; what is to be explained, NULL = nothing */
	struct rpt_explain explain;
	struct rpt_missing missing;
	struct rpt_coverage coverage;
	struct rpt_profile oncpu;
	struct rpt_profile offcpu;
	struct rpt_wait_sites wait_sites;
	struct rpt_wakes wakes;
	struct rpt_snapshot snapshot; /* empty when nothing is one */
	struct rpt_hints hints;
	struct rpt_breaches breaches; /* of the rules for threads */
	struct rpt_sched sched;
	struct rpt_counts counts; /* by function; empty where samples carry no counters */
	struct rpt_verdicts verdicts; /* of everything */
	struct rpt_verdicts *unit_verdicts; /* owned; of each unit of sched */
	struct rpt_process_profile
		*process_profiles; /* owned; where asked for; by time, longest first */
	size_t process_profile_count;
	const struct rpt_session
		*before; /* borrowed: what this one was compared with; NULL = it was not */
	struct rpt_diff *diff; /* owned; NULL as long as before is */
	uint32_t modes; /* PA_MODE_* of any of the traces */
	uint64_t duration_ns; /* of all traces, one after the other */
};

struct rpt_session *rpt_session_new(void);
void rpt_session_free(struct rpt_session *s);
/* Copied stacks in the traces that are loaded from now on are walked, with files that are found by these
 * options, which are borrowed; without, they end where the recorder's own walk did. */
void rpt_session_walk_copies(struct rpt_session *s, const struct rpt_symbol_options *options);
/* Only a part of the traces that are loaded from now on is reported; the filter is borrowed for good. */
void rpt_session_filter(struct rpt_session *s, const struct rpt_filter *filter,
			const struct rpt_stack_filter *stacks);
/* Single samples and intervals are kept from now on, in the order of time; see model/points.h. */
void rpt_session_keep_points(struct rpt_session *s);
/* Loads one more trace, or the next segment of the one before, which the user calls file; before the
 * analysis. 0, or what the reader failed with. */
int rpt_session_load(struct rpt_session *s, struct pa_reader *reader, const char *file);
/* Has an address or function explained; see rpt_explain_begin(). Before the analysis, with keep_trail. */
void rpt_session_explain(struct rpt_session *s, const char *what);
/* The rules, to which a file may be added before the analysis. */
struct rpt_rules *rpt_session_rules(struct rpt_session *s);
/* The judgement that --check goes by: the worst verdict; a rule for threads that is broken, and a
 * deadlock, are to be investigated. */
enum rpt_judgement rpt_session_worst(const struct rpt_session *s);
/* Names all addresses and does all analyses; once. The options are borrowed for the session's life.
 * Profiles of each process are made where per_process asks for them. */
void rpt_session_analyse(struct rpt_session *s, const struct rpt_symbol_options *options,
			 bool per_process);
/* Compares a session with one of before, which has to live as long; both are analysed, and kept points. */
void rpt_session_compare(struct rpt_session *s, const struct rpt_session *before);

#endif
