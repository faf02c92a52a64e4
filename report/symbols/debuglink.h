/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Separate debug files that a .gnu_debuglink section names. */
#ifndef RPT_DEBUGLINK_H
#define RPT_DEBUGLINK_H

#include "report/symbols/search.h"

struct rpt_debuglink_dirs {
	const char *const *symbol_dirs;
	size_t symbol_dir_count;
	const char *sysroot; /* the host's directory is looked for below it as well; or NULL */
	const char *host; /* the host's directory, or NULL */
};

/*
 * Looks in the places that search.h lists. A candidate with a build ID must have the wanted one; one without
 * must have the CRC that the link gives.
 */
struct rpt_elf *rpt_debuglink_open(const struct rpt_debuglink_dirs *dirs,
				   const struct rpt_wanted *wanted, const struct rpt_elf *code);

#endif
