// SPDX-License-Identifier: GPL-2.0-or-later
/* ELF files: opening, segments, sections. */
#include "report/symbols/elf.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "report/xmem.h"

#define PAGE_BYTES 4096

/* What the file says it loads. Segments that take no bytes from the file claim no file offset. */
static void read_segments(struct rpt_elf *e)
{
	size_t count = 0, i;
	GElf_Phdr header;

	if (elf_getphdrnum(e->elf, &count) < 0)
		return;
	for (i = 0; i < count; i++) {
		bool executable;

		if (!gelf_getphdr(e->elf, (int)i, &header))
			break;
		if (header.p_type != PT_LOAD)
			continue;
		executable = header.p_flags & PF_X;
		e->segments = rpt_xrealloc(e->segments, e->segment_count + 1, sizeof(*e->segments));
		e->segments[e->segment_count++] = (struct rpt_segment){
			.offset = header.p_offset,
			.file_bytes = header.p_filesz,
			.vaddr = header.p_vaddr,
			.mem_bytes = header.p_memsz,
			.executable = executable,
		};
		if (executable)
			rpt_ranges_add(&e->code, header.p_vaddr, header.p_vaddr + header.p_memsz,
				       0);
	}
}

static void read_sections(struct rpt_elf *e)
{
	bool is_64bit = gelf_getclass(e->elf) == ELFCLASS64;
	size_t names = 0, i;

	/* libelf has checked the number against the size of the file. */
	if (elf_getshdrnum(e->elf, &e->section_count) < 0)
		e->section_count = 0;
	elf_getshdrstrndx(e->elf, &names);
	e->sections = rpt_xcalloc(e->section_count, sizeof(*e->sections));
	for (i = 0; i < e->section_count; i++) {
		struct rpt_section *section = &e->sections[i];
		const char *name = NULL;

		section->name = "";
		section->is_64bit = is_64bit;
		section->scn = elf_getscn(e->elf, i);
		if (!section->scn || !gelf_getshdr(section->scn, &section->header)) {
			section->scn = NULL;
			continue;
		}
		if (names)
			name = elf_strptr(e->elf, names, section->header.sh_name);
		if (name)
			section->name = name;
	}
}

/* Files that a JIT wrote may have no program headers: then their sections say what is where. */
static void read_segments_from_sections(struct rpt_elf *e)
{
	size_t i;

	for (i = 1; i < e->section_count; i++) {
		const GElf_Shdr *header = &e->sections[i].header;
		bool executable = header->sh_flags & SHF_EXECINSTR;

		if (!(header->sh_flags & SHF_ALLOC))
			continue;
		e->segments = rpt_xrealloc(e->segments, e->segment_count + 1, sizeof(*e->segments));
		e->segments[e->segment_count++] = (struct rpt_segment){
			.offset = header->sh_offset,
			.file_bytes = header->sh_type == SHT_NOBITS ? 0 : header->sh_size,
			.vaddr = header->sh_addr,
			.mem_bytes = header->sh_size,
			.executable = executable,
		};
		if (executable)
			rpt_ranges_add(&e->code, header->sh_addr, header->sh_addr + header->sh_size,
				       0);
	}
}

/* Fills in an opened file; frees it when it is no ELF file. */
static struct rpt_elf *begin(struct rpt_elf *e)
{
	if (!e->elf || elf_kind(e->elf) != ELF_K_ELF || !gelf_getehdr(e->elf, &e->header)) {
		rpt_elf_free(e);
		return NULL;
	}
	read_segments(e);
	read_sections(e);
	if (e->segment_count == 0 && e->header.e_type != ET_REL)
		read_segments_from_sections(e);
	rpt_ranges_flatten(&e->code);
	return e;
}

int rpt_open_regular(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat st;

	if (fd >= 0 && (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) || st.st_size == 0)) {
		close(fd);
		fd = -1;
	}
	return fd;
}

struct rpt_elf *rpt_elf_open(const char *path)
{
	int fd = rpt_open_regular(path);

	return fd < 0 ? NULL : rpt_elf_open_fd(path, fd);
}

struct rpt_elf *rpt_elf_open_fd(const char *path, int fd)
{
	struct rpt_elf *e = rpt_xcalloc(1, sizeof(*e));

	elf_version(EV_CURRENT);
	e->path = rpt_xstrdup(path);
	e->elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	/* The file stays mapped: a program may have more split debug files than descriptors. */
	if (e->elf)
		elf_cntl(e->elf, ELF_C_FDREAD);
	close(fd);
	return begin(e);
}

struct rpt_elf *rpt_elf_open_image(const char *name, const uint8_t *image, size_t bytes)
{
	struct rpt_elf *e = rpt_xcalloc(1, sizeof(*e));

	elf_version(EV_CURRENT);
	e->path = rpt_xstrdup(name);
	/* libelf wants memory that it could write to. */
	e->image = rpt_xmalloc(bytes);
	memcpy(e->image, image, bytes);
	e->elf = elf_memory((char *)e->image, bytes);
	return begin(e);
}

void rpt_elf_free(struct rpt_elf *e)
{
	size_t i;

	if (!e)
		return;
	for (i = 0; i < e->section_count; i++)
		free(e->sections[i].inflated);
	elf_end(e->elf);
	rpt_ranges_fini(&e->code);
	free(e->sections);
	free(e->segments);
	free(e->image);
	free(e->path);
	free(e);
}

bool rpt_elf_has_code(const struct rpt_elf *e)
{
	size_t i;

	for (i = 0; i < e->segment_count; i++) {
		if (e->segments[i].executable && e->segments[i].file_bytes)
			return true;
	}
	return false;
}

bool rpt_elf_place_code(struct rpt_elf *e, uint64_t offset, uint64_t bytes)
{
	struct rpt_segment *found = NULL;
	size_t i;

	for (i = 0; i < e->segment_count; i++) {
		struct rpt_segment *s = &e->segments[i];
		uint64_t in_page = s->vaddr % PAGE_BYTES, end;

		if (!s->executable || !pa_add_ok(in_page, s->mem_bytes, &end))
			continue;
		if (end / PAGE_BYTES + (end % PAGE_BYTES != 0) != bytes / PAGE_BYTES)
			continue;
		if (found)
			return false;
		found = s;
	}
	if (!found || bytes % PAGE_BYTES || offset % PAGE_BYTES)
		return false;
	found->offset = offset + found->vaddr % PAGE_BYTES;
	found->file_bytes = found->mem_bytes;
	return true;
}

bool rpt_elf_get_vaddr(const struct rpt_elf *e, uint64_t offset, uint64_t *vaddr)
{
	size_t i;

	/* Only code can have been executed: another segment that shares the page is passed over. */
	for (i = 0; i < e->segment_count; i++) {
		const struct rpt_segment *s = &e->segments[i];

		if (!s->executable || offset < s->offset || offset - s->offset >= s->file_bytes)
			continue;
		*vaddr = offset - s->offset + s->vaddr;
		return true;
	}
	return false;
}

bool rpt_elf_is_code(const struct rpt_elf *e, uint64_t vaddr)
{
	uint32_t unused;

	return rpt_ranges_find(&e->code, vaddr, &unused);
}
