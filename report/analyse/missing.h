/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which files would say more about the addresses of the traces, the heaviest first. */
#ifndef RPT_MISSING_H
#define RPT_MISSING_H

#include "report/model/code.h"
#include "report/model/model.h"

enum rpt_lack {
	RPT_LACK_NOTHING,
	RPT_LACK_LINES, /* names are there, but no files and lines */
	RPT_LACK_SYMBOLS, /* some addresses have no name */
	RPT_LACK_FILE, /* no file was found, or none that may be used */
};

struct rpt_missing_row {
	uint32_t module;
	enum rpt_lack lack; /* the worst */
	uint64_t samples; /* samples and intervals with an address that lacks something */
	uint64_t addresses; /* that lack something */
	char *package; /* owned: the package that has it; NULL = not known */
};

struct rpt_missing {
	struct rpt_missing_row *rows; /* owned */
	size_t count;
};

/* sysroot is where the recorded host's files lie, or NULL. */
void rpt_missing_find(struct rpt_missing *missing, const struct rpt_model *m,
		      const struct rpt_code *c, const char *sysroot);
void rpt_missing_fini(struct rpt_missing *missing);
/* "file", "symbols", "debug". */
const char *rpt_lack_text(enum rpt_lack lack);

#endif
