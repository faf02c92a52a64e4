// SPDX-License-Identifier: GPL-2.0-or-later
/* Kernel symbols that are asked for one at a time: what answers mean, and that none is asked for twice. */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "record/kallsyms.h"
#include "record/ksyms.h"

struct kernel {
	unsigned asked;
	const char *answer; /* NULL: by the address */
	char text[64];
};

/* Functions of 256 bytes each from 0x1000 to 0x8000, all known by their number. */
static const char *ask(void *ctx, uint64_t address)
{
	struct kernel *kernel = ctx;

	kernel->asked++;
	if (kernel->answer)
		return kernel->answer;
	if (address < 0x1000 || address >= 0x8000)
		snprintf(kernel->text, sizeof(kernel->text), "0x%" PRIx64, address);
	else
		snprintf(kernel->text, sizeof(kernel->text), "f%" PRIu64 "+0x%" PRIx64 "/0x100",
			 address >> 8, address & 255);
	return kernel->text;
}

static void each_is_asked_for_once(void **state)
{
	struct kernel kernel = {0};
	struct rec_ksyms *k = rec_ksyms_new(ask, &kernel);
	struct rec_kernel_symbol s;
	uint64_t address;
	char name[16];
	int round;

	(void)state;
	assert_non_null(k);
	/* From the middle of each, in an order that is none; then at both ends. */
	for (round = 0; round < 2; round++) {
		for (address = 0x1080; address < 0x8000; address += 0x100) {
			uint64_t at = 0x1080 + (address - 0x1080) * 11 % 0x7000;

			assert_true(rec_ksyms_find(k, round ? at & ~UINT64_C(255) : at, &s));
			snprintf(name, sizeof(name), "f%" PRIu64, at >> 8);
			assert_string_equal(s.name, name);
			assert_string_equal(s.module, "");
			assert_int_equal(s.start, at & ~UINT64_C(255));
			assert_int_equal(s.length_bytes, 0x100);
			assert_true(rec_ksyms_find(k, at | 255, &s));
			assert_string_equal(s.name, name);
		}
	}
	assert_int_equal(kernel.asked, 0x70);
	assert_int_equal(rec_ksyms_count(k), 0x70);
	rec_ksyms_free(k);
}

static void what_has_no_name_has_none(void **state)
{
	static const char *const bad[] = {"",
					  "+0x0/0x10",
					  "name",
					  "name+0x10/0x10",
					  "name+0x0/0x0",
					  "name+16/0x20",
					  "name+0x/0x20",
					  "name+0x1",
					  "name+0x1/",
					  "0xffffffff81000000",
					  "name+0xffffffffffff/0xfffffffffffff"};
	struct kernel kernel = {0};
	struct rec_ksyms *k = rec_ksyms_new(ask, &kernel);
	struct rec_kernel_symbol s;
	size_t i;

	(void)state;
	assert_false(rec_ksyms_find(k, 0xfff, &s));
	assert_false(rec_ksyms_find(k, 0xfff, &s));
	assert_int_equal(kernel.asked, 1);
	assert_true(rec_ksyms_find(k, 0x1000, &s));
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		kernel.answer = bad[i];
		assert_false(rec_ksyms_find(k, 0x10000 + i, &s));
	}
	rec_ksyms_free(k);
}

static void modules_and_strange_names(void **state)
{
	struct kernel kernel = {.answer = "one+two+0x8/0x20 [mod_ule]"};
	struct rec_ksyms *k = rec_ksyms_new(ask, &kernel);
	struct rec_kernel_symbol s;

	(void)state;
	assert_true(rec_ksyms_find(k, UINT64_C(0xffffffffc0000008), &s));
	assert_string_equal(s.name, "one+two");
	assert_string_equal(s.module, "mod_ule");
	assert_int_equal(s.start, UINT64_C(0xffffffffc0000000));
	/* A build ID may follow the module's name. */
	kernel.answer = "f+0x0/0x20 [m 0123456789abcdef]";
	assert_true(rec_ksyms_find(k, UINT64_C(0xffffffffc0001000), &s));
	assert_string_equal(s.module, "m");
	rec_ksyms_free(k);
	rec_ksyms_free(NULL);
}

static const char *nobody(void *ctx, uint64_t address)
{
	(void)ctx;
	(void)address;
	return NULL;
}

static void who_cannot_be_asked_is_asked_again(void **state)
{
	struct rec_ksyms *k = rec_ksyms_new(nobody, NULL);
	struct rec_kernel_symbol s;

	(void)state;
	assert_false(rec_ksyms_find(k, 0x1000, &s));
	assert_int_equal(rec_ksyms_count(k), 0);
	rec_ksyms_free(k);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_is_asked_for_once),
		cmocka_unit_test(what_has_no_name_has_none),
		cmocka_unit_test(modules_and_strange_names),
		cmocka_unit_test(who_cannot_be_asked_is_asked_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
