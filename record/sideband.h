/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the kernel tells of processes on its own: mmap, comm, fork and exit events of all CPUs. */
#ifndef REC_SIDEBAND_H
#define REC_SIDEBAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "record/perf.h"

struct rec_queue;
struct rec_world;

struct rec_sideband {
	struct rec_perf_ring *rings;
	size_t count;
	bool build_ids; /* the kernel gives them with mappings (5.12) */
	uint64_t lost; /* records, since the last time it was asked */
	uint64_t throttled; /* times that a sampling event was throttled */
};

/* Opens the rings of all CPUs that are on line and switches them on. 0 or -errno. */
int rec_sideband_open(struct rec_sideband *s);
void rec_sideband_close(struct rec_sideband *s);
/* Moves everything that is there into the queue. 0 or -errno. */
int rec_sideband_drain(struct rec_sideband *s, struct rec_queue *queue);
/* Applies one queued record to the world. 0 or -errno. */
int rec_sideband_apply(struct rec_sideband *s, struct rec_world *world, const void *record,
		       size_t len);

#endif
