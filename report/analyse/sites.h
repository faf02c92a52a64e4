/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where threads block: the function of their own code they were in, and what the kernel waited for on
 * their behalf. Frames that every wait has in common (the scheduler, system call entry) are skipped.
 */
#ifndef RPT_SITES_H
#define RPT_SITES_H

#include "report/analyse/profile.h"

struct rpt_wait_site {
	uint32_t
		user; /* function: innermost of the process's own code; 0 = none (kernel threads) */
	uint32_t
		kernel; /* function: innermost of the kernel that says what is waited for; 0 = none */
	uint32_t class; /* as in rpt_row */
	const char *syscall; /* its name; NULL = none or not known */
	uint64_t value, count, open_count, max_ns;
};

struct rpt_wait_sites {
	struct rpt_wait_site *items; /* owned; longest first */
	size_t count;
	/* Owned; by function: */
	bool *plumbing; /* every wait goes through it, so it tells nothing */
	bool *library; /* the C library's, which waits on behalf of others */
};

void rpt_wait_sites_find(struct rpt_wait_sites *sites, const struct rpt_profile *offcpu,
			 const struct rpt_model *m, const struct rpt_code *c);
void rpt_wait_sites_fini(struct rpt_wait_sites *sites);

#endif
