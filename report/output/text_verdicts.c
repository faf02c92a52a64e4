// SPDX-License-Identifier: GPL-2.0-or-later
/* The verdict section of the text report. */
#include <math.h>
#include <string.h>

#include "report/output/text.h"

#define EVIDENCE_COLUMN 15

static void add_value(struct pa_buf *out, enum rpt_metric_unit unit, double number)
{
	switch (unit) {
	case RPT_UNIT_NS:
		rpt_add_duration(out, number < 1.8e19 ? (uint64_t)number : UINT64_MAX);
		break;
	case RPT_UNIT_PERCENT:
		pa_buf_addf(out, "%.1f %%", number);
		break;
	case RPT_UNIT_RATIO:
		pa_buf_addf(out, "%.2f", number);
		break;
	}
}

static void add_bound(struct pa_buf *out, enum rpt_metric_unit unit, double number)
{
	if (unit == RPT_UNIT_NS)
		pa_buf_addf(out, "%g ms", number / 1e6);
	else if (unit == RPT_UNIT_PERCENT)
		pa_buf_addf(out, "%g %%", number);
	else
		pa_buf_addf(out, number * 10.0 == floor(number * 10.0) ? "%.1f" : "%g", number);
}

void rpt_text_verdict_bounds(struct rpt_page *p, const struct rpt_verdict *v)
{
	const struct rpt_verdict_entry *e = v->entry;

	pa_buf_add_str(&p->out, e->higher_is_better ? "healthy > " : "healthy < ");
	add_bound(&p->out, v->metric->unit, e->healthy);
	pa_buf_add_str(&p->out, e->higher_is_better ? ", investigate < " : ", investigate > ");
	add_bound(&p->out, v->metric->unit, e->investigate);
}

static bool is_bad(const struct rpt_verdict *v)
{
	return v->judgement == RPT_WATCH || v->judgement == RPT_INVESTIGATE;
}

void rpt_text_verdict_value(struct rpt_page *p, const struct rpt_verdict *v)
{
	if (v->value.known)
		add_value(&p->out, v->metric->unit, v->value.number);
	else
		pa_buf_add_str(&p->out, "n/a");
}

void rpt_text_verdict_amount(struct rpt_page *p, const struct rpt_verdict *v,
			     const struct rpt_evidence *e)
{
	const struct pa_histogram *slices =
		&rpt_thread_stats(&p->s->model.processes.threads[e->thread])->hist[PA_HIST_SLICE];

	if (v->entry->evidence_unit == RPT_UNIT_RATIO)
		pa_buf_addf(&p->out, "%llu", (unsigned long long)e->amount);
	else
		add_value(&p->out, v->entry->evidence_unit, (double)e->amount);
	/* When it was: an old stall must not be taken for a present one. */
	if (v->entry->metric == RPT_METRIC_SLICE_P999 && slices->max_time_ns) {
		pa_buf_add_char(&p->out, ' ');
		rpt_page_moment(p, e->thread, slices->max_time_ns);
	}
}

/* The threads behind it; of the longest slice always. */
static void add_evidence(struct rpt_page *p, const struct rpt_verdict *v)
{
	size_t count = v->evidence_count, line = p->out.len, i;

	if (!is_bad(v))
		count = v->entry->metric == RPT_METRIC_SLICE_P999 && count ? 1 : 0;
	for (i = 0; i < count; i++) {
		if (i && p->out.len - line > rpt_page_columns(p) - 40) {
			pa_buf_addf(&p->out, ",\n%*s", EVIDENCE_COLUMN, "");
			line = p->out.len - EVIDENCE_COLUMN;
		} else if (i) {
			pa_buf_add_str(&p->out, ", ");
		} else {
			pa_buf_addf(&p->out, "%*s%s: ", EVIDENCE_COLUMN, "",
				    v->entry->evidence_name);
		}
		rpt_page_thread(p, v->evidence[i].thread);
		pa_buf_add_char(&p->out, ' ');
		rpt_text_verdict_amount(p, v, &v->evidence[i]);
	}
	if (count)
		pa_buf_add_char(&p->out, '\n');
}

/* The stacks behind it. */
static void add_stacks(struct rpt_page *p, const struct rpt_verdict *v)
{
	size_t i, line;

	for (i = 0; i < v->stack_count; i++) {
		line = p->out.len;
		if (i == 0)
			pa_buf_addf(&p->out, "%*s%s: ", EVIDENCE_COLUMN, "", v->stacks_name);
		else
			pa_buf_addf(&p->out, "%*s",
				    EVIDENCE_COLUMN + (int)strlen(v->stacks_name) + 2, "");
		pa_buf_addf(&p->out, "%4.1f %%  ", v->stacks[i].percent);
		rpt_page_stack(p, line, v->stacks[i].call);
		pa_buf_add_char(&p->out, '\n');
	}
}

static void add_verdict(struct rpt_page *p, const struct rpt_verdict *v)
{
	static const enum rpt_page_style styles[] = {
		[RPT_HEALTHY] = RPT_STYLE_GOOD,
		[RPT_WATCH] = RPT_STYLE_WATCH,
		[RPT_INVESTIGATE] = RPT_STYLE_BAD,
		[RPT_UNKNOWN] = RPT_STYLE_FAINT,
	};
	size_t line = p->out.len, cell;

	pa_buf_add_str(&p->out, "  ");
	rpt_page_begin_style(p, styles[v->judgement]);
	pa_buf_add_str(&p->out, rpt_judgement_text(v->judgement));
	rpt_page_end_style(p);
	rpt_pad(&p->out, line, 15);
	pa_buf_add_str(&p->out, v->metric->title);
	rpt_pad(&p->out, line, 43);
	cell = p->out.len;
	rpt_text_verdict_value(p, v);
	rpt_align_right(&p->out, cell, 9);
	pa_buf_add_str(&p->out, "  ");
	if (v->judgement == RPT_UNKNOWN) {
		pa_buf_add_str(&p->out, "unknown: ");
		rpt_add_text(&p->out, v->reason, 0);
	} else {
		rpt_text_verdict_bounds(p, v);
		if (v->reason)
			pa_buf_addf(&p->out, " (%s)", v->reason);
		if (v->entry->note && v->value.number > v->entry->note_above)
			pa_buf_addf(&p->out, "\n%*s%s", EVIDENCE_COLUMN, "", v->entry->note);
		if (is_bad(v))
			pa_buf_addf(&p->out, "\n%*s%s", EVIDENCE_COLUMN, "", v->entry->meaning);
	}
	pa_buf_add_char(&p->out, '\n');
	add_evidence(p, v);
	add_stacks(p, v);
}

/* Nothing was asked for that a verdict could rest on, and nothing is there. */
static bool nothing_to_judge(const struct rpt_page *p, const struct rpt_verdicts *v)
{
	size_t i;

	for (i = 0; i < v->count; i++)
		if (v->items[i].value.known)
			return false;
	return !(p->s->modes & PA_MODE_PMU);
}

void rpt_text_verdicts(struct rpt_page *p, const struct rpt_verdicts *v)
{
	size_t i;

	rpt_page_heading(p, "VERDICTS");
	if (nothing_to_judge(p, v)) {
		pa_buf_add_str(&p->out, "  unknown      scheduler and counters were not recorded "
					"(needs --pmu)\n");
		return;
	}
	for (i = 0; i < v->count; i++)
		add_verdict(p, &v->items[i]);
}
