// SPDX-License-Identifier: GPL-2.0-or-later
/* Hints, and threads that break a rule, in the text report. */
#include "report/analyse/waits.h"
#include "report/output/text.h"

#define NAME_COLUMNS 48
#define STACK_COLUMN 15

static void add_name(struct rpt_page *p, uint32_t function, size_t max)
{
	rpt_add_text(&p->out, rpt_text(&p->s->model, p->s->code.functions[function].name), max);
}

static void add_hot_spot(struct rpt_page *p, const struct rpt_hot_spot *spot)
{
	pa_buf_addf(&p->out, "  hot spot %5.1f %%  ", spot->percent);
	add_name(p, spot->function, NAME_COLUMNS);
	if (spot->rule) {
		pa_buf_add_str(&p->out, " (");
		rpt_add_text(&p->out, spot->rule->kind, 0);
		pa_buf_add_str(&p->out, "): ");
		rpt_add_text(&p->out, spot->rule->advice, 0);
	}
	pa_buf_add_char(&p->out, '\n');
}

static void add_hint(struct rpt_page *p, const struct rpt_hint *hint)
{
	size_t i;

	pa_buf_addf(&p->out, "  %s %5.1f %%  ", hint->offcpu ? "waiting " : "together",
		    hint->percent);
	if (!hint->rule) {
		pa_buf_addf(&p->out, "%s: idle, normal where a thread waits for work\n",
			    rpt_wait_classes[hint->class].name);
		return;
	}
	rpt_add_text(&p->out, hint->rule->kind, 0);
	pa_buf_add_str(&p->out, ": ");
	rpt_add_text(&p->out, hint->rule->advice, 0);
	for (i = 0; i < hint->function_count; i++) {
		pa_buf_add_str(&p->out, i ? ", " : " (");
		add_name(p, hint->functions[i], NAME_COLUMNS / 2);
	}
	pa_buf_add_str(&p->out, hint->function_count ? ")\n" : "\n");
}

void rpt_text_hints(struct rpt_page *p)
{
	const struct rpt_hints *h = &p->s->hints;
	size_t before = p->out.len, after, i;

	rpt_page_heading(p, "HINTS");
	after = p->out.len;
	for (i = 0; !p->options->offcpu && i < h->hot_spot_count; i++)
		add_hot_spot(p, &h->hot_spots[i]);
	for (i = 0; i < h->count; i++)
		if (h->items[i].offcpu || !p->options->offcpu)
			add_hint(p, &h->items[i]);
	if (p->out.len == after)
		p->out.len = before;
}

/* --- threads that break a rule --- */

static void add_rule(struct rpt_page *p, const struct rpt_breach *b)
{
	pa_buf_add_str(&p->out, " (");
	rpt_add_text(&p->out, p->s->rules->file, 0);
	pa_buf_addf(&p->out, ":%u: ", b->rule->line);
	rpt_add_text(&p->out, b->rule->name, 0);
	pa_buf_add_str(&p->out, ")\n");
}

static void add_blocked(struct rpt_page *p, const struct rpt_breach *b)
{
	pa_buf_addf(&p->out, ": %s in ",
		    b->kind == RPT_BREACH_NEVER ? "must never block" : "blocked");
	pa_buf_add_str(&p->out, b->blocked_in);
	pa_buf_addf(&p->out, " [%s] ", rpt_wait_classes[b->class].name);
	rpt_add_duration(&p->out, b->value);
	pa_buf_add_str(&p->out, ", ");
	rpt_add_count(&p->out, b->count, "time");
	pa_buf_add_str(&p->out, ", longest ");
	rpt_add_duration(&p->out, b->max_ns);
	if (b->open_count)
		pa_buf_add_str(&p->out, " and still so at the end");
}

static void add_breach(struct rpt_page *p, const struct rpt_breach *b)
{
	size_t line;

	pa_buf_add_str(&p->out, "  ");
	rpt_add_text(&p->out, rpt_text(&p->s->model, b->comm), 0);
	pa_buf_addf(&p->out, "/%u", p->s->model.processes.threads[b->thread].tid);
	if (b->kind == RPT_BREACH_SLICE) {
		pa_buf_add_str(&p->out, ": held a CPU for ");
		rpt_add_duration(&p->out, b->value);
		pa_buf_add_char(&p->out, ' ');
		rpt_page_moment(p, b->thread, b->time_ns);
		pa_buf_add_str(&p->out, ", normal up to ");
		rpt_add_duration(&p->out, b->rule->slice_ns);
	} else {
		add_blocked(p, b);
	}
	if (b->kind == RPT_BREACH_PERIOD) {
		pa_buf_add_str(&p->out, ", normal up to ");
		rpt_add_duration(&p->out, b->rule->period_ns);
	}
	add_rule(p, b);
	if (!b->call)
		return;
	line = p->out.len;
	pa_buf_addf(&p->out, "%*s", STACK_COLUMN, "");
	rpt_page_stack(p, line, b->call);
	pa_buf_add_char(&p->out, '\n');
}

void rpt_text_breaches(struct rpt_page *p)
{
	const struct rpt_breaches *b = &p->s->breaches;
	size_t i;

	if (!p->s->rules->thread_count)
		return;
	rpt_page_heading(p, "THREADS THAT BREAK A RULE");
	for (i = 0; i < b->count && i < p->options->top; i++)
		add_breach(p, &b->items[i]);
	if (i < b->count)
		pa_buf_addf(&p->out, "  and %zu more (--top)\n", b->count - i);
	if (!b->threads)
		pa_buf_add_str(&p->out, "  no rule fits the name of any thread\n");
	else if (!b->count)
		pa_buf_addf(&p->out, "  none of the %zu that a rule fits\n", b->threads);
	if (b->unjudged_ns) {
		pa_buf_add_str(&p->out, "  not judged: ");
		rpt_add_duration(&p->out, b->unjudged_ns);
		pa_buf_add_str(&p->out,
			       " blocked, of which neither system call nor stack is known\n");
	}
}
