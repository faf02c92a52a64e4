// SPDX-License-Identifier: GPL-2.0-or-later
/* Call frame instructions and expressions, each as the row that it has to become. */
#include "tests/unit/unwind_fixture.h"

static void a_prologue_becomes_rows(void **state)
{
	(void)state;
	/* push rbp; mov rsp, rbp; ...; leave */
	EXPECT_X86("\x41\x0e\x10\x86\x02\x43\x0d\x06" AT16 "\xc6\x0c\x07\x08",
		   "1000 rsp+8 u *(c-8)\n"
		   "1001 rsp+16 *(c-16) *(c-8)\n"
		   "1004 rbp+16 *(c-16) *(c-8)\n"
		   "1014 rsp+8 u *(c-8)\n" END);
}

static void registers_that_are_not_kept_make_no_rows(void **state)
{
	(void)state;
	EXPECT_X86(AT4 "\x83\x02" AT4 "\x8c\x03" AT4 "\xc3" AT4 "\x07\x05",
		   "1000 rsp+8 u *(c-8)\n" END);
}

static void an_fde_without_rows_has_its_cie_s(void **state)
{
	(void)state;
	EXPECT_X86("", "1000 rsp+8 u *(c-8)\n" END);
	EXPECT_ARM("", "1000 sp+0 u x30+0\n" END);
}

static void every_way_to_advance(void **state)
{
	(void)state;
	EXPECT_X86("\x02\x01\x0e\x10\x03\x02\x00\x0e\x18\x04\x04\x00\x00\x00\x0e\x20\x48\x0e\x28"
		   "\x01\x20\x10\x00\x00\x00\x00\x00\x00\x0e\x30",
		   "1000 rsp+8 u *(c-8)\n"
		   "1001 rsp+16 u *(c-8)\n"
		   "1003 rsp+24 u *(c-8)\n"
		   "1007 rsp+32 u *(c-8)\n"
		   "100f rsp+40 u *(c-8)\n"
		   "1020 rsp+48 u *(c-8)\n" END);
}

static void every_way_to_define_the_cfa(void **state)
{
	(void)state;
	EXPECT_X86(AT4 "\x0c\x06\x10" AT4 "\x0d\x07" AT4 "\x0e\x20" AT4 "\x12\x06\x7d" AT4
		       "\x13\x7c" AT4 "\x0c\x03\x10",
		   "1000 rsp+8 u *(c-8)\n"
		   "1004 rbp+16 u *(c-8)\n"
		   "1008 rsp+16 u *(c-8)\n"
		   "100c rsp+32 u *(c-8)\n"
		   "1010 rbp+24 u *(c-8)\n"
		   "1014 rbp+32 u *(c-8)\n"
		   "1018 rbx+16 u *(c-8) side\n" END);
}

static void every_way_to_save_the_frame_pointer(void **state)
{
	(void)state;
	EXPECT_X86(AT4 "\x05\x06\x02" AT4 "\x11\x06\x03" AT4 "\x2f\x06\x04" AT4 "\x08\x06" AT4
		       "\x14\x06\x02" AT4 "\x15\x06\x7f" AT4 "\x09\x06\x03" AT4
		       "\x10\x06\x02\x77\x10" AT4 "\x16\x06\x02\x77\x18" AT4 "\x07\x06" AT4
		       "\x06\x06",
		   "1000 rsp+8 u *(c-8)\n"
		   "1004 rsp+8 *(c-16) *(c-8)\n"
		   "1008 rsp+8 *(c-24) *(c-8)\n"
		   "100c rsp+8 *(c+32) *(c-8) side\n"
		   "1010 rsp+8 u *(c-8)\n"
		   "1014 rsp+8 c-16 *(c-8) side\n"
		   "1018 rsp+8 c+8 *(c-8) side\n"
		   "101c rsp+8 rbx+0 *(c-8) side\n"
		   "1020 rsp+8 *(rsp+16) *(c-8) side\n"
		   "1024 rsp+8 rsp+24 *(c-8) side\n"
		   "1028 rsp+8 lost *(c-8)\n"
		   "102c rsp+8 u *(c-8)\n" END);
}

static void restore_goes_back_to_the_cie(void **state)
{
	struct mini_cfi c;

	(void)state;
	mini_cfi_init(&c, false);
	/* This CIE says that rbp is saved. */
	mini_cie(&c, "zR", CFI("\0"), 16, CFI(CIE_X86 "\x86\x02"));
	mini_fde(&c, 0, 64, CFI(AT4 "\x08\x06" AT4 "\xc6" AT4 "\x07\x06" AT4 "\x06\x06"));
	expect_rows(&c, "1000 rsp+8 *(c-16) *(c-8)\n"
			"1004 rsp+8 u *(c-8)\n"
			"1008 rsp+8 *(c-16) *(c-8)\n"
			"100c rsp+8 lost *(c-8)\n"
			"1010 rsp+8 *(c-16) *(c-8)\n" END);
	pa_buf_fini(&c.bytes);
}

static void remembered_states_come_back_whole(void **state)
{
	(void)state;
	EXPECT_X86("\x0e\x10\x86\x02\x0a" AT4 "\xc6\x0e\x08\x0a" AT4 "\x0e\x50" AT4 "\x0b" AT4
		   "\x0b",
		   "1000 rsp+16 *(c-16) *(c-8)\n"
		   "1004 rsp+8 u *(c-8)\n"
		   "1008 rsp+80 u *(c-8)\n"
		   "100c rsp+8 u *(c-8)\n"
		   "1010 rsp+16 *(c-16) *(c-8)\n" END);
}

static void an_undefined_return_address_is_the_root(void **state)
{
	(void)state;
	EXPECT_X86("\x07\x10" AT4 "\xd0", "1000 root\n1004 rsp+8 u *(c-8)\n" END);
	EXPECT_ARM("\x07\x1e", "1000 root\n" END);
}

static void return_addresses_elsewhere(void **state)
{
	(void)state;
	EXPECT_X86("\x09\x10\x05" AT4 "\x05\x10\x03" AT4 "\x05\x10\x01" AT4 "\x08\x10",
		   "1000 rsp+8 u rdi+0 side\n"
		   "1004 rsp+8 u *(c-24)\n"
		   "1008 rsp+8 u *(c-8)\n"
		   "100c none return address rule of no known kind\n" END);
}

static void procedure_linkage_tables(void **state)
{
	(void)state;
	EXPECT_X86("\x0e\x10" AT8 "\x0f\x0b\x77\x08\x80\x00\x3f\x1a\x3b\x2a\x33\x24\x22",
		   "1000 rsp+16 u *(c-8)\n"
		   "1008 plt+8/11 u *(c-8)\n" END);
	/* With branch tracking, the push comes earlier. */
	EXPECT_X86("\x0f\x0b\x77\x08\x80\x00\x3f\x1a\x39\x2a\x33\x24\x22",
		   "1000 plt+8/9 u *(c-8)\n" END);
	/* One that counts differently is not understood, rather than taken for it. */
	EXPECT_X86("\x0f\x0b\x77\x08\x80\x00\x3f\x1a\x3b\x2a\x32\x24\x22",
		   "1000 none CFA expression of no known kind\n" END);
}

static void realigned_stacks(void **state)
{
	(void)state;
	EXPECT_X86("\x0c\x0a\x00" AT4 "\x10\x06\x02\x76\x00" AT4 "\x0f\x03\x76\x78\x06",
		   "1000 r10+0 u *(c-8) side\n"
		   "1004 r10+0 *(rbp+0) *(c-8) side\n"
		   "1008 *(rbp-8) *(rbp+0) *(c-8)\n" END);
}

static void expressions_that_come_down_to_a_place(void **state)
{
	(void)state;
	EXPECT_X86("\x0f\x05\x77\x28\x06\x23\x08" AT4 "\x0f\x05\x77\x28\x06\x38\x22" AT4
		   "\x0f\x05\x77\x28\x08\x10\x22" AT4 "\x0f\x06\x77\x28\x0a\x00\x01\x1c" AT4
		   "\x0f\x04\x92\x06\x10\x96" AT4 "\x0f\x05\x73\x00\x11\x78\x22",
		   "1000 *(rsp+40)+8 u *(c-8) side\n"
		   "1008 rsp+56 u *(c-8)\n"
		   "100c rsp-216 u *(c-8)\n"
		   "1010 rbp+16 u *(c-8)\n"
		   "1014 rbx-8 u *(c-8) side\n" END);
}

static void expressions_of_other_kinds_end_the_walk(void **state)
{
	(void)state;
	/* Two registers; two loads; an empty stack; no value; a number that does not fit; cut short. */
	EXPECT_X86("\x0f\x05\x77\x08\x79\x00\x22" AT4 "\x0f\x04\x77\x08\x06\x06" AT4
		   "\x0f\x01\x06" AT4 "\x0f\x00" AT4 "\x0f\x06\x77\xff\xff\xff\xff\x1f" AT4
		   "\x0f\x02\x77\x80" AT4 "\x0f\x02\x77\x08",
		   "1000 none CFA expression of no known kind\n"
		   "1018 rsp+8 u *(c-8)\n" END);
	/* As the place of a register, it is only the register that is lost. */
	EXPECT_X86("\x10\x06\x05\x77\x08\x79\x00\x22", "1000 rsp+8 lost *(c-8)\n" END);
	EXPECT_X86("\x10\x10\x05\x77\x08\x79\x00\x22",
		   "1000 none return address rule of no known kind\n" END);
}

static void a_stack_pointer_with_another_value_ends_the_walk(void **state)
{
	(void)state;
	EXPECT_X86("\x05\x07\x02" AT4 "\x08\x07" AT4 "\x14\x07\x00" AT4 "\x0f\x03\x77\x10\x06"
		   "\x10\x07\x02\x77\x10" AT4 "\x10\x07\x02\x77\x18",
		   "1000 none stack pointer with a rule of its own\n"
		   "1008 rsp+8 u *(c-8)\n"
		   "100c *(rsp+16) u *(c-8) side\n"
		   "1010 none stack pointer with a rule of its own\n" END);
}

static void numbers_that_do_not_fit_go_aside(void **state)
{
	(void)state;
	/* 32760, 32768, 12; a slot of 4096 words; beyond 32 bits. */
	EXPECT_X86("\x0e\xf8\xff\x01" AT4 "\x0e\x80\x80\x02" AT4 "\x0e\x0c" AT4
		   "\x0e\x10\x86\x80\x20" AT4 "\x86\xff\x1f" AT4 "\xc6\x0e\xff\xff\xff\xff\x7f",
		   "1000 rsp+32760 u *(c-8)\n"
		   "1004 rsp+32768 u *(c-8) side\n"
		   "1008 rsp+12 u *(c-8) side\n"
		   "100c rsp+16 *(c-32768) *(c-8) side\n"
		   "1010 rsp+16 *(c-32760) *(c-8)\n"
		   "1014 none number out of range\n" END);
}

static void malformed_programs_end_where_they_break(void **state)
{
	(void)state;
	/* An unknown instruction; nothing remembered; an offset without a register; back in time. */
	EXPECT_X86("\x0e\x10" AT4 "\x3f",
		   "1000 rsp+16 u *(c-8)\n1004 none malformed unwind program\n" END);
	EXPECT_X86(AT4 "\x0b", "1000 rsp+8 u *(c-8)\n1004 none malformed unwind program\n" END);
	EXPECT_X86("\x0f\x02\x77\x08\x0e\x10", "1000 none malformed unwind program\n" END);
	EXPECT_X86(AT4 "\x01\x02\x10\x00\x00\x00\x00\x00\x00",
		   "1000 rsp+8 u *(c-8)\n1004 none malformed unwind program\n" END);
	EXPECT_X86("\x0e\x80", "1000 none malformed unwind program\n" END);
	EXPECT_X86("\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a",
		   "1000 none malformed unwind program\n" END);
}

static void rows_behind_the_end_of_an_fde_are_cut(void **state)
{
	(void)state;
	EXPECT_X86("\x02\x3f\x0e\x10\x02\x01\x0e\x18" AT4 "\x0e\x20",
		   "1000 rsp+8 u *(c-8)\n103f rsp+16 u *(c-8)\n" END);
}

static void frames_of_aarch64(void **state)
{
	(void)state;
	/* paciasp; stp x29, x30, [sp, #-32]!; mov x29, sp; ...; ldp; autiasp */
	EXPECT_ARM(AT4 "\x2d" AT4 "\x0e\x20\x9d\x04\x9e\x03" AT4 "\x0d\x1d" AT4
		       "\x0c\x1f\x00\xdd\xde" AT4 "\x2d",
		   "1000 sp+0 u x30+0\n"
		   "1008 sp+32 *(c-32) *(c-24)\n"
		   "100c x29+32 *(c-32) *(c-24)\n"
		   "1010 sp+0 u x30+0\n" END);
	/* Only one of the two saved, both apart, and a return address in another register. */
	EXPECT_ARM("\x0e\x10\x9e\x02" AT4 "\xde\x9d\x02" AT4 "\x9e\x04" AT4 "\xde\xdd\x09\x1e\x0f",
		   "1000 sp+16 u *(c-16)\n"
		   "1004 sp+16 *(c-16) x30+0\n"
		   "1008 sp+16 *(c-16) *(c-32) side\n"
		   "100c sp+16 u x15+0 side\n" END);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_prologue_becomes_rows),
		cmocka_unit_test(registers_that_are_not_kept_make_no_rows),
		cmocka_unit_test(an_fde_without_rows_has_its_cie_s),
		cmocka_unit_test(every_way_to_advance),
		cmocka_unit_test(every_way_to_define_the_cfa),
		cmocka_unit_test(every_way_to_save_the_frame_pointer),
		cmocka_unit_test(restore_goes_back_to_the_cie),
		cmocka_unit_test(remembered_states_come_back_whole),
		cmocka_unit_test(an_undefined_return_address_is_the_root),
		cmocka_unit_test(return_addresses_elsewhere),
		cmocka_unit_test(procedure_linkage_tables),
		cmocka_unit_test(realigned_stacks),
		cmocka_unit_test(expressions_that_come_down_to_a_place),
		cmocka_unit_test(expressions_of_other_kinds_end_the_walk),
		cmocka_unit_test(a_stack_pointer_with_another_value_ends_the_walk),
		cmocka_unit_test(numbers_that_do_not_fit_go_aside),
		cmocka_unit_test(malformed_programs_end_where_they_break),
		cmocka_unit_test(rows_behind_the_end_of_an_fde_are_cut),
		cmocka_unit_test(frames_of_aarch64),
	};

	return cmocka_run_group_tests_name("unwind/rules", tests, NULL, NULL);
}
