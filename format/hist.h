/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Log-linear distribution of durations: values below 64 have a bucket each, every octave above is
 * cut into 32 equal buckets, so that a bucket's middle is within 1/64 (1.6 %) of every value in it.
 * Layout as in HdrHistogram (Gil Tene), with 5 bits of precision. Count, sum, minimum and maximum
 * are exact.
 */
#ifndef PA_HIST_H
#define PA_HIST_H

#include <stdint.h>

#define PA_HIST_SUB_BITS 5
#define PA_HIST_BUCKETS ((65 - PA_HIST_SUB_BITS) << PA_HIST_SUB_BITS)

struct pa_histogram {
	uint64_t count;
	uint64_t sum_ns;
	uint64_t min_ns; /* undefined while count is 0 */
	uint64_t max_ns;
	uint64_t max_time_ns; /* when the greatest ended */
	uint32_t first; /* range of buckets that is allocated: [first, first + nbuckets) */
	uint32_t nbuckets;
	uint64_t *buckets; /* owned */
};

/* Bucket of a value; the first value of a bucket; and the number of values that fall into it. */
static inline uint32_t pa_hist_bucket(uint64_t value)
{
	unsigned shift;

	if (value < (2u << PA_HIST_SUB_BITS))
		return (uint32_t)value;
	shift = 63u - (unsigned)__builtin_clzll(value) - PA_HIST_SUB_BITS;
	return (uint32_t)((shift << PA_HIST_SUB_BITS) + (value >> shift));
}

uint64_t pa_hist_bucket_first(uint32_t bucket);
uint64_t pa_hist_bucket_width(uint32_t bucket);

/* A zeroed struct is an empty distribution. */
void pa_hist_fini(struct pa_histogram *h);
/*
 * Adds n values of one bucket without touching sum, minimum and maximum. 0, -ENOMEM or PA_E_LIMIT.
 */
int pa_hist_add_bucket(struct pa_histogram *h, uint32_t bucket, uint64_t n);
/* Adds one value that ended at time_ns. */
int pa_hist_add(struct pa_histogram *h, uint64_t value_ns, uint64_t time_ns);
/* Takes over sum and extremes of n values whose buckets are added by pa_hist_add_bucket(); call it
 * before those. */
void pa_hist_add_summary(struct pa_histogram *h, uint64_t sum_ns, uint64_t min_ns, uint64_t max_ns,
			 uint64_t max_time_ns);
int pa_hist_merge(struct pa_histogram *into, const struct pa_histogram *from);
/*
 * The value that per_10000 / 10000 (9990 is P99.9) of all values do not exceed: the middle of
 * the bucket that holds it, kept within [min, max]. 0 when the distribution is empty.
 */
uint64_t pa_hist_percentile(const struct pa_histogram *h, unsigned per_10000);

#endif
