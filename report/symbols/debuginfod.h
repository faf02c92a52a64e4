/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files by build ID from servers, by libdebuginfod, which also keeps what it fetched, and what a server
 * did not have. All requests of a run share a budget of time, and end when the user wants it.
 */
#ifndef RPT_DEBUGINFOD_H
#define RPT_DEBUGINFOD_H

#include "report/symbols/elf.h"
#include "report/symbols/symbols.h"

struct rpt_debuginfod;

/* NULL when the options do not ask for it. */
struct rpt_debuginfod *rpt_debuginfod_new(const struct rpt_symbol_options *options);
void rpt_debuginfod_free(struct rpt_debuginfod *d);
/* Path of the file with a build ID, which the caller frees, or NULL. May be called from several threads. */
char *rpt_debuginfod_fetch(struct rpt_debuginfod *d, const struct rpt_build_id *id, bool code);
/* What went wrong with the servers as a whole, NULL = nothing. */
const char *rpt_debuginfod_get_message(struct rpt_debuginfod *d);

#endif
