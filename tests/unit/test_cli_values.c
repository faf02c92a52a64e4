// SPDX-License-Identifier: GPL-2.0-or-later
/* Numbers, durations and sizes: what is accepted, what is refused, and how bounds are printed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "format/cli/values.h"
#include "format/util/mem.h"

typedef bool parse_fn(const char *text, uint64_t *value);

struct accepted {
	const char *text;
	uint64_t value;
};

static void assert_accepts(parse_fn *parse, const struct accepted *rows, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++) {
		uint64_t value = ~rows[i].value;

		if (!parse(rows[i].text, &value) || value != rows[i].value)
			fail_msg("'%s' is %llu, expected %llu", rows[i].text,
				 (unsigned long long)value, (unsigned long long)rows[i].value);
	}
}

static void assert_refuses(parse_fn *parse, const char *const *texts, size_t count)
{
	uint64_t value;
	size_t i;

	for (i = 0; i < count; i++)
		if (parse(texts[i], &value))
			fail_msg("'%s' was accepted", texts[i]);
}

static void whole_numbers(void **state)
{
	static const struct accepted good[] = {
		{"0", 0}, {"007", 7}, {"18446744073709551615", UINT64_MAX}};
	static const char *const bad[] = {"",     " 1", "1 ",  "-1",  "+1",
					  "0x10", "1a", "1.0", "1e3", "18446744073709551616"};

	(void)state;
	assert_accepts(pa_value_uint, good, PA_ARRAY_LEN(good));
	assert_refuses(pa_value_uint, bad, PA_ARRAY_LEN(bad));
}

static void durations(void **state)
{
	static const struct accepted good[] = {
		{"10", 10000000000},    {"10s", 10000000000},  {"500ms", 500000000},
		{"100us", 100000},      {"10ns", 10},          {"5m", 300000000000},
		{"5min", 300000000000}, {"2h", 7200000000000}, {"1.5s", 1500000000},
		{"0.25", 250000000},    {"0.0005ms", 500},     {"1.999999999", 1999999999},
	};
	static const char *const bad[] = {
		"",      "s",    "1x",           "1 s",   "1.s", ".5s", "-1s", "1S", "1.0000000001",
		"1h30m", "1,5s", "99999999999h", "1.5.5s"};

	(void)state;
	assert_accepts(pa_value_duration, good, PA_ARRAY_LEN(good));
	assert_refuses(pa_value_duration, bad, PA_ARRAY_LEN(bad));
}

static void sizes(void **state)
{
	static const struct accepted good[] = {
		{"4096", 4096},    {"64K", 65536},     {"64KiB", 65536},     {"1.5K", 1536},
		{"10M", 10485760}, {"2G", 2147483648}, {"2GiB", 2147483648},
	};
	static const char *const bad[] = {"", "K", "1k", "1KB", "1T", "99999999999G", "-1K"};

	(void)state;
	assert_accepts(pa_value_size, good, PA_ARRAY_LEN(good));
	assert_refuses(pa_value_size, bad, PA_ARRAY_LEN(bad));
}

static void bounds_are_printed_in_the_largest_unit(void **state)
{
	static const struct {
		enum pa_opt_kind kind;
		uint64_t value;
		const char *text;
	} rows[] = {
		{PA_OPT_UINT, 20000, "20000"},
		{PA_OPT_DURATION, 1000000, "1ms"},
		{PA_OPT_DURATION, 1500000000, "1500ms"},
		{PA_OPT_DURATION, 7200000000000, "2h"},
		{PA_OPT_DURATION, 0, "0"},
		{PA_OPT_SIZE, 65536, "64K"},
		{PA_OPT_SIZE, 1u << 30, "1G"},
		{PA_OPT_SIZE, 1000, "1000"},
	};
	char text[32];
	size_t i;

	(void)state;
	for (i = 0; i < PA_ARRAY_LEN(rows); i++) {
		pa_value_print(rows[i].kind, rows[i].value, text, sizeof(text));
		assert_string_equal(text, rows[i].text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whole_numbers),
		cmocka_unit_test(durations),
		cmocka_unit_test(sizes),
		cmocka_unit_test(bounds_are_printed_in_the_largest_unit),
	};

	return cmocka_run_group_tests_name("cli/values", tests, NULL, NULL);
}
