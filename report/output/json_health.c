// SPDX-License-Identifier: GPL-2.0-or-later
/* Coverage, verdicts, scheduler and counters in the JSON output. */
#include "report/output/json_parts.h"

/* --- coverage --- */

static void add_ends(struct rpt_json *j, const char *key, const uint64_t *by_end)
{
	uint32_t i;

	rpt_json_open(j, key, '[');
	for (i = 0; i < PA_STACK_FIRST_ID; i++) {
		if (!by_end[i])
			continue;
		rpt_json_open(j, NULL, '{');
		rpt_json_text(j, "end", rpt_stack_end_text(i));
		rpt_json_int(j, "count", by_end[i]);
		rpt_json_close(j, '}');
	}
	rpt_json_close(j, ']');
}

static void add_losses(struct rpt_json *j, const struct rpt_session *s)
{
	const struct rpt_trace *t;
	size_t i, k;

	rpt_json_int(j, "lost", s->coverage.lost);
	rpt_json_open(j, "losses", '[');
	for (i = 0; i < s->model.trace_count; i++) {
		t = &s->model.traces[i];
		for (k = 0; k < t->loss_count; k++) {
			rpt_json_open(j, NULL, '{');
			rpt_json_int(j, "trace", i);
			rpt_json_text(j, "what", rpt_loss_text(t->losses[k].kind));
			rpt_json_int(j, "count", t->losses[k].count);
			rpt_json_string(j, "detail", s, t->losses[k].detail);
			rpt_json_close(j, '}');
		}
	}
	rpt_json_close(j, ']');
}

static void add_problems(struct rpt_json *j, const struct rpt_session *s)
{
	const struct rpt_trace *t;
	size_t i, k;

	rpt_json_open(j, "records_left_out", '[');
	for (i = 0; i < s->model.trace_count; i++) {
		t = &s->model.traces[i];
		for (k = 0; k < RPT_PROBLEM_KINDS_; k++) {
			if (!t->problems[k])
				continue;
			rpt_json_open(j, NULL, '{');
			rpt_json_int(j, "trace", i);
			rpt_json_text(j, "why", rpt_problem_text((enum rpt_problem)k));
			rpt_json_int(j, "count", t->problems[k]);
			rpt_json_close(j, '}');
		}
	}
	rpt_json_close(j, ']');
}

static void add_unresolved(struct rpt_json *j, const struct rpt_session *s)
{
	const struct rpt_unresolved *u;
	size_t i;

	rpt_json_open(j, "unresolved", '[');
	for (i = 0; i < s->coverage.unresolved_count; i++) {
		u = &s->coverage.unresolved[i];
		rpt_json_open(j, NULL, '{');
		rpt_json_int(j, "module", u->module);
		rpt_json_text(j, "why", s->code.reason_texts[u->reason]);
		rpt_json_int(j, "addresses", u->addresses);
		rpt_json_int(j, "stack_count", u->samples);
		rpt_json_int(j, "innermost_count", u->innermost);
		rpt_json_close(j, '}');
	}
	rpt_json_close(j, ']');
}

static void add_coverage(struct rpt_json *j, const struct rpt_session *s)
{
	const struct rpt_coverage *cov = &s->coverage;

	rpt_json_open(j, "coverage", '{');
	rpt_json_int(j, "samples", cov->samples);
	if (cov->rate_hz > 0)
		rpt_json_real(j, "rate_hz", cov->rate_hz);
	else
		rpt_json_null(j, "rate_hz");
	rpt_json_bool(j, "incomplete", cov->incomplete);
	add_losses(j, s);
	add_problems(j, s);
	add_ends(j, "sample_stacks", cov->stacks_by_end);
	add_ends(j, "interval_stacks", cov->blocks_by_end);
	add_unresolved(j, s);
	rpt_json_close(j, '}');
}

/* --- verdicts --- */

static const char *unit_text(enum rpt_metric_unit unit)
{
	static const char *const texts[] = {
		[RPT_UNIT_RATIO] = "ratio",
		[RPT_UNIT_PERCENT] = "percent",
		[RPT_UNIT_NS] = "ns",
	};

	return texts[unit];
}

static void add_evidence(struct rpt_json *j, const struct rpt_verdict *v)
{
	size_t i;

	rpt_json_open(j, "evidence", '[');
	for (i = 0; i < v->evidence_count; i++) {
		rpt_json_open(j, NULL, '{');
		rpt_json_int(j, "thread", v->evidence[i].thread);
		rpt_json_text(j, "what", v->entry->evidence_name);
		rpt_json_int(j, "amount", v->evidence[i].amount);
		rpt_json_close(j, '}');
	}
	rpt_json_close(j, ']');
}

static void add_verdicts(struct rpt_json *j, uint32_t process, const struct rpt_verdicts *verdicts)
{
	const struct rpt_verdict *v;
	size_t i;

	for (i = 0; i < verdicts->count; i++) {
		v = &verdicts->items[i];
		rpt_json_open(j, NULL, '{');
		rpt_json_id(j, "process", process);
		rpt_json_text(j, "metric", v->metric->id);
		rpt_json_text(j, "title", v->metric->title);
		rpt_json_text(j, "unit", unit_text(v->metric->unit));
		if (v->value.known) {
			rpt_json_real(j, "value", v->value.number);
			rpt_json_real(j, "measured", v->value.measured);
		} else {
			rpt_json_null(j, "value");
			rpt_json_null(j, "measured");
		}
		rpt_json_text(j, "verdict", rpt_judgement_text(v->judgement));
		rpt_json_real(j, "healthy", v->entry->healthy);
		rpt_json_real(j, "investigate", v->entry->investigate);
		rpt_json_bool(j, "higher_is_better", v->entry->higher_is_better);
		rpt_json_text(j, "reason", v->reason);
		rpt_json_text(j, "meaning", v->entry->meaning);
		add_evidence(j, v);
		rpt_json_close(j, '}');
	}
}

static void add_all_verdicts(struct rpt_json *j, const struct rpt_session *s)
{
	size_t i;

	rpt_json_open(j, "verdicts", '[');
	add_verdicts(j, 0, &s->verdicts);
	for (i = 0; i < s->sched.unit_count; i++)
		add_verdicts(j, s->sched.units[i].process, &s->unit_verdicts[i]);
	rpt_json_close(j, ']');
}

/* --- the scheduler --- */

static void add_distribution(struct rpt_json *j, const char *key, const struct pa_histogram *h,
			     uint32_t max_thread)
{
	if (!h->count) {
		rpt_json_null(j, key);
		return;
	}
	rpt_json_open(j, key, '{');
	rpt_json_int(j, "count", h->count);
	rpt_json_int(j, "sum_ns", h->sum_ns);
	rpt_json_int(j, "min_ns", h->min_ns);
	rpt_json_int(j, "p50_ns", pa_hist_percentile(h, 5000));
	rpt_json_int(j, "p90_ns", pa_hist_percentile(h, 9000));
	rpt_json_int(j, "p99_ns", pa_hist_percentile(h, 9900));
	rpt_json_int(j, "p999_ns", pa_hist_percentile(h, 9990));
	rpt_json_int(j, "max_ns", h->max_ns);
	rpt_json_int_if(j, "max_time_ns", h->max_time_ns, h->max_time_ns);
	rpt_json_id(j, "max_thread", max_thread);
	rpt_json_close(j, '}');
}

static void add_unit(struct rpt_json *j, const struct rpt_session *s, const struct rpt_unit *u)
{
	const struct rpt_model *m = &s->model;
	size_t i;

	rpt_json_open(j, NULL, '{');
	rpt_json_id(j, "process", u->process);
	rpt_json_int(j, "thread_count", u->threads);
	rpt_json_open(j, "sums", '{');
#define ADD(name) rpt_json_int_if(j, #name, u->threads, u->sum.name);
	RPT_SCHED_FIELDS(ADD)
#undef ADD
	rpt_json_close(j, '}');
	add_distribution(j, "slices", &u->hist[PA_HIST_SLICE], u->max_thread[PA_HIST_SLICE]);
	add_distribution(j, "run_queue", &u->hist[PA_HIST_RUNQ], u->max_thread[PA_HIST_RUNQ]);
	add_distribution(j, "blocks", &u->hist[PA_HIST_BLOCK], u->max_thread[PA_HIST_BLOCK]);
	rpt_json_open(j, "counters", '[');
	for (i = 1; i < m->counter_count; i++) {
		if (!u->totals[i].present)
			continue;
		rpt_json_open(j, NULL, '{');
		rpt_json_int(j, "counter", i);
		rpt_json_real(j, "value", u->totals[i].value);
		rpt_json_real(j, "measured", u->totals[i].measured);
		rpt_json_close(j, '}');
	}
	rpt_json_close(j, ']');
	rpt_json_close(j, '}');
}

static void add_counters(struct rpt_json *j, const struct rpt_session *s)
{
	const struct rpt_counter *c;
	size_t i;

	rpt_json_open(j, "counters", '[');
	for (i = 1; i < s->model.counter_count; i++) {
		c = &s->model.counters[i];
		rpt_json_open(j, NULL, '{');
		rpt_json_int(j, "id", i);
		rpt_json_text(j, "name", rpt_text(&s->model, c->name));
		rpt_json_string(j, "pmu", s, c->pmu);
		rpt_json_int(j, "error", c->error);
		rpt_json_string(j, "reason", s, c->reason);
		rpt_json_close(j, '}');
	}
	rpt_json_close(j, ']');
}

void rpt_json_health(struct rpt_json *j, const struct rpt_session *s)
{
	size_t i;

	add_coverage(j, s);
	add_all_verdicts(j, s);
	add_counters(j, s);
	rpt_json_open(j, "scheduler", '[');
	add_unit(j, s, &s->sched.whole);
	for (i = 0; i < s->sched.unit_count; i++)
		add_unit(j, s, &s->sched.units[i]);
	rpt_json_close(j, ']');
}
