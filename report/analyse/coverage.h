/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the traces hold and what they lack: the numbers at the head of every output. */
#ifndef RPT_COVERAGE_H
#define RPT_COVERAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "report/analyse/profile.h"

/* How often frames of one module had no name, and why. */
struct rpt_unresolved {
	uint32_t module;
	uint8_t reason; /* as in rpt_location */
	uint64_t addresses; /* distinct */
	uint64_t samples; /* samples and intervals with such a frame */
	uint64_t innermost; /* of them, those whose innermost frame it is */
};

struct rpt_coverage {
	uint64_t samples;
	double rate_hz; /* samples per second of CPU time that was not idle; 0 = not known */
	double asked_hz;
	uint64_t
		stacks_by_end[PA_STACK_FIRST_ID]; /* user stacks of samples, by enum pa_stack_end */
	uint64_t blocks_by_end[PA_STACK_FIRST_ID]; /* and those of off-CPU intervals */
	struct rpt_unresolved *unresolved; /* owned; most samples first */
	size_t unresolved_count;
	uint64_t lost; /* everything that LOSS records count, but for throttling */
	uint64_t problems; /* records that made no sense */
	bool incomplete; /* a trace has no END record */
};

void rpt_coverage_analyse(struct rpt_coverage *cov, const struct rpt_model *m,
			  const struct rpt_code *c);
void rpt_coverage_fini(struct rpt_coverage *cov);
/* "samples", ... as in "12 samples lost". */
const char *rpt_loss_text(uint32_t kind);
/* "complete", "depth limit", ... */
const char *rpt_stack_end_text(uint32_t end);

#endif
