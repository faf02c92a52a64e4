// SPDX-License-Identifier: GPL-2.0-or-later
/* How things were, in the database: distributions, counters, verdicts, and what is missing. */
#include "report/output/sqlite_parts.h"
#include "report/xmem.h"

static const char *text(const struct rpt_sql_writer *w, uint32_t string)
{
	return rpt_text(&w->s->model, string);
}

/* --- distributions --- */

static void add_distributions(struct rpt_sql_writer *w, uint32_t process, uint32_t thread,
			      const struct pa_histogram *hists, const uint32_t *max_threads)
{
	static const char *const kinds[PA_HIST_KINDS_] = {
		[PA_HIST_SLICE] = "slice",
		[PA_HIST_RUNQ] = "run queue",
		[PA_HIST_BLOCK] = "block",
	};
	size_t i;

	for (i = 0; i < PA_HIST_KINDS_; i++) {
		const struct pa_histogram *h = &hists[i];
		uint32_t whose = max_threads ? max_threads[i] : thread;

		if (!h->count)
			continue;
		rpt_db_insert(
			w->db, RPT_SQL_distributions, SQL_INT(w->trace),
			SQL_ID(w, processes, process), SQL_ID(w, threads, thread),
			SQL_TEXT(kinds[i]), SQL_INT(h->count), SQL_INT(h->sum_ns),
			SQL_INT(h->min_ns), SQL_INT(pa_hist_percentile(h, 5000)),
			SQL_INT(pa_hist_percentile(h, 9000)), SQL_INT(pa_hist_percentile(h, 9900)),
			SQL_INT(pa_hist_percentile(h, 9990)), SQL_INT(h->max_ns),
			SQL_INT_IF(h->max_time_ns, h->max_time_ns), SQL_ID(w, threads, whose));
	}
}

static void add_all_distributions(struct rpt_sql_writer *w)
{
	const struct rpt_sched *sched = &w->s->sched;
	const struct rpt_processes *p = &w->s->model.processes;
	uint32_t i;

	add_distributions(w, 0, 0, sched->whole.hist, sched->whole.max_thread);
	for (i = 0; i < sched->unit_count; i++)
		add_distributions(w, sched->units[i].process, 0, sched->units[i].hist,
				  sched->units[i].max_thread);
	for (i = 1; i < p->thread_count; i++)
		add_distributions(w, p->threads[i].process, i,
				  rpt_thread_stats(&p->threads[i])->hist, NULL);
}

/* --- counters --- */

static void add_totals(struct rpt_sql_writer *w, const struct rpt_unit *u)
{
	size_t i;

	for (i = 1; i < w->s->model.counter_count; i++)
		if (u->totals[i].present)
			rpt_db_insert(w->db, RPT_SQL_counter_totals, SQL_INT(w->trace),
				      SQL_ID(w, processes, u->process), SQL_ID(w, counters, i),
				      SQL_REAL(u->totals[i].value),
				      SQL_REAL(u->totals[i].measured));
}

static void add_counters(struct rpt_sql_writer *w)
{
	size_t i;

	add_totals(w, &w->s->sched.whole);
	for (i = 0; i < w->s->sched.unit_count; i++)
		add_totals(w, &w->s->sched.units[i]);
}

/* --- verdicts --- */

static void add_verdict(struct rpt_sql_writer *w, uint32_t process, const struct rpt_verdict *v)
{
	static const char *const units[] = {
		[RPT_UNIT_RATIO] = "ratio",
		[RPT_UNIT_PERCENT] = "percent",
		[RPT_UNIT_NS] = "ns",
	};
	const struct rpt_verdict_entry *e = v->entry;
	uint64_t id = ++w->base[RPT_SQL_verdict_values];
	size_t i;

	rpt_db_insert(w->db, RPT_SQL_verdict_values, SQL_INT(id), SQL_INT(w->trace),
		      SQL_ID(w, processes, process), SQL_TEXT(v->metric->id),
		      SQL_TEXT(v->metric->title), SQL_TEXT(units[v->metric->unit]),
		      SQL_REAL_IF(v->value.known, v->value.number),
		      SQL_TEXT(rpt_judgement_text(v->judgement)), SQL_REAL(e->healthy),
		      SQL_REAL(e->investigate), SQL_INT(e->higher_is_better),
		      SQL_REAL_IF(v->value.known, v->value.measured), SQL_TEXT(v->reason),
		      SQL_TEXT(e->meaning));
	for (i = 0; i < v->evidence_count; i++)
		rpt_db_insert(w->db, RPT_SQL_verdict_threads, SQL_INT(id),
			      SQL_ID(w, threads, v->evidence[i].thread), SQL_TEXT(e->evidence_name),
			      SQL_INT(v->evidence[i].amount));
}

static void add_verdicts(struct rpt_sql_writer *w)
{
	const struct rpt_session *s = w->s;
	size_t i, k;

	for (i = 0; i < s->verdicts.count; i++)
		add_verdict(w, 0, &s->verdicts.items[i]);
	for (i = 0; i < s->sched.unit_count; i++)
		for (k = 0; k < s->unit_verdicts[i].count; k++)
			add_verdict(w, s->sched.units[i].process, &s->unit_verdicts[i].items[k]);
}

/* --- coverage --- */

static void add_fact(struct rpt_sql_writer *w, const char *kind, const char *name, uint64_t value,
		     const char *detail)
{
	rpt_db_insert(w->db, RPT_SQL_coverage_facts, SQL_INT(w->trace), SQL_TEXT(kind),
		      SQL_TEXT(name), SQL_INT(value), SQL_TEXT(detail));
}

static void add_ends(struct rpt_sql_writer *w, const char *kind, const uint64_t *by_end)
{
	uint32_t i;

	for (i = 0; i < PA_STACK_FIRST_ID; i++)
		if (by_end[i])
			add_fact(w, kind, rpt_stack_end_text(i), by_end[i], NULL);
}

/* What each trace lacks; losses of all kinds, whether any was lost or not. */
static void add_trace_facts(struct rpt_sql_writer *w, const struct rpt_trace *t)
{
	uint64_t by_kind[PA_LOSS_KINDS_] = {0};
	size_t i;

	for (i = 0; i < t->loss_count; i++) {
		const struct rpt_loss *l = &t->losses[i];

		if (l->kind < PA_LOSS_KINDS_ && !l->detail)
			by_kind[l->kind] += l->count;
		else
			add_fact(w, "lost", rpt_loss_text(l->kind), l->count, text(w, l->detail));
	}
	for (i = 0; i < PA_LOSS_KINDS_; i++)
		if (by_kind[i])
			add_fact(w, "lost", rpt_loss_text((uint32_t)i), by_kind[i], NULL);
	for (i = 0; i < RPT_PROBLEM_KINDS_; i++)
		if (t->problems[i])
			add_fact(w, "records left out", rpt_problem_text((enum rpt_problem)i),
				 t->problems[i], NULL);
}

static void add_unresolved(struct rpt_sql_writer *w)
{
	const struct rpt_coverage *cov = &w->s->coverage;
	size_t i;

	for (i = 0; i < cov->unresolved_count; i++) {
		const struct rpt_unresolved *u = &cov->unresolved[i];

		add_fact(w, "stacks with unresolved frames",
			 text(w, w->s->model.modules.items[u->module].name), u->samples,
			 w->s->code.reason_texts[u->reason]);
	}
}

static void add_coverage(struct rpt_sql_writer *w)
{
	const struct rpt_coverage *cov = &w->s->coverage;
	size_t i;

	add_fact(w, "samples", "on CPU", cov->samples, NULL);
	if (cov->rate_hz > 0)
		rpt_db_insert(w->db, RPT_SQL_coverage_facts, SQL_INT(w->trace), SQL_TEXT("samples"),
			      SQL_TEXT("per second of a busy CPU"), SQL_REAL(cov->rate_hz),
			      SQL_NULL);
	add_fact(w, "intervals", "off CPU", w->s->offcpu.count, NULL);
	add_fact(w, "incomplete", "no end record, or parts missing", cov->incomplete, NULL);
	add_fact(w, "lost", "everything together", cov->lost, NULL);
	add_ends(w, "user stacks of samples", cov->stacks_by_end);
	add_ends(w, "user stacks of intervals", cov->blocks_by_end);
	for (i = 0; i < w->s->model.trace_count; i++)
		add_trace_facts(w, &w->s->model.traces[i]);
	add_unresolved(w);
}

void rpt_sql_health(struct rpt_sql_writer *w)
{
	add_all_distributions(w);
	add_counters(w);
	add_verdicts(w);
	add_coverage(w);
}
