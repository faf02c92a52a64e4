// SPDX-License-Identifier: GPL-2.0-or-later
/* From the rows of the snapshot's iterator to TASK records. */
#include "record/snapshot.h"

#include <errno.h>
#include <linux/types.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bpf/events.h"
#include "format/util/buf.h"
#include "format/util/mem.h"
#include "record/broker.h"
#include "record/programs.h"
#include "record/recorder.h"
#include "record/tables.h"

/* Naps before the clock is compared, so that the recorder has just been switched in. */
#define NAPS 5
#define NAP_NS 200000

struct row {
	struct ev_frames *stacks; /* owned; only as long as it has frames */
	struct ev_snapshot snapshot;
};

struct snapshot {
	struct recorder *r;
	struct row *rows;
	size_t count, cap;
	uint64_t clock_ns; /* what the scheduler's clock is behind ours at least */
	bool clock_known;
};

/* The scheduler's clock is behind by the least distance that was ever seen. */
static void compare_clocks(struct snapshot *s, const struct ev_snapshot *e)
{
	uint64_t distance_ns = e->now_ns - e->own_arrival_ns;

	if (e->own_arrival_ns == 0)
		return;
	/* A difference modulo 2^64: either clock may be ahead. */
	if (!s->clock_known || (int64_t)(distance_ns - s->clock_ns) < 0)
		s->clock_ns = distance_ns;
	s->clock_known = true;
}

static int nap_row(void *ctx, const struct ev_frames *stacks, const struct ev_snapshot *snapshot)
{
	(void)stacks;
	compare_clocks(ctx, snapshot);
	return -ECANCELED; /* one is enough */
}

static int find_clock(struct snapshot *s)
{
	int i, err = 0;

	for (i = 0; i < NAPS && (!err || err == -ECANCELED); i++) {
		nanosleep(&(struct timespec){.tv_nsec = NAP_NS}, NULL);
		err = rec_programs_dump_snapshot(s->r->programs, nap_row, s);
	}
	return err == -ECANCELED ? 0 : err;
}

static int take_row(void *ctx, const struct ev_frames *stacks, const struct ev_snapshot *snapshot)
{
	struct snapshot *s = ctx;
	size_t frames = (size_t)stacks->user_frames + stacks->kernel_frames, bytes;
	struct row *row;

	compare_clocks(s, snapshot);
	if (frames > EV_MAX_FRAMES)
		return -EINVAL;
	if (pa_grow(&s->rows, &s->cap, s->count + 1, sizeof(*s->rows)) < 0)
		return -ENOMEM;
	row = &s->rows[s->count];
	row->snapshot = *snapshot;
	/* Whole structs are easier to hand on, but a row has a few frames as a rule. */
	bytes = sizeof(*stacks) - sizeof(stacks->frames) + frames * sizeof(stacks->frames[0]);
	row->stacks = calloc(1, sizeof(*stacks));
	if (!row->stacks)
		return -ENOMEM;
	memcpy(row->stacks, stacks, bytes);
	s->count++;
	return 0;
}

/* Since when a thread has been off the CPU: it got it then and then, and ran for so long. */
static uint64_t since_ns(const struct snapshot *s, const struct ev_snapshot *e)
{
	uint64_t since = e->arrival_ns + e->slice_ns + s->clock_ns;

	if (!s->clock_known || e->arrival_ns == 0 || e->state == PA_STATE_RUNNING)
		return 0;
	/* Real-time threads don't say how long they ran: it is less than since they got the CPU. */
	return (int64_t)(e->now_ns - since) >= 0 ? since : e->arrival_ns + s->clock_ns;
}

/* System calls whose first argument is a descriptor, by their numbers on both architectures. */
static const struct {
	int x86_64, arm64;
} descriptor_calls[] = {{0, 63},    {1, 64},    {16, 29},   {17, 67},   {18, 68},  {19, 65},
			{20, 66},   {42, 203},  {43, 202},  {44, 206},  {45, 207}, {46, 211},
			{47, 212},  {72, 25},   {73, 32},   {74, 82},   {75, 83},  {217, 61},
			{232, -1},  {275, 76},  {281, 22},  {288, 242}, {295, 69}, {296, 70},
			{299, 243}, {307, 269}, {426, 426}, {441, 441}, {40, 71}};

static bool has_descriptor(uint64_t syscall)
{
	size_t i;

	for (i = 0; syscall && i < PA_ARRAY_LEN(descriptor_calls); i++) {
#if defined(__x86_64__)
		int number = descriptor_calls[i].x86_64;
#else
		int number = descriptor_calls[i].arm64;
#endif
		if ((uint64_t)number + 1 == syscall)
			return true;
	}
	return false;
}

static int add_target(struct snapshot *s, const struct row *row, uint32_t *target)
{
	struct pa_buf text;
	int err = 0;

	if (!has_descriptor(row->snapshot.syscall) || row->snapshot.args[0] > INT32_MAX)
		return 0;
	pa_buf_init(&text);
	/* It may have been closed meanwhile, or be none of ours to see. */
	if (rec_broker_read_fd(&s->r->helpers, (pid_t)row->stacks->who.tid,
			       (uint32_t)row->snapshot.args[0], &text) == 0)
		err = pa_writer_string(s->r->writer, pa_buf_str(&text), text.len, target);
	pa_buf_fini(&text);
	return err;
}

static int write_row(struct snapshot *s, const struct row *row)
{
	const struct ev_snapshot *e = &row->snapshot;
	struct recorder *r = s->r;
	struct pa_record rec = {.id = PA_REC_TASK};
	struct pa_task *out = &rec.task;
	uint32_t ustack = 0, kstack = 0;
	uint64_t args[PA_ARRAY_LEN(e->args)];
	struct rec_thread *t =
		rec_world_find_thread(r->world, row->stacks->who.pid, row->stacks->who.tid, e->comm,
				      e->kernel_thread, r->start_ns);
	int err = t ? rec_world_write_thread(r->world, t, &out->thread) : -ENOMEM;

	if (!err)
		err = rec_stacks_both(&r->stacks, rec_world_process_of(r->world, t), row->stacks,
				      &ustack, &kstack);
	if (!err)
		err = add_target(s, row, &out->target);
	if (err)
		return err;
	memcpy(args, e->args, sizeof(args));
	out->time_ns = e->now_ns;
	out->state = e->state;
	out->since_ns = since_ns(s, e);
	out->ustack = ustack;
	out->kstack = kstack;
	out->syscall = e->syscall;
	if (e->syscall)
		out->args = (struct pa_list){args, PA_ARRAY_LEN(args)};
	out->memory = (struct pa_bytes){e->memory, e->memory_bytes};
	out->user_ns = e->user_ns;
	out->system_ns = e->system_ns;
	out->voluntary = e->voluntary;
	out->involuntary = e->involuntary;
	out->own_tid = e->own_tid;
	return pa_writer_add(r->writer, &rec);
}

int rec_snapshot_take(struct recorder *r)
{
	struct snapshot s = {.r = r};
	size_t i;
	int err = find_clock(&s);

	if (!err)
		err = rec_programs_dump_snapshot(r->programs, take_row, &s);
	/* Copies of stacks come through the ring, and before what refers to them. */
	if (!err)
		err = rec_drain(r, rec_now_ns());
	for (i = 0; i < s.count; i++) {
		if (!err)
			err = write_row(&s, &s.rows[i]);
		free(s.rows[i].stacks);
	}
	free(s.rows);
	r->end.reason = PA_END_SNAPSHOT;
	r->end_detail = "";
	return err;
}
