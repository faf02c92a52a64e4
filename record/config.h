/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the user asked for. */
#ifndef REC_CONFIG_H
#define REC_CONFIG_H

#include <stdbool.h>
#include <stdint.h>

#include "format/cli/opts.h"

/* How user stacks are walked; in the order of the option's choices. */
enum rec_unwind_mode {
	REC_UNWIND_AUTO, /* by tables; by frame pointers where there is none */
	REC_UNWIND_FP, /* by frame pointers alone */
	REC_UNWIND_DWARF, /* by tables alone */
	REC_UNWIND_COPY, /* not walked: copied */
	REC_UNWIND_AUTO_COPY, /* as auto; copied where that leads to no end */
};

/* As on the command line. */
const char *rec_unwind_name(int mode);
static inline bool rec_unwind_uses_tables(int mode)
{
	return mode != REC_UNWIND_FP && mode != REC_UNWIND_COPY;
}

struct rec_config {
	struct pa_opt_list pids; /* --pid, numbers as given */
	struct pa_opt_list comms; /* --comm */
	struct pa_opt_list tags; /* --tag key=value */
	bool all;
	bool profile, offcpu, pmu;
	bool snapshot; /* of one moment, and nothing else */
	bool wakers; /* with the stacks of who wakes blocked threads */
	bool verbose, quiet;
	uint64_t duration_ns; /* 0 = until the target ends */
	uint64_t sample_rate_hz;
	uint64_t buffer_bytes;
	int unwind; /* enum rec_unwind_mode */
	uint64_t unwind_memory_bytes; /* what unwind tables may take in the kernel */
	uint64_t max_bytes; /* of all that is written, or that a ring holds; 0 = no limit */
	const char *rotate; /* --rotate as given, */
	uint64_t rotate_bytes, rotate_ns; /* and what it means: one of them, or neither */
	uint64_t ring_ns; /* time that a flight recorder holds; 0 = it is none */
	const char *output; /* NULL = a name made from the target's */
	char **command; /* NULL-terminated, or NULL */
};

/*
 * Fills config from the command line. 0 to go on, or an enum pa_exit + 1: help was printed, or the
 * usage was wrong and a message says so.
 */
int rec_options_parse(int argc, char **argv, struct rec_config *config);
void rec_config_fini(struct rec_config *config);

#endif
