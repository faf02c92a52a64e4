// SPDX-License-Identifier: GPL-2.0-or-later
/* Build ID of an ELF file: headers and notes read with pread, every offset and size distrusted. */
#include "record/elfid.h"

#include <elf.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "format/util/err.h"
#include "format/util/mem.h"

#define MAX_HEADERS 65536u /* program or section headers that are looked at */
#define MAX_NOTES_BYTES 65536u /* of one segment or section: build IDs stand near the front */
#define MAX_ALL_NOTES_BYTES (1u << 20) /* of all of them together */
#define HEADERS_PER_READ 64u
#define NT_GO_BUILD_ID 4

/* The fields of the file's headers that are needed, whatever its class and byte order. */
struct elf_file {
	int fd;
	bool big_endian;
	bool wide; /* 64 bits */
	uint64_t phoff, shoff;
	uint32_t phnum, shnum;
	uint32_t phentsize, shentsize;
	size_t notes_left; /* bytes of notes that may still be read */
};

/* A segment or section, as far as notes are concerned. */
struct extent {
	uint32_t type;
	uint64_t offset, size, align;
};

static uint64_t read_uint(const uint8_t *p, unsigned bytes, bool big_endian)
{
	uint64_t v = 0;
	unsigned i;

	for (i = 0; i < bytes; i++)
		v = v << 8 | p[big_endian ? i : bytes - 1 - i];
	return v;
}

/* Up to len bytes at offset; how many there were, or -errno. */
static ssize_t read_at(int fd, void *data, size_t len, uint64_t offset)
{
	uint8_t *p = data;
	size_t done = 0;

	if (offset > INT64_MAX - len)
		return 0;
	while (done < len) {
		ssize_t n = pread(fd, p + done, len - done, (off_t)(offset + done));

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (n == 0)
			break;
		done += (size_t)n;
	}
	return (ssize_t)done;
}

/* --- notes --- */

static void take_id(struct rec_build_id *id, uint32_t kind, const uint8_t *desc, uint32_t len)
{
	if (len > PA_MAX_BUILD_ID_BYTES) {
		desc += len - PA_MAX_BUILD_ID_BYTES;
		len = PA_MAX_BUILD_ID_BYTES;
	}
	id->kind = kind;
	id->len = len;
	memcpy(id->bytes, desc, len);
}

static void consider_note(uint32_t type, const uint8_t *name, uint32_t name_len,
			  const uint8_t *desc, uint32_t desc_len, struct rec_build_id *id)
{
	if (desc_len == 0 || name_len != 4 || id->kind == PA_BUILD_ID_GNU)
		return;
	if (type == NT_GNU_BUILD_ID && memcmp(name, "GNU", 4) == 0 &&
	    desc_len <= PA_MAX_BUILD_ID_BYTES)
		take_id(id, PA_BUILD_ID_GNU, desc, desc_len);
	else if (type == NT_GO_BUILD_ID && memcmp(name, "Go\0", 4) == 0 &&
		 id->kind == PA_BUILD_ID_NONE)
		take_id(id, PA_BUILD_ID_GO, desc, desc_len);
}

void rec_elfid_from_notes(const void *notes, size_t len, bool big_endian, unsigned align,
			  struct rec_build_id *id)
{
	const uint8_t *p = notes;
	size_t pos = 0;

	while (pos <= len && len - pos >= 12) {
		uint32_t name_len = (uint32_t)read_uint(p + pos, 4, big_endian);
		uint32_t desc_len = (uint32_t)read_uint(p + pos + 4, 4, big_endian);
		uint32_t type = (uint32_t)read_uint(p + pos + 8, 4, big_endian);
		uint64_t name = pos + 12;
		uint64_t desc = (name + name_len + align - 1) & ~(uint64_t)(align - 1);

		/* All are below 2^33 here: the sums don't overflow. */
		if (name + name_len > len || desc > len || desc_len > len - desc)
			return;
		consider_note(type, p + name, name_len, p + desc, desc_len, id);
		pos = (size_t)((desc + desc_len + align - 1) & ~(uint64_t)(align - 1));
	}
}

static int read_notes(struct elf_file *f, const struct extent *e, struct rec_build_id *id)
{
	uint8_t notes[MAX_NOTES_BYTES];
	size_t len = (size_t)PA_MIN(e->size, PA_MIN(sizeof(notes), f->notes_left));
	ssize_t n = read_at(f->fd, notes, len, e->offset);

	if (n < 0)
		return (int)n;
	f->notes_left -= (size_t)n;
	rec_elfid_from_notes(notes, (size_t)n, f->big_endian, e->align == 8 ? 8 : 4, id);
	return 0;
}

/* --- headers --- */

static void parse_segment(const struct elf_file *f, const uint8_t *p, struct extent *e)
{
	bool big = f->big_endian;

	e->type = (uint32_t)read_uint(p, 4, big);
	if (f->wide) {
		e->offset = read_uint(p + offsetof(Elf64_Phdr, p_offset), 8, big);
		e->size = read_uint(p + offsetof(Elf64_Phdr, p_filesz), 8, big);
		e->align = read_uint(p + offsetof(Elf64_Phdr, p_align), 8, big);
	} else {
		e->offset = read_uint(p + offsetof(Elf32_Phdr, p_offset), 4, big);
		e->size = read_uint(p + offsetof(Elf32_Phdr, p_filesz), 4, big);
		e->align = read_uint(p + offsetof(Elf32_Phdr, p_align), 4, big);
	}
}

static void parse_section(const struct elf_file *f, const uint8_t *p, struct extent *e)
{
	bool big = f->big_endian;

	e->type = (uint32_t)read_uint(p + offsetof(Elf64_Shdr, sh_type), 4, big);
	if (f->wide) {
		e->offset = read_uint(p + offsetof(Elf64_Shdr, sh_offset), 8, big);
		e->size = read_uint(p + offsetof(Elf64_Shdr, sh_size), 8, big);
		e->align = read_uint(p + offsetof(Elf64_Shdr, sh_addralign), 8, big);
	} else {
		e->offset = read_uint(p + offsetof(Elf32_Shdr, sh_offset), 4, big);
		e->size = read_uint(p + offsetof(Elf32_Shdr, sh_size), 4, big);
		e->align = read_uint(p + offsetof(Elf32_Shdr, sh_addralign), 4, big);
	}
}

struct header_table {
	uint64_t offset;
	uint32_t count, entry_bytes;
	uint32_t wanted; /* type of the entries whose notes are read */
	void (*parse)(const struct elf_file *f, const uint8_t *p, struct extent *e);
};

/* Reads the notes that a table of headers names, until a GNU build ID is found. */
static int scan_table(struct elf_file *f, const struct header_table *t, struct rec_build_id *id)
{
	uint8_t raw[HEADERS_PER_READ * sizeof(Elf64_Shdr)];
	const uint32_t per_read = (uint32_t)(sizeof(raw) / t->entry_bytes);
	uint32_t done = 0, i, n;

	while (done < t->count && id->kind != PA_BUILD_ID_GNU) {
		uint64_t at = t->offset + (uint64_t)done * t->entry_bytes;
		ssize_t got;

		n = PA_MIN(t->count - done, per_read);
		got = at < t->offset ? 0 : read_at(f->fd, raw, (size_t)n * t->entry_bytes, at);
		if (got < 0)
			return (int)got;
		if ((size_t)got < (size_t)n * t->entry_bytes)
			return PA_E_TRUNCATED;
		for (i = 0; i < n && id->kind != PA_BUILD_ID_GNU; i++) {
			struct extent e;
			int err;

			t->parse(f, raw + (size_t)i * t->entry_bytes, &e);
			err = e.type == t->wanted ? read_notes(f, &e, id) : 0;
			if (err < 0)
				return err;
		}
		done += n;
	}
	return 0;
}

static int parse_header(struct elf_file *f)
{
	uint8_t raw[sizeof(Elf64_Ehdr)] = {0};
	const uint8_t *tail;
	ssize_t n = read_at(f->fd, raw, sizeof(raw), 0);

	if (n < 0)
		return (int)n;
	if (n < EI_NIDENT || memcmp(raw, ELFMAG, SELFMAG) != 0)
		return PA_E_BAD_MAGIC;
	if (raw[EI_CLASS] != ELFCLASS32 && raw[EI_CLASS] != ELFCLASS64)
		return PA_E_CORRUPT;
	if (raw[EI_DATA] != ELFDATA2LSB && raw[EI_DATA] != ELFDATA2MSB)
		return PA_E_CORRUPT;
	f->wide = raw[EI_CLASS] == ELFCLASS64;
	f->big_endian = raw[EI_DATA] == ELFDATA2MSB;
	if ((size_t)n < (f->wide ? sizeof(Elf64_Ehdr) : sizeof(Elf32_Ehdr)))
		return PA_E_TRUNCATED;
	if (f->wide) {
		f->phoff = read_uint(raw + offsetof(Elf64_Ehdr, e_phoff), 8, f->big_endian);
		f->shoff = read_uint(raw + offsetof(Elf64_Ehdr, e_shoff), 8, f->big_endian);
	} else {
		f->phoff = read_uint(raw + offsetof(Elf32_Ehdr, e_phoff), 4, f->big_endian);
		f->shoff = read_uint(raw + offsetof(Elf32_Ehdr, e_shoff), 4, f->big_endian);
	}
	/* The last six fields of the header are 16 bits wide in both classes. */
	tail = raw +
	       (f->wide ? offsetof(Elf64_Ehdr, e_phentsize) : offsetof(Elf32_Ehdr, e_phentsize));
	f->phentsize = (uint32_t)read_uint(tail, 2, f->big_endian);
	f->phnum = (uint32_t)read_uint(tail + 2, 2, f->big_endian);
	f->shentsize = (uint32_t)read_uint(tail + 4, 2, f->big_endian);
	f->shnum = (uint32_t)read_uint(tail + 6, 2, f->big_endian);
	return 0;
}

/* Where a count did not fit into 16 bits, the first section header holds it. */
static int read_large_counts(struct elf_file *f)
{
	uint8_t raw[sizeof(Elf64_Shdr)];
	ssize_t n;

	if (f->shoff == 0 || (f->shnum != 0 && f->phnum != PN_XNUM))
		return 0;
	n = read_at(f->fd, raw, f->shentsize, f->shoff);
	if (n < 0)
		return (int)n;
	if ((size_t)n < f->shentsize)
		return PA_E_TRUNCATED;
	if (f->shnum == 0) {
		uint64_t count =
			f->wide ? read_uint(raw + offsetof(Elf64_Shdr, sh_size), 8, f->big_endian) :
				  read_uint(raw + offsetof(Elf32_Shdr, sh_size), 4, f->big_endian);

		f->shnum = (uint32_t)PA_MIN(count, MAX_HEADERS);
	}
	if (f->phnum == PN_XNUM)
		f->phnum = (uint32_t)read_uint(raw + (f->wide ? offsetof(Elf64_Shdr, sh_info) :
								offsetof(Elf32_Shdr, sh_info)),
					       4, f->big_endian);
	return 0;
}

int rec_elfid_read(int fd, struct rec_build_id *id)
{
	struct elf_file f = {.fd = fd, .notes_left = MAX_ALL_NOTES_BYTES};
	struct header_table segments = {.wanted = PT_NOTE, .parse = parse_segment};
	struct header_table sections = {.wanted = SHT_NOTE, .parse = parse_section};
	int err;

	*id = (struct rec_build_id){.kind = PA_BUILD_ID_NONE};
	err = parse_header(&f);
	if (err < 0)
		return err;
	segments.entry_bytes = f.wide ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr);
	sections.entry_bytes = f.wide ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr);
	if ((f.phoff && f.phnum && f.phentsize != segments.entry_bytes) ||
	    (f.shoff && f.shentsize != sections.entry_bytes))
		return PA_E_CORRUPT;
	err = read_large_counts(&f);
	if (err == 0 && f.phoff) {
		segments.offset = f.phoff;
		segments.count = PA_MIN(f.phnum, MAX_HEADERS);
		err = scan_table(&f, &segments, id);
	}
	/* Object files, kernel modules among them, have notes in sections only. */
	if (err == 0 && f.shoff && id->kind == PA_BUILD_ID_NONE) {
		sections.offset = f.shoff;
		sections.count = PA_MIN(f.shnum, MAX_HEADERS);
		err = scan_table(&f, &sections, id);
	}
	return err;
}
