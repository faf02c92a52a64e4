/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Threads that don't do what the rules expect of them: they block in something that is not normal for
 * threads of their name, sleep longer than their period, or hold a CPU for too long.
 */
#ifndef RPT_EXPECT_H
#define RPT_EXPECT_H

#include "report/analyse/profile.h"
#include "report/analyse/rules.h"

enum rpt_breach_kind {
	RPT_BREACH_NONE,
	RPT_BREACH_NEVER, /* blocked in what the rule says is never normal */
	RPT_BREACH_BLOCKED, /* blocked in what the rule does not name */
	RPT_BREACH_PERIOD, /* blocked as expected, but for too long */
	RPT_BREACH_SLICE, /* on a CPU for too long */
};

struct rpt_breach {
	enum rpt_breach_kind kind;
	const struct rpt_thread_rule *rule;
	uint32_t thread;
	uint32_t comm; /* string: the thread's name then */
	uint32_t class; /* of the wait; index in rpt_wait_classes */
	const char *blocked_in; /* static: system call, "ioctl(KVM_RUN)"; else the class */
	uint64_t value; /* nanoseconds: blocked, or the longest slice */
	uint64_t count, open_count, max_ns;
	uint64_t time_ns; /* slice: when it ended */
	uint32_t call; /* stack that contributes most, 0 = none */
	uint64_t call_ns; /* its part of value */
};

struct rpt_breaches {
	struct rpt_breach *items; /* owned; by kind as above, longest first */
	size_t count, cap;
	size_t threads; /* that a rule fits */
	uint64_t unjudged_ns; /* blocked time of theirs of which neither call nor stack is known */
};

void rpt_breaches_find(struct rpt_breaches *b, const struct rpt_rules *rules,
		       const struct rpt_profile *offcpu, const struct rpt_model *m,
		       const struct rpt_code *c);
void rpt_breaches_fini(struct rpt_breaches *b);

/* --- one wait, for analyses of other kinds --- */

struct rpt_expecter;

struct rpt_expecter *rpt_expecter_new(const struct rpt_rules *rules, const struct rpt_model *m,
				      const struct rpt_code *c);
void rpt_expecter_free(struct rpt_expecter *e);
/*
 * How a thread of this name breaks a rule by blocking at a call, in a system call (its name, NULL = none
 * or not known), in a wait of a class; and *rule, the one that fits it, or NULL.
 */
enum rpt_breach_kind rpt_expecter_judge(struct rpt_expecter *e, uint32_t thread, uint32_t comm,
					uint32_t call, const char *syscall, uint32_t class,
					const struct rpt_thread_rule **rule);

/* The name of a system call in a process's trace, with what the stack tells of it. NULL = not known. */
const char *rpt_expect_call_name(const struct rpt_model *m, uint32_t process, uint32_t syscall,
				 uint32_t class);

#endif
