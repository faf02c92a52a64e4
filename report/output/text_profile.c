// SPDX-License-Identifier: GPL-2.0-or-later
/* The profile sections of the text report: functions on the CPU and off it. */
#include <string.h>

#include "report/analyse/waits.h"
#include "report/output/text.h"

#define HOT_NAME_COLUMNS 48
/* Names are cut to no less. */
#define MODULE_COLUMNS 20
/* Among so many leading functions, and from this share on, one that distorts the profile is pointed at. */
#define CLOCK_NOTE_ROWS 5
#define CLOCK_NOTE_PERCENT 1.0
/* Smaller shares are left out of enumerations. */
#define SHOWN_PERCENT 0.05
#define CALL_COLUMNS 15
#define WAKER_COLUMN 43

static void add_value(struct rpt_page *p, const struct rpt_profile *profile, uint64_t value)
{
	if (profile->by_time)
		rpt_page_cell_duration(p, 8, value);
	else
		rpt_page_cell_number(p, 8, value);
}

/* Name and module; a name that is made up has its module in it. */
static void add_function(struct rpt_page *p, size_t line, uint32_t function)
{
	const struct rpt_session *s = p->s;
	const struct rpt_function *f = &s->code.functions[function];
	uint32_t module = s->model.modules.items[f->module].name;
	size_t used = rpt_columns(&p->out, line), all = rpt_page_columns(p), max = 0;

	if (f->unnamed || !module) {
		rpt_page_name(p, line, f->name);
		return;
	}
	/* The module is to fit on the line, too. */
	used += 2 + PA_MIN(strlen(rpt_text(&s->model, module)), (size_t)MODULE_COLUMNS);
	if (!p->options->verbose)
		max = used + MODULE_COLUMNS < all ? all - used : MODULE_COLUMNS;
	rpt_add_text(&p->out, rpt_text(&s->model, f->name), max);
	pa_buf_add_str(&p->out, "  ");
	rpt_page_name(p, line, module);
}

static void add_function_row(struct rpt_page *p, const struct rpt_profile *profile,
			     const struct rpt_function_value *v, double bar_percent)
{
	size_t line = p->out.len;

	rpt_page_cell_percent(p, 7, rpt_percent(v->self, profile->total));
	add_value(p, profile, v->self);
	rpt_page_cell_percent(p, 7, rpt_percent(v->total, profile->total));
	add_value(p, profile, v->total);
	rpt_page_cell_number(p, 8, v->total_count);
	rpt_page_bar(p, bar_percent);
	pa_buf_add_str(&p->out, "  ");
	add_function(p, line, v->function);
	pa_buf_add_char(&p->out, '\n');
}

static void add_table_head(struct rpt_page *p, const char *counted)
{
	rpt_page_cell(p, 7, "self");
	rpt_page_cell(p, 8, "");
	rpt_page_cell(p, 7, "total");
	rpt_page_cell(p, 8, "");
	rpt_page_cell(p, 8, counted);
	if (p->options->bars)
		rpt_page_cell(p, RPT_BAR_COLUMNS, "");
	rpt_page_cell(p, -8, "function  module");
	pa_buf_add_char(&p->out, '\n');
}

static void add_by_self(struct rpt_page *p, const struct rpt_profile *profile, const char *counted)
{
	size_t i;

	add_table_head(p, counted);
	for (i = 0; i < profile->function_count && i < p->options->top; i++) {
		if (!profile->functions[i].self)
			break;
		add_function_row(
			p, profile, &profile->functions[i],
			rpt_percent(profile->functions[i].self, profile->functions[0].self));
	}
}

/* What tells nothing: frames that stand for missing ones and are not innermost, and the functions of the
 * kernel that every wait goes through. */
static bool is_left_out(const struct rpt_page *p, const struct rpt_profile *profile,
			const struct rpt_function_value *v)
{
	uint32_t module = p->s->code.functions[v->function].module;

	if (profile->offcpu && p->s->wait_sites.plumbing[v->function] && !p->options->verbose)
		return true;
	/* Frames that stacks are grouped by are no missing ones. */
	return p->s->model.modules.items[module].kind == RPT_MODULE_MARKER && !v->self &&
	       !p->options->grouped;
}

static void add_by_total(struct rpt_page *p, const struct rpt_profile *profile, const char *counted)
{
	const struct rpt_function_value *v;
	uint64_t shown = 0;
	size_t i;

	add_table_head(p, counted);
	for (i = 0; i < profile->function_count && shown < p->options->top; i++) {
		v = &profile->functions[profile->by_total[i]];
		if (is_left_out(p, profile, v))
			continue;
		add_function_row(p, profile, v, rpt_percent(v->total, profile->total));
		shown++;
	}
}

/*
 * Where interrupts are off, the clock's interrupt comes late: samples fall on the function that switches
 * them on again.
 */
static void add_clock_note(struct rpt_page *p)
{
	static const char reenabling[] =
		"_raw_spin_unlock_irq* finish_task_switch* local_irq_restore* __do_softirq "
		"handle_softirqs do_idle default_idle* exit_to_user_mode* pv_native_safe_halt "
		"native_safe_halt raw_spin_rq_unlock* raw_irqentry_exit_cond_resched";
	const struct rpt_session *s = p->s;
	size_t i;

	if (s->oncpu.estimated_time)
		return;
	for (i = 0; i < s->oncpu.function_count && i < CLOCK_NOTE_ROWS; i++) {
		const struct rpt_function *f = &s->code.functions[s->oncpu.functions[i].function];

		if (rpt_percent(s->oncpu.functions[i].self, s->oncpu.total) < CLOCK_NOTE_PERCENT ||
		    s->model.modules.items[f->module].kind != RPT_MODULE_KERNEL ||
		    !rpt_matches_any(reenabling, rpt_text(&s->model, f->name)))
			continue;
		pa_buf_add_str(&p->out, "  note: ");
		rpt_add_text(&p->out, rpt_text(&s->model, f->name), HOT_NAME_COLUMNS);
		pa_buf_add_str(&p->out, " switches interrupts on: the clock's samples of the\n"
					"  code before it, where they were off, fall on it\n");
		return;
	}
}

void rpt_text_oncpu(struct rpt_page *p)
{
	const struct rpt_profile *profile = &p->s->oncpu;

	if (!profile->count)
		return;
	rpt_page_heading(p, "ON CPU, BY OWN TIME");
	add_by_self(p, profile, "samples");
	add_clock_note(p);
	rpt_page_heading(p, "ON CPU, BY TOTAL TIME (with what it calls)");
	add_by_total(p, profile, "samples");
}

void rpt_text_process(struct rpt_page *p, const struct rpt_process_profile *process)
{
	if (process->oncpu.count && !p->options->offcpu) {
		rpt_page_heading(p, "ON CPU, BY OWN TIME");
		add_by_self(p, &process->oncpu, "samples");
	}
	if (process->offcpu.count) {
		rpt_page_heading(p, "OFF CPU, BY TOTAL TIME");
		add_by_total(p, &process->offcpu, "times");
	}
}

/* --- off the CPU --- */

static void add_shares(struct rpt_page *p, const char *label, const struct rpt_shares *shares,
		       const char *(*text)(uint32_t id))
{
	size_t i;

	size_t line = p->out.len;

	rpt_page_label(p, label);
	for (i = 0; i < shares->count; i++) {
		double percent = rpt_percent(shares->items[i].value, p->s->offcpu.total);

		if (percent < SHOWN_PERCENT)
			break;
		if (i)
			pa_buf_add_char(&p->out, ',');
		if (p->out.len - line > rpt_page_columns(p) - 30) {
			pa_buf_add_char(&p->out, '\n');
			line = p->out.len;
			rpt_page_label(p, "");
		} else if (i) {
			pa_buf_add_char(&p->out, ' ');
		}
		pa_buf_addf(&p->out, "%.1f %% %s", percent, text(shares->items[i].id));
	}
	pa_buf_add_char(&p->out, '\n');
}

static const char *class_text(uint32_t id)
{
	return rpt_wait_classes[id].name;
}

/* In no class of waits: runnable threads wait for a CPU only. */
static void add_run_queue(struct rpt_page *p)
{
	const struct rpt_sched_sum *sum = &p->s->sched.whole.sum;

	if (!sum->runq_ns)
		return;
	rpt_page_label(p, "preempted");
	rpt_add_duration(&p->out, sum->runq_ns);
	pa_buf_addf(&p->out,
		    " waiting for a CPU, beside this: %llu times preempted, %llu times woken\n",
		    (unsigned long long)sum->preempted, (unsigned long long)sum->wakeups);
}

static void add_wait_site(struct rpt_page *p, const struct rpt_wait_site *site)
{
	const struct rpt_session *s = p->s;
	size_t line = p->out.len;

	rpt_page_cell_percent(p, 7, rpt_percent(site->value, s->offcpu.total));
	rpt_page_cell_duration(p, 8, site->value);
	rpt_page_cell_number(p, 8, site->count);
	rpt_page_cell_duration(p, 8, site->max_ns);
	rpt_page_cell(p, -11, class_text(site->class));
	rpt_page_cell(p, -CALL_COLUMNS, site->syscall ? site->syscall : "-");
	pa_buf_add_str(&p->out, "  ");
	if (site->user)
		rpt_page_name(p, line, s->code.functions[site->user].name);
	if (site->kernel) {
		pa_buf_add_str(&p->out, site->user ? " < " : "");
		rpt_page_name(p, line, s->code.functions[site->kernel].name);
	}
	if (site->open_count)
		pa_buf_addf(&p->out, " (%llu open)", (unsigned long long)site->open_count);
	pa_buf_add_char(&p->out, '\n');
}

static void add_wait_sites(struct rpt_page *p)
{
	const struct rpt_wait_sites *sites = &p->s->wait_sites;
	uint64_t shown = 0;
	size_t i;

	rpt_page_cell(p, 7, "share");
	rpt_page_cell(p, 8, "blocked");
	rpt_page_cell(p, 8, "times");
	rpt_page_cell(p, 8, "longest");
	rpt_page_cell(p, -11, "class");
	rpt_page_cell(p, -CALL_COLUMNS, "call");
	pa_buf_add_str(&p->out, "  function < what the kernel waited in\n");
	for (i = 0; i < sites->count && shown < p->options->top; i++) {
		/* Threads of the kernel that wait for work are many, and tell nothing. */
		if (!sites->items[i].user && rpt_wait_classes[sites->items[i].class].idle &&
		    !p->options->verbose)
			continue;
		add_wait_site(p, &sites->items[i]);
		shown++;
	}
}

void rpt_text_offcpu(struct rpt_page *p)
{
	const struct rpt_profile *profile = &p->s->offcpu;

	if (!profile->count && !profile->total)
		return;
	rpt_page_heading(p, "OFF CPU, BY WHAT WAITED");
	add_shares(p, "states", &profile->states, rpt_state_text);
	add_shares(p, "classes", &profile->classes, class_text);
	add_run_queue(p);
	add_wait_sites(p);
	rpt_page_heading(p, "OFF CPU, BY TOTAL TIME (with what it calls; the scheduler's own "
			    "functions left out)");
	add_by_total(p, profile, "times");
}

/* --- who wakes whom --- */

static void add_waker(struct rpt_page *p, uint32_t waker)
{
	if (waker == RPT_WAKER_INTERRUPT)
		pa_buf_add_str(&p->out, "a timer or an interrupt");
	else if (waker == RPT_WAKER_OUTSIDE)
		pa_buf_add_str(&p->out, "a thread that was not recorded");
	else
		rpt_page_thread(p, waker);
}

static void add_wake(struct rpt_page *p, const struct rpt_wake *w)
{
	size_t line;

	rpt_page_cell_percent(p, 7, rpt_percent(w->value, p->s->offcpu.total));
	rpt_page_cell_duration(p, 8, w->value);
	rpt_page_cell_number(p, 8, w->count);
	rpt_page_cell_duration(p, 8, w->max_ns);
	pa_buf_add_str(&p->out, "  ");
	add_waker(p, w->waker);
	pa_buf_add_str(&p->out, " > ");
	rpt_page_thread(p, w->woken);
	pa_buf_add_char(&p->out, '\n');
	if (!w->waker_call)
		return;
	line = p->out.len;
	pa_buf_addf(&p->out, "%*s", WAKER_COLUMN, "");
	rpt_page_stack(p, line, w->waker_call);
	pa_buf_add_char(&p->out, '\n');
}

void rpt_text_wakes(struct rpt_page *p)
{
	const struct rpt_wakes *wakes = &p->s->wakes;
	size_t i;

	if (!wakes->count)
		return;
	rpt_page_heading(p, "WHO WAKES WHOM (by how long the woken had been blocked)");
	rpt_page_cell(p, 7, "share");
	rpt_page_cell(p, 8, "blocked");
	rpt_page_cell(p, 8, "times");
	rpt_page_cell(p, 8, "longest");
	pa_buf_add_str(&p->out, "  waker > woken\n");
	for (i = 0; i < wakes->count && i < p->options->top; i++)
		add_wake(p, &wakes->items[i]);
	if (i < wakes->count)
		pa_buf_addf(&p->out, "  and %zu more (--top)\n", wakes->count - i);
	if (wakes->unknown_ns) {
		pa_buf_addf(&p->out, "  %5.1f %% ",
			    rpt_percent(wakes->unknown_ns, p->s->offcpu.total));
		pa_buf_add_str(&p->out,
			       "of the blocked time has not ended, or nobody knows who ended it\n");
	}
}
