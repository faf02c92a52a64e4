/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How an address got its name, step by step. */
#ifndef RPT_EXPLAIN_H
#define RPT_EXPLAIN_H

#include "report/model/code.h"
#include "report/model/model.h"

struct rpt_explained {
	uint32_t location;
	uint32_t image; /* in which it was seen first; 0 = in none, or not in a process */
	uint64_t address; /* in that image, or in the kernel; 0 = not known */
	struct rpt_mapping mapping; /* that it is in; empty when there is none */
	uint64_t samples; /* samples and intervals with the address in their stack */
	uint64_t stamp; /* last group that it was counted for */
	uint64_t innermost; /* of them, those that were there */
};

struct rpt_explain {
	struct rpt_explained *items; /* owned; most samples first */
	size_t count, cap;
};

/*
 * What is an address, MODULE+OFFSET or the name of a function. Adds locations for addresses to the code, to
 * be called between rpt_locate() and rpt_resolve(); functions are looked for afterwards.
 */
void rpt_explain_begin(struct rpt_explain *e, const char *what, struct rpt_model *m,
		       struct rpt_code *c);
void rpt_explain_finish(struct rpt_explain *e, const char *what, const struct rpt_model *m,
			const struct rpt_code *c);
void rpt_explain_fini(struct rpt_explain *e);

#endif
