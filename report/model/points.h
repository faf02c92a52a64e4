/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Single samples and off-CPU intervals, in the order of time. They are kept only where an output or an
 * analysis asks for them: memory then follows the length of the recording. Without, what is equal is one
 * group, see samples.h.
 */
#ifndef RPT_POINTS_H
#define RPT_POINTS_H

#include <stddef.h>
#include <stdint.h>

/* Of an rpt_point: */
#define RPT_POINT_SUM \
	1u /* many short intervals since the last such point; time_ns is when they were summed */
#define RPT_POINT_OPEN 2u /* the interval had not ended when recording did */

/* The CPU where none is known: of off-CPU intervals. */
#define RPT_POINT_NO_CPU UINT32_MAX

struct rpt_point {
	uint64_t time_ns; /* of a sample; where an interval began, or what was read of it */
	uint64_t value; /* units of the sampling event, or the length of the interval */
	uint32_t group; /* index in the model's samples, or blocks: who, and which stack */
	uint32_t cpu;
	uint32_t count; /* samples, or intervals */
	uint32_t flags; /* RPT_POINT_* */
};

struct rpt_points {
	struct rpt_point *items; /* owned; trace by trace, each in the order of time */
	size_t count, cap;
	size_t sorted; /* of the traces that are finished */
};

void rpt_points_fini(struct rpt_points *p);
void rpt_points_add(struct rpt_points *p, const struct rpt_point *point);
/* The points since the last call are those of one trace: puts them in order. */
void rpt_points_finish_trace(struct rpt_points *p);

#endif
