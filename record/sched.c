// SPDX-License-Identifier: GPL-2.0-or-later
/* Scheduler statistics and off-CPU intervals. */
#include "record/sched.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "format/util/mem.h"
#include "record/sched_internal.h"
#include "record/stacks.h"

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
int rec_sched_find(struct rec_sched *s, const struct ev_who *who, uint64_t time_ns,
		   struct rec_thread **t)
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

/* Where a thread is blocked: ids in this segment of the trace. */
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

/* Who woke a thread, in this segment of the trace. */
struct waker {
	uint32_t id, flags;
	uint32_t ustack, kstack;
};

static int waker_of(struct rec_sched *s, uint32_t tid, uint64_t ustack, uint64_t kstack,
		    struct waker *waker)
{
	struct rec_thread *t = NULL;
	int err;

	*waker = (struct waker){0};
	if (tid == 0)
		return 0;
	if (tid == EV_WAKER_INTERRUPT) {
		waker->flags = PA_BLOCK_WOKEN_BY_INTERRUPT;
		return 0;
	}
	if (tid != EV_WAKER_OUTSIDE)
		t = rec_world_get_thread(s->world, tid);
	/* Only threads that are recorded are told of. */
	if (!t || !t->slot) {
		waker->flags = PA_BLOCK_WOKEN_FROM_OUTSIDE;
		return 0;
	}
	err = rec_world_write_thread(s->world, t, &waker->id);
	if (err || (ustack == 0 && kstack == 0))
		return err;
	err = rec_stacks_sent(s->stacks, rec_world_process_of(s->world, t), ustack, &waker->ustack);
	return err ? err : rec_stacks_sent(s->stacks, NULL, kstack, &waker->kstack);
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
	struct waker waker;
	struct rec_thread *t;
	int err = rec_sched_find(s, &ev->who, ev->head.time_ns, &t);

	if (!err)
		err = place_of(s, t, ev->head.time_ns, ev->ustack, ev->kstack, &place);
	if (!err)
		err = waker_of(s, ev->waker, ev->waker_ustack, ev->waker_kstack, &waker);
	if (err)
		return err;
	block.ustack = place.ustack;
	block.kstack = place.kstack;
	block.syscall = place.syscall;
	block.flags |= waker.flags;
	block.waker = waker.id;
	block.waker_ustack = waker.ustack;
	block.waker_kstack = waker.kstack;
	t->sched->blocked = false;
	return write_block(s, t, &block);
}

int rec_sched_sum(struct rec_sched *s, uint64_t now_ns, const struct ev_sum_key *key,
		  const struct ev_sum *sum)
{
	struct ev_who who = {.slot = key->slot, .pid = sum->pid, .tid = sum->tid};
	struct pa_record rec = {.id = PA_REC_BLOCK_SUM};
	struct place place = {.syscall = key->syscall};
	struct waker waker = {0};
	struct rec_thread *t;
	uint32_t id;
	int err;

	if (sum->count == 0)
		return 0;
	err = rec_sched_find(s, &who, now_ns, &t);
	if (!err)
		err = place_of(s, t, UINT64_MAX, key->ustack, key->kstack, &place);
	if (!err)
		err = waker_of(s, key->waker, key->waker_ustack, key->waker_kstack, &waker);
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
	rec.block_sum.waker = waker.id;
	rec.block_sum.flags = waker.flags;
	rec.block_sum.waker_ustack = waker.ustack;
	rec.block_sum.waker_kstack = waker.kstack;
	return pa_writer_add(s->writer, &rec);
}

int rec_sched_sleeper(struct rec_sched *s, const struct ev_frames *row)
{
	struct rec_thread_sched *ts;
	struct rec_process *p;
	struct rec_thread *t;
	int err = rec_sched_find(s, &row->who, row->since_ns, &t);

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
	ts->ustack = PA_STACK_NOT_TAKEN;
	ts->kstack = PA_STACK_NOT_TAKEN;
	ts->syscall = row->syscall;
	return 0;
}

/* Remembers the block that the thread is in. */
static void note_block(struct rec_thread_sched *ts, const struct ev_thread_stat *stat)
{
	/* What had no event yet has no stack of its own, only that of the walked sleeper. */
	bool walked = stat->block_flags & PA_BLOCK_BEGAN_BEFORE;

	if (stat->phase != EV_BLOCKED) {
		ts->blocked = false;
		return;
	}
	if (!ts->blocked || ts->since_ns != stat->since_ns)
		ts->announced = false;
	ts->blocked = true;
	ts->since_ns = stat->since_ns;
	ts->ustack = walked ? PA_STACK_NOT_TAKEN : stat->ustack;
	ts->kstack = walked ? PA_STACK_NOT_TAKEN : stat->kstack;
	ts->syscall = stat->syscall;
	ts->state = stat->block_state;
	ts->flags = stat->block_flags;
}

static int write_open(struct rec_sched *s, struct rec_thread *t, uint64_t now_ns)
{
	const struct rec_thread_sched *ts = t->sched;
	struct place place = {.syscall = ts->syscall};
	struct pa_block block = {
		.time_ns = ts->since_ns,
		.duration_ns = rec_since(now_ns, ts->since_ns),
		.state = ts->state,
		.flags = ts->flags | PA_BLOCK_OPEN,
	};
	int err = place_of(s, t, ts->since_ns, ts->ustack, ts->kstack, &place);

	if (err)
		return err;
	block.ustack = place.ustack;
	block.kstack = place.kstack;
	block.syscall = place.syscall;
	return write_block(s, t, &block);
}

int rec_sched_stat(struct rec_sched *s, const struct ev_thread_stat *stat, bool last)
{
	uint64_t now_ns = stat->now_ns > stat->since_ns ? stat->now_ns : stat->since_ns;
	struct rec_thread *t;
	int err = rec_sched_find(s, &stat->who, stat->born_ns, &t);

	if (!err)
		err = rec_sched_take_tail(s, t->sched, stat, last);
	if (!err && s->statistics)
		err = rec_sched_write_statistics(s, t, stat, now_ns);
	if (err || !s->offcpu)
		return err;
	note_block(t->sched, stat);
	return last && t->sched->blocked ? write_open(s, t, now_ns) : 0;
}

struct announcement {
	struct rec_sched *sched;
	uint64_t now_ns, lasting_ns;
	bool sleepers;
};

static int announce(void *ctx, struct rec_thread *t)
{
	struct announcement *a = ctx;
	struct rec_thread_sched *ts = t->sched;
	struct pa_record rec = {.id = PA_REC_OPEN_BLOCK};
	struct place place;
	uint32_t id;
	int err;

	if (!ts || !ts->blocked || ts->announced || t->ended_ns ||
	    rec_since(a->now_ns, ts->since_ns) < a->lasting_ns)
		return 0;
	if (ts->ustack == PA_STACK_NOT_TAKEN && ts->sleeper_since_ns != ts->since_ns) {
		a->sleepers = true;
		return 0;
	}
	place.syscall = ts->syscall;
	err = place_of(a->sched, t, ts->since_ns, ts->ustack, ts->kstack, &place);
	if (!err)
		err = rec_world_write_thread(a->sched->world, t, &id);
	if (err)
		return err;
	ts->announced = true;
	rec.open_block.time_ns = ts->since_ns;
	rec.open_block.thread = id;
	rec.open_block.ustack = place.ustack;
	rec.open_block.kstack = place.kstack;
	rec.open_block.state = ts->state;
	rec.open_block.flags = ts->flags | PA_BLOCK_OPEN;
	rec.open_block.syscall = place.syscall;
	return pa_writer_add(a->sched->writer, &rec);
}

int rec_sched_announce(struct rec_sched *s, uint64_t now_ns, uint64_t lasting_ns, bool *sleepers)
{
	struct announcement a = {.sched = s, .now_ns = now_ns, .lasting_ns = lasting_ns};
	int err = s->offcpu ? rec_world_for_each_thread(s->world, announce, &a) : 0;

	*sleepers = a.sleepers;
	return err;
}

static int forget_announcement(void *ctx, struct rec_thread *t)
{
	(void)ctx;
	if (t->sched) {
		t->sched->announced = false;
		t->sched->sleeper_since_ns = UINT64_MAX;
	}
	return 0;
}

void rec_sched_begin_segment(struct rec_sched *s)
{
	(void)rec_world_for_each_thread(s->world, forget_announcement, NULL);
}
