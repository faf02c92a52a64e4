/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Ranges of a table that is shared with the kernel: powers of two, handed out and taken back. A range that
 * is given up may still be read for a moment, so it rests for a while before it is used again.
 */
#ifndef REC_REGIONS_H
#define REC_REGIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define REC_REGION_CLASSES 18
#define REC_REGION_REST_TICKS 20

struct rec_region {
	uint32_t first;
	uint32_t count; /* entries in use; 0 = no range */
	uint32_t class; /* it has 1 << class entries */
};

struct rec_region_list {
	uint32_t *items;
	size_t count, cap;
};

struct rec_resting {
	struct rec_region region;
	uint64_t until; /* tick */
};

struct rec_regions {
	uint32_t limit, used; /* entries of the table; from used on nothing was ever handed out */
	uint64_t tick;
	struct rec_region_list free[REC_REGION_CLASSES];
	struct rec_resting *resting; /* in the order of their ends */
	size_t resting_count, resting_cap;
};

void rec_regions_init(struct rec_regions *r, uint32_t limit);
void rec_regions_fini(struct rec_regions *r);
/* A range for count (not 0) entries; false when there is none. */
bool rec_regions_alloc(struct rec_regions *r, uint32_t count, struct rec_region *region);
/* Gives one up and empties it; legal on an empty one. When there is no memory to remember it, it is lost. */
void rec_regions_retire(struct rec_regions *r, struct rec_region *region);
/* Lets time pass. */
void rec_regions_tick(struct rec_regions *r);

#endif
