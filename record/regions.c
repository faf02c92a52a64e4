// SPDX-License-Identifier: GPL-2.0-or-later
/* Ranges of a shared table. */
#include "record/regions.h"

#include <stdlib.h>
#include <string.h>

#include "format/util/mem.h"

#define SMALLEST_CLASS 3

void rec_regions_init(struct rec_regions *r, uint32_t limit)
{
	*r = (struct rec_regions){.limit = limit};
}

void rec_regions_fini(struct rec_regions *r)
{
	size_t i;

	for (i = 0; i < PA_ARRAY_LEN(r->free); i++)
		free(r->free[i].items);
	free(r->resting);
	*r = (struct rec_regions){0};
}

bool rec_regions_alloc(struct rec_regions *r, uint32_t count, struct rec_region *region)
{
	uint32_t class = SMALLEST_CLASS;
	struct rec_region_list *list;

	while (class < REC_REGION_CLASSES && (1u << class) < count)
		class ++;
	if (class == REC_REGION_CLASSES)
		return false;
	list = &r->free[class];
	*region = (struct rec_region){.count = count, .class = class};
	if (list->count) {
		region->first = list->items[--list->count];
		return true;
	}
	if (r->limit - r->used < 1u << class)
		return false;
	region->first = r->used;
	r->used += 1u << class;
	return true;
}

void rec_regions_retire(struct rec_regions *r, struct rec_region *region)
{
	if (region->count &&
	    pa_grow(&r->resting, &r->resting_cap, r->resting_count + 1, sizeof(*r->resting)) == 0)
		r->resting[r->resting_count++] =
			(struct rec_resting){*region, r->tick + REC_REGION_REST_TICKS};
	*region = (struct rec_region){0};
}

void rec_regions_tick(struct rec_regions *r)
{
	size_t done;

	r->tick++;
	for (done = 0; done < r->resting_count && r->resting[done].until <= r->tick; done++) {
		const struct rec_region *region = &r->resting[done].region;
		struct rec_region_list *list = &r->free[region->class];

		if (pa_grow(&list->items, &list->cap, list->count + 1, sizeof(*list->items)) == 0)
			list->items[list->count++] = region->first;
	}
	if (done == 0)
		return;
	memmove(r->resting, r->resting + done, (r->resting_count - done) * sizeof(*r->resting));
	r->resting_count -= done;
}
