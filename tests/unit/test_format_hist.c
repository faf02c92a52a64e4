// SPDX-License-Identifier: GPL-2.0-or-later
/* Distributions: bucket arithmetic, percentiles against exact ones, merging, extremes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "format/hist.h"
#include "format/util/err.h"
#include "format/util/htab.h"
#include "format/util/mem.h"

static void buckets_are_contiguous(void **state)
{
	uint32_t bucket;

	(void)state;
	for (bucket = 0; bucket < PA_HIST_BUCKETS; bucket++) {
		uint64_t first = pa_hist_bucket_first(bucket), width = pa_hist_bucket_width(bucket);

		assert_int_equal(pa_hist_bucket(first), bucket);
		assert_int_equal(pa_hist_bucket(first + width - 1), bucket);
		if (bucket + 1 < PA_HIST_BUCKETS)
			assert_int_equal(pa_hist_bucket_first(bucket + 1), first + width);
		/* The middle is within 1/64 of every value. */
		assert_true(width / 2 <= first / 64 + 1);
	}
	assert_int_equal(pa_hist_bucket(UINT64_MAX), PA_HIST_BUCKETS - 1);
}

static int compare_u64(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/* Values of one of several shapes; each call draws the next. */
static uint64_t draw(int shape, uint64_t i)
{
	uint64_t random = pa_hash_u64(i);

	switch (shape) {
	case 0: /* all the same */
		return 1234567;
	case 1: /* even */
		return random % 100000;
	case 2: /* over all magnitudes */
		return random >> (random % 64);
	default: /* two peaks */
		return (random & 1 ? 1000000 : 5000) + random % 1000;
	}
}

static void percentiles_are_close(void **state)
{
	static const unsigned points[] = {0, 1, 100, 5000, 9000, 9900, 9990, 9999, 10000};
	enum { N = 5000 };
	uint64_t *values = malloc(N * sizeof(*values));
	int shape;
	size_t i, n;

	(void)state;
	for (shape = 0; shape < 4; shape++) {
		for (n = 1; n <= N; n = n * 3 + 1) {
			struct pa_histogram h = {0};

			for (i = 0; i < n; i++) {
				values[i] = draw(shape, i);
				assert_int_equal(pa_hist_add(&h, values[i], i), 0);
			}
			qsort(values, n, sizeof(*values), compare_u64);
			for (i = 0; i < PA_ARRAY_LEN(points); i++) {
				size_t rank = (n * points[i] + 9999) / 10000;
				uint64_t exact = values[rank ? rank - 1 : 0];
				uint64_t got = pa_hist_percentile(&h, points[i]);
				uint64_t off = got > exact ? got - exact : exact - got;

				assert_true((double)off <= (double)exact * 0.016);
			}
			assert_int_equal(h.count, n);
			assert_int_equal(h.min_ns, values[0]);
			assert_int_equal(h.max_ns, values[n - 1]);
			pa_hist_fini(&h);
		}
	}
	free(values);
}

static void the_maximum_has_its_time(void **state)
{
	struct pa_histogram h = {0};

	(void)state;
	assert_int_equal(pa_hist_percentile(&h, 5000), 0);
	assert_int_equal(pa_hist_add(&h, 10, 100), 0);
	assert_int_equal(pa_hist_add(&h, 90, 200), 0);
	assert_int_equal(pa_hist_add(&h, 90, 300), 0);
	assert_int_equal(pa_hist_add(&h, 0, 400), 0);
	assert_int_equal(h.max_time_ns, 200);
	assert_int_equal(h.sum_ns, 190);
	assert_int_equal(h.min_ns, 0);
	assert_int_equal(pa_hist_add_bucket(&h, PA_HIST_BUCKETS, 1), PA_E_LIMIT);
	assert_int_equal(h.count, 4);
	pa_hist_fini(&h);
}

static void assert_same(const struct pa_histogram *a, const struct pa_histogram *b)
{
	unsigned p;

	assert_int_equal(a->count, b->count);
	assert_int_equal(a->sum_ns, b->sum_ns);
	assert_int_equal(a->min_ns, b->min_ns);
	assert_int_equal(a->max_ns, b->max_ns);
	assert_int_equal(a->max_time_ns, b->max_time_ns);
	for (p = 0; p <= 10000; p += 10)
		assert_int_equal(pa_hist_percentile(a, p), pa_hist_percentile(b, p));
}

/* Merging two, and taking over summary and buckets, give what adding all values gives. */
static void merging_is_adding(void **state)
{
	struct pa_histogram all = {0}, parts[2] = {{0}}, merged = {0}, copied = {0};
	uint32_t i;

	(void)state;
	for (i = 0; i < 3000; i++) {
		uint64_t value = draw(i % 2 ? 2 : 3, i);

		assert_int_equal(pa_hist_add(&all, value, i), 0);
		assert_int_equal(pa_hist_add(&parts[i % 2], value, i), 0);
	}
	assert_int_equal(pa_hist_merge(&merged, &copied), 0);
	assert_int_equal(merged.count, 0);
	for (i = 0; i < 2; i++) {
		const struct pa_histogram *part = &parts[i];
		uint32_t k;

		assert_int_equal(pa_hist_merge(&merged, part), 0);
		pa_hist_add_summary(&copied, part->sum_ns, part->min_ns, part->max_ns,
				    part->max_time_ns);
		for (k = 0; k < part->nbuckets; k++)
			if (part->buckets[k])
				assert_int_equal(pa_hist_add_bucket(&copied, part->first + k,
								    part->buckets[k]),
						 0);
	}
	assert_same(&merged, &all);
	assert_same(&copied, &all);
	pa_hist_fini(&all);
	pa_hist_fini(&parts[0]);
	pa_hist_fini(&parts[1]);
	pa_hist_fini(&merged);
	pa_hist_fini(&copied);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(buckets_are_contiguous),
		cmocka_unit_test(percentiles_are_close),
		cmocka_unit_test(the_maximum_has_its_time),
		cmocka_unit_test(merging_is_adding),
	};

	return cmocka_run_group_tests_name("format/hist", tests, NULL, NULL);
}
