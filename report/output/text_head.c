// SPDX-License-Identifier: GPL-2.0-or-later
/* The head of the text report: what was recorded, on what machine, how, and how it ended. */
#include <string.h>

#include "report/output/text.h"

static void add(struct rpt_page *p, uint32_t string)
{
	rpt_add_text(&p->out, rpt_text(&p->s->model, string), 0);
}

static void add_host(struct rpt_page *p, const struct rpt_trace *t)
{
	rpt_page_label(p, "host");
	add(p, t->host);
	pa_buf_addf(&p->out, "%sLinux ", t->host ? ": " : "");
	add(p, t->kernel);
	pa_buf_add_char(&p->out, ' ');
	add(p, t->arch);
	pa_buf_add_str(&p->out, ", ");
	rpt_add_count(&p->out, t->cpus, "CPU");
	if (t->cpu_model) {
		pa_buf_add_str(&p->out, ", ");
		add(p, t->cpu_model);
	}
	pa_buf_add_char(&p->out, '\n');
}

static void add_target(struct rpt_page *p, const struct rpt_trace *t)
{
	rpt_page_label(p, "target");
	add(p, t->target);
	if (t->command) {
		pa_buf_add_str(&p->out, ": ");
		add(p, t->command);
	}
	pa_buf_add_char(&p->out, '\n');
}

static void add_modes(struct rpt_page *p, const struct rpt_trace *t)
{
	static const struct {
		uint32_t bit;
		const char *text;
	} modes[] = {
		{PA_MODE_PROFILE, "on-CPU profile"},     {PA_MODE_OFFCPU, "off-CPU time"},
		{PA_MODE_PMU, "scheduler and counters"}, {PA_MODE_SNAPSHOT, "snapshot"},
		{PA_MODE_ALL, "whole system"},
	};
	const char *separator = "";
	size_t i;

	rpt_page_label(p, "modes");
	for (i = 0; i < PA_ARRAY_LEN(modes); i++) {
		if (!(t->modes & modes[i].bit))
			continue;
		pa_buf_addf(&p->out, "%s%s", separator, modes[i].text);
		separator = ", ";
	}
	if (t->unwind) {
		pa_buf_addf(&p->out, "%suser stacks by ", *separator ? "; " : "");
		add(p, t->unwind);
	}
	pa_buf_add_char(&p->out, '\n');
}

static void add_sampling(struct rpt_page *p, const struct rpt_trace *t)
{
	const char *event = rpt_text(&p->s->model, t->event);

	if (!t->has_sampling)
		return;
	rpt_page_label(p, "sampling");
	if (t->rate_hz)
		pa_buf_addf(&p->out, "%llu Hz of ", (unsigned long long)t->rate_hz);
	add(p, t->event);
	if (strcmp(event, "cpu-clock") == 0)
		pa_buf_add_str(&p->out, ": sampled by time, not cycles");
	if (t->event_reason) {
		pa_buf_add_str(&p->out, " (");
		add(p, t->event_reason);
		pa_buf_add_char(&p->out, ')');
	}
	pa_buf_add_char(&p->out, '\n');
}

static void add_tags(struct rpt_page *p, const struct rpt_trace *t)
{
	size_t i;

	if (!t->tags.count)
		return;
	rpt_page_label(p, "tags");
	for (i = 0; i < t->tags.count; i++) {
		pa_buf_add_str(&p->out, i ? ", " : "");
		add(p, t->tags.items[i].key);
		pa_buf_add_char(&p->out, '=');
		add(p, t->tags.items[i].value);
	}
	pa_buf_add_char(&p->out, '\n');
}

static void add_features(struct rpt_page *p, const struct rpt_trace *t)
{
	size_t i;

	for (i = 0; p->options->verbose && i < t->features.count; i++) {
		rpt_page_label(p, i ? "" : "features");
		add(p, t->features.items[i].key);
		pa_buf_add_str(&p->out, ": ");
		add(p, t->features.items[i].value);
		if (t->features.items[i].reason) {
			pa_buf_add_str(&p->out, " (");
			add(p, t->features.items[i].reason);
			pa_buf_add_char(&p->out, ')');
		}
		pa_buf_add_char(&p->out, '\n');
	}
}

static void add_segments(struct rpt_page *p, const struct rpt_trace *t)
{
	if (!t->segment_count)
		return;
	rpt_page_label(p, "segments");
	if (t->segment_count == 1)
		pa_buf_addf(&p->out, "number %u alone", t->first_segment);
	else
		pa_buf_addf(&p->out, "%u, of number %u to %u", t->segment_count, t->first_segment,
			    t->last_segment);
	if (t->segments_cut)
		pa_buf_addf(&p->out, "; incomplete: %u without an end record", t->segments_cut);
	if (t->gap_ns) {
		pa_buf_add_str(&p->out, "; incomplete: ");
		rpt_add_duration(&p->out, t->gap_ns);
		pa_buf_add_str(&p->out, " between them are missing");
	}
	pa_buf_add_char(&p->out, '\n');
}

/* Whether it was the kernel that sent a SIGKILL. */
static void add_oom(struct rpt_page *p, const struct rpt_trace *t)
{
	bool killed = (t->status & 0x7f) == 9 || t->status >> 8 == 128 + 9;

	if (!killed || !t->oom_kills)
		return;
	rpt_page_label(p, "");
	if (t->oom_kills == 1) {
		pa_buf_add_str(&p->out,
			       "the kernel has killed nothing for lack of memory meanwhile: "
			       "somebody sent this signal\n");
		return;
	}
	pa_buf_add_str(&p->out, "the kernel has killed ");
	rpt_add_count(&p->out, t->oom_kills - 1, "task");
	pa_buf_add_str(&p->out,
		       " for lack of memory meanwhile (OOM killer): this one, most likely\n");
}

static void add_end(struct rpt_page *p, const struct rpt_trace *t)
{
	static const char *const reasons[] = {
		[PA_END_DURATION] = "after the time asked for",
		[PA_END_SIGNAL] = "by a signal",
		[PA_END_TARGET] = "when all recorded processes had ended",
		[PA_END_NO_SPACE] = "for lack of space",
		[PA_END_ERROR] = "by an error",
		[PA_END_SNAPSHOT] = "as a snapshot",
		[PA_END_ROTATED] = "to go on in the next segment",
	};

	rpt_page_label(p, "ended");
	if (!t->ended) {
		pa_buf_addf(&p->out, "incomplete: ended without an end record, %.1f s recovered\n",
			    (double)rpt_trace_duration(t) / 1e9);
		return;
	}
	pa_buf_add_str(&p->out, t->end_reason < PA_ARRAY_LEN(reasons) ? reasons[t->end_reason] :
									"for a reason not known");
	if (t->end_detail) {
		pa_buf_add_str(&p->out, " (");
		add(p, t->end_detail);
		pa_buf_add_char(&p->out, ')');
	}
	if (t->status_known) {
		pa_buf_add_str(&p->out, "; the command: ");
		rpt_add_exit_status(&p->out, t->status);
	}
	pa_buf_add_char(&p->out, '\n');
	if (t->status_known)
		add_oom(p, t);
}

static void add_trace(struct rpt_page *p, const struct rpt_trace *t)
{
	rpt_add_text(&p->out, t->file, 0);
	if (!t->has_session) {
		pa_buf_add_str(&p->out, ": what was recorded, and where, is not known: the trace "
					"lacks its first record\n");
		add_end(p, t);
		return;
	}
	pa_buf_add_str(&p->out, ": ");
	rpt_add_duration(&p->out, rpt_trace_duration(t));
	pa_buf_add_str(&p->out, " from ");
	rpt_add_wall_time(&p->out, t->start_wall_ns);
	pa_buf_add_str(&p->out, " by ");
	add(p, t->recorder);
	pa_buf_add_char(&p->out, '\n');
	add_host(p, t);
	add_target(p, t);
	add_modes(p, t);
	add_sampling(p, t);
	add_tags(p, t);
	add_features(p, t);
	add_segments(p, t);
	add_end(p, t);
}

void rpt_text_filter(struct rpt_page *p, const struct rpt_model *m)
{
	const struct rpt_left_out *out = &m->left_out;

	if (!m->filter || !*m->filter->text)
		return;
	rpt_page_label(p, "filter");
	rpt_add_text(&p->out, m->filter->text, 0);
	pa_buf_addf(&p->out, ": %llu samples and %llu intervals are left out\n",
		    (unsigned long long)out->samples, (unsigned long long)out->intervals);
	if (out->sums_reason) {
		rpt_page_label(p, "");
		pa_buf_addf(&p->out, "sums of the scheduler and counters: %s\n", out->sums_reason);
	}
	if (out->threads_renamed) {
		rpt_page_label(p, "");
		rpt_add_count(&p->out, out->threads_renamed, "thread");
		pa_buf_add_str(&p->out, " had other names, too: their sums are left out\n");
	}
	if (m->filter->cpus.count) {
		rpt_page_label(p, "");
		pa_buf_add_str(&p->out, "off-CPU intervals are on no CPU: none is reported\n");
	}
	if (out->stacks) {
		rpt_page_label(p, "");
		pa_buf_add_str(&p->out, "verdicts, scheduler and counters are of all stacks\n");
	}
}

void rpt_text_head(struct rpt_page *p)
{
	size_t i;

	for (i = 0; i < p->s->model.trace_count; i++)
		add_trace(p, &p->s->model.traces[i]);
	rpt_text_filter(p, &p->s->model);
}
