/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What sched.c and sched_sums.c share. */
#ifndef REC_SCHED_INTERNAL_H
#define REC_SCHED_INTERNAL_H

#include <linux/types.h>

#include "bpf/events.h"
#include "format/hist.h"
#include "format/pa-format.h"
#include "record/sched.h"
#include "record/world.h"

/* What was written of a thread, so that the next record has what came since. */
struct rec_thread_sched {
	uint64_t written_ns; /* end of the span that was written */
	struct ev_totals totals; /* as written: with the open phase's part */
	struct ev_extremes extremes[PA_HIST_KINDS_];
	struct pa_histogram pending[PA_HIST_KINDS_]; /* values that are not written yet */
	uint64_t hist_seen;
	uint64_t faults_minor, faults_major, migrations;
	struct ev_count counts[EV_MAX_COUNTERS];
	/* The block that it was last seen in. */
	bool blocked;
	bool announced;
	uint64_t since_ns;
	uint64_t ustack,
		kstack; /* as sent; PA_STACK_NOT_TAKEN: the sleeper's below, if it was walked */
	uint32_t state, flags;
	uint64_t syscall;
	/* Stack of a sleeper that was walked from outside. */
	uint64_t sleeper_since_ns;
	uint32_t sleeper_ustack, sleeper_kstack;
	uint64_t sleeper_syscall;
};

/* now - before, or 0 where clocks of two CPUs disagree. */
static inline uint64_t rec_since(uint64_t now, uint64_t before)
{
	return now > before ? now - before : 0;
}

/* The thread of an event, with its state. An unknown one (its first event was lost) is found by its ids.
 * 0 or -ENOMEM. */
int rec_sched_find(struct rec_sched *s, const struct ev_who *who, uint64_t time_ns,
		   struct rec_thread **t);
/* Takes the values that a thread holds and has not sent. 0 or -ENOMEM. */
int rec_sched_take_tail(struct rec_sched *s, struct rec_thread_sched *ts,
			const struct ev_thread_stat *stat, bool last);
/* Writes what has come since the last time: sums, distributions, counters. 0 or -errno. */
int rec_sched_write_statistics(struct rec_sched *s, struct rec_thread *t,
			       const struct ev_thread_stat *stat, uint64_t now_ns);

#endif
