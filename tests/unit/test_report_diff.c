// SPDX-License-Identifier: GPL-2.0-or-later
/* Statistics of comparisons, and the names that functions are joined by. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "format/util/buf.h"
#include "format/util/htab.h"
#include "report/analyse/diff.h"
#include "report/analyse/diff_stats.h"

static void near(double value, double expected)
{
	assert_true(fabs(value - expected) < 1e-4 * expected + 1e-12);
}

/* From tables of Student's distribution. */
static void student(void **state)
{
	(void)state;
	near(rpt_student_tail(12.7062, 1), 0.05);
	near(rpt_student_tail(2.2622, 9), 0.05);
	near(rpt_student_tail(-2.2622, 9), 0.05);
	near(rpt_student_tail(3.1693, 10), 0.01);
	near(rpt_student_tail(2.0244, 38), 0.05);
	near(rpt_student_tail(1.959964, 1e9), 0.05);
	near(rpt_student_tail(0.0, 5), 1.0);
	assert_true(rpt_student_tail(INFINITY, 5) <= 0.0);
}

static struct rpt_diff_sample sample_of(const uint64_t *blocks, size_t n)
{
	struct rpt_diff_sample s = {.blocks = blocks, .block_count = n, .seconds = 10.0};
	size_t i;

	for (i = 0; i < n; i++)
		s.value += (double)blocks[i];
	return s;
}

static void equal_values_are_no_change(void **state)
{
	static const uint64_t none[4] = {0}, some[4] = {5, 6, 7, 8};
	struct rpt_diff_sample zero = sample_of(none, 4), x = sample_of(some, 4);

	(void)state;
	assert_true(rpt_diff_compare(&zero, &zero).p >= 1.0);
	assert_true(rpt_diff_compare(&x, &x).p >= 1.0);
	x.seconds = 0.0;
	assert_true(rpt_diff_compare(&x, &zero).p >= 1.0);
}

/* Of equal programs, no more are told apart than the test's level says; with bursts, too. */
static void false_alarms(void **state)
{
	uint64_t seed = 1, blocks[2][30];
	unsigned trial, side, i, alarms = 0;

	(void)state;
	for (trial = 0; trial < 2000; trial++) {
		struct rpt_diff_sample s[2];

		for (side = 0; side < 2; side++) {
			for (i = 0; i < 30; i++) {
				seed = pa_hash_u64(seed + 1);
				/* Far from normal: now and then ten times as much. */
				blocks[side][i] = 100 + seed % 50 + (seed % 11 == 0 ? 1000 : 0);
			}
			s[side] = sample_of(blocks[side], 30);
		}
		alarms += rpt_diff_compare(&s[0], &s[1]).p < 0.05;
	}
	assert_true(alarms < 2000 * 6 / 100);
	assert_true(alarms > 2000 / 100);
}

static void compilers_suffixes(void **state)
{
	static const char *const names[][2] = {
		{"parse.isra.0", "parse"},
		{"parse.constprop.0.isra.1", "parse"},
		{"parse.part.3.cold", "parse"},
		{"parse.cold", "parse"},
		{"f.lto_priv.0", "f"},
		{"f.llvm.1234567", "f"},
		{"counter.7", "counter"},
		{"ns::f(int) [clone .isra.0]", "ns::f(int)"},
		{"ns::f(int) [clone .part.0] [clone .cold]", "ns::f(int)"},
		/* Names that only look like it. */
		{"main.main.func1.2", "main.main.func1.2"},
		{"std::vector<int>::push_back", "std::vector<int>::push_back"},
		{"core::fmt::f64", "core::fmt::f64"},
		{"f2", "f2"},
		{"operator.", "operator."},
		{".5", ".5"},
		{"", ""},
	};
	struct pa_buf out;
	size_t i;

	(void)state;
	pa_buf_init(&out);
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		pa_buf_reset(&out);
		rpt_diff_add_name(&out, names[i][0]);
		assert_string_equal(pa_buf_str(&out), names[i][1]);
	}
	pa_buf_fini(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(student),
		cmocka_unit_test(equal_values_are_no_change),
		cmocka_unit_test(false_alarms),
		cmocka_unit_test(compilers_suffixes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
