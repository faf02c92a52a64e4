// SPDX-License-Identifier: GPL-2.0-or-later
/* The newest segments of a recording, in memory. */
#include "record/ring.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "format/util/mem.h"
#include "record/merge.h"

/* Drops the oldest segments. */
static void drop(struct rec_ring *r, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		pa_buf_fini(&r->segments[i].bytes);
	r->count -= count;
	if (r->count)
		memmove(r->segments, r->segments + count, r->count * sizeof(*r->segments));
}

void rec_ring_fini(struct rec_ring *r)
{
	drop(r, r->count);
	free(r->segments);
	*r = (struct rec_ring){0};
}

int rec_ring_begin(struct rec_ring *r, uint64_t now_ns)
{
	int err = pa_grow(&r->segments, &r->cap, r->count + 1, sizeof(*r->segments));

	if (err)
		return err;
	if (r->count)
		r->segments[r->count - 1].end_ns = now_ns;
	r->segments[r->count++] = (struct rec_ring_segment){0};
	return 0;
}

int rec_ring_add(struct rec_ring *r, const void *data, size_t len)
{
	struct pa_buf *bytes = &r->segments[r->count - 1].bytes;

	pa_buf_add(bytes, data, len);
	return pa_buf_error(bytes);
}

uint64_t rec_ring_bytes(const struct rec_ring *r)
{
	uint64_t sum = 0;
	size_t i;

	for (i = 0; i < r->count; i++)
		sum += r->segments[i].bytes.cap;
	return sum;
}

uint64_t rec_ring_newest_bytes(const struct rec_ring *r)
{
	return r->segments[r->count - 1].bytes.cap;
}

void rec_ring_drop(struct rec_ring *r, uint64_t before_ns, uint64_t max_bytes)
{
	size_t old = 0;

	while (old + 1 < r->count && r->segments[old].end_ns < before_ns)
		old++;
	drop(r, old);
	while (r->count > 1 && rec_ring_bytes(r) > max_bytes)
		drop(r, 1);
}

int rec_ring_write(struct rec_ring *r, pa_sink_fn *sink, void *ctx, uint32_t number,
		   const struct pa_end *end, const char *detail)
{
	size_t ended = r->count - 1, i;
	struct rec_merge merge;
	int err = rec_merge_init(&merge, sink, ctx, number);

	for (i = 0; i < ended && !err; i++)
		err = rec_merge_add(&merge, r->segments[i].bytes.data, r->segments[i].bytes.len);
	if (!err)
		err = rec_merge_end(&merge, end, detail);
	rec_merge_fini(&merge);
	drop(r, ended);
	return err;
}
