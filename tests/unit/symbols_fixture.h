/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the symbol tests share: ELF files that tests/symbols/build.sh makes, where things are in them,
 * found in another way than the symbolizer's, and one question to a symbolizer.
 */
#ifndef SYMBOLS_FIXTURE_H
#define SYMBOLS_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <gelf.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report/symbols/elf.h"
#include "report/symbols/symbols.h"

enum { FIXTURE_TEXTS = 16 };
static char *fixture_dir; /* of the set that this program uses */
static char *fixture_texts[FIXTURE_TEXTS];

/* Text as printf makes it; the last results stay valid. */
static inline const char *fixture_text(const char *format, ...)
	__attribute__((format(printf, 1, 2)));
static inline const char *fixture_text(const char *format, ...)
{
	static unsigned next;
	char **slot = &fixture_texts[next++ % FIXTURE_TEXTS];
	va_list ap;

	free(*slot);
	va_start(ap, format);
	if (vasprintf(slot, format, ap) < 0)
		abort();
	va_end(ap);
	return *slot;
}

/* Runs a shell command line that has to succeed. */
static inline void fixture_run(const char *command)
{
	if (system(command) != 0)
		fail_msg("failed: %s", command);
}

/* Builds a set of files, once a program; to be called from a group's setup. */
static inline int fixture_build(const char *set)
{
	const char *build = getenv("BUILD"), *dir;

	dir = fixture_text("%s/tests/symbols/%s.%ld", build ? build : "build", set, (long)getpid());
	fixture_run(fixture_text("mkdir -p '%s'", dir));
	fixture_dir = realpath(dir, NULL);
	if (!fixture_dir)
		return -1;
	return system(fixture_text("tests/symbols/build.sh %s '%s' >'%s/log' 2>&1", set,
				   fixture_dir, fixture_dir));
}

static inline int fixture_remove(void **state)
{
	int i;

	(void)state;
	fixture_run(fixture_text("rm -rf '%s'", fixture_dir));
	for (i = 0; i < FIXTURE_TEXTS; i++)
		free(fixture_texts[i]);
	free(fixture_dir);
	return 0;
}

static inline const char *fixture_path(const char *name)
{
	return fixture_text("%s/%s", fixture_dir, name);
}

/* Skips the test when a tool was missing that would have made the file. */
static inline void fixture_need(const char *name)
{
	if (access(fixture_path(name), R_OK) < 0) {
		print_message("%s was not built here: a tool is missing\n", name);
		skip();
	}
}

/* A file as bytes; the caller frees it. */
static inline uint8_t *fixture_read(const char *path, size_t *bytes)
{
	FILE *f = fopen(path, "rb");
	uint8_t *data;
	long size;

	assert_non_null(f);
	fseek(f, 0, SEEK_END);
	size = ftell(f);
	rewind(f);
	data = malloc((size_t)size + 1);
	assert_non_null(data);
	*bytes = fread(data, 1, (size_t)size, f);
	assert_int_equal(*bytes, size);
	data[size] = '\0';
	fclose(f);
	return data;
}

static inline void fixture_write(const char *path, const void *data, size_t bytes)
{
	FILE *f = fopen(path, "wb");

	assert_non_null(f);
	assert_int_equal(fwrite(data, 1, bytes, f), bytes);
	assert_int_equal(fclose(f), 0);
}

/* Value of a symbol in any symbol table of a file. */
static inline uint64_t fixture_symbol(const char *path, const char *name)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	Elf_Scn *scn = NULL;
	uint64_t value = 0;
	GElf_Shdr header;
	GElf_Sym sym;
	Elf *elf;
	int i;

	assert_true(fd >= 0);
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ, NULL);
	while ((scn = elf_nextscn(elf, scn))) {
		gelf_getshdr(scn, &header);
		if (header.sh_type != SHT_SYMTAB && header.sh_type != SHT_DYNSYM)
			continue;
		for (i = 0; gelf_getsym(elf_getdata(scn, NULL), i, &sym); i++) {
			if (sym.st_shndx != SHN_UNDEF &&
			    strcmp(elf_strptr(elf, header.sh_link, sym.st_name), name) == 0)
				value = sym.st_value;
		}
	}
	elf_end(elf);
	close(fd);
	if (!value)
		fail_msg("%s has no symbol %s", path, name);
	return value;
}

/* Where the byte at an address is in the file, by section headers, which the symbolizer does not use. */
static inline uint64_t fixture_offset(const char *path, uint64_t vaddr)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	uint64_t offset = 0;
	Elf_Scn *scn = NULL;
	GElf_Shdr header;
	Elf *elf;

	assert_true(fd >= 0);
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ, NULL);
	while ((scn = elf_nextscn(elf, scn))) {
		gelf_getshdr(scn, &header);
		if ((header.sh_flags & SHF_EXECINSTR) && vaddr >= header.sh_addr &&
		    vaddr - header.sh_addr < header.sh_size)
			offset = vaddr - header.sh_addr + header.sh_offset;
	}
	elf_end(elf);
	close(fd);
	if (!offset)
		fail_msg("%s has no code at %#llx", path, (unsigned long long)vaddr);
	return offset;
}

/* Number of the only line of a source file that has the comment "line: WHAT". */
static inline uint32_t fixture_line(const char *source, const char *what)
{
	char wanted[128], line[512];
	uint32_t number = 0, found = 0;
	FILE *f = fopen(source, "r");

	assert_non_null(f);
	snprintf(wanted, sizeof(wanted), "/* line: %s */", what);
	while (fgets(line, sizeof(line), f)) {
		number++;
		if (strstr(line, wanted))
			found = number;
	}
	fclose(f);
	assert_true(found > 0);
	return found;
}

/* One question, in a symbolizer of its own. */
struct fixture_query {
	const char *
		path; /* recorded path; its build ID is taken from there unless id says otherwise */
	const char *id_from; /* the file whose build ID was recorded; NULL = path */
	const char *dir; /* --symbols, or NULL; then files at the recorded path are used */
	const char *sysroot;
	uint64_t offset; /* in the file */
	struct rpt_map_range map; /* where its code was mapped from, or 0 bytes */
	bool no_inlines, no_lines, no_demangle;
};

struct fixture_answer {
	struct rpt_symbolizer *symbolizer;
	struct rpt_resolution result;
	struct rpt_module_state state;
};

static inline struct fixture_answer fixture_ask(const struct fixture_query *q)
{
	struct rpt_symbol_options options = {
		.symbol_dirs = &q->dir,
		.symbol_dir_count = q->dir ? 1 : 0,
		.sysroot = q->sysroot,
		.no_host_files = q->dir != NULL,
		.no_inlines = q->no_inlines,
		.no_lines = q->no_lines,
		.no_demangle = q->no_demangle,
		.threads = 1,
	};
	struct rpt_symbol_query query = {.file_offset = q->offset};
	struct fixture_answer a = {.symbolizer = rpt_symbolizer_new(&options)};
	struct rpt_module_desc desc = {
		.path = q->path, .maps = &q->map, .map_count = q->map.bytes ? 1 : 0};
	struct rpt_build_id id;

	assert_non_null(a.symbolizer);
	rpt_elf_read_build_id(q->id_from ? q->id_from : q->path, &id);
	desc.build_id = id.data;
	desc.build_id_bytes = id.len;
	query.module = rpt_symbolizer_add(a.symbolizer, &desc);
	assert_true(query.module >= 0);
	assert_int_equal(rpt_symbolizer_resolve(a.symbolizer, &query, 1, NULL, NULL), 0);
	rpt_symbolizer_get_module(a.symbolizer, query.module, &a.state);
	a.result = query.result;
	return a;
}

/* Asks for an address and expects the innermost function; NULL = no name. */
static inline void fixture_expect(const struct fixture_query *q, const char *function)
{
	struct fixture_answer a = fixture_ask(q);
	const char *got = a.result.frame_count ? a.result.frames[0].function : NULL;

	if ((function == NULL) != (got == NULL) || (function && strcmp(function, got) != 0))
		fail_msg("%s+%#llx: %s instead of %s (%s)", q->path, (unsigned long long)q->offset,
			 got ? got : "no name", function ? function : "no name",
			 rpt_symbol_reason_text(a.result.reason));
	assert_int_equal(a.result.reason == RPT_SYM_OK, function != NULL);
	rpt_symbolizer_free(a.symbolizer);
}

#endif
