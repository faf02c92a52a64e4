// SPDX-License-Identifier: GPL-2.0-or-later
/* The coverage section of the text report: what the traces hold, and what they lack. */
#include <string.h>

#include "report/output/text.h"

/* Below this share of it, sampling is said not to have reached the rate that was asked for. */
#define GOOD_RATE 0.9
/* Threads whose times don't add up that are named. */
#define IMBALANCES_SHOWN 3

static void add_samples(struct rpt_page *p)
{
	const struct rpt_session *s = p->s;
	const struct rpt_coverage *cov = &s->coverage;

	if (!(s->modes & PA_MODE_PROFILE) && !cov->samples)
		return;
	rpt_page_label(p, "samples");
	pa_buf_addf(&p->out, "%llu on CPU", (unsigned long long)cov->samples);
	if (s->oncpu.by_time && s->oncpu.total) {
		pa_buf_addf(&p->out, ", %s", s->oncpu.estimated_time ? "about " : "");
		rpt_add_duration(&p->out, s->oncpu.total);
	}
	if (cov->rate_hz > 0) {
		pa_buf_addf(&p->out, ", %.1f Hz on busy CPUs", cov->rate_hz);
		if (cov->rate_hz < GOOD_RATE * cov->asked_hz)
			pa_buf_addf(&p->out, " (%.0f asked for)", cov->asked_hz);
	}
	pa_buf_add_char(&p->out, '\n');
}

static void add_intervals(struct rpt_page *p)
{
	const struct rpt_profile *off = &p->s->offcpu;

	if (!(p->s->modes & PA_MODE_OFFCPU) && !off->count)
		return;
	rpt_page_label(p, "intervals");
	pa_buf_addf(&p->out, "%llu off CPU, ", (unsigned long long)off->count);
	rpt_add_duration(&p->out, off->total);
	if (off->open_count)
		pa_buf_addf(&p->out, "; %llu still open at the end",
			    (unsigned long long)off->open_count);
	if (off->thinned)
		pa_buf_addf(&p->out, "; %.1f %% thinned: taken from similar ones",
			    rpt_percent(off->thinned, off->total));
	if (off->unrecorded)
		pa_buf_addf(&p->out, "; %.1f %% without an interval",
			    rpt_percent(off->unrecorded, off->total));
	pa_buf_add_char(&p->out, '\n');
}

static void add_ends(struct rpt_page *p, const char *label, const uint64_t *by_end)
{
	const char *separator = "";
	size_t line = p->out.len;
	uint64_t total = 0;
	uint32_t i;

	for (i = 0; i < PA_STACK_FIRST_ID; i++)
		rpt_add_saturated(&total, by_end[i]);
	if (!total)
		return;
	rpt_page_label(p, label);
	for (i = 0; i < PA_STACK_FIRST_ID; i++) {
		if (!by_end[i])
			continue;
		if (*separator && p->out.len - line > rpt_page_columns(p) - 30) {
			pa_buf_add_str(&p->out, ",\n");
			line = p->out.len;
			rpt_page_label(p, "");
			separator = "";
		}
		pa_buf_add_str(&p->out, separator);
		pa_buf_addf(&p->out, "%llu %s", (unsigned long long)by_end[i],
			    rpt_stack_end_text(i));
		separator = ", ";
	}
	pa_buf_add_char(&p->out, '\n');
}

static void add_losses(struct rpt_page *p)
{
	const struct rpt_model *m = &p->s->model;
	const char *label = "lost";
	size_t i, k;

	for (i = 0; i < m->trace_count; i++) {
		for (k = 0; k < m->traces[i].loss_count; k++) {
			const struct rpt_loss *loss = &m->traces[i].losses[k];

			if (!loss->count)
				continue;
			rpt_page_label(p, label);
			label = "";
			pa_buf_addf(&p->out, "%llu %s", (unsigned long long)loss->count,
				    rpt_loss_text(loss->kind));
			if (loss->detail) {
				pa_buf_add_str(&p->out, ": ");
				rpt_add_text(&p->out, rpt_text(m, loss->detail), 0);
			}
			pa_buf_add_char(&p->out, '\n');
		}
	}
	if (*label) {
		rpt_page_label(p, label);
		pa_buf_add_str(&p->out, "nothing\n");
	}
}

static void add_problems(struct rpt_page *p)
{
	const struct rpt_model *m = &p->s->model;
	const char *separator = " (";
	uint64_t count;
	size_t i, k;

	if (!p->s->coverage.problems)
		return;
	rpt_page_label(p, "skipped");
	pa_buf_addf(&p->out, "skipped records: %llu", (unsigned long long)p->s->coverage.problems);
	for (k = 0; k < RPT_PROBLEM_KINDS_; k++) {
		for (count = 0, i = 0; i < m->trace_count; i++)
			rpt_add_saturated(&count, m->traces[i].problems[k]);
		if (!count)
			continue;
		pa_buf_addf(&p->out, "%s%llu %s", separator, (unsigned long long)count,
			    rpt_problem_text((enum rpt_problem)k));
		separator = ", ";
	}
	pa_buf_add_str(&p->out, ")\n");
}

static void add_damage(struct rpt_page *p)
{
	const struct rpt_model *m = &p->s->model;
	size_t i;

	for (i = 0; i < m->trace_count; i++) {
		const struct pa_reader_stats *r = &m->traces[i].reader;

		if (!r->blocks_bad && !r->bytes_skipped)
			continue;
		rpt_page_label(p, "damaged");
		rpt_add_count(&p->out, r->blocks_bad, "bad block");
		pa_buf_add_str(&p->out, ", ");
		rpt_add_bytes(&p->out, r->bytes_skipped);
		pa_buf_add_str(&p->out, " skipped\n");
	}
}

static void add_imbalances(struct rpt_page *p)
{
	const struct rpt_sched *sched = &p->s->sched;
	size_t i;

	if (!sched->imbalance_count)
		return;
	rpt_page_label(p, "warning");
	rpt_add_count(&p->out, sched->imbalance_count, "thread");
	pa_buf_add_str(&p->out, ": on-CPU, off-CPU and run-queue time don't add up to the time "
				"observed:\n");
	for (i = 0; i < sched->imbalance_count && i < IMBALANCES_SHOWN; i++) {
		rpt_page_label(p, "");
		rpt_page_thread(p, sched->imbalances[i].thread);
		pa_buf_addf(&p->out, " %.1f %% %s\n",
			    sched->imbalances[i].percent < 0 ? -sched->imbalances[i].percent :
							       sched->imbalances[i].percent,
			    sched->imbalances[i].percent < 0 ? "too much" : "missing");
	}
}

static void add_discarded(struct rpt_page *p)
{
	if (!p->s->sched.whole.sum.discarded)
		return;
	rpt_page_label(p, "discarded");
	rpt_add_count(&p->out, p->s->sched.whole.sum.discarded, "scheduler event");
	pa_buf_add_str(&p->out, " out of order, or whose counterpart was not seen\n");
}

/* Module, why, build ID: enough to go and find the file. */
static void add_unresolved_row(struct rpt_page *p, const struct rpt_unresolved *u, uint64_t total)
{
	const struct rpt_model *m = &p->s->model;
	const struct rpt_module *module = &m->modules.items[u->module];
	size_t line = p->out.len;

	pa_buf_add_str(&p->out, "  ");
	rpt_page_cell_number(p, 10, u->samples);
	rpt_page_cell_percent(p, 7, rpt_percent(u->samples, total));
	rpt_page_cell_number(p, 9, u->addresses);
	pa_buf_add_str(&p->out, "  ");
	rpt_page_name(p, line, module->name);
	if (module->flags & PA_MODULE_DELETED)
		pa_buf_add_str(&p->out, " (deleted)");
	pa_buf_addf(&p->out, ": %s", p->s->code.reason_texts[u->reason]);
	pa_buf_add_char(&p->out, '\n');
	if (!rpt_module_is_file(module))
		return;
	pa_buf_addf(&p->out, "%36s", "");
	rpt_add_text(&p->out, rpt_text(m, module->path), 0);
	pa_buf_add_str(&p->out, module->build_id_bytes ? ", build ID " : ", no build ID");
	rpt_add_build_id(&p->out, module->build_id, module->build_id_bytes);
	pa_buf_add_char(&p->out, '\n');
}

static void add_unresolved(struct rpt_page *p)
{
	const struct rpt_coverage *cov = &p->s->coverage;
	uint64_t total = p->s->oncpu.count;
	size_t i;

	rpt_add_saturated(&total, p->s->offcpu.count);
	rpt_page_label(p, "unresolved");
	if (!cov->unresolved_count) {
		pa_buf_add_str(&p->out, "nothing\n");
		return;
	}
	pa_buf_add_str(&p->out, "stacks with a frame that has no name (offsets are in the file, "
				"not virtual addresses):\n");
	pa_buf_add_str(&p->out, "      stacks    share  addresses  module, why\n");
	for (i = 0; i < cov->unresolved_count && i < p->options->top; i++)
		add_unresolved_row(p, &cov->unresolved[i], total);
	if (i < cov->unresolved_count)
		pa_buf_addf(&p->out, "      and %zu more (--top)\n", cov->unresolved_count - i);
}

/* What the symbolizer has to say about files it did not take. */
static void add_messages(struct rpt_page *p)
{
	const struct rpt_session *s = p->s;
	size_t i;

	for (i = 0; i < s->model.modules.count; i++) {
		if (!s->code.module_names[i].message)
			continue;
		rpt_page_label(p, "note");
		rpt_add_text(&p->out, s->code.module_names[i].message, 0);
		pa_buf_add_char(&p->out, '\n');
	}
	if (s->model.kernel.hidden) {
		rpt_page_label(p, "note");
		pa_buf_add_str(&p->out, "kptr_restrict hid kernel symbols from the recorder\n");
	}
}

void rpt_text_coverage(struct rpt_page *p)
{
	rpt_page_heading(p, "COVERAGE");
	add_samples(p);
	add_intervals(p);
	add_ends(p, "user stacks", p->s->coverage.stacks_by_end);
	add_ends(p, "off-CPU", p->s->coverage.blocks_by_end);
	add_losses(p);
	add_damage(p);
	add_problems(p);
	add_discarded(p);
	add_imbalances(p);
	add_unresolved(p);
	add_messages(p);
}
