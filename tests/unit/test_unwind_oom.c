// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Each allocation of the compiler of unwind tables fails once: -ENOMEM comes back, and nothing leaks.
 * Linked with --wrap for malloc, calloc and realloc.
 */
#include <errno.h>
#include <stdlib.h>

#include "tests/unit/unwind_fixture.h"

static long fail_at = -1; /* allocations until the one that fails; -1 = none does */

void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *p, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *p, size_t size);

static bool fails(void)
{
	return fail_at >= 0 && fail_at-- == 0;
}

void *__wrap_malloc(size_t size)
{
	return fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t n, size_t size)
{
	return fails() ? NULL : __real_calloc(n, size);
}

void *__wrap_realloc(void *p, size_t size)
{
	return fails() ? NULL : __real_realloc(p, size);
}

static void every_allocation_may_fail(void **state)
{
	struct mini_cfi c;
	struct mini_elf m = {.eh_frame = &c.bytes};
	struct rec_unwind_stats stats;
	struct pa_buf elf, table;
	int err = -ENOMEM;
	long n;

	(void)state;
	mini_cfi_init(&c, false);
	mini_cie_x86(&c);
	/* A side entry, and rbx, so that all arrays are needed. */
	mini_fde(&c, 0, 32, CFI("\x0c\x03\x10\x83\x02"));
	pa_buf_init(&elf);
	mini_elf_build(&elf, &m);
	assert_int_equal(pa_buf_error(&elf), 0);
	for (n = 0; err; n++) {
		assert_true(n < 100);
		pa_buf_init(&table);
		fail_at = n;
		err = rec_unwind_compile(elf.data, elf.len, &table, &stats);
		assert_true(err == -ENOMEM || (err == 0 && fail_at >= 0));
		fail_at = -1;
		pa_buf_fini(&table);
	}
	assert_true(n > 8);
	pa_buf_fini(&elf);
	pa_buf_fini(&c.bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_allocation_may_fail),
	};

	return cmocka_run_group_tests_name("unwind/oom", tests, NULL, NULL);
}
