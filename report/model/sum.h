/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sums that stop at the greatest number instead of going on from 0. */
#ifndef RPT_SUM_H
#define RPT_SUM_H

#include <stdbool.h>
#include <stdint.h>

#include "format/util/mem.h"

/* Adds, at most up to UINT64_MAX; true when that was reached. */
static inline bool rpt_add_saturated(uint64_t *sum, uint64_t value)
{
	if (pa_add_ok(*sum, value, sum))
		return false;
	*sum = UINT64_MAX;
	return true;
}

/* What a counter counted, and for how much of the time. */
struct rpt_count {
	uint64_t value;
	uint64_t enabled_ns;
	uint64_t running_ns;
	bool present; /* there was a reading at all */
};

static inline bool rpt_count_add(struct rpt_count *into, const struct rpt_count *from)
{
	bool saturated = rpt_add_saturated(&into->value, from->value);

	saturated |= rpt_add_saturated(&into->enabled_ns, from->enabled_ns);
	saturated |= rpt_add_saturated(&into->running_ns, from->running_ns);
	into->present |= from->present;
	return saturated;
}

#endif
