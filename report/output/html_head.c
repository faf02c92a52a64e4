// SPDX-License-Identifier: GPL-2.0-or-later
/* What stands above the graphs of the HTML page: traces, coverage, verdicts; and who its tasks are. */
#include <string.h>

#include "report/analyse/waits.h"
#include "report/output/html_data.h"
#include "report/output/json_text.h"
#include "report/output/text.h"

static void add_text(struct pa_buf *out, const char *key, const char *text)
{
	rpt_json_add_key(out, key);
	rpt_json_add_string(out, text);
}

static void add_traces(struct pa_buf *out, const struct rpt_session *s)
{
	const struct rpt_model *m = &s->model;
	size_t i;

	rpt_json_add_key(out, "traces");
	pa_buf_add_char(out, '[');
	for (i = 0; i < m->trace_count; i++) {
		const struct rpt_trace *t = &m->traces[i];
		struct pa_buf when;

		rpt_json_add_comma(out);
		pa_buf_add_char(out, '{');
		add_text(out, "file", t->file);
		add_text(out, "host", rpt_text(m, t->host));
		pa_buf_init(&when);
		rpt_add_wall_time(&when, t->start_wall_ns);
		add_text(out, "start", pa_buf_str(&when));
		pa_buf_fini(&when);
		rpt_json_add_key(out, "duration_ns");
		rpt_json_add_u64(out, rpt_trace_duration(t));
		pa_buf_add_char(out, '}');
	}
	pa_buf_add_char(out, ']');
}

/* A part of the text report, its lines as [label, text]; what belongs to the line before has no label. */
static void add_lines(struct pa_buf *out, const char *key, struct rpt_page *page)
{
	char *text = pa_buf_take(&page->out), *line, *rest = text, *end;

	rpt_json_add_key(out, key);
	pa_buf_add_char(out, '[');
	while (rest && (line = strsep(&rest, "\n"))) {
		if (!*line)
			continue;
		rpt_json_add_comma(out);
		pa_buf_add_char(out, '[');
		end = *line == RPT_PAGE_LABEL_BEGIN ? strchr(line, RPT_PAGE_LABEL_END) : NULL;
		if (end) {
			*end = '\0';
			rpt_json_add_string(out, line + 1);
			line = end + 1;
		} else {
			rpt_json_add_string(out, "");
		}
		pa_buf_add_char(out, ',');
		rpt_json_add_string(out, line);
		pa_buf_add_char(out, ']');
	}
	pa_buf_add_char(out, ']');
	free(text);
}

static void add_evidence(struct pa_buf *out, struct rpt_page *page, const struct rpt_verdict *v)
{
	size_t i;

	rpt_json_add_key(out, "evidence");
	pa_buf_add_char(out, '[');
	for (i = 0; i < v->evidence_count; i++) {
		pa_buf_reset(&page->out);
		rpt_page_thread(page, v->evidence[i].thread);
		pa_buf_add_char(&page->out, ' ');
		rpt_text_verdict_amount(page, v, &v->evidence[i]);
		rpt_json_add_comma(out);
		rpt_json_add_string(out, pa_buf_str(&page->out));
	}
	pa_buf_add_char(out, ']');
	if (v->evidence_count)
		add_text(out, "evidence_name", v->entry->evidence_name);
}

static void add_verdict(struct pa_buf *out, struct rpt_page *page, const struct rpt_verdict *v)
{
	bool bad = v->judgement == RPT_WATCH || v->judgement == RPT_INVESTIGATE;

	rpt_json_add_comma(out);
	pa_buf_add_char(out, '{');
	add_text(out, "judgement", rpt_judgement_text(v->judgement));
	add_text(out, "title", v->metric->title);
	pa_buf_reset(&page->out);
	rpt_text_verdict_value(page, v);
	add_text(out, "value", pa_buf_str(&page->out));
	pa_buf_reset(&page->out);
	rpt_text_verdict_bounds(page, v);
	add_text(out, "bounds", pa_buf_str(&page->out));
	if (v->reason)
		add_text(out, "reason", v->reason);
	if (bad)
		add_text(out, "meaning", v->entry->meaning);
	if (v->value.known && v->entry->note && v->value.number > v->entry->note_above)
		add_text(out, "note", v->entry->note);
	if (bad)
		add_evidence(out, page, v);
	pa_buf_add_char(out, '}');
}

static void add_verdicts(struct pa_buf *out, struct rpt_page *page)
{
	const struct rpt_verdicts *v = &page->s->verdicts;
	size_t i;

	rpt_json_add_key(out, "verdicts");
	pa_buf_add_char(out, '[');
	for (i = 0; i < v->count; i++)
		add_verdict(out, page, &v->items[i]);
	pa_buf_add_char(out, ']');
}

void rpt_html_add_head(struct pa_buf *out, const struct rpt_session *s,
		       const struct rpt_output_options *options)
{
	struct rpt_page page = {.s = s, .options = options, .marks_labels = true};

	pa_buf_init(&page.out);
	add_traces(out, s);
	rpt_text_head(&page);
	add_lines(out, "head", &page);
	rpt_text_coverage(&page);
	add_lines(out, "coverage", &page);
	add_verdicts(out, &page);
	pa_buf_fini(&page.out);
}

static void add_processes(struct pa_buf *out, const struct rpt_session *s)
{
	const struct rpt_processes *p = &s->model.processes;
	uint32_t i;

	rpt_json_add_key(out, "processes");
	pa_buf_add_str(out, "[null");
	for (i = 1; i < p->process_count; i++) {
		pa_buf_addf(out, ",[%u,", p->processes[i].pid);
		rpt_json_add_string(out, rpt_text(&s->model, rpt_process_name(p, i)));
		pa_buf_addf(out, ",%u]", p->processes[i].trace);
	}
	pa_buf_add_char(out, ']');
}

void rpt_html_add_tasks(struct pa_buf *out, const struct rpt_session *s)
{
	const struct rpt_processes *p = &s->model.processes;
	uint32_t i;

	add_processes(out, s);
	rpt_json_add_key(out, "threads");
	pa_buf_add_str(out, "[null");
	for (i = 1; i < p->thread_count; i++) {
		pa_buf_addf(out, ",[%u,", p->threads[i].tid);
		rpt_json_add_string(out, rpt_text(&s->model, rpt_thread_name(p, i)));
		pa_buf_addf(out, ",%u]", p->threads[i].process);
	}
	pa_buf_add_char(out, ']');
	rpt_json_add_key(out, "classes");
	pa_buf_add_char(out, '[');
	for (i = 0; i < rpt_wait_class_count; i++) {
		rpt_json_add_comma(out);
		rpt_json_add_string(out, rpt_wait_classes[i].name);
	}
	pa_buf_add_char(out, ']');
}
