/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What goes into a pprof file: which locations and functions the rows of a profile use, and one mapping
 * for each piece of a file that was mapped, with addresses that lie in it. Processes map a file at
 * different addresses; here it has those of the process that was seen first, or others where two files
 * would overlap. Start, limit and offset belong together, so that a reader who has the file finds the
 * same functions.
 */
#ifndef RPT_PPROF_PLAN_H
#define RPT_PPROF_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "report/session.h"

struct rpt_pprof_mapping {
	uint32_t module;
	uint64_t start, limit;
	uint64_t offset; /* in the file, of start */
	bool used;
	bool has_functions, has_filenames, has_line_numbers, has_inline_frames;
};

struct rpt_pprof_plan {
	struct rpt_pprof_mapping *mappings; /* owned; ids count from 1 in this order */
	size_t mapping_count;
	uint32_t *mapping_of; /* owned; id by location, 0 = none */
	bool *locations; /* owned; which are used */
	bool *functions; /* owned; which are used */
};

void rpt_pprof_plan_init(struct rpt_pprof_plan *plan, const struct rpt_session *s,
			 const struct rpt_profile *profile);
void rpt_pprof_plan_fini(struct rpt_pprof_plan *plan);
/* The address of a location in its mapping. */
uint64_t rpt_pprof_address(const struct rpt_pprof_plan *plan, const struct rpt_session *s,
			   uint32_t location);

#endif
