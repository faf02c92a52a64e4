// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Build IDs: made-up files of every class and byte order, damaged ones, and those of this system.
 */
#include <dirent.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "format/util/buf.h"
#include "format/util/err.h"
#include "record/elfid.h"

#define FILE_BYTES 512
#define NOTES_AT 256
#define SYSTEM_FILES 150

struct image {
	uint8_t bytes[FILE_BYTES];
	bool wide, big;
};

static void put(struct image *im, size_t at, uint64_t v, unsigned bytes)
{
	unsigned i;

	for (i = 0; i < bytes; i++)
		im->bytes[at + (im->big ? bytes - 1 - i : i)] = (uint8_t)(v >> (8 * i));
}

/* Appends a note and returns where the next one goes. */
static size_t put_note(struct image *im, size_t at, const char *name, size_t name_len,
		       uint32_t type, const void *desc, size_t desc_len)
{
	put(im, at, name_len, 4);
	put(im, at + 4, desc_len, 4);
	put(im, at + 8, type, 4);
	memcpy(im->bytes + at + 12, name, name_len);
	at += 12 + (name_len + 3) / 4 * 4;
	memcpy(im->bytes + at, desc, desc_len);
	return at + (desc_len + 3) / 4 * 4;
}

#define PUT(im, base, type64, type32, field, value)                                          \
	put((im), (base) + ((im)->wide ? offsetof(type64, field) : offsetof(type32, field)), \
	    (value), (im)->wide ? sizeof(((type64 *)0)->field) : sizeof(((type32 *)0)->field))

static void put_header(struct image *im)
{
	memcpy(im->bytes, ELFMAG, SELFMAG);
	im->bytes[EI_CLASS] = im->wide ? ELFCLASS64 : ELFCLASS32;
	im->bytes[EI_DATA] = im->big ? ELFDATA2MSB : ELFDATA2LSB;
	PUT(im, 0, Elf64_Ehdr, Elf32_Ehdr, e_phentsize,
	    im->wide ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr));
	PUT(im, 0, Elf64_Ehdr, Elf32_Ehdr, e_shentsize,
	    im->wide ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr));
}

/* One PT_NOTE segment that holds a Go note and then a GNU note. */
static void make_executable(struct image *im, bool wide, bool big)
{
	size_t headers = 64, end;

	*im = (struct image){.wide = wide, .big = big};
	put_header(im);
	PUT(im, 0, Elf64_Ehdr, Elf32_Ehdr, e_phoff, headers);
	PUT(im, 0, Elf64_Ehdr, Elf32_Ehdr, e_phnum, 1);
	end = put_note(im, NOTES_AT, "Go\0", 4, 4, "go-id", 5);
	end = put_note(im, end, "GNU", 4, NT_GNU_BUILD_ID, "\x01\x02\x03\x04\x05", 5);
	PUT(im, headers, Elf64_Phdr, Elf32_Phdr, p_type, PT_NOTE);
	PUT(im, headers, Elf64_Phdr, Elf32_Phdr, p_offset, NOTES_AT);
	PUT(im, headers, Elf64_Phdr, Elf32_Phdr, p_filesz, end - NOTES_AT);
	PUT(im, headers, Elf64_Phdr, Elf32_Phdr, p_align, 4);
}

/* One SHT_NOTE section and no program header; the count stands in section 0 as with very many. */
static void make_object(struct image *im, bool wide, bool big)
{
	size_t headers = 64, section = headers + (wide ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr)),
	       end;

	*im = (struct image){.wide = wide, .big = big};
	put_header(im);
	PUT(im, 0, Elf64_Ehdr, Elf32_Ehdr, e_shoff, headers);
	PUT(im, headers, Elf64_Shdr, Elf32_Shdr, sh_size, 2);
	end = put_note(im, NOTES_AT, "GNU", 4, NT_GNU_BUILD_ID, "\x0a\x0b", 2);
	PUT(im, section, Elf64_Shdr, Elf32_Shdr, sh_type, SHT_NOTE);
	PUT(im, section, Elf64_Shdr, Elf32_Shdr, sh_offset, NOTES_AT);
	PUT(im, section, Elf64_Shdr, Elf32_Shdr, sh_size, end - NOTES_AT);
}

static int read_bytes(const void *bytes, size_t len, struct rec_build_id *id)
{
	int fd = memfd_create("elf", MFD_CLOEXEC), err;

	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes, len), len);
	err = rec_elfid_read(fd, id);
	close(fd);
	return err;
}

static void assert_id(const struct rec_build_id *id, uint32_t kind, const char *bytes, uint32_t len)
{
	assert_int_equal(id->kind, kind);
	assert_int_equal(id->len, len);
	assert_memory_equal(id->bytes, bytes, len);
}

static void every_class_and_byte_order(void **state)
{
	struct rec_build_id id;
	struct image im;
	int i;

	(void)state;
	for (i = 0; i < 4; i++) {
		make_executable(&im, i & 1, i & 2);
		assert_int_equal(read_bytes(im.bytes, FILE_BYTES, &id), 0);
		assert_id(&id, PA_BUILD_ID_GNU, "\x01\x02\x03\x04\x05", 5);
		make_object(&im, i & 1, i & 2);
		assert_int_equal(read_bytes(im.bytes, FILE_BYTES, &id), 0);
		assert_id(&id, PA_BUILD_ID_GNU, "\x0a\x0b", 2);
	}
}

static void what_is_no_elf_file_is_refused(void **state)
{
	struct rec_build_id id;
	struct image im;

	(void)state;
	assert_int_equal(read_bytes("", 0, &id), PA_E_BAD_MAGIC);
	assert_int_equal(read_bytes("#!/bin/sh\necho hello\n", 21, &id), PA_E_BAD_MAGIC);
	make_executable(&im, true, false);
	im.bytes[EI_CLASS] = 3;
	assert_int_equal(read_bytes(im.bytes, FILE_BYTES, &id), PA_E_CORRUPT);
	make_executable(&im, true, false);
	im.bytes[EI_DATA] = 0;
	assert_int_equal(read_bytes(im.bytes, FILE_BYTES, &id), PA_E_CORRUPT);
	make_executable(&im, true, false);
	put(&im, offsetof(Elf64_Ehdr, e_phentsize), 57, 2);
	assert_int_equal(read_bytes(im.bytes, FILE_BYTES, &id), PA_E_CORRUPT);
	assert_int_equal(rec_elfid_read(-1, &id), -EBADF);
}

static void files_without_a_note_have_none(void **state)
{
	struct rec_build_id id;
	struct image im;

	(void)state;
	make_executable(&im, true, false);
	put(&im, 64, PT_LOAD, 4);
	assert_int_equal(read_bytes(im.bytes, FILE_BYTES, &id), 0);
	assert_int_equal(id.kind, PA_BUILD_ID_NONE);
	assert_int_equal(id.len, 0);
}

static void long_go_ids_keep_their_end(void **state)
{
	struct rec_build_id id = {.kind = PA_BUILD_ID_NONE};
	char text[84];
	struct image im = {.wide = true};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(text); i++)
		text[i] = (char)('0' + i % 64);
	rec_elfid_from_notes(im.bytes, put_note(&im, 0, "Go\0", 4, 4, text, 83), false, 4, &id);
	assert_id(&id, PA_BUILD_ID_GO, text + 83 - PA_MAX_BUILD_ID_BYTES, PA_MAX_BUILD_ID_BYTES);
	/* A GNU note of such a length is no build ID. */
	id = (struct rec_build_id){.kind = PA_BUILD_ID_NONE};
	rec_elfid_from_notes(im.bytes, put_note(&im, 0, "GNU", 4, NT_GNU_BUILD_ID, text, 83), false,
			     4, &id);
	assert_int_equal(id.kind, PA_BUILD_ID_NONE);
}

static void hostile_notes_end_the_search(void **state)
{
	static const uint32_t sizes[] = {0xffffffff, 0xfffffff0, 0x80000000, 500, 13};
	struct rec_build_id id = {.kind = PA_BUILD_ID_NONE};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct image im = {.wide = true};
		size_t end = put_note(&im, 0, "GNU", 4, NT_GNU_BUILD_ID, "\x01\x02", 2);

		put(&im, 0, sizes[i], 4);
		rec_elfid_from_notes(im.bytes, end, false, 4, &id);
		put(&im, 0, 4, 4);
		put(&im, 4, sizes[i], 4);
		rec_elfid_from_notes(im.bytes, end, false, 8, &id);
		assert_int_equal(id.kind, PA_BUILD_ID_NONE);
	}
}

/* Damage never crashes and never makes an ID longer than it may be. */
static void truncation_and_flipped_bits(void **state)
{
	struct rec_build_id id;
	struct image good, im;
	size_t at;
	int kind, bit;

	(void)state;
	for (kind = 0; kind < 4; kind++) {
		if (kind & 1)
			make_executable(&good, kind & 2, kind & 2);
		else
			make_object(&good, kind & 2, kind & 2);
		for (at = 0; at < 340; at++) {
			read_bytes(good.bytes, at, &id);
			assert_true(id.len <= PA_MAX_BUILD_ID_BYTES);
			for (bit = 0; bit < 8; bit++) {
				im = good;
				im.bytes[at] ^= (uint8_t)(1 << bit);
				read_bytes(im.bytes, FILE_BYTES, &id);
				assert_true(id.len <= PA_MAX_BUILD_ID_BYTES);
			}
		}
	}
}

/* What readelf says; empty when it says nothing. */
static void readelf_id(const char *path, char *hex, size_t size)
{
	char command[600], line[512], *found;
	FILE *pipe;

	snprintf(command, sizeof(command), "readelf -n '%s' 2>/dev/null", path);
	pipe = popen(command, "r");
	assert_non_null(pipe);
	*hex = 0;
	while (fgets(line, sizeof(line), pipe)) {
		found = strstr(line, "Build ID: ");
		if (found)
			snprintf(hex, size, "%.*s", (int)strcspn(found + 10, "\n"), found + 10);
	}
	pclose(pipe);
}

static bool compare_with_readelf(const char *path)
{
	char expected[256], hex[2 * PA_MAX_BUILD_ID_BYTES + 1] = "";
	int fd = open(path, O_RDONLY | O_CLOEXEC), err;
	struct rec_build_id id;
	uint32_t i;

	if (fd < 0)
		return false;
	err = rec_elfid_read(fd, &id);
	close(fd);
	if (err == PA_E_BAD_MAGIC)
		return false;
	assert_int_equal(err, 0);
	for (i = 0; id.kind == PA_BUILD_ID_GNU && i < id.len; i++)
		snprintf(hex + 2 * i, 3, "%02x", id.bytes[i]);
	readelf_id(path, expected, sizeof(expected));
	assert_string_equal(hex, expected);
	return true;
}

static void programs_of_this_system(void **state)
{
	static const char *const dirs[] = {"/usr/bin", "/usr/lib/x86_64-linux-gnu",
					   "/usr/lib/aarch64-linux-gnu"};
	struct dirent *entry;
	char path[512];
	size_t i, compared;
	DIR *dir;

	(void)state;
	if (access("/usr/bin/readelf", X_OK) < 0) {
		print_message("there is no readelf\n");
		skip();
	}
	for (i = 0; i < sizeof(dirs) / sizeof(dirs[0]); i++) {
		dir = opendir(dirs[i]);
		compared = 0;
		while (dir && compared < SYSTEM_FILES && (entry = readdir(dir)) != NULL) {
			snprintf(path, sizeof(path), "%s/%s", dirs[i], entry->d_name);
			if (entry->d_type == DT_REG && !strchr(path, '\''))
				compared += compare_with_readelf(path);
		}
		if (dir)
			closedir(dir);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_class_and_byte_order),
		cmocka_unit_test(what_is_no_elf_file_is_refused),
		cmocka_unit_test(files_without_a_note_have_none),
		cmocka_unit_test(long_go_ids_keep_their_end),
		cmocka_unit_test(hostile_notes_end_the_search),
		cmocka_unit_test(truncation_and_flipped_bits),
		cmocka_unit_test(programs_of_this_system),
	};

	return cmocka_run_group_tests_name("record/elfid", tests, NULL, NULL);
}
