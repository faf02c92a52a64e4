/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Events of all rings put into the order of time. Every ring is ordered by itself only; what has been
 * taken from all of them is sorted here before anything is made of it, so that a sample meets the
 * mappings that stood at its time.
 */
#ifndef REC_QUEUE_H
#define REC_QUEUE_H

#include <stddef.h>
#include <stdint.h>

enum rec_queue_kind { REC_QUEUE_BPF, REC_QUEUE_PERF };

struct rec_queue_entry {
	uint64_t time_ns;
	uint32_t seq; /* of arrival: order among equal times */
	uint32_t kind; /* enum rec_queue_kind */
	size_t offset; /* of the copied event in the arena */
	size_t len;
};

struct rec_queue_room {
	struct rec_queue_entry *entries;
	size_t count, cap;
	uint8_t *arena;
	size_t used, arena_cap;
};

struct rec_queue {
	struct rec_queue_room room;
	struct rec_queue_room spare; /* what is kept moves there, so that memory is used again */
};

void rec_queue_fini(struct rec_queue *q);
/* Copies an event in. 0 or -ENOMEM. */
int rec_queue_add(struct rec_queue *q, enum rec_queue_kind kind, uint64_t time_ns,
		  const void *event, size_t len);

typedef int rec_queue_fn(void *ctx, enum rec_queue_kind kind, uint64_t time_ns, const void *event,
			 size_t len);
/* Hands on, in the order of time, everything up to cut_ns; keeps the rest. 0 or what fn returned. */
int rec_queue_run(struct rec_queue *q, uint64_t cut_ns, rec_queue_fn *fn, void *ctx);

#endif
