/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One module: its files, what was resolved in it, and how that went. Used by one thread at a time. */
#ifndef RPT_SYMBOL_MODULE_H
#define RPT_SYMBOL_MODULE_H

#include "report/symbols/search.h"
#include "report/symbols/symbols.h"

struct rpt_symbol_module;

/* NULL when there is no memory; desc is copied but for the image. */
struct rpt_symbol_module *rpt_symbol_module_new(const struct rpt_module_desc *desc);
void rpt_symbol_module_free(struct rpt_symbol_module *m);
const char *rpt_symbol_module_get_path(const struct rpt_symbol_module *m);
void rpt_symbol_module_get_state(const struct rpt_symbol_module *m, struct rpt_module_state *state);

/*
 * Resolves the queries that by points to, all of this module. Files are opened on the way and closed at
 * the end; what is known from an earlier call is not worked on again.
 */
void rpt_symbol_module_resolve(struct rpt_symbol_module *m, struct rpt_search *search,
			       const struct rpt_symbol_options *options,
			       struct rpt_symbol_query *const *queries, size_t count);

#endif
