// SPDX-License-Identifier: GPL-2.0-or-later
/* Handlers of what is counted: the scheduler's sums and distributions, and counters. */
#include <string.h>

#include "report/load.h"
#include "report/xmem.h"

#define MAX_COUNTERS 64
/* Of all threads' distributions: 1 GB. A few bytes of a trace can ask for kilobytes. */
#define MAX_HIST_BUCKETS (1ull << 27)

/* --- the scheduler --- */

void rpt_load_thread_sum_record(struct rpt_load *l, const struct pa_record *record)
{
	const struct pa_thread_sum *r = &record->thread_sum;
	uint32_t index = rpt_load_thread(l, r->thread);
	struct rpt_sched_sum sum = {
#define FIELD(name) .name = r->name,
		RPT_SCHED_FIELDS(FIELD)
#undef FIELD
	};
	struct rpt_thread_stats *stats;

	rpt_load_moment(l, r->time_ns);
	if (!index)
		return;
	if (r->observed_ns > RPT_LOAD_MAX_NS) {
		rpt_load_problem(l, RPT_PROBLEM_DURATION);
		return;
	}
	stats = rpt_thread_stats_make(&l->m->processes.threads[index]);
	stats->has_sum = true;
	if (rpt_sched_sum_add(&stats->sum, &sum))
		rpt_load_problem(l, RPT_PROBLEM_SUM);
}

/* The whole record is checked before any of it is taken. */
static enum rpt_problem check_hist(const struct pa_hist *r, const struct pa_histogram *h)
{
	uint64_t bucket = 0, count = h->count, sum = h->sum_ns;
	uint32_t i;

	if (r->kind >= PA_HIST_KINDS_ || r->buckets.count % 2 || r->min_ns > r->max_ns)
		return RPT_PROBLEM_VALUE;
	for (i = 0; i < r->buckets.count; i += 2) {
		if (!pa_add_ok(bucket, r->buckets.items[i], &bucket) || bucket >= PA_HIST_BUCKETS)
			return RPT_PROBLEM_VALUE;
		if (!pa_add_ok(count, r->buckets.items[i + 1], &count))
			return RPT_PROBLEM_SUM;
	}
	return pa_add_ok(sum, r->sum_ns, &sum) ? RPT_PROBLEM_KINDS_ : RPT_PROBLEM_SUM;
}

void rpt_load_hist_record(struct rpt_load *l, const struct pa_record *record)
{
	const struct pa_hist *r = &record->hist;
	uint32_t index = rpt_load_thread(l, r->thread), bucket = 0, before, i;
	struct rpt_thread_stats *stats;
	enum rpt_problem problem;
	struct pa_histogram *h;

	if (!index)
		return;
	stats = rpt_thread_stats_make(&l->m->processes.threads[index]);
	h = &stats->hist[PA_MIN(r->kind, PA_HIST_KINDS_ - 1u)];
	problem = check_hist(r, h);
	if (problem == RPT_PROBLEM_KINDS_ && l->m->hist_buckets > MAX_HIST_BUCKETS)
		problem = RPT_PROBLEM_MEMORY;
	if (problem != RPT_PROBLEM_KINDS_) {
		rpt_load_problem(l, problem);
		return;
	}
	if (r->buckets.count == 0)
		return;
	before = h->nbuckets;
	pa_hist_add_summary(h, r->sum_ns, r->min_ns, r->max_ns, r->max_time_ns);
	for (i = 0; i < r->buckets.count; i += 2) {
		bucket += (uint32_t)r->buckets.items[i];
		rpt_xcheck(pa_hist_add_bucket(h, bucket, r->buckets.items[i + 1]));
	}
	l->m->hist_buckets += h->nbuckets - before;
}

void rpt_load_cpu_sum_record(struct rpt_load *l, const struct pa_record *record)
{
	const struct pa_cpu_sum *r = &record->cpu_sum;
	struct rpt_cpu *cpu = rpt_trace_cpu(rpt_load_trace_get(l), r->cpu);
	bool overflow;

	rpt_load_moment(l, r->time_ns);
	if (!cpu || r->idle_ns > r->observed_ns) {
		rpt_load_problem(l, RPT_PROBLEM_VALUE);
		return;
	}
	cpu->has_sum = true;
	overflow = rpt_add_saturated(&cpu->observed_ns, r->observed_ns);
	overflow |= rpt_add_saturated(&cpu->idle_ns, r->idle_ns);
	overflow |= rpt_add_saturated(&cpu->switches, r->switches);
	if (overflow)
		rpt_load_problem(l, RPT_PROBLEM_SUM);
}

/* --- counters --- */

/* A counter of this name and PMU, of whichever trace. */
static uint32_t find_counter(const struct rpt_model *m, uint32_t name, uint32_t pmu)
{
	uint32_t i;

	for (i = 1; i < m->counter_count; i++)
		if (m->counters[i].name == name && m->counters[i].pmu == pmu)
			return i;
	return 0;
}

void rpt_load_counter_record(struct rpt_load *l, const struct pa_record *record)
{
	const struct pa_counter *r = &record->counter;
	struct rpt_counter counter = {
		.name = rpt_load_string(l, r->name),
		.pmu = rpt_load_string(l, r->pmu),
		.error = r->error,
		.reason = rpt_load_string(l, r->reason),
	};
	uint32_t index = find_counter(l->m, counter.name, counter.pmu);

	if (r->id == 0 || l->m->counter_count >= MAX_COUNTERS) {
		rpt_load_problem(l, RPT_PROBLEM_VALUE);
		return;
	}
	if (!index) {
		index = (uint32_t)l->m->counter_count;
		rpt_xgrow(&l->m->counters, &l->m->counter_cap, l->m->counter_count + 1,
			  sizeof(*l->m->counters));
		l->m->counters[l->m->counter_count++] = counter;
	}
	if (!rpt_idmap_add(&l->counters, r->id, index) && !l->continued)
		rpt_load_problem(l, RPT_PROBLEM_TWICE);
}

/* The element of an array of readings, which grows to hold it. */
static struct rpt_count *get_count(struct rpt_count **counts, size_t *have, size_t index)
{
	if (index >= *have) {
		*counts = rpt_xrealloc(*counts, index + 1, sizeof(**counts));
		memset(*counts + *have, 0, (index + 1 - *have) * sizeof(**counts));
		*have = index + 1;
	}
	return &(*counts)[index];
}

void rpt_load_count_record(struct rpt_load *l, const struct pa_record *record)
{
	const struct pa_count *r = &record->count;
	uint32_t counter = rpt_idmap_get(&l->counters, r->counter), index;
	struct rpt_count reading = {r->value, r->enabled_ns, r->running_ns, true}, *into;
	struct rpt_thread_stats *stats;

	rpt_load_moment(l, r->time_ns);
	if (!counter) {
		rpt_load_problem(l, RPT_PROBLEM_COUNTER);
		return;
	}
	if (r->thread) {
		index = rpt_load_thread(l, r->thread);
		if (!index)
			return;
		stats = rpt_thread_stats_make(&l->m->processes.threads[index]);
		into = get_count(&stats->counts, &stats->count_count, counter);
	} else {
		if (r->cpu == 0 || r->cpu > PA_MAX_CPUS) {
			rpt_load_problem(l, RPT_PROBLEM_VALUE);
			return;
		}
		into = get_count(&l->m->counters[counter].cpus, &l->m->counters[counter].cpu_count,
				 r->cpu - 1);
	}
	if (rpt_count_add(into, &reading))
		rpt_load_problem(l, RPT_PROBLEM_SUM);
}
