// SPDX-License-Identifier: GPL-2.0-or-later
/* Two sessions compared, as text: what changed, by how much, and whether that could be chance. */
#include <errno.h>
#include <math.h>

#include "report/output/text.h"

/* Smaller than this is shown as nothing. */
#define SHOWN_RATE 0.5

/* --- which is which --- */

static void add_side(struct rpt_page *p, const char *label, const struct rpt_session *s)
{
	size_t i, k;

	for (i = 0; i < s->model.trace_count; i++) {
		const struct rpt_trace *t = &s->model.traces[i];

		rpt_page_label(p, i ? "" : label);
		rpt_add_text(&p->out, t->file, 0);
		pa_buf_add_str(&p->out, ": ");
		if (t->host) {
			rpt_add_text(&p->out, rpt_text(&s->model, t->host), 0);
			pa_buf_add_str(&p->out, ", ");
		}
		rpt_add_duration(&p->out, rpt_trace_duration(t));
		if (t->has_session) {
			pa_buf_add_str(&p->out, " from ");
			rpt_add_wall_time(&p->out, t->start_wall_ns);
			pa_buf_add_str(&p->out, ", Linux ");
			rpt_add_text(&p->out, rpt_text(&s->model, t->kernel), 0);
		}
		for (k = 0; k < t->tags.count; k++) {
			pa_buf_add_str(&p->out, ", ");
			rpt_add_text(&p->out, rpt_text(&s->model, t->tags.items[k].key), 0);
			pa_buf_add_char(&p->out, '=');
			rpt_add_text(&p->out, rpt_text(&s->model, t->tags.items[k].value), 0);
		}
		if (!t->ended)
			pa_buf_add_str(&p->out, ", incomplete");
		pa_buf_add_char(&p->out, '\n');
	}
}

static void add_lost(struct rpt_page *p, const char *label, const struct rpt_session *s)
{
	if (!s->coverage.lost && !s->coverage.problems)
		return;
	rpt_page_label(p, "note");
	pa_buf_addf(&p->out, "%s lacks something: %llu lost, %llu records left out\n", label,
		    (unsigned long long)s->coverage.lost, (unsigned long long)s->coverage.problems);
}

static void add_head(struct rpt_page *p)
{
	pa_buf_add_str(&p->out, "DIFFERENCE\n");
	add_side(p, "before", p->s->before);
	add_side(p, "after", p->s);
	rpt_text_filter(p, &p->s->before->model);
	rpt_text_filter(p, &p->s->model);
	add_lost(p, "before", p->s->before);
	add_lost(p, "after", p->s);
	pa_buf_addf(&p->out,
		    "  + is more after than before. %s\n"
		    "  In brackets: half of the 95 %% interval. \"chance\": may well be nothing.\n",
		    p->options->raw ? "Values are sums of each recording." :
				      "Values are per second of recording.");
}

/* --- tables --- */

static void add_amount(struct rpt_page *p, size_t width, bool by_time, double amount, bool sign)
{
	size_t start;

	pa_buf_add_str(&p->out, "  ");
	start = p->out.len;
	if (fabs(amount) < SHOWN_RATE)
		amount = 0.0;
	if (sign && amount != 0.0)
		pa_buf_add_char(&p->out, amount < 0.0 ? '-' : '+');
	if (by_time)
		rpt_add_duration(&p->out, (uint64_t)llround(fabs(amount)));
	else
		rpt_add_number(&p->out, fabs(amount));
	rpt_align_right(&p->out, start, width);
}

static void add_percent(struct rpt_page *p, size_t width, const struct rpt_diff_item *item)
{
	size_t start;

	pa_buf_add_str(&p->out, "  ");
	start = p->out.len;
	if (!item->before)
		pa_buf_add_str(&p->out, item->after ? "added" : "");
	else if (!item->after)
		pa_buf_add_str(&p->out, "removed");
	else
		pa_buf_addf(&p->out, "%+.1f %% (%.1f)", item->change_percent, item->half_percent);
	rpt_align_right(&p->out, start, width);
}

/* Added to nothing is no change. */
static bool is_equal(const struct rpt_page *p, const struct rpt_diff_item *item)
{
	if (p->options->raw)
		return item->before == item->after;
	return item->before_rate == item->after_rate;
}

static void add_row(struct rpt_page *p, const struct rpt_diff_item *item, bool by_time)
{
	bool raw = p->options->raw;
	double before = raw ? (double)item->before : item->before_rate;
	double after = raw ? (double)item->after : item->after_rate;
	size_t line = p->out.len;

	add_amount(p, 9, by_time, after - before, true);
	add_percent(p, 17, item);
	add_amount(p, 8, by_time, before, false);
	add_amount(p, 8, by_time, after, false);
	rpt_page_cell_percent(p, 7, item->before_percent);
	rpt_page_cell_percent(p, 7, item->after_percent);
	rpt_page_cell(p, -7, is_equal(p, item) ? "" : item->significant ? "yes" : "chance");
	pa_buf_add_str(&p->out, "  ");
	if (!item->name) {
		pa_buf_add_str(&p->out, "[everything]\n");
		return;
	}
	rpt_page_text(p, line, item->name);
	if (item->module && *item->module) {
		pa_buf_add_str(&p->out, "  ");
		rpt_page_text(p, line, item->module);
	}
	pa_buf_add_char(&p->out, '\n');
}

static void add_moves(struct rpt_page *p, const struct rpt_diff_table *t, bool left)
{
	uint64_t top = p->options->top;
	size_t i, shown = 0, line = p->out.len;

	for (i = 0; i < t->count && shown < top; i++) {
		const struct rpt_diff_item *item = &t->items[i];
		size_t here = left ? item->after_rank : item->before_rank;
		size_t there = left ? item->before_rank : item->after_rank;

		if (!there || there > top || !here || here <= top)
			continue;
		if (!shown++)
			pa_buf_addf(&p->out, "  %s the top %llu: ", left ? "left" : "entered",
				    (unsigned long long)top);
		else
			pa_buf_add_str(&p->out, ", ");
		if (p->out.len - line > RPT_PAGE_COLUMNS - 30) {
			pa_buf_add_str(&p->out, "\n    ");
			line = p->out.len - 4;
		}
		rpt_add_text(&p->out, item->name, 40);
	}
	if (shown)
		pa_buf_add_char(&p->out, '\n');
}

/* What is on one side only, beyond the rows that are shown. */
static void add_one_sided(struct rpt_page *p, const struct rpt_diff_table *t, bool added)
{
	uint64_t count = 0;
	size_t i;

	for (i = 0; i < t->count; i++)
		count += added ? !t->items[i].before : !t->items[i].after;
	if (count)
		pa_buf_addf(&p->out, "  %llu %s\n", (unsigned long long)count,
			    added ? "added" : "removed");
}

/* Significant ones first, each by its change; returns how many were shown. */
static uint64_t add_rows(struct rpt_page *p, const struct rpt_diff_table *t, bool by_time,
			 bool significant, uint64_t room)
{
	uint64_t shown = 0;
	size_t i;

	for (i = 0; i < t->count && shown < room; i++) {
		if (t->items[i].significant != significant || is_equal(p, &t->items[i]))
			continue;
		add_row(p, &t->items[i], by_time);
		shown++;
	}
	return shown;
}

static void add_table(struct rpt_page *p, const char *heading, const char *what,
		      const struct rpt_diff_table *t, bool by_time)
{
	uint64_t shown, changed = 0, top = p->options->top;
	size_t i;

	if (!t->has_data && !t->not_comparable)
		return;
	rpt_page_heading(p, "%s", heading);
	if (t->not_comparable) {
		pa_buf_addf(&p->out, "  not compared: %s\n", t->not_comparable);
		return;
	}
	for (i = 0; i < t->count; i++)
		changed += !is_equal(p, &t->items[i]);
	if (!changed && is_equal(p, &t->all)) {
		pa_buf_add_str(&p->out, "  no change\n");
		return;
	}
	rpt_page_cell(p, 9, "change");
	rpt_page_cell(p, 17, "");
	rpt_page_cell(p, 8, "before");
	rpt_page_cell(p, 8, "after");
	rpt_page_cell(p, 7, "share");
	rpt_page_cell(p, 7, "after");
	rpt_page_cell(p, -7, "real?");
	pa_buf_addf(&p->out, "  %s\n", what);
	add_row(p, &t->all, by_time);
	shown = add_rows(p, t, by_time, true, top);
	shown += add_rows(p, t, by_time, false, top - shown);
	if (shown < changed)
		pa_buf_addf(&p->out, "  and %llu smaller changes (--top)\n",
			    (unsigned long long)(changed - shown));
	add_one_sided(p, t, true);
	add_one_sided(p, t, false);
	add_moves(p, t, true);
	add_moves(p, t, false);
}

/* --- numbers --- */

static void add_number(struct rpt_page *p, enum rpt_metric_unit unit, bool known, double number)
{
	size_t start;

	pa_buf_add_str(&p->out, "  ");
	start = p->out.len;
	if (!known)
		pa_buf_add_str(&p->out, "n/a");
	else if (unit == RPT_UNIT_NS)
		rpt_add_duration(&p->out, (uint64_t)llround(number));
	else if (unit == RPT_UNIT_PERCENT)
		pa_buf_addf(&p->out, "%.1f %%", number);
	else if (fabs(number) < 100.0)
		pa_buf_addf(&p->out, "%.4g", number);
	else
		rpt_add_number(&p->out, number);
	rpt_align_right(&p->out, start, 10);
}

static void add_number_change(struct rpt_page *p, bool known, double before, double after)
{
	size_t start;

	pa_buf_add_str(&p->out, "  ");
	start = p->out.len;
	if (known && before == after)
		pa_buf_add_str(&p->out, "0");
	else if (known && before > 0.0)
		pa_buf_addf(&p->out, "%+.1f %%", 100.0 * (after - before) / before);
	rpt_align_right(&p->out, start, 9);
}

static void add_numbers(struct rpt_page *p, const char *heading, const char *note,
			const struct rpt_diff_numbers *numbers)
{
	size_t i;

	if (!numbers->count)
		return;
	rpt_page_heading(p, "%s", heading);
	for (i = 0; i < numbers->count; i++) {
		const struct rpt_diff_number *n = &numbers->items[i];
		bool known = n->before_known && n->after_known;
		size_t line = p->out.len;

		pa_buf_add_str(&p->out, "  ");
		rpt_add_text(&p->out, n->name, 36);
		rpt_pad(&p->out, line, 38);
		add_number(p, n->unit, n->before_known, n->before);
		add_number(p, n->unit, n->after_known, n->after);
		add_number_change(p, known, n->before, n->after);
		if (n->has_test && n->before != n->after)
			pa_buf_add_str(&p->out, n->significant ? "  yes" : "  chance");
		pa_buf_add_char(&p->out, '\n');
	}
	if (note)
		pa_buf_addf(&p->out, "  %s\n", note);
}

static void add_verdicts(struct rpt_page *p)
{
	const struct rpt_verdicts *before = &p->s->before->verdicts, *after = &p->s->verdicts;
	size_t i;

	if (!((p->s->modes | p->s->before->modes) & PA_MODE_PMU))
		return;
	rpt_page_heading(p, "VERDICTS, BEFORE AND AFTER");
	for (i = 0; i < after->count && i < before->count; i++) {
		const struct rpt_verdict *b = &before->items[i], *a = &after->items[i];
		size_t line = p->out.len;

		pa_buf_addf(&p->out, "  %s", a->metric->title);
		rpt_pad(&p->out, line, 38);
		add_number(p, a->metric->unit, b->value.known, b->value.number);
		add_number(p, a->metric->unit, a->value.known, a->value.number);
		add_number_change(p, a->value.known && b->value.known, b->value.number,
				  a->value.number);
		pa_buf_addf(&p->out, "  %s", rpt_judgement_text(b->judgement));
		if (a->judgement != b->judgement)
			pa_buf_addf(&p->out, " -> %s", rpt_judgement_text(a->judgement));
		pa_buf_add_char(&p->out, '\n');
	}
}

static int write_diff(const struct rpt_session *s, const struct rpt_output_options *options,
		      FILE *out)
{
	struct rpt_page page = {.s = s, .options = options};
	const struct rpt_diff *d = s->diff;
	bool by_time = s->oncpu.by_time;
	int err;

	pa_buf_init(&page.out);
	add_head(&page);
	if (!options->offcpu) {
		add_verdicts(&page);
		add_table(&page, "ON CPU, BY OWN TIME", "function  module", &d->self, by_time);
		add_table(&page, "ON CPU, BY TOTAL TIME (with what it calls)", "function  module",
			  &d->total, by_time);
	}
	add_table(&page, "OFF CPU, BY CLASS", "class", &d->classes, true);
	add_table(&page, "OFF CPU, BY TOTAL TIME (with what it calls)", "function  module",
		  &d->offcpu, true);
	if (!options->offcpu) {
		add_numbers(&page, "COUNTERS",
			    "one sum a recording: how much of it is chance is not known",
			    &d->counters);
		add_numbers(&page, "SCHEDULER", NULL, &d->percentiles);
	}
	err = pa_buf_error(&page.out);
	errno = 0;
	if (err == 0 && fwrite(page.out.data, 1, page.out.len, out) != page.out.len)
		err = errno ? -errno : -EIO;
	pa_buf_fini(&page.out);
	return err;
}

const struct rpt_output rpt_out_diff = {
	.name = "diff",
	.help = "two sessions compared, for people",
	.needs_points = true,
	.needs_before = true,
	.write = write_diff,
};
