// SPDX-License-Identifier: GPL-2.0-or-later
/* Scheduler statistics and off-CPU intervals. */
#include "record/sched.h"

#include <errno.h>
#include <linux/types.h>
#include <stdlib.h>
#include <string.h>

#include "bpf/events.h"
#include "format/hist.h"
#include "format/pa-format.h"
#include "format/util/mem.h"
#include "record/stacks.h"
#include "record/world.h"

/* A block that lasts longer is announced before it ends. */
#define ANNOUNCE_NS 1000000000ull

/* What was written of a thread, so that the next record has what came since. */
struct rec_thread_sched {
	uint64_t written_ns; /* end of the span that was written */
	struct ev_totals totals; /* as written: with the open phase's part */
	struct ev_extremes extremes[PA_HIST_KINDS_];
	struct pa_histogram pending[PA_HIST_KINDS_]; /* values that are not written yet */
	uint64_t hist_seen;
	uint64_t faults_minor, faults_major, migrations;
	struct ev_count counts[EV_MAX_COUNTERS];
	/* The block that it was last seen in. */
	bool blocked;
	bool announced;
	uint64_t since_ns;
	uint32_t ustack, kstack; /* in the trace */
	uint32_t state, flags;
	uint64_t syscall;
	/* Stack of a sleeper that was walked from outside. */
	uint64_t sleeper_since_ns;
	uint32_t sleeper_ustack, sleeper_kstack;
	uint64_t sleeper_syscall;
};

void rec_thread_sched_free(struct rec_thread_sched *ts)
{
	size_t i;

	if (!ts)
		return;
	for (i = 0; i < PA_ARRAY_LEN(ts->pending); i++)
		pa_hist_fini(&ts->pending[i]);
	free(ts);
}

static struct rec_thread_sched *sched_of(struct rec_thread *t)
{
	if (!t->sched)
		t->sched = calloc(1, sizeof(*t->sched));
	return t->sched;
}

/* The thread of a slot. An unknown one (its event was lost) is found by its ids. */
static int find(struct rec_sched *s, const struct ev_who *who, uint64_t time_ns, struct rec_thread **t)
{
	*t = rec_world_get_slot(s->world, who->slot);
	if (*t)
		return sched_of(*t) ? 0 : -ENOMEM;
	*t = rec_world_find_thread(s->world, who->pid, who->tid, NULL, false, time_ns);
	if (!*t || !sched_of(*t))
		return -ENOMEM;
	return rec_world_set_slot(s->world, *t, who->slot);
}

int rec_sched_thread(struct rec_sched *s, const struct ev_thread *ev)
{
	struct rec_thread *t = rec_world_find_thread(s->world, ev->who.pid, ev->who.tid, ev->comm,
						     ev->kernel_thread, ev->head.time_ns);

	if (!t || !sched_of(t))
		return -ENOMEM;
	return rec_world_set_slot(s->world, t, ev->who.slot);
}

/* --- blocks --- */

/* Where a thread is blocked: ids in the trace. */
struct place {
	uint32_t ustack, kstack;
	uint64_t syscall;
};

/* The place of a block; where no stack was taken, that of the sleeper that was walked from outside. */
static int place_of(struct rec_sched *s, struct rec_thread *t, uint64_t since_ns, uint64_t ustack,
		    uint64_t kstack, struct place *place)
{
	const struct rec_thread_sched *ts = t->sched;
	int err;

	if (ustack == PA_STACK_NOT_TAKEN && ts->sleeper_since_ns == since_ns) {
		place->ustack = ts->sleeper_ustack;
		place->kstack = ts->sleeper_kstack;
		place->syscall = ts->sleeper_syscall;
		return 0;
	}
	err = rec_stacks_sent(s->stacks, rec_world_process_of(s->world, t), ustack, &place->ustack);
	return err ? err : rec_stacks_sent(s->stacks, NULL, kstack, &place->kstack);
}

static int write_block(struct rec_sched *s, struct rec_thread *t, struct pa_block *block)
{
	struct pa_record rec = {.id = PA_REC_BLOCK};
	uint32_t id;
	int err = rec_world_write_thread(s->world, t, &id);

	if (err)
		return err;
	block->thread = id;
	rec.block = *block;
	return pa_writer_add(s->writer, &rec);
}

int rec_sched_block(struct rec_sched *s, const struct ev_block *ev)
{
	struct place place = {.syscall = ev->syscall};
	struct pa_block block = {
		.time_ns = ev->head.time_ns,
		.duration_ns = ev->duration_ns,
		.state = ev->state,
		.flags = ev->flags,
	};
	struct rec_thread *t;
	int err = find(s, &ev->who, ev->head.time_ns, &t);

	if (!err)
		err = place_of(s, t, ev->head.time_ns, ev->ustack, ev->kstack, &place);
	if (err)
		return err;
	block.ustack = place.ustack;
	block.kstack = place.kstack;
	block.syscall = place.syscall;
	t->sched->blocked = false;
	return write_block(s, t, &block);
}

int rec_sched_sum(struct rec_sched *s, uint64_t now_ns, const struct ev_sum_key *key,
		  const struct ev_sum *sum)
{
	struct ev_who who = {.slot = key->slot, .pid = sum->pid, .tid = sum->tid};
	struct pa_record rec = {.id = PA_REC_BLOCK_SUM};
	struct place place = {.syscall = key->syscall};
	struct rec_thread *t;
	uint32_t id;
	int err;

	if (sum->count == 0)
		return 0;
	err = find(s, &who, now_ns, &t);
	if (!err)
		err = place_of(s, t, UINT64_MAX, key->ustack, key->kstack, &place);
	if (!err)
		err = rec_world_write_thread(s->world, t, &id);
	if (err)
		return err;
	rec.block_sum.time_ns = now_ns;
	rec.block_sum.thread = id;
	rec.block_sum.ustack = place.ustack;
	rec.block_sum.kstack = place.kstack;
	rec.block_sum.state = key->state;
	rec.block_sum.syscall = place.syscall;
	rec.block_sum.count = sum->count;
	rec.block_sum.total_ns = sum->total_ns;
	rec.block_sum.max_ns = sum->max_ns;
	rec.block_sum.represents_count = sum->represents_count;
	rec.block_sum.represents_ns = sum->represents_ns;
	return pa_writer_add(s->writer, &rec);
}

int rec_sched_sleeper(struct rec_sched *s, const struct ev_frames *row)
{
	struct rec_thread_sched *ts;
	struct rec_process *p;
	struct rec_thread *t;
	int err = find(s, &row->who, row->since_ns, &t);

	if (err)
		return err;
	ts = t->sched;
	p = rec_world_process_of(s->world, t);
	err = rec_stacks_both(s->stacks, p, row, &ts->sleeper_ustack, &ts->sleeper_kstack);
	if (err)
		return err;
	ts->sleeper_since_ns = row->since_ns;
	ts->sleeper_syscall = row->syscall;
	if (!ts->blocked || ts->since_ns != row->since_ns) {
		/* It had no event yet: blocked since before it was observed. */
		ts->blocked = true;
		ts->announced = false;
		ts->flags = PA_BLOCK_BEGAN_BEFORE;
		ts->state = row->block_state;
		ts->since_ns = row->since_ns;
	}
	ts->ustack = ts->sleeper_ustack;
	ts->kstack = ts->sleeper_kstack;
	ts->syscall = row->syscall;
	return 0;
}

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
	int err = find(s, &ev->who, ev->head.time_ns, &t);

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
static int take_tail(struct rec_sched *s, struct rec_thread_sched *ts, const struct ev_thread_stat *stat,
		     bool last)
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

static int write_hist(struct rec_sched *s, struct rec_thread_sched *ts, uint32_t thread, uint32_t kind,
		      const struct ev_extremes *now)
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

static uint64_t since(uint64_t now, uint64_t before)
{
	return now > before ? now - before : 0;
}

/* The totals with the part of the phase that is still open. */
static void close_phase(const struct ev_thread_stat *stat, uint64_t now_ns, struct ev_totals *totals)
{
	uint64_t open = since(now_ns, stat->since_ns);

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
	out->observed_ns = since(now_ns, ts->written_ns ? ts->written_ns : stat->born_ns);
	out->on_cpu_ns = since(now.on_cpu_ns, old->on_cpu_ns);
	out->runq_ns = since(now.runq_ns, old->runq_ns);
	out->sleep_ns = since(now.sleep_ns, old->sleep_ns);
	out->disk_ns = since(now.disk_ns, old->disk_ns);
	out->other_ns = since(now.other_ns, old->other_ns);
	out->slices = now.slices - old->slices;
	out->voluntary = now.voluntary - old->voluntary;
	out->preempted = now.preempted - old->preempted;
	out->yielded = now.yielded - old->yielded;
	out->wakeups = now.wakeups - old->wakeups;
	out->runq_waits = now.runq_waits - old->runq_waits;
	out->blocks = now.blocks - old->blocks;
	out->migrations = now.migrations - old->migrations;
	out->iowait_ns = since(now.iowait_ns, old->iowait_ns);
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

/* The kernel counts these by itself, all the time. */
static int write_soft_count(struct rec_sched *s, uint32_t thread, uint64_t now_ns, uint64_t observed_ns,
			    uint32_t counter, uint64_t now, uint64_t *old)
{
	struct ev_count was = {0}, is = {now - *old, observed_ns, observed_ns};
	int err = 0;

	if (is.value)
		err = write_count(s, thread, now_ns, counter, &is, &was);
	*old = now;
	return err;
}

static int write_counts(struct rec_sched *s, struct rec_thread_sched *ts, uint32_t thread,
			const struct ev_thread_stat *stat, uint64_t now_ns, uint64_t observed_ns)
{
	size_t i;
	int err = 0;

	for (i = 0; i < EV_MAX_COUNTERS && !err; i++)
		err = write_count(s, thread, now_ns, s->counters.hardware[i], &stat->counts[i],
				  &ts->counts[i]);
	memcpy(ts->counts, stat->counts, sizeof(ts->counts));
	if (!err)
		err = write_soft_count(s, thread, now_ns, observed_ns, s->counters.minor_faults,
				       stat->page_faults_minor, &ts->faults_minor);
	if (!err)
		err = write_soft_count(s, thread, now_ns, observed_ns, s->counters.major_faults,
				       stat->page_faults_major, &ts->faults_major);
	if (!err)
		err = write_soft_count(s, thread, now_ns, observed_ns, s->counters.migrations,
				       stat->kernel_migrations, &ts->migrations);
	return err;
}

static int write_statistics(struct rec_sched *s, struct rec_thread *t, const struct ev_thread_stat *stat,
			    uint64_t now_ns)
{
	struct rec_thread_sched *ts = t->sched;
	uint64_t observed = since(now_ns, ts->written_ns ? ts->written_ns : stat->born_ns);
	uint32_t id, kind;
	int err = rec_world_write_thread(s->world, t, &id);

	if (!err)
		err = write_sum(s, ts, id, stat, now_ns);
	for (kind = 0; kind < PA_HIST_KINDS_ && !err; kind++)
		err = write_hist(s, ts, id, kind, &stat->extremes[kind]);
	return err ? err : write_counts(s, ts, id, stat, now_ns, observed);
}

/* Remembers the block that the thread is in. */
static int note_block(struct rec_sched *s, struct rec_thread *t, const struct ev_thread_stat *stat)
{
	struct rec_thread_sched *ts = t->sched;
	struct place place = {.syscall = stat->syscall};
	int err;

	if (stat->phase != EV_BLOCKED) {
		ts->blocked = false;
		return 0;
	}
	if (!ts->blocked || ts->since_ns != stat->since_ns)
		ts->announced = false;
	/* What had no event yet has no stack of its own, only that of the walked sleeper. */
	err = place_of(s, t, stat->since_ns,
		       stat->block_flags & PA_BLOCK_BEGAN_BEFORE ? PA_STACK_NOT_TAKEN : stat->ustack,
		       stat->block_flags & PA_BLOCK_BEGAN_BEFORE ? PA_STACK_NOT_TAKEN : stat->kstack,
		       &place);
	ts->blocked = true;
	ts->since_ns = stat->since_ns;
	ts->ustack = place.ustack;
	ts->kstack = place.kstack;
	ts->syscall = place.syscall;
	ts->state = stat->block_state;
	ts->flags = stat->block_flags;
	return err;
}

int rec_sched_stat(struct rec_sched *s, const struct ev_thread_stat *stat, bool last)
{
	uint64_t now_ns = stat->now_ns > stat->since_ns ? stat->now_ns : stat->since_ns;
	struct rec_thread *t;
	int err = find(s, &stat->who, stat->born_ns, &t);

	if (!err)
		err = take_tail(s, t->sched, stat, last);
	if (!err && s->statistics)
		err = write_statistics(s, t, stat, now_ns);
	if (!err && s->offcpu)
		err = note_block(s, t, stat);
	if (!err && s->offcpu && last && t->sched->blocked) {
		struct pa_block block = {
			.time_ns = t->sched->since_ns,
			.duration_ns = since(now_ns, t->sched->since_ns),
			.ustack = t->sched->ustack,
			.kstack = t->sched->kstack,
			.state = t->sched->state,
			.flags = t->sched->flags | PA_BLOCK_OPEN,
			.syscall = t->sched->syscall,
		};
		err = write_block(s, t, &block);
	}
	return err;
}

struct announcement {
	struct rec_sched *sched;
	uint64_t now_ns;
	bool sleepers;
};

static int announce(void *ctx, struct rec_thread *t)
{
	struct announcement *a = ctx;
	struct rec_thread_sched *ts = t->sched;
	struct pa_record rec = {.id = PA_REC_OPEN_BLOCK};
	uint32_t id;
	int err;

	if (!ts || !ts->blocked || ts->announced || t->ended_ns ||
	    since(a->now_ns, ts->since_ns) < ANNOUNCE_NS)
		return 0;
	if (ts->ustack == PA_STACK_NOT_TAKEN && ts->sleeper_since_ns != ts->since_ns) {
		a->sleepers = true;
		return 0;
	}
	err = rec_world_write_thread(a->sched->world, t, &id);
	if (err)
		return err;
	ts->announced = true;
	rec.open_block.time_ns = ts->since_ns;
	rec.open_block.thread = id;
	rec.open_block.ustack = ts->ustack;
	rec.open_block.kstack = ts->kstack;
	rec.open_block.state = ts->state;
	rec.open_block.flags = ts->flags | PA_BLOCK_OPEN;
	rec.open_block.syscall = ts->syscall;
	return pa_writer_add(a->sched->writer, &rec);
}

int rec_sched_announce(struct rec_sched *s, uint64_t now_ns, bool *sleepers)
{
	struct announcement a = {.sched = s, .now_ns = now_ns};
	int err = s->offcpu ? rec_world_for_each_thread(s->world, announce, &a) : 0;

	*sleepers = a.sleepers;
	return err;
}
