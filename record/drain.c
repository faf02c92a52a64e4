// SPDX-License-Identifier: GPL-2.0-or-later
/* From the rings and maps into the trace: what is done ten times a second, and what once. */
#include <errno.h>
#include <linux/types.h>
#include <stdlib.h>
#include <string.h>

#include "bpf/events.h"
#include "format/util/mem.h"
#include "record/programs.h"
#include "record/recorder.h"
#include "record/tables.h"

/* Ended processes are kept for so long, since the last of their events come late. */
#define LINGER_NS 3000000000ull
/* Times of samples are multiples of this, or of less where they are taken often: a power of two. */
#define MAX_GRAIN_NS 4096ull

/* Sees to it that the next such stack can be walked by tables. */
static int want_tables(struct recorder *r, const struct ev_frames *f)
{
	struct rec_process *p =
		f->wanted_ip && r->tables ? rec_world_get_process(r->world, f->who.pid) : NULL;

	return p ? rec_tables_want(r->tables, p, f->wanted_ip) : 0;
}

/*
 * The last digits of a sample's time are noise, and would be half of what it takes in the trace. It stays
 * behind whatever has changed the meaning of its addresses.
 */
static uint64_t round_time(const struct recorder *r, uint64_t time_ns)
{
	uint64_t grain_ns = MAX_GRAIN_NS;

	while (grain_ns > 1000000000ull / 100 / r->config->sample_rate_hz)
		grain_ns /= 2;
	time_ns &= -grain_ns;
	return time_ns > r->changed_ns ? time_ns : r->changed_ns;
}

/* The advances of those counters that could be opened, as SAMPLING lists them. */
static struct pa_list sampled_counters(const struct recorder *r, const struct ev_frames *s,
				       uint64_t *advances)
{
	const __u64 *from = s->frames + s->user_frames + s->kernel_frames;
	struct pa_list list = {.items = advances};
	uint32_t i;

	if (s->user_frames + s->kernel_frames > EV_MAX_FRAMES)
		return list;
	for (i = 0; i < s->counters && i < EV_MAX_COUNTERS; i++)
		if (r->sched.counters.hardware[i])
			advances[list.count++] = from[i];
	return list;
}

static int apply_sample(struct recorder *r, const struct ev_frames *s)
{
	struct pa_record rec = {.id = PA_REC_SAMPLE};
	struct rec_thread *t;
	struct rec_process *p;
	uint32_t thread, ustack, kstack;
	uint64_t advances[EV_MAX_COUNTERS];
	int err;

	t = rec_world_find_thread(r->world, s->who.pid, s->who.tid, NULL, false, s->head.time_ns);
	if (!t)
		return -ENOMEM;
	err = rec_world_write_thread(r->world, t, &thread);
	if (err)
		return err;
	p = rec_world_process_of(r->world, t);
	err = rec_stacks_both(&r->stacks, p, s, &ustack, &kstack);
	if (!err)
		err = want_tables(r, s);
	if (err)
		return err;
	rec.sample.time_ns = round_time(r, s->head.time_ns);
	rec.sample.thread = thread;
	rec.sample.ustack = ustack;
	rec.sample.kstack = kstack;
	rec.sample.cpu = s->cpu;
	rec.sample.period = s->period == r->sample_period ? 0 : s->period;
	rec.sample.counters = sampled_counters(r, s, advances);
	r->samples++;
	return pa_writer_add(r->writer, &rec);
}

static int apply_stack(struct recorder *r, const struct ev_frames *f)
{
	int err = f->user_frames ? want_tables(r, f) : 0;

	return err ? err : rec_stacks_add_sent(&r->stacks, f);
}

static int apply_copy(struct recorder *r, const struct ev_copy *copy)
{
	struct rec_thread *t = rec_world_find_thread(r->world, copy->who.pid, copy->who.tid, NULL,
						     false, copy->head.time_ns);
	uint32_t thread;
	int err;

	if (!t)
		return -ENOMEM;
	err = rec_world_write_thread(r->world, t, &thread);
	return err ? err :
		     rec_stacks_add_copy(&r->stacks, rec_world_process_of(r->world, t), thread,
					 copy);
}

static int apply_thread_end(struct recorder *r, const struct ev_thread_end *ev)
{
	return rec_sched_stat(&r->sched, &ev->stat, true);
}

static int apply_bpf(struct recorder *r, const void *event)
{
	const struct ev_head *head = event;
	const struct ev_exit *ex = event;

	switch (head->kind) {
	case EV_SAMPLE:
		return apply_sample(r, event);
	case EV_THREAD:
		return rec_sched_thread(&r->sched, event);
	case EV_STACK:
		return apply_stack(r, event);
	case EV_COPY:
		return apply_copy(r, event);
	case EV_BLOCK:
		return rec_sched_block(&r->sched, event);
	case EV_HIST:
		return rec_sched_hist(&r->sched, event);
	case EV_THREAD_END:
		return apply_thread_end(r, event);
	case EV_EXIT:
		return rec_world_exit_status(r->world, ex->tid, ex->status, ex->process_ended,
					     head->time_ns);
	case EV_EXEC:
		r->exec_ns = head->time_ns;
		return 0;
	case EV_LEFT:
		return rec_world_leave(r->world, ex->pid, head->time_ns);
	default:
		return 0;
	}
}

static int apply(void *ctx, enum rec_queue_kind kind, uint64_t time_ns, const void *event,
		 size_t len)
{
	struct recorder *r = ctx;

	if (kind == REC_QUEUE_BPF)
		return apply_bpf(r, event);
	r->changed_ns = time_ns;
	return rec_sideband_apply(&r->sideband, r->world, event, len);
}

int rec_drain(struct recorder *r, uint64_t cut_ns)
{
	/* The side-band last: then it reaches at least as far as the samples do. */
	int err = rec_programs_drain(r->programs, &r->queue);

	if (!err)
		err = rec_sideband_drain(&r->sideband, &r->queue);
	r->stacks.mappings_lost = r->sideband.lost > 0;
	if (!err)
		err = rec_queue_run(&r->queue, cut_ns, apply, r);
	if (!err)
		rec_host_open_jits(&r->host, r->world);
	return err || !r->tables ? err : rec_tables_work(r->tables);
}

/* --- every second --- */

static int take_stat(void *ctx, const struct ev_thread_stat *stat)
{
	struct recorder *r = ctx;

	return rec_sched_stat(&r->sched, stat, r->stop_ns != 0);
}

/* Sleepers whose stacks were copied: the copies come through the ring. */
struct sleepers {
	struct recorder *recorder;
	struct ev_frames *rows;
	size_t count, cap;
};

static int take_sleeper(void *ctx, const struct ev_frames *row)
{
	struct sleepers *s = ctx;
	int err;

	if (row->id) {
		err = pa_grow(&s->rows, &s->cap, s->count + 1, sizeof(*s->rows));
		if (!err)
			s->rows[s->count++] = *row;
		return err;
	}
	err = rec_sched_sleeper(&s->recorder->sched, row);
	return err ? err : want_tables(s->recorder, row);
}

int rec_take_sleepers(struct recorder *r)
{
	struct sleepers s = {.recorder = r};
	size_t i;
	int err;

	if (!r->config->offcpu)
		return 0;
	err = rec_programs_dump_sleepers(r->programs, take_sleeper, &s);
	if (!err && s.count)
		err = rec_drain(r, rec_now_ns());
	for (i = 0; i < s.count && !err; i++) {
		err = rec_sched_sleeper(&r->sched, &s.rows[i]);
		if (!err)
			err = want_tables(r, &s.rows[i]);
	}
	free(s.rows);
	return err;
}

static int take_sum(void *ctx, const struct ev_sum_key *key, const struct ev_sum *sum)
{
	struct recorder *r = ctx;

	return rec_sched_sum(&r->sched, r->stop_ns ? r->stop_ns : rec_now_ns(), key, sum);
}

static int take_cpu(void *ctx, uint32_t cpu, const struct ev_cpu *state)
{
	struct recorder *r = ctx;
	struct rec_cpu_sum *old = &r->cpu_sums[cpu];
	struct pa_record rec = {.id = PA_REC_CPU_SUM};
	uint64_t now = r->stop_ns ? r->stop_ns : rec_now_ns(), idle = state->idle_ns;

	/* A CPU that idled all the time has no switch: it began when recording did. */
	if (state->since_ns == 0)
		return 0;
	if (now < state->since_ns)
		now = state->since_ns;
	if (state->idle_now)
		idle += now - state->since_ns;
	if (old->time_ns == 0)
		old->time_ns = state->born_ns;
	if (now <= old->time_ns)
		return 0;
	rec.cpu_sum.time_ns = now;
	rec.cpu_sum.cpu = cpu;
	rec.cpu_sum.observed_ns = now - old->time_ns;
	rec.cpu_sum.idle_ns = idle > old->idle_ns ? idle - old->idle_ns : 0;
	rec.cpu_sum.switches = state->switches - old->switches;
	*old = (struct rec_cpu_sum){now, idle, state->switches};
	return pa_writer_add(r->writer, &rec);
}

static int write_loss(struct recorder *r, uint32_t kind, uint64_t total, uint64_t now_ns)
{
	struct pa_record rec = {.id = PA_REC_LOSS};

	if (total == r->losses[kind])
		return 0;
	rec.loss.time_ns = now_ns;
	rec.loss.kind = kind;
	rec.loss.count = total - r->losses[kind];
	r->losses[kind] = total;
	return pa_writer_add(r->writer, &rec);
}

static int write_losses(struct recorder *r, uint64_t now_ns)
{
	uint32_t kind;
	int err = 0;

	for (kind = 0; kind < PA_LOSS_KINDS_ && !err; kind++) {
		uint64_t total = rec_programs_lost(r->programs, kind);

		if (kind == PA_LOSS_SIDEBAND)
			total += r->sideband.lost;
		else if (kind == PA_LOSS_HIST)
			total += r->sched.hist_lost;
		else if (kind == PA_LOSS_THROTTLED)
			total += r->sideband.throttled;
		else if (kind == PA_LOSS_MAPPINGS)
			total += r->host.maps_lost;
		else if (kind == PA_LOSS_JIT)
			total += r->host.jit_lost;
		err = write_loss(r, kind, total, now_ns);
	}
	return err;
}

static int write_covered(struct recorder *r, uint64_t now_ns)
{
	struct pa_record rec = {.id = PA_REC_COVERED};

	rec.covered.time_ns = now_ns;
	return pa_writer_add(r->writer, &rec);
}

/* The sums of short blocks, and before them the stacks that they refer to. */
static int take_sums(struct recorder *r)
{
	int err = 0;

	rec_programs_end_epoch(r->programs);
	if (!r->stop_ns)
		err = rec_drain(r, rec_now_ns());
	return err ? err : rec_programs_take_sums(r->programs, take_sum, r);
}

static int take_sched(struct recorder *r, uint64_t now_ns)
{
	bool sleepers = false;
	int err = rec_programs_dump_threads(r->programs, take_stat, r);

	if (!err && r->config->offcpu)
		err = take_sums(r);
	if (!err && !r->stop_ns)
		err = rec_sched_announce(&r->sched, now_ns, REC_SCHED_ANNOUNCE_NS, &sleepers);
	if (!err && sleepers)
		err = rec_take_sleepers(r);
	return err;
}

int rec_flush(struct recorder *r, uint64_t now_ns)
{
	int err = 0;

	if (r->config->offcpu || r->config->pmu) {
		err = take_sched(r, now_ns);
		if (!err)
			err = rec_programs_read_cpus(r->programs, take_cpu, r);
	}
	if (!err)
		err = write_losses(r, now_ns);
	if (!err)
		err = write_covered(r, now_ns);
	if (!err)
		err = pa_writer_flush(r->writer);
	rec_world_forget(r->world, now_ns > LINGER_NS ? now_ns - LINGER_NS : 0);
	return err ? err : r->host.error;
}

int rec_flush_last(struct recorder *r)
{
	/* Whoever is still blocked without a stack is walked now. */
	int err = rec_take_sleepers(r);

	if (!err)
		err = rec_flush(r, r->stop_ns);
	/* Both halves of the sums. */
	if (!err && r->config->offcpu)
		err = take_sums(r);
	return err;
}
