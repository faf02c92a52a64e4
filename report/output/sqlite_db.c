// SPDX-License-Identifier: GPL-2.0-or-later
/* Writing into an SQLite database. */
#include "report/output/sqlite_db.h"

#include <errno.h>
#include <string.h>

#include "format/util/err.h"
#include "format/util/mem.h"
#include "report/output/units.h"

/* SQLite's codes in terms of ours. */
static int error_of(sqlite3 *sql, int result)
{
	int system = sql ? sqlite3_system_errno(sql) : 0;

	switch (result & 0xff) {
	case SQLITE_NOMEM:
		return -ENOMEM;
	case SQLITE_FULL:
		return -ENOSPC;
	case SQLITE_NOTADB:
	case SQLITE_CORRUPT:
	case SQLITE_CONSTRAINT:
		return PA_E_CORRUPT;
	case SQLITE_TOOBIG:
		return PA_E_LIMIT;
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
		return -EBUSY;
	default:
		return system ? -system : -EIO;
	}
}

bool rpt_db_failed(struct rpt_db *db, int result)
{
	if (result == SQLITE_OK || result == SQLITE_ROW || result == SQLITE_DONE)
		return false;
	if (!db->err)
		db->err = error_of(db->sql, result);
	return true;
}

void rpt_db_exec(struct rpt_db *db, const char *sql)
{
	if (!db->err)
		rpt_db_failed(db, sqlite3_exec(db->sql, sql, NULL, NULL, NULL));
}

int rpt_db_open(struct rpt_db *db, const char *path)
{
	*db = (struct rpt_db){0};
	pa_buf_init(&db->text);
	rpt_db_failed(db, sqlite3_open_v2(path, &db->sql,
					  SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL));
	/* The file gets its name when it is whole, so there is nothing to roll back to. */
	rpt_db_exec(db, "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;"
			"PRAGMA locking_mode = EXCLUSIVE;"
			"PRAGMA cache_size = -65536; PRAGMA temp_store = MEMORY;");
	return db->err;
}

int rpt_db_close(struct rpt_db *db)
{
	size_t i;

	for (i = 0; i < RPT_SQL_TABLES_; i++)
		sqlite3_finalize(db->inserts[i]);
	for (i = 0; i < RPT_SQL_QUERIES; i++)
		sqlite3_finalize(db->queries[i].stmt);
	if (!db->err && !sqlite3_get_autocommit(db->sql))
		rpt_db_exec(db, "COMMIT");
	if (sqlite3_close(db->sql) != SQLITE_OK && !db->err)
		db->err = -EIO;
	pa_buf_fini(&db->text);
	return db->err;
}

/* --- values --- */

static int bind_text(struct rpt_db *db, sqlite3_stmt *stmt, int index, const char *text)
{
	if (!text)
		return sqlite3_bind_null(stmt, index);
	pa_buf_reset(&db->text);
	rpt_add_utf8(&db->text, text);
	if (pa_buf_error(&db->text))
		return SQLITE_NOMEM;
	return sqlite3_bind_text64(stmt, index, (const char *)db->text.data, db->text.len,
				   SQLITE_TRANSIENT, SQLITE_UTF8);
}

static void bind(struct rpt_db *db, sqlite3_stmt *stmt, const struct rpt_sql_value *values,
		 size_t count)
{
	size_t i;
	int r = SQLITE_OK;

	for (i = 0; i < count && r == SQLITE_OK; i++) {
		const struct rpt_sql_value *v = &values[i];
		int index = (int)i + 1;

		switch (v->kind) {
		case RPT_SQL_INT:
			r = sqlite3_bind_int64(stmt, index, (int64_t)v->number);
			break;
		case RPT_SQL_REAL:
			r = sqlite3_bind_double(stmt, index, v->real);
			break;
		case RPT_SQL_TEXT:
			r = bind_text(db, stmt, index, v->text);
			break;
		case RPT_SQL_NULL:
			r = sqlite3_bind_null(stmt, index);
			break;
		}
	}
	rpt_db_failed(db, r);
}

static sqlite3_stmt *find_query(struct rpt_db *db, const char *sql)
{
	struct rpt_sql_query *q = db->queries;

	while (q->sql && q->sql != sql)
		q++;
	if (!q->sql) {
		rpt_db_failed(db, sqlite3_prepare_v3(db->sql, sql, -1, SQLITE_PREPARE_PERSISTENT,
						     &q->stmt, NULL));
		q->sql = sql;
	}
	return q->stmt;
}

int64_t rpt_db_query_values(struct rpt_db *db, const char *sql, const struct rpt_sql_value *values,
			    size_t count)
{
	sqlite3_stmt *stmt = db->err ? NULL : find_query(db, sql);
	int64_t found = 0;
	int r;

	if (db->err)
		return 0;
	bind(db, stmt, values, count);
	r = sqlite3_step(stmt);
	if (r == SQLITE_ROW)
		found = sqlite3_column_int64(stmt, 0);
	rpt_db_failed(db, r);
	sqlite3_reset(stmt);
	return found;
}

/* --- rows --- */

static void prepare_insert(struct rpt_db *db, enum rpt_sql_table table, size_t columns)
{
	static const char *const names[RPT_SQL_TABLES_] = {
#define NAME(name) #name,
		RPT_SQL_TABLES(NAME)
#undef NAME
	};
	struct pa_buf sql;
	size_t i;

	pa_buf_init(&sql);
	pa_buf_addf(&sql, "INSERT INTO %s VALUES(", names[table]);
	for (i = 0; i < columns; i++)
		pa_buf_add_str(&sql, i ? ",?" : "?");
	pa_buf_add_str(&sql, ")");
	if (pa_buf_error(&sql))
		db->err = -ENOMEM;
	else
		rpt_db_failed(db, sqlite3_prepare_v3(db->sql, pa_buf_str(&sql), -1,
						     SQLITE_PREPARE_PERSISTENT, &db->inserts[table],
						     NULL));
	pa_buf_fini(&sql);
}

void rpt_db_insert_values(struct rpt_db *db, enum rpt_sql_table table,
			  const struct rpt_sql_value *values, size_t count)
{
	if (!db->err && !db->inserts[table])
		prepare_insert(db, table, count);
	if (db->err)
		return;
	bind(db, db->inserts[table], values, count);
	rpt_db_failed(db, sqlite3_step(db->inserts[table]));
	sqlite3_reset(db->inserts[table]);
}

/* --- an existing database --- */

static int64_t pragma(sqlite3 *sql, const char *text)
{
	sqlite3_stmt *stmt = NULL;
	int64_t value = -1;

	if (sqlite3_prepare_v2(sql, text, -1, &stmt, NULL) == SQLITE_OK &&
	    sqlite3_step(stmt) == SQLITE_ROW)
		value = sqlite3_column_int64(stmt, 0);
	sqlite3_finalize(stmt);
	return value;
}

static void copy_from(struct rpt_db *db, sqlite3 *from)
{
	sqlite3_backup *backup;

	/* This is PRAGMA's answer for any file that is no database, too. */
	if (pragma(from, "PRAGMA application_id") != RPT_SQL_APPLICATION ||
	    pragma(from, "PRAGMA user_version") != RPT_SQL_VERSION) {
		db->err = PA_E_UNSUPPORTED;
		return;
	}
	backup = sqlite3_backup_init(db->sql, "main", from, "main");
	if (!backup) {
		rpt_db_failed(db, sqlite3_errcode(db->sql));
		return;
	}
	sqlite3_backup_step(backup, -1);
	rpt_db_failed(db, sqlite3_backup_finish(backup));
}

void rpt_db_copy(struct rpt_db *db, const char *from)
{
	sqlite3 *source = NULL;
	int r;

	if (db->err)
		return;
	r = sqlite3_open_v2(from, &source, SQLITE_OPEN_READONLY, NULL);
	if (r == SQLITE_OK)
		copy_from(db, source);
	else
		db->err = error_of(source, r);
	sqlite3_close(source);
}
