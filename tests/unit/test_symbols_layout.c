// SPDX-License-Identifier: GPL-2.0-or-later
/* From offsets in a file to addresses: every layout that linkers make, and some that they do not. */
#include "tests/unit/symbols_fixture.h"

/* Each function has its name at its first byte, whatever the layout. */
static void check_functions(const char *name)
{
	static const char *const functions[] = {"before", "after", "main"};
	const char *path = fixture_path(name);
	size_t i;

	for (i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
		uint64_t vaddr = fixture_symbol(path, functions[i]);
		struct fixture_query q = {.path = path, .offset = fixture_offset(path, vaddr)};
		struct fixture_answer a = fixture_ask(&q);

		if (a.result.frame_count != 1)
			fail_msg("%s: %s has no name", name, functions[i]);
		assert_string_equal(a.result.frames[0].function, functions[i]);
		assert_int_equal(a.result.vaddr, vaddr);
		rpt_symbolizer_free(a.symbolizer);
	}
}

static void gnu_ld(void **state)
{
	static const char *const names[] = {"pie",    "exec",      "static",    "shared.so",
					    "packed", "exec_high", "exec_late", NULL};
	int i;

	(void)state;
	for (i = 0; names[i]; i++)
		check_functions(names[i]);
}

static void lld(void **state)
{
	static const char *const names[] = {"lld", "lld_separate", "lld_exec", "lld.so", NULL};
	int i;

	(void)state;
	fixture_need("lld");
	for (i = 0; names[i]; i++)
		check_functions(names[i]);
}

static void two_executable_segments(void **state)
{
	(void)state;
	check_functions("two_text.so");
}

/* Overwrites the first program header that is not needed with one that was made up. */
static void add_segment(uint8_t *image, const Elf64_Phdr *made_up)
{
	Elf64_Ehdr ehdr;
	Elf64_Phdr phdr;
	int i;

	memcpy(&ehdr, image, sizeof(ehdr));
	for (i = 0; i < ehdr.e_phnum; i++) {
		uint8_t *at = image + ehdr.e_phoff + (size_t)i * sizeof(phdr);

		memcpy(&phdr, at, sizeof(phdr));
		if (phdr.p_type != PT_PHDR)
			continue;
		memcpy(at, made_up, sizeof(*made_up));
		return;
	}
	fail_msg("no header to spare");
}

static void A7_segment_without_bytes_is_never_chosen(void **state)
{
	const char *from = fixture_path("pie"), *to = fixture_path("pie_bss");
	uint64_t vaddr = fixture_symbol(from, "main");
	uint64_t offset = fixture_offset(from, vaddr);
	Elf64_Phdr bss = {
		.p_type = PT_LOAD,
		.p_flags = PF_R | PF_X,
		.p_offset = offset & ~0xfffull,
		.p_vaddr = 0x7000000,
		.p_memsz = 0x100000,
		.p_align = 0x1000,
	};
	size_t bytes;
	uint8_t *image = fixture_read(from, &bytes);

	(void)state;
	add_segment(image, &bss);
	fixture_write(to, image, bytes);
	free(image);
	fixture_expect(&(struct fixture_query){.path = to, .offset = offset}, "main");
}

static void A7_data_segment_over_the_same_bytes_is_passed_over(void **state)
{
	const char *from = fixture_path("pie"), *to = fixture_path("pie_data");
	uint64_t offset = fixture_offset(from, fixture_symbol(from, "main"));
	Elf64_Phdr data = {
		.p_type = PT_LOAD,
		.p_flags = PF_R | PF_W,
		.p_offset = offset & ~0xfffull,
		.p_vaddr = 0x7000000,
		.p_filesz = 0x1000,
		.p_memsz = 0x1000,
		.p_align = 0x1000,
	};
	size_t bytes;
	uint8_t *image = fixture_read(from, &bytes);

	(void)state;
	add_segment(image, &data);
	fixture_write(to, image, bytes);
	free(image);
	fixture_expect(&(struct fixture_query){.path = to, .offset = offset}, "main");
}

static void without_program_headers(void **state)
{
	const char *from = fixture_path("shared.so"), *to = fixture_path("no_headers.so");
	size_t bytes;
	uint8_t *image = fixture_read(from, &bytes);
	Elf64_Ehdr ehdr;

	(void)state;
	memcpy(&ehdr, image, sizeof(ehdr));
	ehdr.e_phnum = 0;
	ehdr.e_phoff = 0;
	memcpy(image, &ehdr, sizeof(ehdr));
	fixture_write(to, image, bytes);
	free(image);
	check_functions("no_headers.so");
}

static void outside_of_code(void **state)
{
	const char *path = fixture_path("pie");
	static const uint64_t offsets[] = {0, 64, 1ull << 40, UINT64_MAX};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(offsets) / sizeof(offsets[0]); i++) {
		struct fixture_query q = {.path = path, .offset = offsets[i]};
		struct fixture_answer a = fixture_ask(&q);

		assert_int_equal(a.result.reason, RPT_SYM_OUTSIDE);
		assert_int_equal(a.result.frame_count, 0);
		rpt_symbolizer_free(a.symbolizer);
	}
}

/* The trace holds the file itself: nothing is looked for. */
static void image_from_the_trace(void **state)
{
	const char *path = fixture_path("shared.so");
	struct rpt_symbol_options options = {.no_host_files = true, .threads = 1};
	struct rpt_symbolizer *s = rpt_symbolizer_new(&options);
	struct rpt_symbol_query q = {
		.file_offset = fixture_offset(path, fixture_symbol(path, "after")),
	};
	struct rpt_module_desc desc = {.source = RPT_SRC_IMAGE, .path = "[vdso]"};
	uint8_t *image = fixture_read(path, &desc.image_bytes);

	(void)state;
	desc.image = image;
	q.module = rpt_symbolizer_add(s, &desc);
	assert_int_equal(rpt_symbolizer_resolve(s, &q, 1, NULL, NULL), 0);
	assert_int_equal(q.result.frame_count, 1);
	assert_string_equal(q.result.frames[0].function, "after");
	rpt_symbolizer_free(s);
	free(image);
}

static int setup(void **state)
{
	(void)state;
	return fixture_build("layouts");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(gnu_ld),
		cmocka_unit_test(lld),
		cmocka_unit_test(two_executable_segments),
		cmocka_unit_test(A7_segment_without_bytes_is_never_chosen),
		cmocka_unit_test(A7_data_segment_over_the_same_bytes_is_passed_over),
		cmocka_unit_test(without_program_headers),
		cmocka_unit_test(outside_of_code),
		cmocka_unit_test(image_from_the_trace),
	};

	return cmocka_run_group_tests(tests, setup, fixture_remove);
}
