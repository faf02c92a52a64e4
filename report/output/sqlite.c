// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * An SQLite database of one or many recordings. It is written under another name, beside what may be
 * there already, and takes that one's place when it is whole.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "format/util/err.h"
#include "report/output/outputs.h"
#include "report/output/sqlite_parts.h"
#include "report/output/units.h"
#include "report/xmem.h"

static const char *text(const struct rpt_sql_writer *w, uint32_t string)
{
	return string ? rpt_text(&w->s->model, string) : NULL;
}

/* --- the trace --- */

/*
 * What makes a recording this one: the machine, the moment, and what was asked of the recorder. Of one
 * that lacks its first record, what is left of it.
 */
static void add_identity(struct pa_buf *out, const struct rpt_model *m, const struct rpt_trace *t)
{
	const char *filter = m->filter ? m->filter->text : "";

	if (t->has_session)
		pa_buf_addf(out, "%s|%llu|%llu|%s|%s|%s|%s|%s|%u|%u|%s", rpt_text(m, t->host),
			    (unsigned long long)t->session_wall_ns,
			    (unsigned long long)t->session_start_ns, rpt_text(m, t->recorder),
			    rpt_text(m, t->arch), rpt_text(m, t->kernel), rpt_text(m, t->target),
			    rpt_text(m, t->command), t->modes, t->first_segment, filter);
	else
		pa_buf_addf(out, "without a session|%llu|%llu|%llu|%s",
			    (unsigned long long)t->reader.records,
			    (unsigned long long)t->reader.bytes, (unsigned long long)t->last_ns,
			    filter);
}

/* The same as deleting it from traces with foreign keys on, but not row by row. */
static void remove_trace(struct rpt_sql_writer *w, uint64_t trace)
{
#define OF(table) "DELETE FROM " table " WHERE trace_id = ?"
#define UNDER(table, key, parent) \
	"DELETE FROM " table " WHERE " key " IN (SELECT id FROM " parent " WHERE trace_id = ?)"
	static const char *const deletes[] = {
		UNDER("verdict_threads", "verdict_id", "verdict_values"),
		UNDER("sample_counters", "sample_id", "samples"),
		UNDER("frame_functions", "frame_id", "frames"),
		OF("coverage_facts"),
		OF("verdict_values"),
		OF("distributions"),
		OF("function_times"),
		OF("blocks"),
		OF("counter_totals"),
		OF("samples"),
		OF("counters"),
		OF("stacks"),
		OF("frames"),
		OF("threads"),
		OF("processes"),
		OF("features"),
		OF("tags"),
		"DELETE FROM traces WHERE id = ?",
	};
#undef OF
#undef UNDER
	size_t i;

	for (i = 0; i < PA_ARRAY_LEN(deletes); i++)
		rpt_db_query(w->db, deletes[i], SQL_INT(trace));
}

/* Where the recording is there already, it is replaced, unless this is a shorter part of it. True when
 * there is something to write. */
static bool make_room(struct rpt_sql_writer *w, const char *identity, uint64_t records)
{
	uint64_t old, old_records;

	old = (uint64_t)rpt_db_query(w->db, "SELECT id FROM traces WHERE identity = ?",
				     SQL_TEXT(identity));
	if (!old)
		return true;
	old_records = (uint64_t)rpt_db_query(w->db, "SELECT records FROM traces WHERE id = ?",
					     SQL_INT(old));
	if (old_records > records)
		return false;
	remove_trace(w, old);
	return true;
}

static void add_trace(struct rpt_sql_writer *w, const struct rpt_trace *t, const char *identity)
{
	const struct rpt_session *s = w->s;
	struct pa_buf build_id;

	pa_buf_init(&build_id);
	rpt_add_build_id(&build_id, t->kernel_build_id, t->kernel_build_id_bytes);
	rpt_xcheck(pa_buf_error(&build_id));
	rpt_db_insert(
		w->db, RPT_SQL_traces, SQL_INT(w->trace), SQL_TEXT(identity), SQL_TEXT(t->file),
		SQL_TEXT(text(w, t->recorder)), SQL_TEXT(text(w, t->host)),
		SQL_TEXT(text(w, t->arch)), SQL_TEXT(text(w, t->kernel)),
		SQL_TEXT(build_id.len ? pa_buf_str(&build_id) : NULL),
		SQL_TEXT(text(w, t->cpu_model)), SQL_INT_IF(t->has_session, t->cpus),
		SQL_TEXT(text(w, t->target)), SQL_TEXT(text(w, t->command)),
		SQL_TEXT(text(w, t->clock)), SQL_INT_IF(t->has_session, t->start_ns),
		SQL_INT_IF(t->has_session, t->start_wall_ns), SQL_INT(t->end_ns),
		SQL_INT(s->duration_ns), SQL_INT_IF(t->asked_ns, t->asked_ns),
		SQL_INT(!!(t->modes & PA_MODE_PROFILE)), SQL_INT(!!(t->modes & PA_MODE_OFFCPU)),
		SQL_INT(!!(t->modes & PA_MODE_PMU)), SQL_INT(!!(t->modes & PA_MODE_SNAPSHOT)),
		SQL_INT(!!(t->modes & PA_MODE_ALL)), SQL_TEXT(text(w, t->unwind)),
		SQL_TEXT(text(w, t->event)), SQL_TEXT(text(w, t->event_reason)),
		SQL_INT_IF(t->rate_hz, t->rate_hz), SQL_INT_IF(t->period, t->period),
		SQL_INT(t->ended), SQL_INT_IF(t->ended, t->end_reason),
		SQL_TEXT(text(w, t->end_detail)), SQL_INT_IF(t->status_known, t->status),
		SQL_INT_IF(t->segment_count, t->first_segment),
		SQL_INT_IF(t->segment_count, t->last_segment), SQL_INT(t->segments_cut),
		SQL_INT(t->gap_ns), SQL_INT(s->oncpu.count),
		SQL_INT_IF(s->oncpu.by_time, s->oncpu.total), SQL_INT(s->oncpu.estimated_time),
		SQL_INT(s->offcpu.count), SQL_INT(s->offcpu.total), SQL_INT(s->offcpu.open_count),
		SQL_INT(s->offcpu.thinned), SQL_INT(s->offcpu.unrecorded),
		SQL_INT(t->reader.records), SQL_INT(t->reader.bytes),
		SQL_TEXT(s->model.filter && *s->model.filter->text ? s->model.filter->text : NULL));
	pa_buf_fini(&build_id);
}

static void add_pairs(struct rpt_sql_writer *w, const struct rpt_trace *t)
{
	const struct rpt_model *m = &w->s->model;
	size_t i;

	for (i = 0; i < t->tags.count; i++)
		rpt_db_insert(w->db, RPT_SQL_tags, SQL_INT(w->trace),
			      SQL_TEXT(rpt_text(m, t->tags.items[i].key)),
			      SQL_TEXT(rpt_text(m, t->tags.items[i].value)));
	for (i = 0; i < t->features.count; i++)
		rpt_db_insert(w->db, RPT_SQL_features, SQL_INT(w->trace),
			      SQL_TEXT(rpt_text(m, t->features.items[i].key)),
			      SQL_TEXT(rpt_text(m, t->features.items[i].value)),
			      SQL_TEXT(text(w, t->features.items[i].reason)));
}

/* --- who there was --- */

static void add_processes(struct rpt_sql_writer *w)
{
	const struct rpt_processes *all = &w->s->model.processes;
	uint32_t i;

	for (i = 1; i < all->process_count; i++) {
		const struct rpt_process *p = &all->processes[i];

		rpt_db_insert(w->db, RPT_SQL_processes, SQL_ID(w, processes, i), SQL_INT(w->trace),
			      SQL_INT(p->pid), SQL_ID(w, processes, p->parent),
			      SQL_TEXT(text(w, rpt_process_name(all, i))),
			      SQL_TEXT(text(w, p->exe)), SQL_TEXT(text(w, p->cmdline)),
			      SQL_TEXT(text(w, p->cgroup)), SQL_INT(p->start_ns),
			      SQL_INT_IF(p->end_ns, p->end_ns),
			      SQL_INT_IF(p->status_known, p->status));
	}
}

static void add_threads(struct rpt_sql_writer *w)
{
	const struct rpt_processes *all = &w->s->model.processes;
	uint32_t i;

	for (i = 1; i < all->thread_count; i++) {
		const struct rpt_thread *t = &all->threads[i];
		const struct rpt_thread_stats *stats = rpt_thread_stats(t);

		rpt_db_insert(w->db, RPT_SQL_threads, SQL_ID(w, threads, i), SQL_INT(w->trace),
			      SQL_ID(w, processes, t->process), SQL_INT(t->tid),
			      SQL_TEXT(text(w, rpt_thread_name(all, i))), SQL_INT(t->start_ns),
#define SUM(name) SQL_INT_IF(stats->has_sum, stats->sum.name)
			      SQL_INT_IF(t->end_ns, t->end_ns), SUM(observed_ns), SUM(on_cpu_ns),
			      SUM(runq_ns), SUM(sleep_ns), SUM(disk_ns), SUM(other_ns), SUM(slices),
			      SUM(voluntary), SUM(preempted), SUM(yielded), SUM(wakeups),
			      SUM(runq_waits), SUM(blocks), SUM(migrations), SUM(iowait_ns),
			      SUM(discarded));
#undef SUM
	}
}

static void add_counters(struct rpt_sql_writer *w)
{
	const struct rpt_model *m = &w->s->model;
	size_t i;

	for (i = 1; i < m->counter_count; i++)
		rpt_db_insert(w->db, RPT_SQL_counters, SQL_ID(w, counters, i), SQL_INT(w->trace),
			      SQL_TEXT(rpt_text(m, m->counters[i].name)),
			      SQL_TEXT(rpt_text(m, m->counters[i].pmu)),
			      SQL_INT(m->counters[i].error),
			      SQL_TEXT(text(w, m->counters[i].reason)));
}

/* --- the database --- */

static void find_bases(struct rpt_sql_writer *w)
{
	w->base[RPT_SQL_traces] =
		(uint64_t)rpt_db_query(w->db, "SELECT max(id) FROM traces WHERE ?", SQL_INT(1));
#define MAX_ID(name)              \
	w->base[RPT_SQL_##name] = \
		(uint64_t)rpt_db_query(w->db, "SELECT max(id) FROM " #name " WHERE ?", SQL_INT(1))
	MAX_ID(processes);
	MAX_ID(threads);
	MAX_ID(modules);
	MAX_ID(functions);
	MAX_ID(frames);
	MAX_ID(stacks);
	MAX_ID(samples);
	MAX_ID(counters);
	MAX_ID(blocks);
	MAX_ID(verdict_values);
#undef MAX_ID
}

static void add_session(struct rpt_db *db, const struct rpt_session *s)
{
	struct rpt_sql_writer w = {.db = db, .s = s};
	const struct rpt_trace *t = &s->model.traces[0];
	struct pa_buf identity;

	pa_buf_init(&identity);
	add_identity(&identity, &s->model, t);
	rpt_xcheck(pa_buf_error(&identity));
	if (make_room(&w, pa_buf_str(&identity), t->reader.records)) {
		find_bases(&w);
		w.trace = w.base[RPT_SQL_traces] + 1;
		add_trace(&w, t, pa_buf_str(&identity));
		add_pairs(&w, t);
		add_processes(&w);
		add_threads(&w);
		add_counters(&w);
		rpt_sql_profiles(&w);
		rpt_sql_health(&w);
	}
	pa_buf_fini(&identity);
}

/* Whether path is another file than before, or not the same any more. */
static bool has_changed(const char *path, const struct stat *before, bool was_there)
{
	struct stat now;

	if (stat(path, &now) != 0)
		return was_there;
	return !was_there || now.st_ino != before->st_ino || now.st_size != before->st_size ||
	       now.st_mtim.tv_sec != before->st_mtim.tv_sec ||
	       now.st_mtim.tv_nsec != before->st_mtim.tv_nsec;
}

static int write_sqlite(const struct rpt_session *const *sessions, size_t count,
			const struct rpt_output_options *options, const char *temporary,
			const char *path)
{
	struct stat before = {0};
	bool was_there = stat(path, &before) == 0;
	bool is_new = !was_there || before.st_size == 0;
	struct rpt_db db;
	size_t i;
	int err;

	(void)options;
	rpt_db_open(&db, temporary);
	if (is_new) {
		rpt_db_exec(&db, "BEGIN");
		rpt_db_exec(&db, rpt_sql_schema);
	} else {
		rpt_db_copy(&db, path);
		rpt_db_exec(&db, "BEGIN");
	}
	for (i = 0; i < count; i++)
		add_session(&db, sessions[i]);
	if (is_new)
		rpt_db_exec(&db, rpt_sql_indexes);
	err = rpt_db_close(&db);
	if (err == 0 && has_changed(path, &before, was_there))
		err = -EBUSY;
	return err;
}

const struct rpt_output rpt_out_sqlite = {
	.name = "sqlite",
	.help = "a database of one or many recordings",
	.write_file = write_sqlite,
	.wants = "it has to be a new file, or a database that this version of pa-report wrote",
};
