/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names for locations: asks what packed traces bring along, the symbolizer for those in files, and the
 * trace for all others.
 */
#ifndef RPT_RESOLVE_H
#define RPT_RESOLVE_H

#include "report/model/code.h"
#include "report/model/model.h"
#include "report/symbols/symbols.h"

/*
 * Gives every location of the code its lines. The symbolizer's answers are borrowed in places, so it
 * has to live as long as the code does. options are those of the symbolizer.
 */
void rpt_resolve(struct rpt_model *m, struct rpt_code *c, struct rpt_symbolizer *symbolizer,
		 const struct rpt_symbol_options *options);

#endif
