// SPDX-License-Identifier: GPL-2.0-or-later
/* Events in the order of time. */
#include "record/queue.h"

#include <stdlib.h>
#include <string.h>

#include "format/util/mem.h"

void rec_queue_fini(struct rec_queue *q)
{
	free(q->entries);
	free(q->arena);
	*q = (struct rec_queue){0};
}

int rec_queue_add(struct rec_queue *q, enum rec_queue_kind kind, uint64_t time_ns,
		  const void *event, size_t len)
{
	size_t offset = (q->used + 7) & ~(size_t)7;
	int err;

	err = pa_grow(&q->entries, &q->cap, q->count + 1, sizeof(*q->entries));
	if (!err)
		err = pa_grow(&q->arena, &q->arena_cap, offset + len, 1);
	if (err)
		return err;
	memcpy(q->arena + offset, event, len);
	q->used = offset + len;
	q->entries[q->count] = (struct rec_queue_entry){.time_ns = time_ns,
							.seq = (uint32_t)q->count,
							.kind = kind,
							.offset = offset,
							.len = len};
	q->count++;
	return 0;
}

static int by_time(const void *a, const void *b)
{
	const struct rec_queue_entry *x = a, *y = b;

	if (x->time_ns != y->time_ns)
		return x->time_ns < y->time_ns ? -1 : 1;
	return x->seq < y->seq ? -1 : 1;
}

/* Moves the entries from first on to the front of a fresh arena. */
static int keep_rest(struct rec_queue *q, size_t first)
{
	struct rec_queue rest = {0};
	size_t i;
	int err = 0;

	for (i = first; i < q->count && !err; i++) {
		const struct rec_queue_entry *e = &q->entries[i];

		err = rec_queue_add(&rest, (enum rec_queue_kind)e->kind, e->time_ns,
				    q->arena + e->offset, e->len);
	}
	if (rest.count == 0) {
		/* The usual case: nothing is left, the memory is used again. */
		rec_queue_fini(&rest);
		q->count = 0;
		q->used = 0;
		return err;
	}
	rec_queue_fini(q);
	*q = rest;
	return err;
}

int rec_queue_run(struct rec_queue *q, uint64_t cut_ns, rec_queue_fn *fn, void *ctx)
{
	size_t i;
	int err = 0, kept;

	if (q->count == 0)
		return 0;
	qsort(q->entries, q->count, sizeof(*q->entries), by_time);
	for (i = 0; i < q->count && q->entries[i].time_ns <= cut_ns && !err; i++) {
		const struct rec_queue_entry *e = &q->entries[i];

		err = fn(ctx, (enum rec_queue_kind)e->kind, e->time_ns, q->arena + e->offset,
			 e->len);
	}
	kept = keep_rest(q, i);
	return err ? err : kept;
}
