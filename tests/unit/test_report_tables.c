// SPDX-License-Identifier: GPL-2.0-or-later
/* Small tables of the reporter: ids, stacks, strings, file ranges, kernel symbols, patterns, units. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "report/analyse/waits.h"
#include "report/model/idmap.h"
#include "report/output/units.h"

static void ids_may_be_far_apart(void **state)
{
	struct rpt_idmap m;
	uint64_t i;

	(void)state;
	rpt_idmap_init(&m);
	for (i = 0; i < 10000; i++) {
		assert_true(rpt_idmap_add(&m, i * 3, (uint32_t)i + 1));
		assert_true(rpt_idmap_add(&m, (1ull << 40) + (i << 20), (uint32_t)i + 20001));
	}
	/* Large ids cost as much as small ones. */
	assert_true(m.dense_cap < 1u << 20);
	for (i = 0; i < 10000; i++) {
		assert_int_equal(rpt_idmap_get(&m, i * 3), i + 1);
		assert_int_equal(rpt_idmap_get(&m, i * 3 + 1), 0);
		assert_int_equal(rpt_idmap_get(&m, (1ull << 40) + (i << 20)), i + 20001);
	}
	assert_false(rpt_idmap_add(&m, 3, 99));
	assert_false(rpt_idmap_add(&m, 1ull << 40, 99));
	assert_int_equal(rpt_idmap_get(&m, 3), 2);
	rpt_idmap_fini(&m);
}

static void equal_stacks_are_one(void **state)
{
	struct rpt_stacks s;
	uint32_t a, b, i;

	(void)state;
	rpt_stacks_init(&s);
	a = rpt_stacks_intern(&s, PA_STACK_COMPLETE, 100);
	assert_int_equal(rpt_stacks_intern(&s, PA_STACK_COMPLETE, 100), a);
	b = rpt_stacks_intern(&s, PA_STACK_TRUNCATED, 100);
	assert_int_not_equal(a, b);
	assert_int_equal(rpt_stacks_end(&s, rpt_stacks_intern(&s, b, 200)), PA_STACK_TRUNCATED);
	assert_int_equal(rpt_stacks_end(&s, PA_STACK_LOST), PA_STACK_LOST);
	for (i = 1; i < PA_MAX_STACK_DEPTH; i++)
		a = rpt_stacks_intern(&s, a, i);
	assert_int_not_equal(a, 0);
	assert_int_equal(rpt_stacks_intern(&s, a, 1), 0);
	rpt_stacks_fini(&s);
}

static void file_ranges_join(void **state)
{
	struct rpt_module m = {0};
	const struct rpt_module_range ranges[] = {
		{.first = 0x3000, .end = 0x4000, .base = 0x10000, .image = 1},
		{.first = 0x1000, .end = 0x2000, .base = 0x10000, .image = 1},
		/* The next one closes the gap. */
		{.first = 0x2000, .end = 0x3000, .base = 0x10000, .image = 1},
		/* Another process, another base: the same bytes of the file. */
		{.first = 0x1000, .end = 0x2000, .base = 0x90000, .image = 2},
		/* Next to it in the file, but not in memory: another segment. */
		{.first = 0x4000, .end = 0x5000, .base = 0x11000, .image = 1},
	};
	size_t i;

	(void)state;
	for (i = 0; i < PA_ARRAY_LEN(ranges); i++)
		rpt_module_note_range(&m, &ranges[i]);
	assert_int_equal(m.range_count, 2);
	assert_int_equal(m.ranges[0].first, 0x1000);
	assert_int_equal(m.ranges[0].end, 0x4000);
	assert_int_equal(m.ranges[0].base, 0x10000);
	assert_int_equal(m.ranges[1].first, 0x4000);
	free(m.ranges);
}

static void kernel_symbols_cover_their_length(void **state)
{
	struct rpt_kernel k = {0};

	(void)state;
	rpt_kernel_add_symbol(&k, &(struct rpt_kernel_symbol){.start = 0x2000, .name = 2});
	rpt_kernel_add_symbol(
		&k, &(struct rpt_kernel_symbol){.start = 0x1000, .length_bytes = 16, .name = 1});
	rpt_kernel_add_symbol(&k, &(struct rpt_kernel_symbol){.start = 0, .name = 3});
	rpt_kernel_sort(&k);
	assert_null(rpt_kernel_find_symbol(&k, 0xfff));
	assert_int_equal(rpt_kernel_find_symbol(&k, 0x1000)->name, 1);
	assert_int_equal(rpt_kernel_find_symbol(&k, 0x100f)->name, 1);
	assert_null(rpt_kernel_find_symbol(&k, 0x1010));
	assert_int_equal(rpt_kernel_find_symbol(&k, 0x2000)->name, 2);
	assert_null(rpt_kernel_find_symbol(&k, 0x2001));
	assert_int_equal(k.hidden, 1);
	rpt_kernel_fini(&k);
}

static void patterns_match(void **state)
{
	(void)state;
	assert_true(rpt_matches_any("foo bar*", "foo"));
	assert_true(rpt_matches_any("foo bar*", "barbaz"));
	assert_false(rpt_matches_any("foo bar*", "foobar"));
	assert_true(rpt_matches_any("*mid*", "amidst"));
	assert_true(rpt_matches_any("a*b*c", "aXbYbZc"));
	assert_false(rpt_matches_any("a*b*c", "aXbYbZ"));
	assert_true(rpt_matches_any("operator?new*", "operator new(unsigned long)"));
	assert_false(rpt_matches_any("", "x"));
	assert_true(rpt_matches_any("*", ""));
}

static void check_duration(uint64_t ns, const char *expected)
{
	struct pa_buf out;

	pa_buf_init(&out);
	rpt_add_duration(&out, ns);
	assert_string_equal(pa_buf_str(&out), expected);
	pa_buf_fini(&out);
}

static void durations_choose_their_unit(void **state)
{
	(void)state;
	check_duration(0, "0 ns");
	check_duration(999, "999 ns");
	check_duration(1000, "1.00 µs");
	check_duration(999499, "999 µs");
	check_duration(999500, "1.00 ms");
	check_duration(12345678, "12.3 ms");
	check_duration(999499999, "999 ms");
	check_duration(999500000, "1.00 s");
	check_duration(9995000000, "10.0 s");
	check_duration(754 * 1000000000ull, "12 m 34 s");
	check_duration(UINT64_MAX, "5124095 h");
}

static void text_is_made_harmless(void **state)
{
	struct pa_buf out;

	(void)state;
	pa_buf_init(&out);
	rpt_add_text(&out,
		     "a\x1b[31mb\nc\xff"
		     "d\xc2\x9b"
		     "e µ",
		     0);
	assert_string_equal(pa_buf_str(&out), "a?[31mb?c?d?e µ");
	pa_buf_reset(&out);
	rpt_add_text(&out, "µµµµ", 3);
	assert_string_equal(pa_buf_str(&out), "µµ…");
	pa_buf_reset(&out);
	rpt_add_text(&out, "abc", 3);
	assert_string_equal(pa_buf_str(&out), "abc");
	pa_buf_reset(&out);
	pa_buf_add_str(&out, "1.00 µs");
	rpt_align_right(&out, 0, 9);
	assert_string_equal(pa_buf_str(&out), "  1.00 µs");
	pa_buf_fini(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ids_may_be_far_apart),
		cmocka_unit_test(equal_stacks_are_one),
		cmocka_unit_test(file_ranges_join),
		cmocka_unit_test(kernel_symbols_cover_their_length),
		cmocka_unit_test(patterns_match),
		cmocka_unit_test(durations_choose_their_unit),
		cmocka_unit_test(text_is_made_harmless),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
