// SPDX-License-Identifier: GPL-2.0-or-later
/* Counters by function in the text report. */
#include "report/output/text.h"

static void add_ratio(struct rpt_page *p, size_t width, double ratio)
{
	size_t start;

	pa_buf_add_str(&p->out, "  ");
	start = p->out.len;
	if (ratio < 0.0)
		pa_buf_add_str(&p->out, "n/a");
	else
		pa_buf_addf(&p->out, "%.2f", ratio);
	rpt_align_right(&p->out, start, width);
}

static void add_count(struct rpt_page *p, size_t width, double count)
{
	size_t start;

	pa_buf_add_str(&p->out, "  ");
	start = p->out.len;
	if (count < 0.0)
		pa_buf_add_str(&p->out, "n/a");
	else
		rpt_add_number(&p->out, count);
	rpt_align_right(&p->out, start, width);
}

static void add_row(struct rpt_page *p, const struct rpt_function_counts *f)
{
	const struct rpt_session *s = p->s;
	const struct rpt_function *function = &s->code.functions[f->function];
	size_t line = p->out.len;

	if (s->counts.cycles > 0.0 && f->cycles >= 0.0)
		rpt_page_cell_percent(p, 7, 100.0 * f->cycles / s->counts.cycles);
	else
		rpt_page_cell(p, 7, "n/a");
	add_count(p, 8, f->cycles);
	add_count(p, 8, f->instructions);
	add_ratio(p, 5, f->ipc);
	add_ratio(p, 8, f->cache_mpki);
	add_ratio(p, 8, f->branch_mpki);
	rpt_page_cell_number(p, 7, f->samples);
	pa_buf_add_str(&p->out, "  ");
	rpt_page_name(p, line, function->name);
	if (f->pmu) {
		pa_buf_add_str(&p->out, " on ");
		rpt_add_text(&p->out, rpt_text(&s->model, f->pmu), 0);
	}
	pa_buf_add_char(&p->out, '\n');
}

void rpt_text_counts(struct rpt_page *p)
{
	const struct rpt_counts *c = &p->s->counts;
	uint64_t shown = 0;
	size_t i;

	if (!c->count)
		return;
	rpt_page_heading(p, "COUNTERS, BY FUNCTION (its own; misses per 1000 instructions)");
	if (c->estimated)
		pa_buf_addf(&p->out, "  estimated: a counter was measured %.0f %% of the time\n",
			    100.0 * c->measured);
	rpt_page_cell(p, 7, "");
	rpt_page_cell(p, 8, "cycles");
	rpt_page_cell(p, 8, "instr.");
	rpt_page_cell(p, 5, "IPC");
	rpt_page_cell(p, 8, "cache m.");
	rpt_page_cell(p, 8, "branch m.");
	rpt_page_cell(p, 7, "samples");
	pa_buf_add_str(&p->out, "  function\n");
	for (i = 0; i < c->count && shown < p->options->top; i++, shown++)
		add_row(p, &c->items[i]);
	if (i < c->count)
		pa_buf_addf(&p->out, "  and %zu more (--top)\n", c->count - i);
}
