// SPDX-License-Identifier: GPL-2.0-or-later
/* Processes and threads with their names and sums. */
#include "report/model/processes.h"

#include <stdlib.h>
#include <string.h>

#include "report/xmem.h"

void rpt_processes_init(struct rpt_processes *p)
{
	*p = (struct rpt_processes){.process_count = 1, .thread_count = 1, .image_count = 1};
	rpt_xgrow(&p->processes, &p->process_cap, 1, sizeof(*p->processes));
	rpt_xgrow(&p->threads, &p->thread_cap, 1, sizeof(*p->threads));
	rpt_xgrow(&p->images, &p->image_cap, 1, sizeof(*p->images));
	p->processes[0] = (struct rpt_process){0};
	p->threads[0] = (struct rpt_thread){0};
	p->images[0] = (struct rpt_image){0};
}

void rpt_processes_fini(struct rpt_processes *p)
{
	size_t i;

	for (i = 0; i < p->thread_count; i++) {
		free(p->threads[i].names);
		rpt_thread_stats_drop(&p->threads[i]);
	}
	for (i = 0; i < p->image_count; i++) {
		rpt_maps_unref(p->images[i].code);
		rpt_maps_unref(p->images[i].data);
		rpt_maps_unref(p->images[i].jit);
	}
	free(p->processes);
	free(p->threads);
	free(p->images);
}

uint32_t rpt_thread_add(struct rpt_processes *p, const struct rpt_thread *thread)
{
	uint32_t id = (uint32_t)p->thread_count;
	struct rpt_process *process = &p->processes[thread->process];

	rpt_xgrow(&p->threads, &p->thread_cap, p->thread_count + 1, sizeof(*p->threads));
	p->threads[p->thread_count++] = *thread;
	if (thread->tid == process->pid && !process->main_thread)
		process->main_thread = id;
	return id;
}

const struct rpt_thread_stats *rpt_thread_stats(const struct rpt_thread *thread)
{
	static const struct rpt_thread_stats none;

	return thread->stats ? thread->stats : &none;
}

struct rpt_thread_stats *rpt_thread_stats_make(struct rpt_thread *thread)
{
	if (!thread->stats) {
		thread->stats = rpt_xrealloc(NULL, 1, sizeof(*thread->stats));
		*thread->stats = (struct rpt_thread_stats){0};
	}
	return thread->stats;
}

void rpt_thread_stats_drop(struct rpt_thread *thread)
{
	size_t i;

	if (!thread->stats)
		return;
	for (i = 0; i < PA_HIST_KINDS_; i++)
		pa_hist_fini(&thread->stats->hist[i]);
	free(thread->stats->counts);
	free(thread->stats);
	thread->stats = NULL;
}

static bool is_before(struct rpt_moment a, struct rpt_moment b)
{
	return a.time_ns != b.time_ns ? a.time_ns < b.time_ns : a.sequence < b.sequence;
}

void rpt_thread_rename(struct rpt_processes *p, uint32_t thread, uint32_t name,
		       struct rpt_moment since)
{
	struct rpt_thread *t = &p->threads[thread];
	size_t at = t->name_count;

	if (!name)
		return;
	while (at > 0 && is_before(since, t->names[at - 1].since))
		at--;
	if (at > 0 && t->names[at - 1].name == name)
		return;
	rpt_xgrow(&t->names, &t->name_cap, t->name_count + 1, sizeof(*t->names));
	memmove(t->names + at + 1, t->names + at, (t->name_count - at) * sizeof(*t->names));
	t->names[at] = (struct rpt_name){since, name};
	t->name_count++;
}

uint32_t rpt_thread_name_at(const struct rpt_processes *p, uint32_t thread, struct rpt_moment when)
{
	const struct rpt_thread *t = &p->threads[thread];
	size_t i = t->name_count;

	while (i > 1 && is_before(when, t->names[i - 1].since))
		i--;
	return i ? t->names[i - 1].name : rpt_process_name(p, t->process);
}

uint32_t rpt_thread_name(const struct rpt_processes *p, uint32_t thread)
{
	return rpt_thread_name_at(p, thread, (struct rpt_moment){UINT64_MAX, UINT64_MAX});
}

uint32_t rpt_process_name(const struct rpt_processes *p, uint32_t process)
{
	const struct rpt_process *proc = &p->processes[process];
	const struct rpt_thread *main = &p->threads[proc->main_thread];

	return main->name_count ? main->names[main->name_count - 1].name : proc->comm;
}

bool rpt_process_is_kernel(const struct rpt_process *process)
{
	return !process->has_mappings && !process->exe;
}

bool rpt_sched_sum_add(struct rpt_sched_sum *into, const struct rpt_sched_sum *from)
{
	bool saturated = false;

#define ADD(name) saturated |= rpt_add_saturated(&into->name, from->name);
	RPT_SCHED_FIELDS(ADD)
#undef ADD
	return saturated;
}
