// SPDX-License-Identifier: GPL-2.0-or-later
/* Distributions, sums and counters of threads: what came since the last record. */
#include <string.h>

#include "record/sched_internal.h"

/* --- distributions --- */

static int add_values(struct rec_thread_sched *ts, const __u16 *values, size_t count)
{
	size_t i;
	int err = 0;

	for (i = 0; i < count && !err; i++) {
		uint32_t kind = values[i] >> 14;

		if (kind < PA_HIST_KINDS_)
			err = pa_hist_add_bucket(&ts->pending[kind], values[i] & 0x3fff, 1);
	}
	ts->hist_seen += count;
	return err;
}

int rec_sched_hist(struct rec_sched *s, const struct ev_hist *ev)
{
	struct rec_thread *t;
	struct rec_thread_sched *ts;
	size_t known = 0;
	int err = rec_sched_find(s, &ev->who, ev->head.time_ns, &t);

	if (err)
		return err;
	ts = t->sched;
	if (ev->first > ts->hist_seen) {
		s->hist_lost += ev->first - ts->hist_seen;
		ts->hist_seen = ev->first;
	}
	known = ts->hist_seen - ev->first; /* the iterator brought some of them already */
	return known < EV_HIST_RING ? add_values(ts, ev->values + known, EV_HIST_RING - known) : 0;
}

/* Values that the thread holds and has not sent. Where some that it did send are still on their way
 * these wait for them, but not at its end: then they were lost. */
int rec_sched_take_tail(struct rec_sched *s, struct rec_thread_sched *ts,
			const struct ev_thread_stat *stat, bool last)
{
	uint64_t unsent = stat->hist_count - stat->hist_count % EV_HIST_RING;
	uint64_t held = stat->hist_count > EV_HIST_RING ? stat->hist_count - EV_HIST_RING : 0;
	int err = 0;

	if (ts->hist_seen < unsent) {
		if (!last)
			return 0;
		if (ts->hist_seen < held) {
			s->hist_lost += held - ts->hist_seen;
			ts->hist_seen = held;
		}
	}
	while (ts->hist_seen < stat->hist_count && !err)
		err = add_values(ts, &stat->hist[ts->hist_seen % EV_HIST_RING], 1);
	return err;
}

static int write_hist(struct rec_sched *s, struct rec_thread_sched *ts, uint32_t thread,
		      uint32_t kind, const struct ev_extremes *now)
{
	struct pa_histogram *h = &ts->pending[kind];
	struct pa_record rec = {.id = PA_REC_HIST};
	uint64_t pairs[2 * PA_HIST_BUCKETS];
	uint32_t i, n = 0, previous = 0;
	int err;

	if (h->count == 0)
		return 0;
	for (i = 0; i < h->nbuckets; i++) {
		if (h->buckets[i] == 0)
			continue;
		pairs[n++] = h->first + i - previous;
		pairs[n++] = h->buckets[i];
		previous = h->first + i;
	}
	rec.hist.thread = thread;
	rec.hist.kind = kind;
	rec.hist.sum_ns = now->sum_ns - ts->extremes[kind].sum_ns;
	rec.hist.min_ns = now->min_ns;
	rec.hist.max_ns = now->max_ns;
	rec.hist.max_time_ns = now->max_time_ns;
	rec.hist.buckets = (struct pa_list){pairs, n};
	err = pa_writer_add(s->writer, &rec);
	ts->extremes[kind] = *now;
	pa_hist_fini(h);
	return err;
}

/* --- sums --- */

/* The totals with the part of the phase that is still open. */
static void close_phase(const struct ev_thread_stat *stat, uint64_t now_ns,
			struct ev_totals *totals)
{
	uint64_t open = rec_since(now_ns, stat->since_ns);

	*totals = stat->totals;
	switch (stat->phase) {
	case EV_ON_CPU:
		totals->on_cpu_ns += open;
		break;
	case EV_RUNQ:
		totals->runq_ns += open;
		break;
	case EV_BLOCKED:
		if (stat->block_state == PA_STATE_SLEEP)
			totals->sleep_ns += open;
		else if (stat->block_state == PA_STATE_DISK)
			totals->disk_ns += open;
		else
			totals->other_ns += open;
		if (stat->block_flags & PA_BLOCK_IOWAIT)
			totals->iowait_ns += open;
		break;
	default:
		break;
	}
}

static int write_sum(struct rec_sched *s, struct rec_thread_sched *ts, uint32_t thread,
		     const struct ev_thread_stat *stat, uint64_t now_ns)
{
	struct pa_record rec = {.id = PA_REC_THREAD_SUM};
	struct pa_thread_sum *out = &rec.thread_sum;
	const struct ev_totals *old = &ts->totals;
	struct ev_totals now;

	close_phase(stat, now_ns, &now);
	out->time_ns = now_ns;
	out->thread = thread;
	out->observed_ns = rec_since(now_ns, ts->written_ns ? ts->written_ns : stat->born_ns);
	out->on_cpu_ns = rec_since(now.on_cpu_ns, old->on_cpu_ns);
	out->runq_ns = rec_since(now.runq_ns, old->runq_ns);
	out->sleep_ns = rec_since(now.sleep_ns, old->sleep_ns);
	out->disk_ns = rec_since(now.disk_ns, old->disk_ns);
	out->other_ns = rec_since(now.other_ns, old->other_ns);
	out->slices = now.slices - old->slices;
	out->voluntary = now.voluntary - old->voluntary;
	out->preempted = now.preempted - old->preempted;
	out->yielded = now.yielded - old->yielded;
	out->wakeups = now.wakeups - old->wakeups;
	out->runq_waits = now.runq_waits - old->runq_waits;
	out->blocks = now.blocks - old->blocks;
	out->migrations = now.migrations - old->migrations;
	out->iowait_ns = rec_since(now.iowait_ns, old->iowait_ns);
	out->discarded = now.discarded - old->discarded;
	ts->totals = now;
	ts->written_ns = now_ns;
	return pa_writer_add(s->writer, &rec);
}

static int write_count(struct rec_sched *s, uint32_t thread, uint64_t now_ns, uint32_t counter,
		       const struct ev_count *now, const struct ev_count *old)
{
	struct pa_record rec = {.id = PA_REC_COUNT};

	if (counter == 0 || (now->value == old->value && now->enabled_ns == old->enabled_ns))
		return 0;
	rec.count.time_ns = now_ns;
	rec.count.thread = thread;
	rec.count.counter = counter;
	rec.count.value = now->value - old->value;
	rec.count.enabled_ns = now->enabled_ns - old->enabled_ns;
	rec.count.running_ns = now->running_ns - old->running_ns;
	return pa_writer_add(s->writer, &rec);
}

/* The kernel counts these by itself, all the time. window: the thread, and how long it was observed. */
static int write_soft_count(struct rec_sched *s, const struct pa_count *window, uint32_t counter,
			    uint64_t now, uint64_t *old)
{
	struct pa_record rec = {.id = PA_REC_COUNT, .count = *window};

	rec.count.counter = counter;
	rec.count.value = now - *old;
	*old = now;
	return counter && rec.count.value ? pa_writer_add(s->writer, &rec) : 0;
}

static int write_counts(struct rec_sched *s, struct rec_thread_sched *ts, uint32_t thread,
			const struct ev_thread_stat *stat, uint64_t now_ns, uint64_t observed_ns)
{
	const struct pa_count window = {
		.time_ns = now_ns,
		.thread = thread,
		.enabled_ns = observed_ns,
		.running_ns = observed_ns,
	};
	size_t i;
	int err = 0;

	for (i = 0; i < EV_MAX_COUNTERS && !err; i++)
		err = write_count(s, thread, now_ns, s->counters.hardware[i], &stat->counts[i],
				  &ts->counts[i]);
	memcpy(ts->counts, stat->counts, sizeof(ts->counts));
	if (!err)
		err = write_soft_count(s, &window, s->counters.minor_faults,
				       stat->page_faults_minor, &ts->faults_minor);
	if (!err)
		err = write_soft_count(s, &window, s->counters.major_faults,
				       stat->page_faults_major, &ts->faults_major);
	if (!err)
		err = write_soft_count(s, &window, s->counters.migrations, stat->kernel_migrations,
				       &ts->migrations);
	return err;
}

int rec_sched_write_statistics(struct rec_sched *s, struct rec_thread *t,
			       const struct ev_thread_stat *stat, uint64_t now_ns)
{
	struct rec_thread_sched *ts = t->sched;
	uint64_t observed = rec_since(now_ns, ts->written_ns ? ts->written_ns : stat->born_ns);
	uint32_t id, kind;
	int err = rec_world_write_thread(s->world, t, &id);

	if (!err)
		err = write_sum(s, ts, id, stat, now_ns);
	for (kind = 0; kind < PA_HIST_KINDS_ && !err; kind++)
		err = write_hist(s, ts, id, kind, &stat->extremes[kind]);
	return err ? err : write_counts(s, ts, id, stat, now_ns, observed);
}
