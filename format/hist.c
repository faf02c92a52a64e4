// SPDX-License-Identifier: GPL-2.0-or-later
/* Log-linear distributions. */
#include "format/hist.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "format/util/err.h"

#define LINEAR (2u << PA_HIST_SUB_BITS)

uint64_t pa_hist_bucket_first(uint32_t bucket)
{
	uint32_t shift;

	if (bucket < LINEAR)
		return bucket;
	shift = (bucket >> PA_HIST_SUB_BITS) - 1;
	return (uint64_t)(bucket - (shift << PA_HIST_SUB_BITS)) << shift;
}

uint64_t pa_hist_bucket_width(uint32_t bucket)
{
	return bucket < LINEAR ? 1 : 1ull << ((bucket >> PA_HIST_SUB_BITS) - 1);
}

void pa_hist_fini(struct pa_histogram *h)
{
	free(h->buckets);
	*h = (struct pa_histogram){0};
}

/* Widens the allocated range so that it holds [lo, hi). */
static int widen(struct pa_histogram *h, uint32_t lo, uint32_t hi)
{
	uint64_t *buckets;

	if (h->nbuckets) {
		if (lo >= h->first && hi <= h->first + h->nbuckets)
			return 0;
		lo = lo < h->first ? lo : h->first;
		hi = hi > h->first + h->nbuckets ? hi : h->first + h->nbuckets;
	}
	buckets = calloc(hi - lo, sizeof(*buckets));
	if (!buckets)
		return -ENOMEM;
	if (h->nbuckets)
		memcpy(buckets + (h->first - lo), h->buckets, h->nbuckets * sizeof(*buckets));
	free(h->buckets);
	h->buckets = buckets;
	h->first = lo;
	h->nbuckets = hi - lo;
	return 0;
}

/* Makes sure that a bucket is allocated. */
static int reserve(struct pa_histogram *h, uint32_t bucket)
{
	/* Whole octaves, so that a widening distribution is not copied at each new bucket. */
	uint32_t lo = bucket & ~31u;

	if (bucket >= PA_HIST_BUCKETS)
		return PA_E_LIMIT;
	if (bucket >= h->first && bucket < h->first + h->nbuckets)
		return 0;
	return widen(h, lo, lo + 32);
}

int pa_hist_add_bucket(struct pa_histogram *h, uint32_t bucket, uint64_t n)
{
	int err = reserve(h, bucket);

	if (err < 0)
		return err;
	h->buckets[bucket - h->first] += n;
	h->count += n;
	return 0;
}

void pa_hist_add_summary(struct pa_histogram *h, uint64_t sum_ns, uint64_t min_ns, uint64_t max_ns,
			 uint64_t max_time_ns)
{
	h->sum_ns += sum_ns;
	if (h->count == 0 || min_ns < h->min_ns)
		h->min_ns = min_ns;
	if (h->count == 0 || max_ns > h->max_ns) {
		h->max_ns = max_ns;
		h->max_time_ns = max_time_ns;
	}
}

int pa_hist_add(struct pa_histogram *h, uint64_t value_ns, uint64_t time_ns)
{
	int err = reserve(h, pa_hist_bucket(value_ns));

	if (err < 0)
		return err;
	pa_hist_add_summary(h, value_ns, value_ns, value_ns, time_ns);
	return pa_hist_add_bucket(h, pa_hist_bucket(value_ns), 1);
}

int pa_hist_merge(struct pa_histogram *into, const struct pa_histogram *from)
{
	uint32_t i;
	int err;

	if (from->count == 0)
		return 0;
	err = widen(into, from->first, from->first + from->nbuckets);
	if (err < 0)
		return err;
	pa_hist_add_summary(into, from->sum_ns, from->min_ns, from->max_ns, from->max_time_ns);
	for (i = 0; i < from->nbuckets; i++)
		into->buckets[from->first - into->first + i] += from->buckets[i];
	into->count += from->count;
	return 0;
}

uint64_t pa_hist_percentile(const struct pa_histogram *h, unsigned per_10000)
{
	uint64_t rank, seen = 0, value;
	uint32_t i;

	if (h->count == 0)
		return 0;
	/*
	 * The smallest value that at least this share of all values does not exceed (nearest rank).
	 */
	rank = (uint64_t)(((unsigned __int128)h->count * per_10000 + 9999) / 10000);
	rank = rank ? rank : 1;
	for (i = 0; i < h->nbuckets; i++) {
		seen += h->buckets[i];
		if (seen >= rank)
			break;
	}
	value = pa_hist_bucket_first(h->first + i) + pa_hist_bucket_width(h->first + i) / 2;
	if (value < h->min_ns)
		return h->min_ns;
	return value > h->max_ns ? h->max_ns : value;
}
