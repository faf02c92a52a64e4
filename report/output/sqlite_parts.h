/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Between the files of the SQLite output: one session on its way into the database. */
#ifndef RPT_SQLITE_PARTS_H
#define RPT_SQLITE_PARTS_H

#include "report/output/sqlite_db.h"
#include "report/session.h"

struct rpt_sql_writer {
	struct rpt_db *db;
	const struct rpt_session *s;
	uint64_t trace; /* its id */
	uint64_t base[RPT_SQL_TABLES_]; /* the row of what has index i here has id base + i */
	uint64_t *modules, *functions; /* owned; ids by index, 0 = not there yet */
};

/* The id of what has this index, NULL for index 0. */
#define SQL_ID(w, table, index) SQL_INT_IF((index) != 0, (w)->base[RPT_SQL_##table] + (index))

/* Functions, frames, stacks, samples and blocks. */
void rpt_sql_profiles(struct rpt_sql_writer *w);
/* Distributions, counters, verdicts, coverage. */
void rpt_sql_health(struct rpt_sql_writer *w);

#endif
