/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From stacks of addresses to stacks of locations: which module each address lies in, in the image
 * that the process had at that time, and markers for frames that are missing.
 */
#ifndef RPT_LOCATE_H
#define RPT_LOCATE_H

#include "report/model/code.h"
#include "report/model/model.h"

/* Fills in locations, calls, sample_calls and block_calls of an empty code. */
void rpt_locate(struct rpt_model *m, struct rpt_code *c);

/* The location of an address in an image of a process; of one in the kernel, whatever image is. To be
 * called after rpt_locate(). */
uint32_t rpt_locate_address(struct rpt_model *m, struct rpt_code *c, uint32_t image,
			    uint64_t address);

/* What a location of a RPT_MODULE_MARKER module stands for is in its address. */
enum rpt_marker {
	RPT_MARKER_NONE,
	RPT_MARKER_TRUNCATED,
	RPT_MARKER_INCOMPLETE,
	RPT_MARKER_NOT_TAKEN,
	RPT_MARKER_LOST,
	RPT_MARKER_NO_USER,
	RPT_MARKER_UNRECORDED,
	RPT_MARKERS_
};
/* "[truncated]", ... */
const char *rpt_marker_text(enum rpt_marker marker);

#endif
