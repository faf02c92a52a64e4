/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What recording takes of memory, by the kernel's own account. */
#ifndef REC_MEMORY_H
#define REC_MEMORY_H

#include <stdint.h>
#include <sys/types.h>

#define REC_MEMORY_HELPERS 3

struct rec_memory {
	/* Of /proc/PID/status; -1 = not open. */
	int self, helpers[REC_MEMORY_HELPERS];
	uint64_t bpf_bytes; /* of maps and programs, all of which is there from the start on */
};

/*
 * After the maps are made, while files can be opened. helpers are process ids; 0 = there is none. What can't be
 * opened counts as nothing.
 */
void rec_memory_open(struct rec_memory *m, const pid_t helpers[REC_MEMORY_HELPERS]);
/* The most that each process has had in memory so far, pages shared with others included. */
uint64_t rec_memory_self_bytes(const struct rec_memory *m);
/* Of those helpers together that are still running. */
uint64_t rec_memory_helpers_bytes(const struct rec_memory *m);
/* Only after rec_memory_open(); legal twice. */
void rec_memory_close(struct rec_memory *m);

#endif
