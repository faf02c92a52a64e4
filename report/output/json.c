// SPDX-License-Identifier: GPL-2.0-or-later
/* Everything that is known, as JSON for programs; docs/report.schema.json describes it. */
#include "report/output/json_parts.h"
#include "report/output/outputs.h"
#include "report/output/units.h"

/* Raised when something changes its meaning, or goes; what is new does not need it. */
#define VERSION 1

void rpt_json_build_id(struct rpt_json *j, const char *key, const uint8_t *id, size_t bytes)
{
	struct pa_buf text;

	pa_buf_init(&text);
	rpt_add_build_id(&text, id, bytes);
	rpt_json_text(j, key, bytes ? pa_buf_str(&text) : NULL);
	pa_buf_fini(&text);
}

static void add_modes(struct rpt_json *j, uint32_t set)
{
	static const struct {
		uint32_t bit;
		const char *name;
	} modes[] = {
		{PA_MODE_PROFILE, "on-cpu"},   {PA_MODE_OFFCPU, "off-cpu"},
		{PA_MODE_PMU, "scheduler"},    {PA_MODE_SNAPSHOT, "snapshot"},
		{PA_MODE_ALL, "whole-system"},
	};
	size_t i;

	rpt_json_open(j, "modes", '[');
	for (i = 0; i < PA_ARRAY_LEN(modes); i++)
		if (set & modes[i].bit)
			rpt_json_text(j, NULL, modes[i].name);
	rpt_json_close(j, ']');
}

static void add_pairs(struct rpt_json *j, const char *key, const struct rpt_session *s,
		      const struct rpt_pairs *pairs, bool have_reasons)
{
	size_t i;

	rpt_json_open(j, key, '[');
	for (i = 0; i < pairs->count; i++) {
		rpt_json_open(j, NULL, '{');
		rpt_json_text(j, "name", rpt_text(&s->model, pairs->items[i].key));
		rpt_json_text(j, "value", rpt_text(&s->model, pairs->items[i].value));
		if (have_reasons)
			rpt_json_string(j, "reason", s, pairs->items[i].reason);
		rpt_json_close(j, '}');
	}
	rpt_json_close(j, ']');
}

static void add_sampling(struct rpt_json *j, const struct rpt_session *s, const struct rpt_trace *t)
{
	if (!t->has_sampling) {
		rpt_json_null(j, "sampling");
		return;
	}
	rpt_json_open(j, "sampling", '{');
	rpt_json_string(j, "event", s, t->event);
	rpt_json_string(j, "reason", s, t->event_reason);
	rpt_json_int_if(j, "rate_hz", t->rate_hz, t->rate_hz);
	rpt_json_int_if(j, "period", t->period, t->period);
	rpt_json_close(j, '}');
}

static void add_end(struct rpt_json *j, const struct rpt_session *s, const struct rpt_trace *t)
{
	static const char *const reasons[] = {
		[PA_END_DURATION] = "duration", [PA_END_SIGNAL] = "signal",
		[PA_END_TARGET] = "target",     [PA_END_NO_SPACE] = "no-space",
		[PA_END_ERROR] = "error",       [PA_END_SNAPSHOT] = "snapshot",
		[PA_END_ROTATED] = "rotated",
	};
	bool known = t->ended && t->end_reason < PA_ARRAY_LEN(reasons);

	rpt_json_bool(j, "ended", t->ended);
	rpt_json_text(j, "end_reason", known ? reasons[t->end_reason] : NULL);
	rpt_json_string(j, "end_detail", s, t->end_detail);
	rpt_json_int_if(j, "wait_status", t->status_known, t->status);
	if (!t->segment_count) {
		rpt_json_null(j, "segments");
		return;
	}
	rpt_json_open(j, "segments", '{');
	rpt_json_int(j, "first", t->first_segment);
	rpt_json_int(j, "last", t->last_segment);
	rpt_json_int(j, "count", t->segment_count);
	rpt_json_int(j, "cut", t->segments_cut);
	rpt_json_int(j, "gap_ns", t->gap_ns);
	rpt_json_close(j, '}');
}

static void add_traces(struct rpt_json *j, const struct rpt_session *s)
{
	const struct rpt_trace *t;
	size_t i;

	rpt_json_open(j, "traces", '[');
	for (i = 0; i < s->model.trace_count; i++) {
		t = &s->model.traces[i];
		rpt_json_open(j, NULL, '{');
		rpt_json_text(j, "file", t->file);
		rpt_json_string(j, "recorder", s, t->recorder);
		rpt_json_string(j, "host", s, t->host);
		rpt_json_string(j, "arch", s, t->arch);
		rpt_json_string(j, "kernel", s, t->kernel);
		rpt_json_build_id(j, "kernel_build_id", t->kernel_build_id,
				  t->kernel_build_id_bytes);
		rpt_json_string(j, "cpu_model", s, t->cpu_model);
		rpt_json_int_if(j, "cpus", t->has_session, t->cpus);
		rpt_json_string(j, "target", s, t->target);
		rpt_json_string(j, "command", s, t->command);
		rpt_json_string(j, "clock", s, t->clock);
		rpt_json_int_if(j, "start_ns", t->has_session, t->start_ns);
		rpt_json_int_if(j, "start_wall_ns", t->has_session, t->start_wall_ns);
		rpt_json_int(j, "end_ns", t->end_ns);
		rpt_json_int(j, "duration_ns", rpt_trace_duration(t));
		add_modes(j, t->modes);
		rpt_json_string(j, "unwind", s, t->unwind);
		add_sampling(j, s, t);
		add_pairs(j, "tags", s, &t->tags, false);
		add_pairs(j, "features", s, &t->features, true);
		add_end(j, s, t);
		rpt_json_close(j, '}');
	}
	rpt_json_close(j, ']');
}

static void add_processes(struct rpt_json *j, const struct rpt_session *s)
{
	const struct rpt_processes *all = &s->model.processes;
	const struct rpt_process *p;
	uint32_t i;

	rpt_json_open(j, "processes", '[');
	for (i = 1; i < all->process_count; i++) {
		p = &all->processes[i];
		rpt_json_open(j, NULL, '{');
		rpt_json_int(j, "id", i);
		rpt_json_int(j, "trace", p->trace);
		rpt_json_int(j, "pid", p->pid);
		rpt_json_id(j, "parent", p->parent);
		rpt_json_string(j, "name", s, rpt_process_name(all, i));
		rpt_json_string(j, "exe", s, p->exe);
		rpt_json_string(j, "cmdline", s, p->cmdline);
		rpt_json_string(j, "cgroup", s, p->cgroup);
		rpt_json_int(j, "start_ns", p->start_ns);
		rpt_json_int_if(j, "end_ns", p->end_ns, p->end_ns);
		rpt_json_int_if(j, "wait_status", p->status_known, p->status);
		rpt_json_close(j, '}');
	}
	rpt_json_close(j, ']');
}

static void add_threads(struct rpt_json *j, const struct rpt_session *s)
{
	const struct rpt_processes *all = &s->model.processes;
	const struct rpt_thread_stats *stats;
	const struct rpt_thread *t;
	uint32_t i;

	rpt_json_open(j, "threads", '[');
	for (i = 1; i < all->thread_count; i++) {
		t = &all->threads[i];
		rpt_json_open(j, NULL, '{');
		rpt_json_int(j, "id", i);
		rpt_json_int(j, "process", t->process);
		rpt_json_int(j, "tid", t->tid);
		rpt_json_string(j, "name", s, rpt_thread_name(all, i));
		rpt_json_int(j, "start_ns", t->start_ns);
		rpt_json_int_if(j, "end_ns", t->end_ns, t->end_ns);
		stats = rpt_thread_stats(t);
		if (stats->has_sum) {
			rpt_json_open(j, "scheduler", '{');
#define ADD(name) rpt_json_int(j, #name, stats->sum.name);
			RPT_SCHED_FIELDS(ADD)
#undef ADD
			rpt_json_close(j, '}');
		} else {
			rpt_json_null(j, "scheduler");
		}
		rpt_json_close(j, '}');
	}
	rpt_json_close(j, ']');
}

static int write_json(const struct rpt_session *s, const struct rpt_output_options *options,
		      FILE *out)
{
	struct rpt_json j;

	(void)options;
	rpt_json_begin(&j, out);
	rpt_json_open(&j, NULL, '{');
	rpt_json_text(&j, "format", "pa-report");
	rpt_json_int(&j, "version", VERSION);
	rpt_json_int(&j, "duration_ns", s->duration_ns);
	rpt_json_text(&j, "filter", s->model.filter ? s->model.filter->text : "");
	rpt_json_open(&j, "filtered_out", '{');
	rpt_json_int(&j, "samples", s->model.left_out.samples);
	rpt_json_int(&j, "intervals", s->model.left_out.intervals);
	rpt_json_text(&j, "no_sums_because", s->model.left_out.sums_reason);
	rpt_json_close(&j, '}');
	add_traces(&j, s);
	rpt_json_health(&j, s);
	add_processes(&j, s);
	add_threads(&j, s);
	rpt_json_profiles(&j, s);
	rpt_json_close(&j, '}');
	return rpt_json_end(&j);
}

const struct rpt_output rpt_out_json = {
	.name = "json",
	.help = "everything, for programs",
	.write = write_json,
};
