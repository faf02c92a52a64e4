/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Samples and off-CPU intervals, summed over everything that is equal about them, so that memory
 * follows distinct stacks and not the length of the recording.
 */
#ifndef RPT_SAMPLES_H
#define RPT_SAMPLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/util/htab.h"

#define RPT_MAX_SAMPLED 16 /* counters whose advance samples carry */

/* Where something happened. Stacks are nodes or end kinds, as in stacks.h; 0 = there is none. */
struct rpt_site {
	uint32_t thread;
	uint32_t image;
	uint32_t comm; /* string: the thread's name at that time */
	uint32_t ustack;
	uint32_t kstack;
	uint32_t state; /* enum pa_block_state; 0 for samples */
	uint32_t syscall; /* number + 1; 0 = none, or a sample */
	/* Who ended an interval, and where he was. */
	uint32_t waker; /* thread; 0 = not known; or RPT_WAKER_* */
	uint32_t waker_image;
	uint32_t waker_ustack; /* 0 = not taken, as is the next one */
	uint32_t waker_kstack;
	uint32_t cpu; /* number + 1 where samples are told apart by it; else 0 */
};
#define RPT_WAKER_INTERRUPT UINT32_MAX /* a timer, a device */
#define RPT_WAKER_OUTSIDE (UINT32_MAX - 1) /* a thread that is not in the trace */

struct rpt_group {
	struct rpt_site site;
	uint64_t count; /* samples, or intervals seen with this stack */
	uint64_t weight; /* units of the sampling event, or nanoseconds seen with this stack */
	uint64_t max_ns; /* longest interval */
	uint64_t open_count; /* intervals that had not ended when recording did */
	/* Intervals whose stacks were not taken, and that those with this stack stand for as well: */
	uint64_t thinned_count; /* estimated */
	uint64_t thinned_ns;
	uint64_t *
		counters; /* owned; RPT_MAX_SAMPLED sums, in the order of the model's sampled counters;
			     * NULL = none */
};

struct rpt_groups {
	struct rpt_group *items; /* owned */
	size_t count;
	size_t cap;
	struct pa_htab index;
};

void rpt_groups_init(struct rpt_groups *g);
void rpt_groups_fini(struct rpt_groups *g);
uint64_t rpt_site_hash(const struct rpt_site *site);
/* The group of a site, empty when it is new. Valid until the next call. */
struct rpt_group *rpt_groups_get(struct rpt_groups *g, const struct rpt_site *site, uint64_t hash);
/*
 * Memory is far away when there are many groups: what is looked up soon is got under way, first the
 * index, then, some time later, the group.
 */
void rpt_groups_expect_index(const struct rpt_groups *g, uint64_t hash);
void rpt_groups_expect_group(const struct rpt_groups *g, uint64_t hash);

#endif
