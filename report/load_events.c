// SPDX-License-Identifier: GPL-2.0-or-later
/* Handlers of samples and off-CPU intervals. */
#include <stdlib.h>

#include "report/load.h"
#include "report/xmem.h"

/* So many events wait at most, in a trace that never says what it has covered. */
#define MAX_PENDING (1u << 18)

/* --- events wait until all that happened before them has been read, then find their image --- */

/* Events that are applied together, so that memory is got for some while others are worked on. */
#define BATCH 32

static struct rpt_groups *groups_of(struct rpt_load *l, const struct rpt_event *e)
{
	return e->is_block ? &l->m->blocks : &l->m->samples;
}

/* Fills in what was not known yet about the site. */
static uint64_t find_site(struct rpt_load *l, struct rpt_event *e)
{
	struct rpt_processes *p = &l->m->processes;

	e->site.image = rpt_image_at(p, p->threads[e->site.thread].process, e->when);
	e->site.comm = rpt_thread_name_at(p, e->site.thread, e->when);
	if (e->site.waker_ustack >= PA_STACK_FIRST_ID)
		e->site.waker_image =
			rpt_image_at(p, p->threads[e->site.waker].process,
				     (struct rpt_moment){e->end_ns, e->when.sequence});
	return rpt_site_hash(&e->site);
}

static void keep_point(struct rpt_load *l, const struct rpt_event *e, uint32_t group)
{
	struct rpt_point point = {
		.time_ns = e->point_ns ? e->point_ns : e->when.time_ns,
		.value = e->weight,
		.group = group,
		.cpu = e->is_block ? RPT_POINT_NO_CPU : e->cpu,
		.count = (uint32_t)PA_MIN(e->count, UINT32_MAX),
		.flags = e->point_flags | (e->open_count ? RPT_POINT_OPEN : 0),
	};

	rpt_points_add(e->is_block ? &l->m->block_points : &l->m->sample_points, &point);
}

/* The part of an event that is within the filter's time; false = none of it is. */
static bool cut_event(const struct rpt_filter *f, const struct rpt_trace *t, struct rpt_event *e)
{
	uint64_t from_ns, to_ns, start_ns = e->point_ns ? e->point_ns : e->when.time_ns, end_ns;

	rpt_filter_window(f, t, &from_ns, &to_ns);
	if (!e->is_block)
		return start_ns >= from_ns && start_ns < to_ns;
	/* A sum is of what came before it, about a second; it is taken as a whole. */
	if (e->point_flags & RPT_POINT_SUM)
		return start_ns > from_ns && start_ns <= to_ns;
	if (!pa_add_ok(start_ns, e->weight, &end_ns))
		end_ns = UINT64_MAX;
	if (start_ns >= to_ns || (end_ns <= from_ns && e->weight) || from_ns >= to_ns)
		return false;
	if (end_ns > to_ns || start_ns < from_ns) {
		e->point_ns = PA_MAX(start_ns, from_ns);
		e->weight = PA_MIN(end_ns, to_ns) - e->point_ns;
		e->max_ns = e->weight;
	}
	return true;
}

/* Whether the event, or a part of it, is to be reported; counts what is not. */
static bool is_wanted(struct rpt_load *l, struct rpt_event *e)
{
	const struct rpt_filter *f = l->m->filter;
	struct rpt_left_out *out = &l->m->left_out;

	if (!f || (cut_event(f, rpt_load_trace_get(l), e) &&
		   rpt_filter_wants(f, l->m, &e->site, !e->is_block, e->cpu)))
		return true;
	rpt_add_saturated(e->is_block ? &out->intervals : &out->samples, e->count);
	return false;
}

static void apply(struct rpt_load *l, struct rpt_event *e, uint64_t hash)
{
	struct rpt_group *g = rpt_groups_get(groups_of(l, e), &e->site, hash);
	struct rpt_cpu *cpu = e->is_block ? NULL : rpt_trace_cpu(rpt_load_trace_get(l), e->cpu);
	bool overflow;
	size_t i;

	if (cpu)
		cpu->samples++;
	overflow = rpt_add_saturated(&g->count, e->count);
	overflow |= rpt_add_saturated(&g->weight, e->weight);
	overflow |= rpt_add_saturated(&g->thinned_count, e->thinned_count);
	overflow |= rpt_add_saturated(&g->thinned_ns, e->thinned_ns);
	if (overflow)
		rpt_load_problem(l, RPT_PROBLEM_SUM);
	g->open_count += e->open_count;
	g->max_ns = PA_MAX(g->max_ns, e->max_ns);
	if (l->m->keeps_points)
		keep_point(l, e, (uint32_t)(g - groups_of(l, e)->items));
	if (e->counters && !g->counters) {
		g->counters = e->counters;
		return;
	}
	for (i = 0; e->counters && i < RPT_MAX_SAMPLED; i++)
		rpt_add_saturated(&g->counters[i], e->counters[i]);
	free(e->counters);
}

static void apply_batch(struct rpt_load *l, struct rpt_event **events, size_t count)
{
	uint64_t hashes[BATCH];
	size_t i;

	for (i = 0; i < count; i++) {
		hashes[i] = find_site(l, events[i]);
		rpt_groups_expect_index(groups_of(l, events[i]), hashes[i]);
	}
	for (i = 0; i < count; i++)
		rpt_groups_expect_group(groups_of(l, events[i]), hashes[i]);
	for (i = 0; i < count; i++)
		if (is_wanted(l, events[i]))
			apply(l, events[i], hashes[i]);
		else
			free(events[i]->counters);
}

void rpt_load_settle(struct rpt_load *l, uint64_t time_ns)
{
	struct rpt_event *batch[BATCH], *e;
	size_t i, kept = 0, count = 0;

	for (i = 0; i < l->pending_count; i++) {
		e = &l->pending[i];
		if (e->when.time_ns <= time_ns) {
			batch[count++] = e;
			if (count < BATCH)
				continue;
		}
		/* Before the next one that stays may take the place of one that is applied. */
		apply_batch(l, batch, count);
		count = 0;
		if (e->when.time_ns > time_ns)
			l->pending[kept++] = *e;
	}
	apply_batch(l, batch, count);
	l->pending_count = kept;
}

static void enqueue(struct rpt_load *l, const struct rpt_event *e)
{
	if (l->pending_count >= MAX_PENDING)
		rpt_load_settle(l, UINT64_MAX);
	rpt_xgrow(&l->pending, &l->pending_cap, l->pending_count + 1, sizeof(*l->pending));
	l->pending[l->pending_count++] = *e;
	rpt_process_use(&l->m->processes, l->m->processes.threads[e->site.thread].process);
}

/* --- samples --- */

static uint64_t *take_counters(struct rpt_load *l, const struct pa_list *values)
{
	const struct rpt_trace *t = rpt_load_trace_get(l);
	uint64_t *counters;
	uint32_t i;

	if (values->count == 0 || t->sampled_slot_count == 0)
		return NULL;
	counters = rpt_xcalloc(RPT_MAX_SAMPLED, sizeof(*counters));
	for (i = 0; i < values->count && i < t->sampled_slot_count; i++)
		if (t->sampled_slots[i])
			counters[t->sampled_slots[i] - 1] = values->items[i];
	return counters;
}

void rpt_load_sample_record(struct rpt_load *l, const struct pa_record *record)
{
	const struct pa_sample *r = &record->sample;
	struct rpt_trace *t = rpt_load_trace_get(l);
	uint32_t thread = rpt_load_thread(l, r->thread);
	struct rpt_cpu *cpu = rpt_trace_cpu(t, r->cpu);
	struct rpt_event e = {.count = 1, .weight = r->period ? r->period : t->period};

	if (!thread)
		return;
	if (!cpu) {
		rpt_load_problem(l, RPT_PROBLEM_VALUE);
		return;
	}
	e.cpu = r->cpu;
	if (l->m->filter && l->m->filter->by_cpu)
		e.site.cpu = r->cpu + 1;
	e.when = rpt_load_moment(l, r->time_ns);
	e.site.thread = thread;
	e.site.ustack = rpt_load_stack(l, r->ustack);
	e.site.kstack = rpt_load_stack(l, r->kstack);
	e.counters = take_counters(l, &r->counters);
	enqueue(l, &e);
}

/* --- off-CPU intervals --- */

struct open_key {
	uint64_t time_ns;
	uint32_t thread;
};

static bool open_equal(const void *ctx, uint32_t value, const void *key)
{
	const struct rpt_load *l = ctx;
	const struct open_key *k = key;

	return l->open[value].start.time_ns == k->time_ns &&
	       l->open[value].site.thread == k->thread;
}

static struct rpt_open_block *find_open(struct rpt_load *l, struct open_key key, uint64_t *hash)
{
	uint32_t i;

	*hash = pa_hash_u64(pa_hash_u64(key.time_ns) ^ key.thread);
	return pa_htab_get(&l->open_index, *hash, open_equal, l, &key, &i) ? &l->open[i] : NULL;
}

/* How much of what began at time_ns lies in segments that were not read. */
static uint64_t before_run(const struct rpt_load *l, uint64_t time_ns)
{
	return l->run_start_ns > time_ns ? l->run_start_ns - time_ns : 0;
}

/* Who woke a thread. Without him the interval is as good. */
static void take_waker(struct rpt_load *l, struct rpt_site *site, uint32_t waker, uint32_t flags,
		       uint64_t ustack, uint64_t kstack)
{
	if (flags & PA_BLOCK_WOKEN_BY_INTERRUPT)
		site->waker = RPT_WAKER_INTERRUPT;
	else if (flags & PA_BLOCK_WOKEN_FROM_OUTSIDE)
		site->waker = RPT_WAKER_OUTSIDE;
	else if (waker)
		site->waker = rpt_idmap_get(&l->threads, waker);
	if (!waker || site->waker == 0 || site->waker >= RPT_WAKER_OUTSIDE)
		return;
	site->waker_ustack = rpt_load_stack(l, ustack);
	site->waker_kstack = rpt_load_stack(l, kstack);
	rpt_process_use(&l->m->processes, l->m->processes.threads[site->waker].process);
}

void rpt_load_block_record(struct rpt_load *l, const struct pa_record *record)
{
	const struct pa_block *r = &record->block;
	uint32_t thread = rpt_load_thread(l, r->thread);
	struct rpt_event e = {
		.is_block = true,
		.count = 1,
		.weight = r->duration_ns,
		.max_ns = r->duration_ns,
		.open_count = r->flags & PA_BLOCK_OPEN ? 1 : 0,
	};
	struct rpt_open_block *open;
	uint64_t hash, before_ns;

	if (!thread)
		return;
	if (r->duration_ns > RPT_LOAD_MAX_NS || r->time_ns > RPT_LOAD_MAX_NS) {
		rpt_load_problem(l, RPT_PROBLEM_DURATION);
		return;
	}
	open = find_open(l, (struct open_key){r->time_ns, thread}, &hash);
	if (open)
		open->closed = true;
	e.end_ns = rpt_load_moment(l, r->time_ns + r->duration_ns).time_ns;
	e.when = rpt_load_moment(l, r->time_ns);
	before_ns = before_run(l, r->time_ns);
	e.point_ns = r->time_ns + before_ns;
	e.weight -= PA_MIN(before_ns, e.weight);
	e.max_ns = e.weight;
	e.site.thread = thread;
	e.site.ustack = rpt_load_stack(l, r->ustack);
	e.site.kstack = rpt_load_stack(l, r->kstack);
	e.site.state = r->state;
	e.site.syscall = (uint32_t)PA_MIN(r->syscall, UINT32_MAX);
	take_waker(l, &e.site, r->waker, r->flags, r->waker_ustack, r->waker_kstack);
	enqueue(l, &e);
}

void rpt_load_block_sum_record(struct rpt_load *l, const struct pa_record *record)
{
	const struct pa_block_sum *r = &record->block_sum;
	uint32_t thread = rpt_load_thread(l, r->thread);
	struct rpt_event e = {
		.is_block = true,
		.count = r->count,
		.weight = r->total_ns,
		.max_ns = r->max_ns,
		.point_flags = RPT_POINT_SUM,
	};

	if (!thread)
		return;
	if (r->total_ns > RPT_LOAD_MAX_NS || r->max_ns > r->total_ns ||
	    r->represents_ns > RPT_LOAD_MAX_NS) {
		rpt_load_problem(l, RPT_PROBLEM_DURATION);
		return;
	}
	/* What it stands for beyond what was seen is an estimate. */
	if (r->represents_count > r->count)
		e.thinned_count = r->represents_count - r->count;
	if (r->represents_ns > r->total_ns)
		e.thinned_ns = r->represents_ns - r->total_ns;
	e.when = rpt_load_moment(l, r->time_ns);
	e.end_ns = e.when.time_ns;
	e.site.thread = thread;
	e.site.ustack = rpt_load_stack(l, r->ustack);
	e.site.kstack = rpt_load_stack(l, r->kstack);
	e.site.state = r->state;
	e.site.syscall = (uint32_t)PA_MIN(r->syscall, UINT32_MAX);
	take_waker(l, &e.site, r->waker, r->flags, r->waker_ustack, r->waker_kstack);
	enqueue(l, &e);
}

void rpt_load_open_block_record(struct rpt_load *l, const struct pa_record *record)
{
	const struct pa_open_block *r = &record->open_block;
	uint32_t thread = rpt_load_thread(l, r->thread);
	struct rpt_open_block open = {
		.site =
			{
				.thread = thread,
				.ustack = rpt_load_stack(l, r->ustack),
				.kstack = rpt_load_stack(l, r->kstack),
				.state = r->state,
				.syscall = (uint32_t)PA_MIN(r->syscall, UINT32_MAX),
			},
		.start = rpt_load_moment(l, r->time_ns),
	};
	struct rpt_open_block *known;
	uint64_t hash;

	if (!thread)
		return;
	rpt_process_use(&l->m->processes, l->m->processes.threads[thread].process);
	known = find_open(l, (struct open_key){r->time_ns, thread}, &hash);
	if (known) {
		*known = open;
		return;
	}
	rpt_xgrow(&l->open, &l->open_cap, l->open_count + 1, sizeof(*l->open));
	l->open[l->open_count] = open;
	rpt_xcheck(pa_htab_add(&l->open_index, hash, (uint32_t)l->open_count++));
}

void rpt_load_close_open(struct rpt_load *l)
{
	uint64_t end_ns = rpt_load_trace_get(l)->end_ns;
	size_t i;

	for (i = 0; i < l->open_count; i++) {
		struct rpt_open_block *open = &l->open[i];
		struct rpt_event e = {
			.is_block = true,
			.when = open->start,
			.site = open->site,
			.count = 1,
			.open_count = 1,
			.point_ns = PA_MAX(open->start.time_ns, l->run_start_ns),
		};

		if (open->closed)
			continue;
		if (end_ns > open->start.time_ns)
			e.weight = end_ns - open->start.time_ns;
		e.weight -= PA_MIN(before_run(l, open->start.time_ns), e.weight);
		e.max_ns = e.weight;
		open->closed = true;
		enqueue(l, &e);
	}
}
