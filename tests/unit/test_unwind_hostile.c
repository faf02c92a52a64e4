// SPDX-License-Identifier: GPL-2.0-or-later
/* Damaged and hostile files and tables: an error or a valid table, and never more work than bytes. */
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tests/unit/unwind_fixture.h"

/* A file with something of everything, compact enough to damage each of its bytes. */
static void build_file(struct pa_buf *elf)
{
	struct mini_cfi eh, debug;
	struct mini_elf m = {.eh_frame = &eh.bytes, .debug_frame = &debug.bytes};

	mini_cfi_init(&eh, false);
	mini_cie(&eh, "zPLR", CFI("\x9b\x01\x02\x03\x04\x1b\0"), 16, CFI(CIE_X86));
	mini_fde(&eh, 0, 32, CFI("\x41\x0e\x10\x86\x02\x43\x0d\x06\x0a\x50\xc6\x0c\x07\x08\x0b"));
	mini_fde(&eh, 32, 32, CFI("\x0f\x03\x76\x78\x06\x10\x06\x02\x76\x00\x44\x0c\x03\x10"));
	mini_cfi_init(&debug, true);
	mini_cie_x86(&debug);
	mini_fde(&debug, 64, 32, CFI("\x02\x10\x0e\x10"));
	mini_elf_build(elf, &m);
	pa_buf_fini(&eh.bytes);
	pa_buf_fini(&debug.bytes);
}

/* Compiles a copy of exactly this size; what comes out has to be valid. */
static int compile_copy(const uint8_t *data, size_t len)
{
	struct rec_unwind_stats stats;
	struct rec_unwind_view view;
	struct pa_buf table;
	uint8_t *exact = malloc(len ? len : 1);
	int err;

	assert_non_null(exact);
	memcpy(exact, data, len);
	pa_buf_init(&table);
	err = rec_unwind_compile(exact, len, &table, &stats);
	if (!err)
		assert_int_equal(rec_unwind_open(table.data, table.len, &view), 0);
	pa_buf_fini(&table);
	free(exact);
	return err;
}

static void files_cut_anywhere(void **state)
{
	struct pa_buf elf;
	size_t len;

	(void)state;
	pa_buf_init(&elf);
	build_file(&elf);
	assert_int_equal(compile_copy(elf.data, elf.len), 0);
	for (len = 0; len < elf.len; len++)
		compile_copy(elf.data, len);
	assert_int_equal(compile_copy(elf.data, 0), PA_E_BAD_MAGIC);
	assert_int_equal(compile_copy(elf.data, 20), PA_E_TRUNCATED);
	assert_int_equal(compile_copy(elf.data, MINI_TEXT + 1), PA_E_TRUNCATED);
	pa_buf_fini(&elf);
}

static void every_bit_turned(void **state)
{
	struct pa_buf elf;
	size_t i, bit;

	(void)state;
	pa_buf_init(&elf);
	build_file(&elf);
	for (i = 0; i < elf.len; i++) {
		/* The code and what fills the file up means nothing. */
		if (i >= 256 && i < MINI_EH_FRAME && elf.data[i] == (i < MINI_HDR ? 0xc3 : 0))
			continue;
		for (bit = 0; bit < 8; bit++) {
			elf.data[i] ^= (uint8_t)(1u << bit);
			compile_copy(elf.data, elf.len);
			elf.data[i] ^= (uint8_t)(1u << bit);
		}
	}
	pa_buf_fini(&elf);
}

static void other_files_are_refused(void **state)
{
	static const struct {
		size_t at;
		uint8_t value;
		int error;
	} cases[] = {
		{EI_MAG0, 0, PA_E_BAD_MAGIC},
		{EI_CLASS, ELFCLASS32, PA_E_UNSUPPORTED},
		{EI_DATA, ELFDATA2MSB, PA_E_UNSUPPORTED},
		{offsetof(Elf64_Ehdr, e_type), ET_REL, PA_E_UNSUPPORTED},
		{offsetof(Elf64_Ehdr, e_machine), EM_386, PA_E_UNSUPPORTED},
		{offsetof(Elf64_Ehdr, e_phentsize), 1, PA_E_CORRUPT},
		{offsetof(Elf64_Ehdr, e_shentsize), 1, PA_E_CORRUPT},
		/* No executable segment. */
		{sizeof(Elf64_Ehdr) + offsetof(Elf64_Phdr, p_flags), PF_R, PA_E_NOT_FOUND},
	};
	struct pa_buf elf;
	size_t i;

	(void)state;
	for (i = 0; i < PA_ARRAY_LEN(cases); i++) {
		pa_buf_init(&elf);
		build_file(&elf);
		elf.data[cases[i].at] = cases[i].value;
		assert_int_equal(compile_copy(elf.data, elf.len), cases[i].error);
		pa_buf_fini(&elf);
	}
}

static void nothing_to_be_had_is_said(void **state)
{
	struct mini_cfi c;
	struct mini_elf m = {.eh_frame = &c.bytes};
	struct pa_buf elf;

	(void)state;
	mini_cfi_init(&c, false);
	pa_buf_add_u32(&c.bytes, 0);
	pa_buf_init(&elf);
	mini_elf_build(&elf, &m);
	assert_int_equal(compile_copy(elf.data, elf.len), PA_E_NOT_FOUND);
	pa_buf_fini(&elf);
	pa_buf_fini(&c.bytes);
}

static void work_is_bounded_by_bytes(void **state)
{
	struct mini_cfi c;
	struct mini_elf m = {.eh_frame = &c.bytes};
	struct pa_buf elf;
	char insns[3000];
	size_t first, i;

	(void)state;
	/* Two CIEs with long programs, wanted in turn by many short FDEs. */
	memset(insns, 0, sizeof(insns));
	mini_cfi_init(&c, false);
	mini_cie(&c, "zR", CFI("\0"), 16, insns, sizeof(insns));
	first = c.cie;
	mini_cie(&c, "zR", CFI("\0"), 16, insns, sizeof(insns));
	for (i = 0; i < 400; i++) {
		size_t second = c.cie;

		if (i % 2)
			c.cie = first;
		mini_fde(&c, i, 1, CFI(""));
		c.cie = second;
	}
	pa_buf_init(&elf);
	mini_elf_build(&elf, &m);
	assert_int_equal(compile_copy(elf.data, elf.len), PA_E_LIMIT);
	pa_buf_fini(&elf);
	pa_buf_fini(&c.bytes);
}

static void bombs_do_not_go_off(void **state)
{
	Elf64_Chdr chdr = {.ch_type = ELFCOMPRESS_ZLIB, .ch_size = 1ull << 40};
	struct pa_buf section, elf;
	struct mini_elf m = {.debug_frame = &section, .debug_flags = SHF_COMPRESSED};

	(void)state;
	pa_buf_init(&section);
	pa_buf_add(&section, &chdr, sizeof(chdr));
	mini_pad(&section, 4096);
	pa_buf_init(&elf);
	mini_elf_build(&elf, &m);
	assert_int_equal(compile_copy(elf.data, elf.len), PA_E_NOT_FOUND);
	pa_buf_fini(&elf);
	pa_buf_fini(&section);
}

static void damaged_tables_are_refused(void **state)
{
	static const struct {
		size_t at;
		uint8_t value;
		int error;
	} cases[] = {
		{offsetof(struct ev_unwind_table, magic), 0, PA_E_BAD_MAGIC},
		{offsetof(struct ev_unwind_table, version), 99, PA_E_VERSION},
		{offsetof(struct ev_unwind_table, arch), 9, PA_E_CORRUPT},
		{offsetof(struct ev_unwind_table, rows) + 3, 1, PA_E_LIMIT},
		{offsetof(struct ev_unwind_table, rows) + 2, 1, PA_E_TRUNCATED},
		{offsetof(struct ev_unwind_table, rows), 0, PA_E_CORRUPT},
		{offsetof(struct ev_unwind_table, sides) + 3, 1, PA_E_LIMIT},
		{offsetof(struct ev_unwind_table, segments), 99, PA_E_LIMIT},
		/* The first key, the second, which is the first again, and the first rule. */
		{sizeof(struct ev_unwind_table) + sizeof(struct ev_unwind_segment), 1,
		 PA_E_CORRUPT},
		{sizeof(struct ev_unwind_table) + sizeof(struct ev_unwind_segment) + 4, 0,
		 PA_E_CORRUPT},
	};
	struct rec_unwind_stats stats;
	struct rec_unwind_view view;
	struct pa_buf elf, table;
	uint8_t saved;
	size_t i;

	(void)state;
	pa_buf_init(&elf);
	pa_buf_init(&table);
	build_file(&elf);
	assert_int_equal(rec_unwind_compile(elf.data, elf.len, &table, &stats), 0);
	for (i = 0; i < PA_ARRAY_LEN(cases); i++) {
		saved = table.data[cases[i].at];
		table.data[cases[i].at] = cases[i].value;
		assert_int_equal(rec_unwind_open(table.data, table.len, &view), cases[i].error);
		table.data[cases[i].at] = saved;
	}
	for (i = 0; i < table.len; i++)
		assert_true(rec_unwind_open(table.data, i, &view) < 0);
	assert_int_equal(rec_unwind_open(table.data, table.len, &view), 0);
	/* Rules of a kind that does not exist, and with a side that does not. */
	((uint32_t *)view.rules)[1] = 7;
	assert_int_equal(rec_unwind_open(table.data, table.len, &view), PA_E_CORRUPT);
	((uint32_t *)view.rules)[1] = EV_UNWIND_NUMBERED(EV_UNWIND_SIDE, view.head->sides);
	assert_int_equal(rec_unwind_open(table.data, table.len, &view), PA_E_CORRUPT);
	pa_buf_fini(&table);
	pa_buf_fini(&elf);
}

static void descriptors_stay_the_caller_s(void **state)
{
	struct rec_unwind_stats stats;
	struct pa_buf elf, table;
	int fd = memfd_create("elf", MFD_CLOEXEC);

	(void)state;
	assert_true(fd >= 0);
	pa_buf_init(&elf);
	pa_buf_init(&table);
	assert_int_equal(rec_unwind_compile_fd(fd, &table, &stats), PA_E_TRUNCATED);
	build_file(&elf);
	assert_int_equal(write(fd, elf.data, elf.len), elf.len);
	assert_int_equal(rec_unwind_compile_fd(fd, &table, &stats), 0);
	assert_true(fcntl(fd, F_GETFD) >= 0);
	close(fd);
	pa_buf_reset(&table);
	assert_int_equal(rec_unwind_compile_fd(fd, &table, &stats), -EBADF);
	pa_buf_fini(&table);
	pa_buf_fini(&elf);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(files_cut_anywhere),
		cmocka_unit_test(every_bit_turned),
		cmocka_unit_test(other_files_are_refused),
		cmocka_unit_test(nothing_to_be_had_is_said),
		cmocka_unit_test(work_is_bounded_by_bytes),
		cmocka_unit_test(bombs_do_not_go_off),
		cmocka_unit_test(damaged_tables_are_refused),
		cmocka_unit_test(descriptors_stay_the_caller_s),
	};

	return cmocka_run_group_tests_name("unwind/hostile", tests, NULL, NULL);
}
