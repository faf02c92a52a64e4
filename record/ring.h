/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The flight recorder's memory: the newest segments of a recording, each a trace of its own. */
#ifndef REC_RING_H
#define REC_RING_H

#include <stddef.h>
#include <stdint.h>

#include "format/pa-format.h"
#include "format/util/buf.h"

struct rec_ring_segment {
	struct pa_buf bytes;
	uint64_t end_ns; /* 0 = it is being written */
};

struct rec_ring {
	struct rec_ring_segment *segments; /* owned; oldest first; the last one is being written */
	size_t count, cap;
};

void rec_ring_fini(struct rec_ring *r);
/* Ends the segment that is being written, if there is one, and begins the next. 0 or -ENOMEM. */
int rec_ring_begin(struct rec_ring *r, uint64_t now_ns);
/* Appends to the segment that is being written. 0 or -ENOMEM. */
int rec_ring_add(struct rec_ring *r, const void *data, size_t len);
/* Bytes of all segments, and of the one that is being written. */
uint64_t rec_ring_bytes(const struct rec_ring *r);
uint64_t rec_ring_newest_bytes(const struct rec_ring *r);
/* Drops segments that ended before a time, and the oldest ones while there are more bytes than max. */
void rec_ring_drop(struct rec_ring *r, uint64_t before_ns, uint64_t max_bytes);
/* Writes what was ended as one trace, number, and drops it. 0 or -errno (the sink's too). */
int rec_ring_write(struct rec_ring *r, pa_sink_fn *sink, void *ctx, uint32_t number,
		   const struct pa_end *end, const char *detail);

#endif
