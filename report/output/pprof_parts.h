/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A pprof file as it is written: message after message, compressed, and the string table at the end. */
#ifndef RPT_PPROF_PARTS_H
#define RPT_PPROF_PARTS_H

#include <stdbool.h>
#include <stdint.h>

#include "profile.pb-c.h"
#include "report/model/model.h"
#include "report/output/gzip.h"

struct rpt_pprof_parts {
	const struct rpt_model *m;
	struct rpt_gzip gzip;
	struct rpt_strings strings; /* the string table; ids are its indexes */
	uint32_t *taken; /* by string of the session: the same in the table, 0 = not yet there */
	bool too_large; /* what follows is left out, and the file is no good */
};

/* 0 or -ENOMEM; after 0, rpt_pprof_end() is to be called. */
int rpt_pprof_begin(struct rpt_pprof_parts *p, const struct rpt_model *m, FILE *out);
void rpt_pprof_add(struct rpt_pprof_parts *p, const Pprof__Profile *part);
/* Index of text in the string table. Text has to be UTF-8 there: what is not becomes '?'. */
int64_t rpt_pprof_string(struct rpt_pprof_parts *p, const char *text);
/* The same for a string of the session. */
int64_t rpt_pprof_take(struct rpt_pprof_parts *p, uint32_t string);
/* Adds the string table and frees. 0, PA_E_LIMIT when readers would refuse the file, or a write error. */
int rpt_pprof_end(struct rpt_pprof_parts *p);

#endif
