// SPDX-License-Identifier: GPL-2.0-or-later
/* Events in the order of time. */
#include "record/queue.h"

#include <stdlib.h>
#include <string.h>

#include "format/util/mem.h"

static void room_fini(struct rec_queue_room *r)
{
	free(r->entries);
	free(r->arena);
	*r = (struct rec_queue_room){0};
}

void rec_queue_fini(struct rec_queue *q)
{
	room_fini(&q->room);
	room_fini(&q->spare);
}

static int room_add(struct rec_queue_room *r, uint32_t kind, uint64_t time_ns, const void *event,
		    size_t len)
{
	size_t offset = (r->used + 7) & ~(size_t)7;
	int err;

	err = pa_grow(&r->entries, &r->cap, r->count + 1, sizeof(*r->entries));
	if (!err)
		err = pa_grow(&r->arena, &r->arena_cap, offset + len, 1);
	if (err)
		return err;
	memcpy(r->arena + offset, event, len);
	r->used = offset + len;
	r->entries[r->count] = (struct rec_queue_entry){.time_ns = time_ns,
							.seq = (uint32_t)r->count,
							.kind = kind,
							.offset = offset,
							.len = len};
	r->count++;
	return 0;
}

int rec_queue_add(struct rec_queue *q, enum rec_queue_kind kind, uint64_t time_ns,
		  const void *event, size_t len)
{
	return room_add(&q->room, kind, time_ns, event, len);
}

static int by_time(const void *a, const void *b)
{
	const struct rec_queue_entry *x = a, *y = b;

	if (x->time_ns != y->time_ns)
		return x->time_ns < y->time_ns ? -1 : 1;
	return x->seq < y->seq ? -1 : 1;
}

/* Moves the entries from first on to the front of the other room. */
static int keep_rest(struct rec_queue *q, size_t first)
{
	struct rec_queue_room old = q->room;
	size_t i;
	int err = 0;

	q->spare.count = 0;
	q->spare.used = 0;
	for (i = first; i < old.count && !err; i++) {
		const struct rec_queue_entry *e = &old.entries[i];

		err = room_add(&q->spare, e->kind, e->time_ns, old.arena + e->offset, e->len);
	}
	q->room = q->spare;
	q->spare = old;
	return err;
}

int rec_queue_run(struct rec_queue *q, uint64_t cut_ns, rec_queue_fn *fn, void *ctx)
{
	const struct rec_queue_room *r = &q->room;
	size_t i;
	int err = 0, kept;

	if (r->count == 0)
		return 0;
	qsort(r->entries, r->count, sizeof(*r->entries), by_time);
	for (i = 0; i < r->count && r->entries[i].time_ns <= cut_ns && !err; i++) {
		const struct rec_queue_entry *e = &r->entries[i];

		err = fn(ctx, (enum rec_queue_kind)e->kind, e->time_ns, r->arena + e->offset,
			 e->len);
	}
	kept = keep_rest(q, i);
	return err ? err : kept;
}
