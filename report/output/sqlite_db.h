/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writing into an SQLite database: opening it, and rows into tables. Errors are sticky. */
#ifndef RPT_SQLITE_DB_H
#define RPT_SQLITE_DB_H

#include <stdbool.h>
#include <stdint.h>

#include <sqlite3.h>

#include "format/util/buf.h"
#include "format/util/mem.h"

/* The tables, in the order of their creation: what a row refers to comes before it. */
#define RPT_SQL_TABLES(X)  \
	X(traces)          \
	X(tags)            \
	X(features)        \
	X(processes)       \
	X(threads)         \
	X(modules)         \
	X(functions)       \
	X(frames)          \
	X(frame_functions) \
	X(stacks)          \
	X(samples)         \
	X(counters)        \
	X(sample_counters) \
	X(counter_totals)  \
	X(blocks)          \
	X(function_times)  \
	X(distributions)   \
	X(verdict_values)  \
	X(verdict_threads) \
	X(coverage_facts)

enum rpt_sql_table {
#define RPT_SQL_ENUM_(name) RPT_SQL_##name,
	RPT_SQL_TABLES(RPT_SQL_ENUM_)
#undef RPT_SQL_ENUM_
		RPT_SQL_TABLES_
};

/* In "PRAGMA application_id": "paRp". */
#define RPT_SQL_APPLICATION 0x70615270
/* In "PRAGMA user_version"; raised when a table or view changes. */
#define RPT_SQL_VERSION 1

/* All tables and views; and the indexes, which are made faster when the rows are there. */
extern const char rpt_sql_schema[];
extern const char rpt_sql_indexes[];

/* A query that is kept: found again by its text, which is a literal. */
struct rpt_sql_query {
	const char *sql;
	sqlite3_stmt *stmt;
};
#define RPT_SQL_QUERIES 40

struct rpt_db {
	sqlite3 *sql;
	struct rpt_sql_query queries[RPT_SQL_QUERIES];
	sqlite3_stmt *inserts[RPT_SQL_TABLES_]; /* prepared when they are first used */
	struct pa_buf text; /* while a value is bound */
	int err; /* 0, or the first -errno or PA_E_* */
};

struct rpt_sql_value {
	enum { RPT_SQL_INT, RPT_SQL_REAL, RPT_SQL_TEXT, RPT_SQL_NULL } kind;
	uint64_t number;
	double real;
	const char *text;
};

static inline uint64_t rpt_sql_clamp(uint64_t n)
{
	return PA_MIN(n, (uint64_t)INT64_MAX);
}

/* An integer; above what SQLite can hold it is the greatest that it can. */
#define SQL_INT(n)                                              \
	{                                                       \
		.kind = RPT_SQL_INT, .number = rpt_sql_clamp(n) \
	}
/* An address: all 64 bits, so that printf('0x%x', address) shows it. */
#define SQL_ADDRESS(n)                             \
	{                                          \
		.kind = RPT_SQL_INT, .number = (n) \
	}
/* An integer where condition holds, else NULL. */
#define SQL_INT_IF(condition, n)                                                             \
	{                                                                                    \
		.kind = (condition) ? RPT_SQL_INT : RPT_SQL_NULL, .number = rpt_sql_clamp(n) \
	}
#define SQL_REAL_IF(condition, x)                                              \
	{                                                                      \
		.kind = (condition) ? RPT_SQL_REAL : RPT_SQL_NULL, .real = (x) \
	}
#define SQL_REAL(x)                               \
	{                                         \
		.kind = RPT_SQL_REAL, .real = (x) \
	}
/* Text, as rpt_add_utf8() has it; NULL is NULL. */
#define SQL_TEXT(t)                               \
	{                                         \
		.kind = RPT_SQL_TEXT, .text = (t) \
	}
#define SQL_NULL                     \
	{                            \
		.kind = RPT_SQL_NULL \
	}

/* Opens (makes) the database in a file, and begins a transaction. The error is in db->err, too; close it
 * in any case. */
int rpt_db_open(struct rpt_db *db, const char *path);
/* Commits if nothing failed, and closes. 0 or the first error. */
int rpt_db_close(struct rpt_db *db);
void rpt_db_exec(struct rpt_db *db, const char *sql);
/* Copies all of another database into this one, before anything is written; only databases of this
 * program and version are. */
void rpt_db_copy(struct rpt_db *db, const char *from);
/* Takes what a call of SQLite returned. True when it failed. */
bool rpt_db_failed(struct rpt_db *db, int result);
/* The first column of the first row of a query with these parameters; 0 without a row. */
int64_t rpt_db_query_values(struct rpt_db *db, const char *sql, const struct rpt_sql_value *values,
			    size_t count);
#define rpt_db_query(db, sql, ...)                                                \
	rpt_db_query_values(db, sql, (const struct rpt_sql_value[]){__VA_ARGS__}, \
			    PA_ARRAY_LEN(((const struct rpt_sql_value[]){__VA_ARGS__})))
/* Inserts a row; values are all columns in their order. */
void rpt_db_insert_values(struct rpt_db *db, enum rpt_sql_table table,
			  const struct rpt_sql_value *values, size_t count);
#define rpt_db_insert(db, table, ...)                                                \
	rpt_db_insert_values(db, table, (const struct rpt_sql_value[]){__VA_ARGS__}, \
			     PA_ARRAY_LEN(((const struct rpt_sql_value[]){__VA_ARGS__})))

#endif
