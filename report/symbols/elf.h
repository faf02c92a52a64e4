/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One ELF file, opened for reading: segments and the arithmetic from file offsets to addresses, sections
 * with their content decompressed, notes. Nothing in the file is trusted.
 */
#ifndef RPT_ELF_H
#define RPT_ELF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gelf.h>

#include "format/pa-format.h"
#include "report/symbols/ranges.h"

/* Borrowed bytes; data is NULL when there are none. */
struct rpt_bytes {
	const uint8_t *data;
	size_t len;
};

struct rpt_build_id {
	uint8_t data[PA_MAX_BUILD_ID_BYTES];
	size_t len; /* 0 = none */
};

struct rpt_section {
	const char *name; /* "" when the file has no valid one */
	Elf_Scn *scn;
	GElf_Shdr header;
	uint8_t *inflated; /* owned; the content when it was compressed */
	size_t inflated_bytes;
	bool is_64bit;
	bool broken; /* compressed in a way that cannot be read */
};

/* A part of the file that is loaded as code, or could be. */
struct rpt_segment {
	uint64_t offset;
	uint64_t file_bytes;
	uint64_t vaddr;
	uint64_t mem_bytes;
	bool executable;
};

struct rpt_elf {
	char *path; /* owned; for messages */
	uint8_t *image; /* owned, or NULL */
	Elf *elf;
	GElf_Ehdr header;
	struct rpt_segment *segments; /* owned */
	size_t segment_count;
	struct rpt_section *sections; /* owned; by section number */
	size_t section_count;
	struct rpt_ranges code; /* addresses that can be executed; values mean nothing */
};

/* A descriptor of a regular file that is not empty, or -1; nothing that blocks, such as a FIFO. */
int rpt_open_regular(const char *path);
/* NULL when path is no regular file or no ELF file. */
struct rpt_elf *rpt_elf_open(const char *path);
/* The same with a descriptor of the file, which is closed in any case; path is for messages. */
struct rpt_elf *rpt_elf_open_fd(const char *path, int fd);
/* The file is in memory that the caller keeps; name is for messages. */
struct rpt_elf *rpt_elf_open_image(const char *name, const uint8_t *image, size_t bytes);
void rpt_elf_free(struct rpt_elf *e);

/* The GNU build ID, or else Go's, or else none. */
void rpt_elf_get_build_id(const struct rpt_elf *e, struct rpt_build_id *id);
bool rpt_build_id_equal(const struct rpt_build_id *a, const struct rpt_build_id *b);
/* The build ID of the file at path, cheaply; false when there is none. */
bool rpt_elf_read_build_id(const char *path, struct rpt_build_id *id);

/* Whether code is in the file, as against a separate debug file that only describes it. */
bool rpt_elf_has_code(const struct rpt_elf *e);
/*
 * Says where in the original file the code was that e, a separate debug file, describes: bytes of it were
 * mapped from offset on. True when exactly one segment of e is as large as that, in pages, so that it must
 * be the one.
 */
bool rpt_elf_place_code(struct rpt_elf *e, uint64_t offset, uint64_t bytes);
/* The address that the byte at offset has in the file's own terms; false when it is no code. */
bool rpt_elf_get_vaddr(const struct rpt_elf *e, uint64_t offset, uint64_t *vaddr);
bool rpt_elf_is_code(const struct rpt_elf *e, uint64_t vaddr);

/* The first section with this name that has content, or NULL. */
struct rpt_section *rpt_elf_find_section(const struct rpt_elf *e, const char *name);
/* Content of a section as it was before compression; borrowed from e. */
struct rpt_bytes rpt_section_read(struct rpt_section *section);
/* The same by name; "debug_x" is also found as ".zdebug_x". */
struct rpt_bytes rpt_elf_read_section(const struct rpt_elf *e, const char *name);
/* A terminated string at offset of bytes, or NULL. */
const char *rpt_bytes_string(struct rpt_bytes bytes, uint64_t offset);

#endif
