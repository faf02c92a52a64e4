/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whether a difference between two recordings could be chance.
 *
 * A recording is cut into blocks of time, long enough that one says little about the next, so that what is
 * correlated in time (phases, bursts) counts as what it is. Drawing blocks again and again, as the block
 * bootstrap does (Carlstein 1986; Kuensch 1989), gives the mean's variance; for a mean it has a closed
 * form, the blocks' variance by their number, so no random numbers are drawn and the answer is always the
 * same. Two means are compared by Welch's test (1947), with Student's distribution for the few blocks.
 *
 * Many functions are compared at once. The chance that any is called changed though none is stays below
 * RPT_DIFF_ALPHA for the table of functions by their own time, and half of it for each other table: each row is tested at its part of it, by its weight in both recordings
 * together (weighted Bonferroni: Genovese, Roeder and Wasserman 2006), which does not tell which way it
 * changed.
 */
#ifndef RPT_DIFF_STATS_H
#define RPT_DIFF_STATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Blocks that a side is cut into. */
#define RPT_DIFF_BLOCKS 30
#define RPT_DIFF_ALPHA 0.01
/* Two runs of the same program differ by as much anyway (placement in memory, clock rates), of which the
 * blocks of one run can't know. */
#define RPT_DIFF_RUN_TO_RUN 0.005

/* What is known of a value on one side. */
struct rpt_diff_sample {
	const uint64_t *blocks; /* the value in each block */
	size_t block_count;
	double seconds; /* of all blocks together */
	/* Of counts: no variance is less than that of drawing count events of all_count. 0 = none. */
	uint64_t count, all_count;
	double value; /* over all blocks and what is in none */
};

struct rpt_diff_test {
	double error; /* standard error of the difference of the values per second */
	double p; /* chance of such a difference, or a greater one, where there is none; 1 = no test */
	double half; /* half of the difference's 95 % interval */
};

struct rpt_diff_test rpt_diff_compare(const struct rpt_diff_sample *before,
				      const struct rpt_diff_sample *after);
/* Two-sided tail of Student's distribution. */
double rpt_student_tail(double t, double degrees);

#endif
