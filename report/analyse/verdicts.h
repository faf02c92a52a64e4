/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Judgements: a metric's value against its bounds, with what it means and who contributes most. One
 * entry of the table in verdicts.c each. What could not be measured is unknown, with the reason.
 */
#ifndef RPT_VERDICTS_H
#define RPT_VERDICTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "report/analyse/metrics.h"
#include "report/analyse/profile.h"
#include "report/analyse/rules.h"

enum rpt_judgement {
	RPT_HEALTHY,
	RPT_WATCH,
	RPT_INVESTIGATE,
	RPT_UNKNOWN,
};
/* "healthy", ... */
const char *rpt_judgement_text(enum rpt_judgement judgement);

#define RPT_EVIDENCE_THREADS 3
#define RPT_EVIDENCE_STACKS 3

/* A thread's part in a verdict. */
struct rpt_evidence {
	uint32_t thread;
	uint64_t amount; /* in the unit of the entry's evidence */
};

/* A stack's part in it. */
struct rpt_stack_evidence {
	uint32_t call; /* innermost frame */
	uint64_t amount; /* in the unit of the on-CPU profile, or of the counter */
	double percent; /* of all that could have contributed */
};

/* Which on-CPU stacks stand behind a verdict. */
enum rpt_stack_basis {
	RPT_STACKS_BY_TIME, /* of all threads, by CPU time */
	RPT_STACKS_OF_EVIDENCE, /* of the threads that are the evidence */
	RPT_STACKS_BY_COUNTER, /* of all threads, by a counter's advance; by time where there is none */
};

struct rpt_verdict_entry {
	enum rpt_metric_id metric;
	/* From the rules: */
	double healthy; /* at or beyond this it is healthy, */
	double investigate; /* at or beyond this, the other way, it is to be investigated */
	bool higher_is_better; /* tells which way is beyond */
	/* From the table: */
	uint64_t sure_from; /* values that it has to rest on to be called healthy, */
	uint64_t alarm_from; /* and to be called anything worse */
	const char *meaning; /* what it means when it is not healthy */
	double note_above; /* a value above this has a note; 0 = none has */
	const char *note;
	/* What a thread contributes; threads that contribute most are the evidence. NULL = none. */
	uint64_t (*evidence)(const struct rpt_thread_stats *t);
	enum rpt_metric_unit evidence_unit;
	const char *evidence_name; /* "longest slice", ... */
	enum rpt_stack_basis stacks;
	const char *stack_counter; /* for RPT_STACKS_BY_COUNTER */
};

struct rpt_verdict {
	const struct rpt_verdict_entry *entry;
	const struct rpt_metric *metric;
	struct rpt_value value;
	enum rpt_judgement judgement;
	char *reason; /* owned: why it is unknown or rests on an estimate; NULL = nothing to say */
	struct rpt_evidence evidence[RPT_EVIDENCE_THREADS];
	size_t evidence_count;
	/* Of verdicts that are neither healthy nor unknown, where there are samples. */
	struct rpt_stack_evidence stacks[RPT_EVIDENCE_STACKS];
	size_t stack_count;
	const char *stacks_name; /* static; what amounts are of: "CPU time", "cycles" */
};

struct rpt_verdicts {
	struct rpt_verdict_entry *entries; /* owned; the table with the bounds of the rules */
	struct rpt_verdict *items; /* owned; in the order of the table */
	size_t count;
};

/* What verdicts rest on, beside a unit's sums: the pointers are set before it is initialized. */
struct rpt_verdict_basis {
	const struct rpt_model *m;
	const struct rpt_code *c;
	const struct rpt_rules *rules;
	const struct rpt_profile *oncpu;
	/* Owned; its rows by process, as ranges of one array: rows[first[p]] up to rows[first[p + 1]]. */
	uint32_t *rows, *first;
};
void rpt_verdict_basis_init(struct rpt_verdict_basis *basis);
void rpt_verdict_basis_fini(struct rpt_verdict_basis *basis);

/* Judges a process, or everything. */
void rpt_verdicts_judge(struct rpt_verdicts *v, const struct rpt_verdict_basis *basis,
			const struct rpt_unit *u);
void rpt_verdicts_fini(struct rpt_verdicts *v);
/* The worst judgement; RPT_INVESTIGATE makes --check fail. Unknown is no judgement. */
enum rpt_judgement rpt_verdicts_worst(const struct rpt_verdicts *v);
/* Why there is no reading of the counters of this name, in words; borrowed. */
const char *rpt_counter_reason(const struct rpt_model *m, const char *name);

/* --- between the files of the verdicts --- */

/* evidence.c: the stacks behind a verdict of a process, or of everything (0). */
void rpt_verdict_find_stacks(struct rpt_verdict *v, const struct rpt_verdict_basis *basis,
			     uint32_t process);

#endif
