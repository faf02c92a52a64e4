/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Kernel addresses that say nothing of where the kernel lay: each range of the kernel, and each symbol
 * outside of them, is moved to a place that depends on its order in the trace alone. Offsets within a
 * range stay, so that symbols still cover the same addresses.
 */
#ifndef RPT_SCRUB_KERNEL_H
#define RPT_SCRUB_KERNEL_H

#include <stddef.h>
#include <stdint.h>

struct rpt_moved_range {
	uint64_t start, end;
	uint64_t moved; /* where it starts now */
};

struct rpt_kernel_mover {
	struct rpt_moved_range *ranges; /* owned; by start */
	size_t count, cap;
	uint64_t next; /* free from here on; 0 = none was given out yet */
};

void rpt_kernel_mover_fini(struct rpt_kernel_mover *m);
/* Makes a range known, unless its start is in one already; the new address of its start. */
uint64_t rpt_kernel_mover_add(struct rpt_kernel_mover *m, uint64_t start, uint64_t length_bytes);
/* The new address; one and the same for all that is in no range. User addresses stay as they are. */
uint64_t rpt_kernel_mover_move(const struct rpt_kernel_mover *m, uint64_t address);

#endif
