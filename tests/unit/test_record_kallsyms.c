// SPDX-License-Identifier: GPL-2.0-or-later
/* Kernel symbols: made-up tables in any pieces, and the running kernel's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "record/kallsyms.h"

static const char symbols[] = "0000000000000000 A fixed_percpu_data\n"
			      "ffffffff81000000 T _stext\n"
			      "ffffffff81000000 T startup_64\n"
			      "ffffffff81000100 t __do_work\n"
			      "ffffffff81000100 T do_work\n"
			      "ffffffff81000180 d some_data\n"
			      "ffffffff81000200 W weak_one\n"
			      "ffffffff81000300 T last\n"
			      "ffffffff81000400 R _etext\n"
			      "ffffffff81800000 T in_init_text\n"
			      "ffffffffc0001000 t mod_b\t[two]\n"
			      "ffffffffc0000010 t mod_a\t[one]\n"
			      "ffffffffc0000080 t mod_a2\t[one]\n"
			      "ffffffffc0100000 t bpf_prog_1234_x\t[bpf]\n"
			      "garbage\n";
static const char modules[] = "one 4096 1 two, Live 0xffffffffc0000000\n"
			      "two 256 0 - Live 0xffffffffc0001000 (OE)\n"
			      "hidden 256 0 - Live 0x0000000000000000\n";

static struct rec_kallsyms *table_in_pieces(size_t piece)
{
	struct rec_kallsyms *k = rec_kallsyms_new();
	size_t at, n;

	assert_non_null(k);
	for (at = 0; at < sizeof(symbols) - 1; at += n) {
		n = sizeof(symbols) - 1 - at < piece ? sizeof(symbols) - 1 - at : piece;
		assert_int_equal(rec_kallsyms_add_symbols(k, symbols + at, n), 0);
	}
	for (at = 0; at < sizeof(modules) - 1; at += n) {
		n = sizeof(modules) - 1 - at < piece ? sizeof(modules) - 1 - at : piece;
		assert_int_equal(rec_kallsyms_add_modules(k, modules + at, n), 0);
	}
	assert_int_equal(rec_kallsyms_finish(k), 0);
	return k;
}

static void assert_symbol(const struct rec_kallsyms *k, uint64_t address, const char *name,
			  uint64_t start, uint64_t length, const char *module)
{
	struct rec_kernel_symbol s;

	assert_true(rec_kallsyms_find(k, address, &s));
	assert_string_equal(s.name, name);
	assert_int_equal(s.start, start);
	assert_int_equal(s.length_bytes, length);
	assert_string_equal(s.module, module);
}

static void assert_nothing(const struct rec_kallsyms *k, uint64_t address)
{
	struct rec_kernel_symbol s;

	assert_false(rec_kallsyms_find(k, address, &s));
}

static void addresses_are_found_whatever_the_pieces(void **state)
{
	size_t piece;

	(void)state;
	for (piece = 1; piece < sizeof(symbols); piece++) {
		struct rec_kallsyms *k = table_in_pieces(piece);

		assert_nothing(k, 0);
		assert_nothing(k, UINT64_C(0xffffffff80ffffff));
		assert_symbol(k, UINT64_C(0xffffffff81000042), "startup_64",
			      UINT64_C(0xffffffff81000000), 0x100, "");
		assert_symbol(k, UINT64_C(0xffffffff81000180), "do_work",
			      UINT64_C(0xffffffff81000100), 0x100, "");
		assert_symbol(k, UINT64_C(0xffffffff810003ff), "last", UINT64_C(0xffffffff81000300),
			      0x100, "");
		/* Behind the end of the text, and of a module, is nothing. */
		assert_nothing(k, UINT64_C(0xffffffff81000400));
		assert_symbol(k, UINT64_C(0xffffffffc0000020), "mod_a",
			      UINT64_C(0xffffffffc0000010), 0x70, "one");
		assert_symbol(k, UINT64_C(0xffffffffc0000fff), "mod_a2",
			      UINT64_C(0xffffffffc0000080), 0xf80, "one");
		assert_symbol(k, UINT64_C(0xffffffffc00010ff), "mod_b",
			      UINT64_C(0xffffffffc0001000), 0x100, "two");
		assert_nothing(k, UINT64_C(0xffffffffc0001100));
		/* In no range and the last: its length is not known. */
		assert_symbol(k, UINT64_C(0xffffffffc0100010), "bpf_prog_1234_x",
			      UINT64_C(0xffffffffc0100000), 0, "bpf");
		assert_false(rec_kallsyms_is_hidden(k));
		rec_kallsyms_free(k);
	}
}

static void ranges_are_sorted(void **state)
{
	struct rec_kallsyms *k = table_in_pieces(64);
	const struct rec_kernel_range *r;
	size_t count;

	(void)state;
	r = rec_kallsyms_ranges(k, &count);
	assert_int_equal(count, 3);
	assert_string_equal(r[0].name, "[kernel.kallsyms]");
	assert_int_equal(r[0].start, UINT64_C(0xffffffff81000000));
	assert_int_equal(r[0].length_bytes, 0x400);
	assert_string_equal(r[1].name, "one");
	assert_int_equal(r[1].length_bytes, 4096);
	assert_string_equal(r[2].name, "two");
	rec_kallsyms_free(k);
}

static void hidden_addresses_are_noticed(void **state)
{
	static const char hidden[] = "0000000000000000 T _stext\n0000000000000000 T do_work\n"
				     "0000000000000000 T _etext\n";
	struct rec_kallsyms *k = rec_kallsyms_new();
	size_t count;

	(void)state;
	assert_int_equal(rec_kallsyms_add_symbols(k, hidden, sizeof(hidden) - 1), 0);
	assert_int_equal(rec_kallsyms_finish(k), 0);
	assert_true(rec_kallsyms_is_hidden(k));
	assert_int_equal(rec_kallsyms_count(k), 0);
	rec_kallsyms_ranges(k, &count);
	assert_int_equal(count, 0);
	assert_nothing(k, UINT64_C(0xffffffff81000042));
	rec_kallsyms_free(k);
	rec_kallsyms_free(NULL);
}

static void the_running_kernel(void **state)
{
	struct rec_kallsyms *k = rec_kallsyms_new();
	struct rec_kernel_symbol s;
	const struct rec_kernel_range *r;
	struct rec_build_id id;
	size_t count;
	uint64_t at;

	(void)state;
	assert_int_equal(rec_kernel_build_id(&id), 0);
	assert_int_equal(rec_kallsyms_load(k), 0);
	if (rec_kallsyms_is_hidden(k)) {
		rec_kallsyms_free(k);
		print_message("kernel addresses are hidden from this user\n");
		skip();
	}
	r = rec_kallsyms_ranges(k, &count);
	assert_true(count > 0);
	assert_true(rec_kallsyms_count(k) > 10000);
	assert_true(rec_kallsyms_bytes(k) < 50 * rec_kallsyms_count(k) + (1 << 20));
	/* Nearly all of the text has a name, and each answer covers what was asked. */
	for (at = r[0].start; at < r[0].start + r[0].length_bytes; at += 4099) {
		if (!rec_kallsyms_find(k, at, &s))
			continue;
		assert_true(s.start <= at && at - s.start < s.length_bytes);
		assert_true(s.name[0] != 0);
	}
	rec_kallsyms_free(k);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(addresses_are_found_whatever_the_pieces),
		cmocka_unit_test(ranges_are_sorted),
		cmocka_unit_test(hidden_addresses_are_noticed),
		cmocka_unit_test(the_running_kernel),
	};

	return cmocka_run_group_tests_name("record/kallsyms", tests, NULL, NULL);
}
