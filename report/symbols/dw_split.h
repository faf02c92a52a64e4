/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Split DWARF: units whose functions are in .dwo files, or in one .dwp package of these. */
#ifndef RPT_DW_SPLIT_H
#define RPT_DW_SPLIT_H

#include "report/symbols/dw_unit.h"
#include "report/symbols/search.h"

struct rpt_dw_splits {
	struct rpt_dw_file **files; /* owned; all that were opened so far */
	size_t count;
	size_t cap;
	bool packages_tried;
	struct rpt_trail *trail; /* as in rpt_wanted */
	const char *missing; /* name of the first file that was not found; borrowed from its unit */
};

void rpt_dw_splits_fini(struct rpt_dw_splits *s);
/* Finds the unit with the functions of skeleton, once, and ties both together. May leave it without. */
void rpt_dw_splits_attach(struct rpt_dw_splits *s, struct rpt_search *search,
			  struct rpt_dw_unit *skeleton);

#endif
