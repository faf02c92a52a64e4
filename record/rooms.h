/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rooms for tables of very different sizes in one array that is shared with the kernel: first fit. A room
 * that is given up may still be read for a moment, so it rests for a while before it is used again.
 */
#ifndef REC_ROOMS_H
#define REC_ROOMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define REC_ROOM_REST_TICKS 5 /* a walk takes microseconds; one of these is a drain, ten a second */

struct rec_room {
	uint32_t first;
	uint32_t count; /* 0 = no room */
	uint64_t until; /* tick when its rest is over; 0 = it is in use */
};

struct rec_rooms {
	uint32_t limit; /* entries of the array */
	uint64_t tick;
	struct rec_room *items; /* in use or resting, by first */
	size_t count, cap;
};

void rec_rooms_init(struct rec_rooms *r, uint32_t limit);
void rec_rooms_fini(struct rec_rooms *r);
/* A room for count entries; *first is 0 for none at all. False when there is none, or no memory. */
bool rec_rooms_take(struct rec_rooms *r, uint32_t count, uint32_t *first);
/* True when there will be one once all that rests can be used again. */
bool rec_rooms_will_fit(const struct rec_rooms *r, uint32_t count);
/* Gives up the room that begins there. */
void rec_rooms_leave(struct rec_rooms *r, uint32_t first);
/* Lets time pass. */
void rec_rooms_tick(struct rec_rooms *r);

#endif
