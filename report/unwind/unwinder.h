/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Walks copied user stacks (STACK_COPY records) by the unwind information of the files that their code
 * was in. Files are found as for symbols.
 */
#ifndef RPT_UNWINDER_H
#define RPT_UNWINDER_H

#include "report/model/model.h"

struct rpt_symbol_options;
struct rpt_unwinder;

/* The options are borrowed. Never NULL. */
struct rpt_unwinder *rpt_unwinder_new(const struct rpt_symbol_options *options);
void rpt_unwinder_free(struct rpt_unwinder *u);

/* Walks a copy whose thread had this image; architecture is the kernel's name for the machine. Returns
 * its node in the model's stacks, or how it ended where there is no frame. */
uint32_t rpt_unwinder_walk(struct rpt_unwinder *u, struct rpt_model *m,
			   const struct pa_stack_copy *copy, const char *architecture,
			   uint32_t image);

#endif
