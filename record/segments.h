/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the trace goes: into one file, into numbered files one after the other, or into memory that
 * holds the newest part of it until it is asked for. A segment begins with everything that the records in
 * it refer to; ids of processes, threads, modules and counters are the same in all of them.
 */
#ifndef REC_SEGMENTS_H
#define REC_SEGMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "record/files.h"
#include "record/ring.h"

struct recorder;

struct rec_segments {
	struct rec_files files;
	struct rec_ring ring;
	uint32_t number; /* of the file that is being written; of a ring: of the next one */
	uint64_t start_ns; /* of the segment; 0 = there is but one */
	uint64_t flushed_bytes; /* written up to the last flush, */
	uint64_t burst_bytes; /* and the most that came between two of them */
	bool failed; /* the recording did not end as the user had asked for it */
};

/* All return 0 or -errno; where a message has been printed, it says so. */

/* Opens the output. Prints. */
int rec_segments_open(struct recorder *r);
/* The recording begins. */
int rec_segments_start(struct recorder *r);
/* The sink of the writer; ctx is the recorder. */
int rec_segments_write(void *ctx, const void *data, size_t len);
/* After each flush: begins the next segment when that is due. dump: a ring is written out. */
int rec_segments_tick(struct recorder *r, uint64_t now_ns, bool dump);
/* Whether the recording has to end for want of room. Then it sets r->end, and prints. */
bool rec_segments_over(struct recorder *r);
/* Writes the last record. */
int rec_segments_finish(struct recorder *r);
void rec_segments_close(struct recorder *r);

#endif
