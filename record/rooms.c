// SPDX-License-Identifier: GPL-2.0-or-later
/* Rooms in a shared array. */
#include "record/rooms.h"

#include <stdlib.h>
#include <string.h>

#include "format/util/mem.h"

void rec_rooms_init(struct rec_rooms *r, uint32_t limit)
{
	*r = (struct rec_rooms){.limit = limit};
}

void rec_rooms_fini(struct rec_rooms *r)
{
	free(r->items);
	*r = (struct rec_rooms){0};
}

/* The first gap for count entries, before item *at; those that rest are gaps too where they may be. */
static bool find_gap(const struct rec_rooms *r, uint32_t count, bool over_resting, size_t *at,
		     uint32_t *first)
{
	uint32_t end = 0;
	size_t i;

	for (i = 0; i < r->count; i++) {
		const struct rec_room *room = &r->items[i];

		if (over_resting && room->until)
			continue;
		if (room->first - end >= count)
			break;
		end = room->first + room->count;
	}
	*at = i;
	*first = end;
	return i < r->count || r->limit - end >= count;
}

bool rec_rooms_take(struct rec_rooms *r, uint32_t count, uint32_t *first)
{
	size_t at;

	*first = 0;
	if (count == 0)
		return true;
	if (!find_gap(r, count, false, &at, first) ||
	    pa_grow(&r->items, &r->cap, r->count + 1, sizeof(*r->items)) < 0)
		return false;
	memmove(r->items + at + 1, r->items + at, (r->count - at) * sizeof(*r->items));
	r->items[at] = (struct rec_room){.first = *first, .count = count};
	r->count++;
	return true;
}

bool rec_rooms_will_fit(const struct rec_rooms *r, uint32_t count)
{
	uint32_t first;
	size_t at;

	return find_gap(r, count, true, &at, &first);
}

void rec_rooms_leave(struct rec_rooms *r, uint32_t first)
{
	size_t i;

	for (i = 0; i < r->count; i++)
		if (r->items[i].first == first && !r->items[i].until)
			r->items[i].until = r->tick + REC_ROOM_REST_TICKS;
}

void rec_rooms_tick(struct rec_rooms *r)
{
	size_t i, kept = 0;

	r->tick++;
	for (i = 0; i < r->count; i++)
		if (!r->items[i].until || r->items[i].until > r->tick)
			r->items[kept++] = r->items[i];
	r->count = kept;
}
