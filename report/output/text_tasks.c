// SPDX-License-Identifier: GPL-2.0-or-later
/* The process and thread tables of the text report. */
#include <stdlib.h>

#include "report/output/text.h"
#include "report/xmem.h"

static void add_head(struct rpt_page *p, const char *what)
{
	rpt_page_cell(p, 7, "on CPU");
	rpt_page_cell(p, 8, "");
	rpt_page_cell(p, 8, "samples");
	rpt_page_cell(p, 7, "blocked");
	rpt_page_cell(p, 8, "");
	rpt_page_cell(p, 8, "run queue");
	pa_buf_addf(&p->out, "  %s\n", what);
}

/* What the tables show of a process or a thread. */
struct task {
	uint32_t id;
	struct rpt_share on, off;
	uint64_t runq_ns;
	bool has_runq;
};

/* What was not recorded is no 0. */
static void add_share(struct rpt_page *p, const struct rpt_profile *profile,
		      const struct rpt_share *share)
{
	if (profile->total)
		rpt_page_cell_percent(p, 7, rpt_percent(share->value, profile->total));
	else
		rpt_page_cell(p, 7, "-");
	if (profile->total && profile->by_time)
		rpt_page_cell_duration(p, 8, share->value);
	else
		rpt_page_cell(p, 8, "-");
}

static void add_row(struct rpt_page *p, const struct task *t)
{
	add_share(p, &p->s->oncpu, &t->on);
	if (p->s->oncpu.count)
		rpt_page_cell_number(p, 8, t->on.count);
	else
		rpt_page_cell(p, 8, "-");
	add_share(p, &p->s->offcpu, &t->off);
	if (t->has_runq)
		rpt_page_cell_duration(p, 9, t->runq_ns);
	else
		rpt_page_cell(p, 9, "-");
	pa_buf_add_str(&p->out, "  ");
}

/* Puts shares into the tasks of their ids, and gives how many tasks have any. */
static void take_shares(struct task *tasks, const struct rpt_shares *on,
			const struct rpt_shares *off)
{
	size_t i;

	for (i = 0; i < on->count; i++)
		tasks[on->items[i].id].on = on->items[i];
	for (i = 0; i < off->count; i++)
		tasks[off->items[i].id].off = off->items[i];
}

static int compare(const void *a, const void *b)
{
	const struct task *x = a, *y = b;

	if (x->on.value != y->on.value)
		return x->on.value > y->on.value ? -1 : 1;
	if (x->off.value != y->off.value)
		return x->off.value > y->off.value ? -1 : 1;
	return x->id < y->id ? -1 : x->id > y->id;
}

/* Drops tasks of which nothing was seen, and sorts the others. */
static size_t order(struct task *tasks, size_t count)
{
	size_t i, kept = 0;

	for (i = 0; i < count; i++) {
		tasks[i].id = (uint32_t)i;
		if (tasks[i].on.count || tasks[i].off.count || tasks[i].off.value ||
		    tasks[i].has_runq)
			tasks[kept++] = tasks[i];
	}
	qsort(tasks, kept, sizeof(*tasks), compare);
	return kept;
}

static void add_table(struct rpt_page *p, const char *heading, const char *what,
		      const struct task *tasks, size_t n,
		      void (*name)(struct rpt_page *p, uint32_t id))
{
	size_t i;

	rpt_page_heading(p, "%s", heading);
	add_head(p, what);
	for (i = 0; i < n && i < p->options->top; i++) {
		add_row(p, &tasks[i]);
		name(p, tasks[i].id);
		pa_buf_add_char(&p->out, '\n');
	}
	if (i < n)
		pa_buf_addf(&p->out, "  and %zu more (--top)\n", n - i);
}

/* A thread with the process that it belongs to, where that has another name. */
static void add_thread_name(struct rpt_page *p, uint32_t thread)
{
	const struct rpt_thread *t = &p->s->model.processes.threads[thread];
	const struct rpt_process *process = &p->s->model.processes.processes[t->process];

	rpt_page_thread(p, thread);
	if (t->tid == process->pid)
		return;
	pa_buf_add_str(&p->out, "  of ");
	rpt_page_process(p, t->process);
}

/* Killed by a signal, or a shell that says so of its child. */
static bool ended_badly(const struct rpt_process *process)
{
	return process->status_known && ((process->status & 0x7f) || process->status >> 8 > 128);
}

static void add_bad_ends(struct rpt_page *p)
{
	const struct rpt_processes *all = &p->s->model.processes;
	uint64_t shown = 0;
	uint32_t i;

	for (i = 1; i < all->process_count; i++) {
		if (!ended_badly(&all->processes[i]))
			continue;
		if (shown == 0)
			rpt_page_heading(p, "PROCESSES THAT ENDED BADLY");
		if (shown++ >= p->options->top)
			continue;
		pa_buf_add_str(&p->out, "  ");
		rpt_page_process(p, i);
		pa_buf_add_str(&p->out, ": ");
		rpt_add_exit_status(&p->out, all->processes[i].status);
		pa_buf_add_char(&p->out, '\n');
	}
	if (shown > p->options->top)
		pa_buf_addf(&p->out, "  and %llu more (--top)\n",
			    (unsigned long long)(shown - p->options->top));
}

void rpt_text_tasks(struct rpt_page *p)
{
	const struct rpt_session *s = p->s;
	const struct rpt_processes *all = &s->model.processes;
	struct task *processes = rpt_xcalloc(all->process_count, sizeof(*processes));
	struct task *threads = rpt_xcalloc(all->thread_count, sizeof(*threads));
	size_t process_count, thread_count, i;

	take_shares(processes, &s->oncpu.processes, &s->offcpu.processes);
	take_shares(threads, &s->oncpu.threads, &s->offcpu.threads);
	for (i = 0; i < s->sched.unit_count; i++) {
		processes[s->sched.units[i].process].runq_ns = s->sched.units[i].sum.runq_ns;
		processes[s->sched.units[i].process].has_runq = s->sched.units[i].threads > 0;
	}
	for (i = 1; i < all->thread_count; i++) {
		const struct rpt_thread_stats *stats = rpt_thread_stats(&all->threads[i]);

		threads[i].runq_ns = stats->sum.runq_ns;
		threads[i].has_runq = stats->has_sum;
	}
	process_count = order(processes, all->process_count);
	thread_count = order(threads, all->thread_count);
	if (process_count > 1)
		add_table(p, "PROCESSES", "process", processes, process_count, rpt_page_process);
	if (thread_count > process_count)
		add_table(p, "THREADS", "thread", threads, thread_count, add_thread_name);
	add_bad_ends(p);
	free(processes);
	free(threads);
}
