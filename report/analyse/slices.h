/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A profile over time: what each of its rows has in each of many slices of equal length. Heat maps and
 * the statistics of a comparison are made of it. The model has to have kept single points.
 */
#ifndef RPT_SLICES_H
#define RPT_SLICES_H

#include <stddef.h>
#include <stdint.h>

#include "report/analyse/profile.h"

struct rpt_slices {
	uint64_t slice_ns;
	size_t count; /* of all traces, one after the other; at least 1 */
	size_t *first; /* owned; by trace: its first slice; [trace count] is count */
};

/* The part of a row that lies in a slice. */
struct rpt_slice_part {
	size_t slice;
	uint32_t row;
	uint64_t value, count;
};
typedef void rpt_slice_fn(void *ctx, const struct rpt_slice_part *part);

/* Slices of that length, more than 0, over all traces; each trace begins with one of its own. */
void rpt_slices_init(struct rpt_slices *s, const struct rpt_model *m, uint64_t slice_ns);
void rpt_slices_fini(struct rpt_slices *s);

/*
 * Gives the parts of all rows to use(): of each trace in the order of time, a slice and row maybe several
 * times. An interval is spread over the slices that it lasts in, and counted where it begins; a sum of
 * short ones falls into the slice in which it was made. The parts of a row add up to exactly its value
 * and count; what rests on no point (time that no interval was recorded for) is in no slice.
 */
void rpt_slices_for_each(const struct rpt_slices *s, const struct rpt_model *m,
			 const struct rpt_profile *p, rpt_slice_fn *use, void *ctx);

/*
 * Sums by key and slice: element [key * s->count + slice] of an array that the caller frees. keys has
 * the key of each row, below key_count; UINT32_MAX leaves a row out.
 */
uint64_t *rpt_slices_sum(const struct rpt_slices *s, const struct rpt_model *m,
			 const struct rpt_profile *p, const uint32_t *keys, size_t key_count);

/* Gives points as they are to use(), in their order; .slice is the index of the point. The parts of a row
 * add up as above. */
void rpt_points_for_each(const struct rpt_model *m, const struct rpt_profile *p, rpt_slice_fn *use,
			 void *ctx);

#endif
