// SPDX-License-Identifier: GPL-2.0-or-later
/* The scheduler and counter page of the text report, for one process or for everything. */
#include "report/output/text.h"

#define NAME_COLUMNS 30

static void add_distributions(struct rpt_page *p, const struct rpt_unit *u)
{
	static const struct {
		const char *name;
		unsigned per_10000;
	} columns[] = {{"P50", 5000}, {"P90", 9000}, {"P99", 9900}, {"P99.9", 9990}};
	static const char *const names[PA_HIST_KINDS_] = {
		[PA_HIST_SLICE] = "slices",
		[PA_HIST_RUNQ] = "run queue",
		[PA_HIST_BLOCK] = "blocks",
	};
	size_t i, k;

	pa_buf_add_str(&p->out, "                 count");
	for (k = 0; k < PA_ARRAY_LEN(columns); k++)
		rpt_page_cell(p, 8, columns[k].name);
	rpt_page_cell(p, 8, "longest");
	pa_buf_add_str(&p->out, "  of whom, when\n");
	for (i = 0; i < PA_HIST_KINDS_; i++) {
		const struct pa_histogram *h = &u->hist[i];

		rpt_page_label(p, names[i]);
		pa_buf_addf(&p->out, "%8llu", (unsigned long long)h->count);
		if (!h->count) {
			pa_buf_add_str(&p->out, "  n/a\n");
			continue;
		}
		for (k = 0; k < PA_ARRAY_LEN(columns); k++)
			rpt_page_cell_duration(p, 8, pa_hist_percentile(h, columns[k].per_10000));
		rpt_page_cell_duration(p, 8, h->max_ns);
		pa_buf_add_str(&p->out, "  ");
		rpt_page_thread(p, u->max_thread[i]);
		if (h->max_time_ns) {
			pa_buf_add_char(&p->out, ' ');
			rpt_page_moment(p, u->max_thread[i], h->max_time_ns);
		}
		pa_buf_add_char(&p->out, '\n');
	}
}

static void add_switches(struct rpt_page *p, const struct rpt_sched_sum *sum)
{
	uint64_t all = sum->voluntary;

	rpt_add_saturated(&all, sum->preempted);
	rpt_add_saturated(&all, sum->yielded);
	rpt_page_label(p, "switches");
	pa_buf_addf(&p->out, "%llu", (unsigned long long)all);
	if (all)
		pa_buf_addf(&p->out, ": %.1f %% voluntary, %.1f %% preempted, %.1f %% yielded",
			    rpt_percent(sum->voluntary, all), rpt_percent(sum->preempted, all),
			    rpt_percent(sum->yielded, all));
	pa_buf_addf(&p->out, "; %llu wakeups, %llu migrations\n", (unsigned long long)sum->wakeups,
		    (unsigned long long)sum->migrations);
}

static void add_times(struct rpt_page *p, const struct rpt_unit *u)
{
	const struct rpt_sched_sum *sum = &u->sum;
	const struct {
		const char *name;
		uint64_t ns;
	} parts[] = {
		{"on CPU", sum->on_cpu_ns},          {"in run queues", sum->runq_ns},
		{"asleep", sum->sleep_ns},           {"uninterruptible", sum->disk_ns},
		{"stopped or other", sum->other_ns},
	};
	size_t i;

	rpt_page_label(p, "time");
	rpt_add_count(&p->out, u->threads, "thread");
	pa_buf_add_str(&p->out, ", ");
	rpt_add_duration(&p->out, sum->observed_ns);
	pa_buf_add_str(&p->out, " observed:\n");
	for (i = 0; i < PA_ARRAY_LEN(parts); i++) {
		if (!parts[i].ns)
			continue;
		rpt_page_label(p, "");
		rpt_page_cell_percent(p, 8, rpt_percent(parts[i].ns, sum->observed_ns));
		rpt_page_cell_duration(p, 8, parts[i].ns);
		pa_buf_addf(&p->out, "  %s\n", parts[i].name);
	}
	if (sum->iowait_ns) {
		rpt_page_label(p, "");
		rpt_page_cell_percent(p, 8, rpt_percent(sum->iowait_ns, sum->observed_ns));
		rpt_page_cell_duration(p, 8, sum->iowait_ns);
		pa_buf_add_str(&p->out, "  waiting for I/O, in the above\n");
	}
}

static void add_cpus(struct rpt_page *p)
{
	const struct rpt_sched *s = &p->s->sched;

	if (!s->cpu_count)
		return;
	rpt_page_label(p, "CPUs");
	rpt_add_count(&p->out, s->cpu_count, "CPU");
	pa_buf_addf(&p->out, ", %.1f %% busy, %llu switches\n",
		    rpt_percent(s->cpu_observed_ns - s->cpu_idle_ns, s->cpu_observed_ns),
		    (unsigned long long)s->cpu_switches);
}

static void add_scheduler(struct rpt_page *p, const struct rpt_unit *u)
{
	rpt_page_heading(p, "SCHEDULER");
	if (!u->process)
		add_cpus(p);
	if (!u->threads && !u->hist[PA_HIST_SLICE].count) {
		pa_buf_add_str(&p->out, "  not recorded (needs --pmu)\n");
		return;
	}
	add_times(p, u);
	add_switches(p, &u->sum);
	add_distributions(p, u);
}

static void add_counter(struct rpt_page *p, const struct rpt_unit *u, size_t i)
{
	const struct rpt_model *m = &p->s->model;
	const struct rpt_counter *c = &m->counters[i];
	size_t line = p->out.len, cell;

	pa_buf_add_str(&p->out, "  ");
	rpt_add_text(&p->out, rpt_text(m, c->name), 40);
	if (c->pmu) {
		pa_buf_add_str(&p->out, " on ");
		rpt_add_text(&p->out, rpt_text(m, c->pmu), 20);
	}
	rpt_pad(&p->out, line, NAME_COLUMNS);
	cell = p->out.len;
	if (u->totals[i].present) {
		rpt_add_number(&p->out, u->totals[i].value);
		rpt_align_right(&p->out, cell, 10);
		if (u->totals[i].measured < 1.0)
			pa_buf_addf(&p->out, "  estimated, measured %.0f %% of the time",
				    100.0 * u->totals[i].measured);
	} else {
		pa_buf_add_str(&p->out, "n/a");
		rpt_align_right(&p->out, cell, 10);
		pa_buf_add_str(&p->out, "  ");
		rpt_add_text(&p->out, rpt_counter_reason(m, rpt_text(m, c->name)), 0);
	}
	pa_buf_add_char(&p->out, '\n');
}

static void add_ratio(struct rpt_page *p, const struct rpt_unit *u, enum rpt_metric_id id)
{
	const struct rpt_metric *metric = &rpt_metrics[id];
	struct rpt_value value = metric->get(&p->s->model, u);
	size_t line = p->out.len, cell;

	pa_buf_addf(&p->out, "  %s", metric->title);
	rpt_pad(&p->out, line, NAME_COLUMNS);
	cell = p->out.len;
	if (value.known)
		pa_buf_addf(&p->out, "%.2f", value.number);
	else
		pa_buf_add_str(&p->out, "n/a");
	rpt_align_right(&p->out, cell, 10);
	if (value.known && value.measured < 1.0)
		pa_buf_addf(&p->out, "  estimated, measured %.0f %% of the time",
			    100.0 * value.measured);
	else if (!value.known && value.reason)
		pa_buf_addf(&p->out, "  %s", value.reason);
	pa_buf_add_char(&p->out, '\n');
}

static void add_counters(struct rpt_page *p, const struct rpt_unit *u)
{
	size_t i;

	rpt_page_heading(p, "COUNTERS");
	if (p->s->model.counter_count < 2) {
		pa_buf_add_str(&p->out, "  not recorded (needs --pmu)\n");
		return;
	}
	for (i = 1; i < p->s->model.counter_count; i++)
		add_counter(p, u, i);
	add_ratio(p, u, RPT_METRIC_IPC);
	add_ratio(p, u, RPT_METRIC_CACHE_MPKI);
	add_ratio(p, u, RPT_METRIC_BRANCH_MPKI);
}

void rpt_text_unit(struct rpt_page *p, const struct rpt_unit *u)
{
	add_scheduler(p, u);
	add_counters(p, u);
}
