/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Joins consecutive segments of a recording, each a trace with tables of its own, into one trace. The
 * segments are the recorder's own work: nothing foreign is read here.
 */
#ifndef REC_MERGE_H
#define REC_MERGE_H

#include <stddef.h>
#include <stdint.h>

#include "format/pa-format.h"

/* Which ids of a table have been defined. */
struct rec_merge_seen {
	uint8_t *ids; /* owned, by id */
	size_t cap;
};

struct rec_merge {
	struct pa_writer *writer;
	uint32_t number; /* what the trace is to be called */
	uint32_t segments; /* added so far */
	uint32_t string_base, stack_base; /* added to ids of the current segment */
	uint32_t string_top, stack_top; /* above all ids of the segments before the next one */
	struct rec_merge_seen modules, images, processes, threads;
};

/* sink as of pa_writer_new(). 0 or -ENOMEM. rec_merge_fini() is due in any case. */
int rec_merge_init(struct rec_merge *m, pa_sink_fn *sink, void *ctx, uint32_t number);
/* Adds the next segment, a whole trace in memory, but for its end. 0 or -errno (the sink's too). */
int rec_merge_add(struct rec_merge *m, const void *data, size_t len);
/* Ends the trace. 0 or -errno. */
int rec_merge_end(struct rec_merge *m, const struct pa_end *end, const char *detail);
void rec_merge_fini(struct rec_merge *m);

#endif
