/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the tests of unwind tables share: hand-written unwind information in, the table as text out. */
#ifndef TEST_UNWIND_FIXTURE_H
#define TEST_UNWIND_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "format/util/err.h"
#include "record/unwind/unwind.h"
#include "tests/unwind/mini_cfi.h"
#include "tests/unwind/mini_elf.h"
#include "tests/unwind/text.h"

/* DW_CFA_advance_loc by n bytes, as part of a string. */
#define AT4 "\x44"
#define AT8 "\x48"
#define AT16 "\x50"

/* Compiles the file and expects these rows. stats may be NULL. */
static inline void expect_table(const struct mini_elf *m, const char *want,
				struct rec_unwind_stats *stats)
{
	struct rec_unwind_stats unused;
	struct pa_buf elf, table, text;
	struct rec_unwind_view view;
	uint32_t i;

	pa_buf_init(&elf);
	pa_buf_init(&table);
	pa_buf_init(&text);
	mini_elf_build(&elf, m);
	assert_int_equal(pa_buf_error(&elf), 0);
	assert_int_equal(rec_unwind_compile(elf.data, elf.len, &table, stats ? stats : &unused), 0);
	assert_int_equal(rec_unwind_open(table.data, table.len, &view), 0);
	for (i = 0; i < view.head->rows; i++)
		text_row(&text, &view, i);
	assert_string_equal(pa_buf_str(&text), want);
	pa_buf_fini(&text);
	pa_buf_fini(&table);
	pa_buf_fini(&elf);
}

/* The same for x86-64 unwind information without any code that matters. */
static inline void expect_rows(const struct mini_cfi *c, const char *want)
{
	const struct mini_elf m = {
		.eh_frame = c->debug ? NULL : &c->bytes,
		.debug_frame = c->debug ? &c->bytes : NULL,
	};

	expect_table(&m, want, NULL);
}

/* One FDE of 64 bytes with the usual CIE of the machine. */
static inline void expect_fde(bool aarch64, const char *insns, size_t len, const char *want)
{
	struct mini_cfi c;
	struct mini_elf m = {.aarch64 = aarch64, .eh_frame = &c.bytes};

	mini_cfi_init(&c, false);
	if (aarch64)
		mini_cie_arm(&c);
	else
		mini_cie_x86(&c);
	mini_fde(&c, 0, 64, insns, len);
	expect_table(&m, want, NULL);
	pa_buf_fini(&c.bytes);
}

#define EXPECT_X86(insns, want) expect_fde(false, CFI(insns), want)
#define EXPECT_ARM(insns, want) expect_fde(true, CFI(insns), want)
/* What stands behind the FDE. */
#define END "1040 none not covered\n"

#endif
