/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What all threads of a process did at one moment: who waits for whose lock, who breaks a rule, and who
 * waits in the same place.
 */
#ifndef RPT_SNAPSHOT_H
#define RPT_SNAPSHOT_H

#include "report/analyse/expect.h"

struct rpt_snapshot_thread {
	const struct rpt_task *task;
	uint32_t call; /* innermost frame, 0 = none */
	uint32_t class; /* of the wait; index in rpt_wait_classes */
	const char *syscall; /* static: its name, "ioctl(KVM_RUN)"; NULL = none or not known */
	bool blocked; /* neither running nor waiting for a CPU */
	uint64_t blocked_ns; /* so far; 0 = not known */
	uint64_t lock; /* address of the futex that it waits for, 0 = none */
	uint32_t owner; /* place of the thread that holds it + 1; 0 = not known */
	uint32_t waiters; /* threads that wait for locks of this one */
	uint32_t cycle; /* of threads that wait for each other, from 1; 0 = in none */
	enum rpt_breach_kind breach;
	const struct rpt_thread_rule *rule; /* that fits it */
};

/* Threads with the same stack. */
struct rpt_stack_group {
	uint32_t call, class, state;
	size_t first, count; /* in order[] */
	uint64_t longest_ns; /* that one of them has been blocked; 0 = not known */
	uint32_t rank; /* what comes first: broken rules, locks, other waits, CPU, idle waits */
};

struct rpt_snapshot {
	struct rpt_snapshot_thread *threads; /* owned; as in the model's tasks */
	size_t count;
	struct rpt_stack_group *groups; /* owned; by rank, longest first */
	size_t group_count, group_cap;
	uint32_t *order; /* owned; threads by group */
	uint32_t cycle_count;
	size_t breach_count, blocked_count, running_count;
};

void rpt_snapshot_analyse(struct rpt_snapshot *s, const struct rpt_rules *rules,
			  const struct rpt_model *m, const struct rpt_code *c);
void rpt_snapshot_fini(struct rpt_snapshot *s);

/* --- between the files of the snapshot --- */

/* locks.c: who holds what the threads wait for, and who waits in a circle. */
void rpt_snapshot_find_locks(struct rpt_snapshot *s, const struct rpt_model *m,
			     const struct rpt_code *c);

#endif
