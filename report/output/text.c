// SPDX-License-Identifier: GPL-2.0-or-later
/* The text report: which parts stand on which page, and how lines are laid out. */
#include "report/output/text.h"

#include <string.h>

#define LABEL_COLUMNS 14
#define STACK_NAME_COLUMNS 40

size_t rpt_page_columns(const struct rpt_page *p)
{
	return p->options->columns ? p->options->columns : RPT_PAGE_COLUMNS;
}

/* Select Graphic Rendition, ECMA-48. */
void rpt_page_begin_style(struct rpt_page *p, enum rpt_page_style style)
{
	static const char *const codes[] = {
		[RPT_STYLE_BOLD] = "1", [RPT_STYLE_GOOD] = "32", [RPT_STYLE_WATCH] = "33",
		[RPT_STYLE_BAD] = "31", [RPT_STYLE_FAINT] = "2", [RPT_STYLE_BAR] = "36",
	};

	if (p->options->colour)
		pa_buf_addf(&p->out, "\x1b[%sm", codes[style]);
}

void rpt_page_end_style(struct rpt_page *p)
{
	if (p->options->colour)
		pa_buf_add_str(&p->out, "\x1b[0m");
}

/* Eighths of a column, by the block elements of Unicode. */
void rpt_page_bar(struct rpt_page *p, double percent)
{
	static const char *const parts[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
	unsigned eighths = (unsigned)(percent / 100 * RPT_BAR_COLUMNS * 8 + 0.5), i;
	size_t start;

	if (!p->options->bars)
		return;
	eighths = PA_MIN(eighths, 8u * RPT_BAR_COLUMNS);
	pa_buf_add_str(&p->out, "  ");
	start = p->out.len;
	rpt_page_begin_style(p, RPT_STYLE_BAR);
	for (i = 0; i < eighths / 8; i++)
		pa_buf_add_str(&p->out, "█");
	pa_buf_add_str(&p->out, parts[eighths % 8]);
	rpt_page_end_style(p);
	rpt_pad(&p->out, start, RPT_BAR_COLUMNS);
}

void rpt_page_heading(struct rpt_page *p, const char *fmt, ...)
{
	va_list ap;

	pa_buf_add_char(&p->out, '\n');
	rpt_page_begin_style(p, RPT_STYLE_BOLD);
	va_start(ap, fmt);
	pa_buf_vaddf(&p->out, fmt, ap);
	va_end(ap);
	rpt_page_end_style(p);
	pa_buf_add_char(&p->out, '\n');
}

void rpt_page_label(struct rpt_page *p, const char *label)
{
	size_t line = p->out.len;

	if (p->marks_labels) {
		pa_buf_addf(&p->out, "%c%s%c", RPT_PAGE_LABEL_BEGIN, label, RPT_PAGE_LABEL_END);
		return;
	}
	pa_buf_addf(&p->out, "  %s", label);
	rpt_pad(&p->out, line, LABEL_COLUMNS);
}

static size_t begin_cell(struct rpt_page *p)
{
	pa_buf_add_str(&p->out, "  ");
	return p->out.len;
}

void rpt_page_cell_duration(struct rpt_page *p, size_t width, uint64_t ns)
{
	size_t start = begin_cell(p);

	rpt_add_duration(&p->out, ns);
	rpt_align_right(&p->out, start, width);
}

void rpt_page_cell_percent(struct rpt_page *p, size_t width, double percent)
{
	size_t start = begin_cell(p);

	pa_buf_addf(&p->out, "%.1f %%", percent);
	rpt_align_right(&p->out, start, width);
}

void rpt_page_cell_number(struct rpt_page *p, size_t width, uint64_t number)
{
	size_t start = begin_cell(p);

	pa_buf_addf(&p->out, "%llu", (unsigned long long)number);
	rpt_align_right(&p->out, start, width);
}

void rpt_page_cell(struct rpt_page *p, int width, const char *text)
{
	size_t start = begin_cell(p);

	pa_buf_add_str(&p->out, text);
	if (width < 0)
		rpt_pad(&p->out, start, (size_t)-width);
	else
		rpt_align_right(&p->out, start, (size_t)width);
}

static size_t columns_since(const struct rpt_page *p, size_t line)
{
	return rpt_columns(&p->out, line);
}

void rpt_page_text(struct rpt_page *p, size_t line, const char *text)
{
	size_t used = columns_since(p, line), max = 0, all = rpt_page_columns(p);

	if (!p->options->verbose)
		max = used + 20 < all ? all - used : 20;
	rpt_add_text(&p->out, text, max);
}

void rpt_page_name(struct rpt_page *p, size_t line, uint32_t string)
{
	rpt_page_text(p, line, rpt_text(&p->s->model, string));
}

void rpt_page_stack(struct rpt_page *p, size_t line, uint32_t call)
{
	const struct rpt_code *c = &p->s->code;
	const char *separator = "";
	size_t before;
	uint32_t i;

	for (; call; call = c->calls[call].parent) {
		const struct rpt_location *l = &c->locations[c->calls[call].location];

		for (i = 0; i < l->line_count; i++) {
			uint32_t function = c->lines[l->first_line + i].function;
			const struct rpt_function *f = &c->functions[function];

			if (p->s->wait_sites.plumbing[f->same_name] && !p->options->verbose)
				continue;
			before = p->out.len;
			pa_buf_add_str(&p->out, separator);
			separator = " < ";
			rpt_add_text(&p->out, rpt_text(&p->s->model, f->name),
				     p->options->verbose ? 0 : STACK_NAME_COLUMNS);
			if (!p->options->verbose && columns_since(p, line) > RPT_PAGE_COLUMNS - 4) {
				pa_buf_truncate(&p->out, before);
				pa_buf_add_str(&p->out, " < …");
				return;
			}
		}
	}
}

void rpt_page_thread(struct rpt_page *p, uint32_t thread)
{
	const struct rpt_processes *all = &p->s->model.processes;

	rpt_add_text(&p->out, rpt_text(&p->s->model, rpt_thread_name(all, thread)), 0);
	pa_buf_addf(&p->out, "/%u", all->threads[thread].tid);
}

void rpt_page_process(struct rpt_page *p, uint32_t process)
{
	const struct rpt_processes *all = &p->s->model.processes;

	rpt_add_text(&p->out, rpt_text(&p->s->model, rpt_process_name(all, process)), 0);
	pa_buf_addf(&p->out, "/%u", all->processes[process].pid);
}

void rpt_page_moment(struct rpt_page *p, uint32_t thread, uint64_t time_ns)
{
	const struct rpt_model *m = &p->s->model;
	const struct rpt_thread *t = &m->processes.threads[thread];
	uint64_t start_ns = m->traces[m->processes.processes[t->process].trace].start_ns;

	if (time_ns >= start_ns)
		pa_buf_addf(&p->out, "at +%.3f s", (double)(time_ns - start_ns) / 1e9);
	else
		pa_buf_add_str(&p->out, "before recording began");
}

static void add_process_head(struct rpt_page *p, uint32_t process)
{
	const struct rpt_process *proc = &p->s->model.processes.processes[process];

	pa_buf_add_str(&p->out, "\nPROCESS ");
	rpt_page_process(p, process);
	if (proc->cmdline) {
		pa_buf_add_str(&p->out, ": ");
		rpt_add_text(&p->out, rpt_text(&p->s->model, proc->cmdline),
			     rpt_page_columns(p) - 30);
	}
	pa_buf_add_char(&p->out, '\n');
}

/* Scheduler and counters of each process. */
static void add_units(struct rpt_page *p)
{
	const struct rpt_session *s = p->s;
	size_t i;

	for (i = 0; i < s->sched.unit_count; i++) {
		add_process_head(p, s->sched.units[i].process);
		rpt_text_verdicts(p, &s->unit_verdicts[i]);
		rpt_text_unit(p, &s->sched.units[i]);
	}
}

static void add_processes(struct rpt_page *p)
{
	const struct rpt_session *s = p->s;
	size_t i, k;

	for (i = 0; i < s->process_profile_count; i++) {
		add_process_head(p, s->process_profiles[i].process);
		for (k = 0; k < s->sched.unit_count && !p->options->offcpu; k++)
			if (s->sched.units[k].process == s->process_profiles[i].process)
				rpt_text_verdicts(p, &s->unit_verdicts[k]);
		rpt_text_process(p, &s->process_profiles[i]);
	}
}

static void add_pages(struct rpt_page *p)
{
	const struct rpt_output_options *o = p->options;

	rpt_text_head(p);
	rpt_text_snapshot(p);
	rpt_text_coverage(p);
	if (p->s->snapshot.count && p->s->modes == PA_MODE_SNAPSHOT)
		return;
	if (o->per_pid && o->pmu) {
		add_units(p);
	} else if (o->per_pid) {
		add_processes(p);
	} else if (o->pmu) {
		rpt_text_verdicts(p, &p->s->verdicts);
		rpt_text_unit(p, &p->s->sched.whole);
		rpt_text_counts(p);
	} else {
		if (!o->offcpu) {
			rpt_text_verdicts(p, &p->s->verdicts);
			rpt_text_breaches(p);
			rpt_text_oncpu(p);
			rpt_text_counts(p);
		}
		if (o->offcpu)
			rpt_text_breaches(p);
		rpt_text_offcpu(p);
		rpt_text_wakes(p);
		rpt_text_hints(p);
		rpt_text_tasks(p);
	}
}

static int write_text(const struct rpt_session *s, const struct rpt_output_options *options,
		      FILE *out)
{
	struct rpt_page page = {.s = s, .options = options};

	pa_buf_init(&page.out);
	add_pages(&page);
	return rpt_output_put(&page.out, out);
}

const struct rpt_output rpt_out_text = {
	.name = "text",
	.help = "the report for people",
	.write = write_text,
};
