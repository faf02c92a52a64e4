// SPDX-License-Identifier: GPL-2.0-or-later
/* Numbers with units. */
#include "format/cli/values.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "format/util/mem.h"

struct unit {
	const char *name;
	uint64_t factor;
};

static const struct unit durations[] = {
	{"ns", 1},        {"us", 1000},       {"ms", 1000000},      {"s", 1000000000},
	{"", 1000000000}, {"m", 60000000000}, {"min", 60000000000}, {"h", 3600000000000},
};
static const struct unit sizes[] = {
	{"", 1},
	{"K", 1ull << 10},
	{"KiB", 1ull << 10},
	{"M", 1ull << 20},
	{"MiB", 1ull << 20},
	{"G", 1ull << 30},
	{"GiB", 1ull << 30},
};

/* Digits up to the first other character. False when there are none, or too many. */
static bool read_digits(const char **p, uint64_t *value)
{
	const char *from = *p;

	*value = 0;
	for (; **p >= '0' && **p <= '9'; (*p)++)
		if (!pa_mul_ok(*value, (uint64_t)10, value) ||
		    !pa_add_ok(*value, (uint64_t)(**p - '0'), value))
			return false;
	return *p > from;
}

/* A number with at most nine decimals and a unit of the table. */
static bool read_with_unit(const char *text, const struct unit *units, size_t count,
			   uint64_t *value)
{
	uint64_t whole, fraction = 0, scale = 1, part;
	const char *from;
	size_t i;

	if (!read_digits(&text, &whole))
		return false;
	if (*text == '.') {
		from = ++text;
		if (!read_digits(&text, &fraction) || text - from > 9)
			return false;
		for (; from < text; from++)
			scale *= 10;
	}
	for (i = 0; i < count; i++)
		if (strcmp(text, units[i].name) == 0)
			break;
	if (i == count || !pa_mul_ok(whole, units[i].factor, &whole))
		return false;
	part = (uint64_t)((unsigned __int128)fraction * units[i].factor / scale);
	return pa_add_ok(whole, part, value);
}

bool pa_value_uint(const char *text, uint64_t *value)
{
	return read_digits(&text, value) && *text == '\0';
}

bool pa_value_duration(const char *text, uint64_t *value_ns)
{
	return read_with_unit(text, durations, PA_ARRAY_LEN(durations), value_ns);
}

bool pa_value_size(const char *text, uint64_t *value_bytes)
{
	return read_with_unit(text, sizes, PA_ARRAY_LEN(sizes), value_bytes);
}

static void print_in(const struct unit *units, size_t count, uint64_t value, char *out, size_t size)
{
	const struct unit *best = &(const struct unit){"", 1};
	size_t i;

	for (i = 0; i < count; i++)
		if (value && units[i].name[0] && value % units[i].factor == 0 &&
		    units[i].factor > best->factor)
			best = &units[i];
	snprintf(out, size, "%" PRIu64 "%s", value / best->factor, best->name);
}

void pa_value_print(enum pa_opt_kind kind, uint64_t value, char *out, size_t size)
{
	if (kind == PA_OPT_DURATION)
		print_in(durations, PA_ARRAY_LEN(durations), value, out, size);
	else if (kind == PA_OPT_SIZE)
		print_in(sizes, PA_ARRAY_LEN(sizes), value, out, size);
	else
		snprintf(out, size, "%" PRIu64, value);
}
