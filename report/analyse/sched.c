// SPDX-License-Identifier: GPL-2.0-or-later
/* Sums of the scheduler and the counters by process, and over everything. */
#include "report/analyse/sched.h"

#include <math.h>
#include <stdlib.h>

#include "report/xmem.h"

/* On-CPU, off-CPU and run-queue time may differ from the observed time by this much. */
#define BALANCE_PERCENT 1.0
#define BALANCE_NS 1000000

struct rpt_total rpt_total_of(const struct rpt_count *count)
{
	struct rpt_total t = {.value = (double)count->value, .measured = 1.0};

	if (!count->present)
		return (struct rpt_total){0};
	/* Software counters come without times. */
	if (count->enabled_ns == 0) {
		t.present = true;
		return t;
	}
	if (count->running_ns == 0)
		return (struct rpt_total){0};
	t.present = true;
	if (count->running_ns < count->enabled_ns) {
		t.measured = (double)count->running_ns / (double)count->enabled_ns;
		t.value /= t.measured;
	}
	return t;
}

/* Times of the readings that a total is made of. */
struct total_times {
	double enabled_ns, running_ns;
};

static void add_total(struct rpt_total *into, struct total_times *times,
		      const struct rpt_count *count)
{
	struct rpt_total t = rpt_total_of(count);

	if (!count->present)
		return;
	into->value += t.value;
	into->present |= t.present;
	times->enabled_ns += (double)count->enabled_ns;
	times->running_ns += (double)count->running_ns;
}

static void finish_total(struct rpt_total *t, const struct total_times *times)
{
	t->measured = t->present ? 1.0 : 0.0;
	if (t->present && times->running_ns < times->enabled_ns)
		t->measured = times->running_ns / times->enabled_ns;
}

static void add_thread(struct rpt_unit *u, struct total_times *times, const struct rpt_model *m,
		       uint32_t index)
{
	const struct rpt_thread_stats *t = rpt_thread_stats(&m->processes.threads[index]);
	size_t i;

	u->threads += t->has_sum;
	rpt_sched_sum_add(&u->sum, &t->sum);
	for (i = 0; i < PA_HIST_KINDS_; i++) {
		const struct pa_histogram *h = &t->hist[i];

		if (h->count && (!u->hist[i].count || h->max_ns > u->hist[i].max_ns))
			u->max_thread[i] = index;
		rpt_xcheck(pa_hist_merge(&u->hist[i], h));
	}
	for (i = 0; i < t->count_count; i++)
		add_total(&u->totals[i], &times[i], &t->counts[i]);
}

/* Of everything, readings of whole CPUs are better than those of the threads that were seen. */
static void add_cpu_counts(struct rpt_unit *whole, struct total_times *times,
			   const struct rpt_model *m)
{
	size_t i, k;

	for (i = 1; i < m->counter_count; i++) {
		const struct rpt_counter *c = &m->counters[i];

		if (!c->cpu_count)
			continue;
		whole->totals[i] = (struct rpt_total){0};
		times[i] = (struct total_times){0};
		for (k = 0; k < c->cpu_count; k++)
			add_total(&whole->totals[i], &times[i], &c->cpus[k]);
	}
}

static void init_unit(struct rpt_unit *u, uint32_t process, const struct rpt_model *m)
{
	*u = (struct rpt_unit){.process = process};
	u->totals = rpt_xcalloc(m->counter_count, sizeof(*u->totals));
}

static int compare_units(const void *a, const void *b)
{
	const struct rpt_unit *x = a, *y = b;

	if (x->sum.observed_ns != y->sum.observed_ns)
		return x->sum.observed_ns > y->sum.observed_ns ? -1 : 1;
	return x->process < y->process ? -1 : x->process > y->process;
}

/* Threads by process, as ranges of one array: order[first[p]] up to order[first[p + 1]]. */
static uint32_t *group_threads(const struct rpt_model *m, uint32_t **first)
{
	const struct rpt_processes *p = &m->processes;
	uint32_t *order = rpt_xcalloc(p->thread_count, sizeof(*order));
	size_t i;

	*first = rpt_xcalloc(p->process_count + 2, sizeof(**first));
	for (i = 1; i < p->thread_count; i++)
		(*first)[p->threads[i].process + 2]++;
	for (i = 1; i < p->process_count + 2; i++)
		(*first)[i] += (*first)[i - 1];
	for (i = 1; i < p->thread_count; i++)
		order[(*first)[p->threads[i].process + 1]++] = (uint32_t)i;
	return order;
}

static bool has_data(const struct rpt_thread_stats *t)
{
	return t->has_sum || t->count_count || t->hist[PA_HIST_SLICE].count ||
	       t->hist[PA_HIST_RUNQ].count || t->hist[PA_HIST_BLOCK].count;
}

static void add_units(struct rpt_sched *s, struct total_times *whole_times,
		      const struct rpt_model *m)
{
	uint32_t *first, *order = group_threads(m, &first), i, k;
	struct total_times *times;
	size_t cap = 0, n;
	struct rpt_unit *u;

	for (i = 1; i < m->processes.process_count; i++) {
		u = NULL;
		times = NULL;
		for (k = first[i]; k < first[i + 1]; k++) {
			if (!has_data(rpt_thread_stats(&m->processes.threads[order[k]])))
				continue;
			if (!u) {
				rpt_xgrow(&s->units, &cap, s->unit_count + 1, sizeof(*s->units));
				u = &s->units[s->unit_count++];
				init_unit(u, i, m);
				times = rpt_xcalloc(m->counter_count, sizeof(*times));
			}
			add_thread(u, times, m, order[k]);
			add_thread(&s->whole, whole_times, m, order[k]);
		}
		for (n = 1; u && n < m->counter_count; n++)
			finish_total(&u->totals[n], &times[n]);
		free(times);
	}
	free(first);
	free(order);
	if (s->unit_count)
		qsort(s->units, s->unit_count, sizeof(*s->units), compare_units);
}

static int compare_imbalances(const void *a, const void *b)
{
	const struct rpt_imbalance *x = a, *y = b;

	if (fabs(x->percent) != fabs(y->percent))
		return fabs(x->percent) > fabs(y->percent) ? -1 : 1;
	return x->thread < y->thread ? -1 : x->thread > y->thread;
}

static void check_balance(struct rpt_sched *s, const struct rpt_model *m)
{
	size_t cap = 0;
	uint32_t i;

	for (i = 1; i < m->processes.thread_count; i++) {
		const struct rpt_sched_sum *sum = &rpt_thread_stats(&m->processes.threads[i])->sum;
		double accounted = (double)sum->on_cpu_ns + (double)sum->runq_ns +
				   (double)sum->sleep_ns + (double)sum->disk_ns +
				   (double)sum->other_ns;
		double missing = (double)sum->observed_ns - accounted, percent;

		if (sum->observed_ns == 0 || fabs(missing) <= BALANCE_NS)
			continue;
		percent = 100.0 * missing / (double)sum->observed_ns;
		if (fabs(percent) <= BALANCE_PERCENT)
			continue;
		rpt_xgrow(&s->imbalances, &cap, s->imbalance_count + 1, sizeof(*s->imbalances));
		s->imbalances[s->imbalance_count++] = (struct rpt_imbalance){i, percent};
	}
	if (s->imbalance_count)
		qsort(s->imbalances, s->imbalance_count, sizeof(*s->imbalances),
		      compare_imbalances);
}

static void add_cpus(struct rpt_sched *s, const struct rpt_trace *t)
{
	size_t i;

	for (i = 0; i < t->cpu_count; i++) {
		if (!t->cpu[i].has_sum)
			continue;
		s->cpu_count++;
		rpt_add_saturated(&s->cpu_observed_ns, t->cpu[i].observed_ns);
		rpt_add_saturated(&s->cpu_idle_ns, t->cpu[i].idle_ns);
		rpt_add_saturated(&s->cpu_switches, t->cpu[i].switches);
	}
}

void rpt_sched_analyse(struct rpt_sched *s, const struct rpt_model *m)
{
	struct total_times *times = rpt_xcalloc(m->counter_count, sizeof(*times));
	size_t i;

	*s = (struct rpt_sched){0};
	init_unit(&s->whole, 0, m);
	add_units(s, times, m);
	add_cpu_counts(&s->whole, times, m);
	for (i = 1; i < m->counter_count; i++)
		finish_total(&s->whole.totals[i], &times[i]);
	free(times);
	check_balance(s, m);
	for (i = 0; i < m->trace_count; i++)
		add_cpus(s, &m->traces[i]);
}

static void fini_unit(struct rpt_unit *u)
{
	size_t i;

	for (i = 0; i < PA_HIST_KINDS_; i++)
		pa_hist_fini(&u->hist[i]);
	free(u->totals);
}

void rpt_sched_fini(struct rpt_sched *s)
{
	size_t i;

	fini_unit(&s->whole);
	for (i = 0; i < s->unit_count; i++)
		fini_unit(&s->units[i]);
	free(s->units);
	free(s->imbalances);
}
