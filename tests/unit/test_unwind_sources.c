// SPDX-License-Identifier: GPL-2.0-or-later
/* Where unwind information comes from: sections, augmentations, gaps, and what lies between FDEs. */
#include "tests/unit/unwind_fixture.h"

#include <zlib.h>

#define NOPS "\x66\x2e\x0f\x1f\x84\x00\x00\x00\x00\x00\x0f\x1f\x44\x00\x00\x90"
#define X86_SIGRETURN "\x48\xc7\xc0\x0f\x00\x00\x00\x0f\x05"
#define ARM_SIGRETURN "\x68\x11\x80\xd2\x01\x00\x00\xd4"

static void gaps_have_no_rule(void **state)
{
	struct mini_cfi c;

	(void)state;
	mini_cfi_init(&c, false);
	mini_cie_x86(&c);
	/* Not in order of address, and two of them adjacent. */
	mini_fde(&c, 0x80, 0x10, CFI("\x0e\x10"));
	mini_fde(&c, 0, 0x10, CFI(""));
	mini_fde(&c, 0x90, 0x10, CFI("\x0e\x10"));
	expect_rows(&c, "1000 rsp+8 u *(c-8)\n"
			"1010 none not covered\n"
			"1080 rsp+16 u *(c-8)\n"
			"10a0 none not covered\n");
	pa_buf_fini(&c.bytes);
}

static void filling_between_functions_is_no_gap(void **state)
{
	static const char code[] =
		"\xc3" NOPS "\x90\xc3\xcc\xcc\xcc\xcc\xcc\xcc\xcc\xcc\x0f\x0b\xc3";
	struct mini_cfi c;
	struct mini_elf m = {
		.eh_frame = &c.bytes, .code = (const uint8_t *)code, .code_len = sizeof(code) - 1};
	struct rec_unwind_stats stats;

	(void)state;
	mini_cfi_init(&c, false);
	mini_cie_x86(&c);
	mini_fde(&c, 0, 1, CFI(""));
	mini_fde(&c, 18, 1, CFI(""));
	/* Before this one there is an instruction that can be reached. */
	mini_fde(&c, 29, 1, CFI(""));
	expect_table(&m,
		     "1000 rsp+8 u *(c-8)\n"
		     "1013 none not covered\n"
		     "101d rsp+8 u *(c-8)\n"
		     "101e none not covered\n",
		     &stats);
	assert_int_equal(stats.paddings, 1);
	pa_buf_fini(&c.bytes);
}

static void signal_frames_are_marked(void **state)
{
	struct mini_cfi c;

	(void)state;
	mini_cfi_init(&c, false);
	mini_cie(&c, "zRS", CFI("\0"), 16, CFI(""));
	mini_fde(&c, 0, 64,
		 CFI("\x0f\x04\x77\xa0\x01\x06\x10\x07\x03\x77\xa0\x01\x10\x06\x03\x77\xf8\x00"
		     "\x10\x10\x03\x77\xa8\x01"));
	expect_rows(&c, "1000 *(rsp+160) *(rsp+120) *(rsp+168) signal side\n" END);
	pa_buf_fini(&c.bytes);
}

static void returns_from_signals_are_known_by_their_code(void **state)
{
	static const char code[] = "\xc3\xc3" X86_SIGRETURN;
	static const char sigreturn[] = "1001 *(rsp+160) *(rsp+120) *(rsp+168) signal side\n"
					"100b none not covered\n"
					"1080 rsp+8 u *(c-8)\n"
					"1090 none not covered\n";
	struct mini_cfi c;
	struct mini_elf m = {
		.eh_frame = &c.bytes, .code = (const uint8_t *)code, .code_len = sizeof(code) - 1};
	struct mini_elf arm = {.aarch64 = true,
			       .code = (const uint8_t *)"\x1f\x20\x03\xd5" ARM_SIGRETURN,
			       .code_len = 12};

	(void)state;
	mini_cfi_init(&c, false);
	mini_cie_x86(&c);
	mini_fde(&c, 0x80, 0x10, CFI(""));
	/* From one byte before, where its return address is looked up. */
	expect_table(&m, sigreturn, NULL);
	/* An assembler that takes it for a function is sigreturn. */
	mini_fde(&c, 2, 0x20, CFI(""));
	expect_table(&m, sigreturn, NULL);
	/* A file may have nothing else. */
	expect_table(&arm,
		     "1003 *(sp+560) *(sp+544) *(sp+568) signal side\n"
		     "100c none not covered\n",
		     NULL);
	pa_buf_fini(&c.bytes);
}

static void pointers_may_be_relative_and_short(void **state)
{
	struct mini_cfi c;
	struct pa_buf body;
	struct mini_elf m = {.eh_frame = &c.bytes};

	(void)state;
	mini_cfi_init(&c, false);
	pa_buf_init(&body);
	/* Personality (indirect) and LSDA encodings come before that of the FDEs. */
	mini_cie(&c, "zPLR", CFI("\x9b\x01\x02\x03\x04\x1b\x1b"), 16, CFI(CIE_X86));
	pa_buf_add_u32(&body, (uint32_t)(MINI_TEXT - (MINI_EH_FRAME + c.bytes.len + 8)));
	pa_buf_add_u32(&body, 64);
	pa_buf_add(&body, "\x04\xff\xff\xff\xff\x0e\x10", 7);
	mini_entry(&c, c.bytes.len + 4 - c.cie, &body);
	expect_table(&m, "1000 rsp+16 u *(c-8)\n" END, NULL);
	/* Without sections, the pointer in .eh_frame_hdr leads there. */
	m.no_sections = true;
	expect_table(&m, "1000 rsp+16 u *(c-8)\n" END, NULL);
	pa_buf_fini(&body);
	pa_buf_fini(&c.bytes);
}

static void what_is_not_understood_is_left_out_and_counted(void **state)
{
	static const struct {
		const char *augmentation, *data;
		size_t len;
	} bad[] = {
		{"zR", CFI("\x80")}, /* indirect */
		{"zR", CFI("\x30")}, /* relative to data */
		{"zR", CFI("\x05")}, /* no such format */
		{"zQ", CFI("\0")},   {"eh", CFI("")}, {"zR", CFI("")},
	};
	struct mini_cfi c;
	struct mini_elf m = {.eh_frame = &c.bytes};
	struct rec_unwind_stats stats;
	size_t i;

	(void)state;
	mini_cfi_init(&c, false);
	for (i = 0; i < PA_ARRAY_LEN(bad); i++) {
		mini_cie(&c, bad[i].augmentation, bad[i].data, bad[i].len, 16, CFI(CIE_X86));
		mini_fde(&c, 0, 64, CFI(""));
	}
	mini_cie(&c, "zRBG", CFI("\0"), 16, CFI(CIE_X86));
	mini_fde(&c, 0, 64, CFI(""));
	mini_fde(&c, 0x4000, 64, CFI(""));
	mini_fde(&c, 0, 0, CFI(""));
	/* A length that makes no sense ends the section. */
	pa_buf_add_u32(&c.bytes, 1000);
	expect_table(&m, "1000 rsp+8 u *(c-8)\n" END, &stats);
	assert_int_equal(stats.fdes, 1);
	assert_int_equal(stats.fdes_bad, PA_ARRAY_LEN(bad));
	assert_int_equal(stats.fdes_outside, 2);
	assert_int_equal(stats.sections_cut, 1);
	pa_buf_fini(&c.bytes);
}

static void a_zero_length_ends_nothing_inside_a_section(void **state)
{
	struct mini_cfi c;
	struct mini_elf m = {.eh_frame = &c.bytes};

	(void)state;
	mini_cfi_init(&c, false);
	mini_cie_x86(&c);
	mini_fde(&c, 0, 64, CFI(""));
	pa_buf_add_u32(&c.bytes, 0);
	mini_cie_x86(&c);
	mini_fde(&c, 0x40, 0x40, CFI("\x0e\x10"));
	expect_table(&m, "1000 rsp+8 u *(c-8)\n1040 rsp+16 u *(c-8)\n1080 none not covered\n",
		     NULL);
	/* But where the section's end is not known, it is the end. */
	m.no_sections = true;
	expect_table(&m, "1000 rsp+8 u *(c-8)\n" END, NULL);
	pa_buf_fini(&c.bytes);
}

static void the_first_fde_wins_where_two_overlap(void **state)
{
	struct mini_cfi c;

	(void)state;
	mini_cfi_init(&c, false);
	mini_cie_x86(&c);
	mini_fde(&c, 0, 0x20, CFI(""));
	mini_fde(&c, 0x10, 0x20, CFI("\x0e\x10\x4c\x0e\x18\x48\x0e\x20"));
	mini_fde(&c, 0x18, 8, CFI("\x0e\x40"));
	expect_rows(&c, "1000 rsp+8 u *(c-8)\n"
			"1020 rsp+24 u *(c-8)\n"
			"1024 rsp+32 u *(c-8)\n"
			"1030 none not covered\n");
	pa_buf_fini(&c.bytes);
}

static void debug_frame_fills_what_eh_frame_leaves(void **state)
{
	struct mini_cfi eh, debug;
	struct mini_elf m = {.eh_frame = &eh.bytes, .debug_frame = &debug.bytes};

	(void)state;
	mini_cfi_init(&eh, false);
	mini_cie_x86(&eh);
	mini_fde(&eh, 0x20, 0x20, CFI(""));
	mini_cfi_init(&debug, true);
	mini_cie_x86(&debug);
	mini_fde(&debug, 0, 0x30, CFI("\x0e\x10"));
	mini_fde(&debug, 0x20, 0x20, CFI("\x0e\x20"));
	debug.wide = true;
	mini_cie_x86(&debug);
	mini_fde(&debug, 0x40, 0x10, CFI("\x0e\x30"));
	expect_table(&m,
		     "1000 rsp+16 u *(c-8)\n"
		     "1020 rsp+8 u *(c-8)\n"
		     "1040 rsp+48 u *(c-8)\n"
		     "1050 none not covered\n",
		     NULL);
	pa_buf_fini(&eh.bytes);
	pa_buf_fini(&debug.bytes);
}

/* Replaces the section by a header and its compressed content. */
static void compress_section(struct pa_buf *section, bool old_style)
{
	uLongf len = compressBound(section->len);
	uint8_t packed[4096];
	Elf64_Chdr chdr = {.ch_type = ELFCOMPRESS_ZLIB, .ch_size = section->len, .ch_addralign = 8};
	uint64_t big = __builtin_bswap64(section->len);

	assert_true(len <= sizeof(packed));
	assert_int_equal(compress(packed, &len, section->data, section->len), Z_OK);
	pa_buf_reset(section);
	if (old_style) {
		pa_buf_add(section, "ZLIB", 4);
		pa_buf_add(section, &big, sizeof(big));
	} else {
		pa_buf_add(section, &chdr, sizeof(chdr));
	}
	pa_buf_add(section, packed, len);
}

static void debug_frame_may_be_compressed(void **state)
{
	struct mini_cfi c;
	struct mini_elf m = {.debug_frame = &c.bytes};
	int old_style;

	(void)state;
	for (old_style = 0; old_style < 2; old_style++) {
		mini_cfi_init(&c, true);
		mini_cie_x86(&c);
		mini_fde(&c, 0, 64, CFI(""));
		compress_section(&c.bytes, old_style);
		m.debug_name = old_style ? ".zdebug_frame" : NULL;
		m.debug_flags = old_style ? 0 : SHF_COMPRESSED;
		expect_table(&m, "1000 rsp+8 u *(c-8)\n" END, NULL);
		pa_buf_fini(&c.bytes);
	}
}

static void go_does_not_say_where_rbp_is(void **state)
{
	struct mini_cfi c;
	struct mini_elf m = {.debug_frame = &c.bytes, .go = true};

	(void)state;
	mini_cfi_init(&c, true);
	mini_cie_x86(&c);
	mini_fde(&c, 0, 64, CFI(""));
	expect_table(&m, "1000 rsp+8 lost *(c-8)\n" END, NULL);
	pa_buf_fini(&c.bytes);
}

static void rbx_is_tracked_where_a_frame_needs_it(void **state)
{
	struct mini_cfi c;
	struct mini_elf m = {.eh_frame = &c.bytes};
	struct rec_unwind_stats stats;
	struct rec_unwind_view v;
	struct pa_buf elf, table;

	(void)state;
	mini_cfi_init(&c, false);
	mini_cie_x86(&c);
	mini_fde(&c, 0, 16, CFI("\x0c\x03\x18\x83\x03"));
	mini_fde(&c, 16, 16, CFI(AT4 "\x83\x02" AT4 "\x07\x03"));
	pa_buf_init(&elf);
	pa_buf_init(&table);
	mini_elf_build(&elf, &m);
	assert_int_equal(rec_unwind_compile(elf.data, elf.len, &table, &stats), 0);
	assert_int_equal(rec_unwind_open(table.data, table.len, &v), 0);
	assert_int_equal(v.head->rows, 5);
	assert_int_equal(stats.fdes, 2);
	assert_non_null(v.rbx);
	assert_int_equal(v.rbx[0], 3);
	assert_int_equal(v.rbx[1], 0);
	assert_int_equal(v.rbx[2], 2);
	assert_int_equal(v.rbx[3], EV_UNWIND_RBX_LOST);
	pa_buf_fini(&table);
	pa_buf_fini(&elf);
	pa_buf_fini(&c.bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(gaps_have_no_rule),
		cmocka_unit_test(filling_between_functions_is_no_gap),
		cmocka_unit_test(signal_frames_are_marked),
		cmocka_unit_test(returns_from_signals_are_known_by_their_code),
		cmocka_unit_test(pointers_may_be_relative_and_short),
		cmocka_unit_test(what_is_not_understood_is_left_out_and_counted),
		cmocka_unit_test(a_zero_length_ends_nothing_inside_a_section),
		cmocka_unit_test(the_first_fde_wins_where_two_overlap),
		cmocka_unit_test(debug_frame_fills_what_eh_frame_leaves),
		cmocka_unit_test(debug_frame_may_be_compressed),
		cmocka_unit_test(go_does_not_say_where_rbp_is),
		cmocka_unit_test(rbx_is_tracked_where_a_frame_needs_it),
	};

	return cmocka_run_group_tests_name("unwind/sources", tests, NULL, NULL);
}
