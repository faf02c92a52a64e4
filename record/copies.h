/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which copies of user stacks are in the trace, so that what comes later can refer to them. */
#ifndef REC_COPIES_H
#define REC_COPIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/util/htab.h"

struct ev_copy;
struct pa_writer;

#define REC_COPIES_KEPT 131072u /* of the newest */

struct rec_copy {
	uint64_t id; /* as sent */
	uint64_t walked; /* the same stack as far as it was walked, as sent */
	uint32_t node; /* in the trace */
	uint32_t segment; /* of it */
};

struct rec_copies {
	struct pa_htab by_id;
	struct rec_copy *items; /* a ring; owned */
	size_t count, cap;
	size_t next; /* to be replaced, once it is full */
	uint32_t segment;
};

void rec_copies_fini(struct rec_copies *c);
/* What is in the trace so far is not in the segment that begins now. */
void rec_copies_begin_segment(struct rec_copies *c);
/* Writes a copy of the thread's stack, and remembers it; walked is its node in the trace. 0 or -errno. */
int rec_copies_write(struct rec_copies *c, struct pa_writer *writer, const struct ev_copy *copy,
		     uint32_t thread, uint32_t walked);
/* The copy that was sent under an id; *here: it is in this segment. NULL when it is not known. */
const struct rec_copy *rec_copies_get(const struct rec_copies *c, uint64_t id, bool *here);

#endif
