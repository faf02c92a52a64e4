// SPDX-License-Identifier: GPL-2.0-or-later
/* The index over address ranges against a search through all of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "report/symbols/ranges.h"

enum { SPACE = 200, RANGES = 30, ROUNDS = 3000 };

static uint64_t random_state = 7;

static unsigned random_below(unsigned limit)
{
	random_state = random_state * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(random_state >> 33) % limit;
}

/* Whether a is the better answer where both cover an address. */
static bool is_inner(const struct rpt_range *a, const struct rpt_range *b)
{
	if (a->start != b->start)
		return a->start > b->start;
	if (a->end != b->end)
		return a->end < b->end;
	return a->value > b->value;
}

static void check_all(const struct rpt_range *ranges, size_t count, const struct rpt_ranges *index)
{
	uint64_t address;

	for (address = 0; address < SPACE + 20; address++) {
		const struct rpt_range *best = NULL;
		uint32_t value = UINT32_MAX;
		size_t i;

		for (i = 0; i < count; i++) {
			if (address >= ranges[i].start && address < ranges[i].end &&
			    (!best || is_inner(&ranges[i], best)))
				best = &ranges[i];
		}
		assert_int_equal(rpt_ranges_find(index, address, &value), best != NULL);
		if (best)
			assert_int_equal(value, best->value);
	}
}

static void random_ranges(void **state)
{
	struct rpt_range ranges[RANGES];
	int round;

	(void)state;
	for (round = 0; round < ROUNDS; round++) {
		struct rpt_ranges index = {0};
		size_t count = random_below(RANGES), i;

		for (i = 0; i < count; i++) {
			ranges[i].start = random_below(SPACE);
			ranges[i].end = ranges[i].start + random_below(20);
			ranges[i].value = random_below(5);
			rpt_ranges_add(&index, ranges[i].start, ranges[i].end, ranges[i].value);
		}
		rpt_ranges_flatten(&index);
		check_all(ranges, count, &index);
		/* What was flattened can be added to, and flattened again. */
		rpt_ranges_flatten(&index);
		check_all(ranges, count, &index);
		rpt_ranges_fini(&index);
	}
}

static void ends_of_the_address_space(void **state)
{
	struct rpt_ranges index = {0};
	uint32_t value = 0;

	(void)state;
	rpt_ranges_add(&index, 0, 1, 1);
	rpt_ranges_add(&index, UINT64_MAX - 1, UINT64_MAX, 2);
	rpt_ranges_add(&index, 5, 5, 3);
	rpt_ranges_add(&index, 9, 3, 4);
	rpt_ranges_flatten(&index);
	assert_true(rpt_ranges_find(&index, 0, &value));
	assert_int_equal(value, 1);
	assert_true(rpt_ranges_find(&index, UINT64_MAX - 1, &value));
	assert_int_equal(value, 2);
	assert_false(rpt_ranges_find(&index, UINT64_MAX, &value));
	assert_false(rpt_ranges_find(&index, 5, &value));
	rpt_ranges_fini(&index);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_ranges),
		cmocka_unit_test(ends_of_the_address_space),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
