/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is looked up on the recorded host while recording, through the broker and the sandbox: details of
 * processes, build IDs of files, JITs' maps. Implements struct rec_world_ops.
 */
#ifndef REC_HOST_H
#define REC_HOST_H

#include <stdint.h>

#include "record/world.h"

struct pa_writer;
struct rec_helpers;

struct rec_host {
	struct rec_helpers *helpers;
	struct pa_writer *writer;
	uint64_t jit_lost; /* JIT maps that could not be read whole */
	uint64_t maps_lost; /* processes whose mappings could not be read */
	int error; /* the writer's, or -ENOMEM; found out by the next call that can return it */
};

extern const struct rec_world_ops rec_host_ops; /* their ctx is a struct rec_host */

/* Opens the maps of JITs whose code was met, as long as their processes live; of jitdumps, what is new. */
void rec_host_open_jits(struct rec_host *host, struct rec_world *world);
/* Reads the executable mappings of a process that is there at the start into the world. 0, -ENOMEM, or
 * the reason why they can't be read. */
int rec_host_read_maps(struct rec_world *world, uint32_t pid, uint64_t time_ns);

#endif
