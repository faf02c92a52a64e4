/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who wakes whom: blocked time by the thread that ended it. */
#ifndef RPT_WAKES_H
#define RPT_WAKES_H

#include "report/analyse/profile.h"

struct rpt_wake {
	uint32_t waker; /* thread, or RPT_WAKER_* */
	uint32_t woken; /* thread */
	uint64_t value; /* nanoseconds that it had been blocked */
	uint64_t count, max_ns;
	/* Stacks that contribute most, of the waker and of the woken; 0 = the waker's was not taken. */
	uint32_t waker_call, woken_call;
	uint64_t stack_ns; /* their part of value */
};

struct rpt_wakes {
	struct rpt_wake *items; /* owned; longest first */
	size_t count, cap;
	uint64_t
		unknown_ns; /* blocked time of which the waker is not known, or that has not ended */
	uint64_t interrupt_ns; /* that an interrupt ended; in items as well */
};

void rpt_wakes_find(struct rpt_wakes *wakes, const struct rpt_profile *offcpu);
void rpt_wakes_fini(struct rpt_wakes *wakes);

#endif
