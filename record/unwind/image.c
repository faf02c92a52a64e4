// SPDX-License-Identifier: GPL-2.0-or-later
/* ELF: program headers, and the sections that hold unwind information. */
#include "record/unwind/image.h"

#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "format/util/cursor.h"
#include "format/util/err.h"
#include "record/unwind/dwarf.h"
#include "record/unwind/inflate.h"

/* What of the file header leads on. */
struct elf_header {
	uint64_t ph_offset, sh_offset;
	uint64_t ph_count, sh_count;
	uint64_t names; /* section index */
};

struct section_header {
	uint32_t name, type;
	uint64_t flags, vaddr, offset, bytes;
	uint32_t link, info;
};

static bool read_at(const struct rec_image *im, uint64_t offset, void *out, size_t bytes)
{
	if (offset > im->len || im->len - offset < bytes)
		return false;
	memcpy(out, im->data + offset, bytes);
	return true;
}

static bool read_section(const struct rec_image *im, const struct elf_header *h, uint64_t index,
			 struct section_header *s)
{
	Elf64_Shdr sh;

	if (index >= im->len / sizeof(sh) || h->sh_offset > im->len ||
	    !read_at(im, h->sh_offset + index * sizeof(sh), &sh, sizeof(sh)))
		return false;
	*s = (struct section_header){
		.name = sh.sh_name,
		.type = sh.sh_type,
		.flags = sh.sh_flags,
		.vaddr = sh.sh_addr,
		.offset = sh.sh_offset,
		.bytes = sh.sh_size,
		.link = sh.sh_link,
		.info = sh.sh_info,
	};
	return true;
}

static int read_header(struct rec_image *im, struct elf_header *h)
{
	struct section_header first;
	Elf64_Ehdr eh;

	if (im->len < SELFMAG || memcmp(im->data, ELFMAG, SELFMAG) != 0)
		return PA_E_BAD_MAGIC;
	if (!read_at(im, 0, &eh, sizeof(eh)))
		return PA_E_TRUNCATED;
	if (eh.e_ident[EI_CLASS] != ELFCLASS64 || eh.e_ident[EI_DATA] != ELFDATA2LSB ||
	    (eh.e_type != ET_EXEC && eh.e_type != ET_DYN))
		return PA_E_UNSUPPORTED;
	if (eh.e_machine == EM_X86_64)
		im->arch = EV_UNWIND_X86_64;
	else if (eh.e_machine == EM_AARCH64)
		im->arch = EV_UNWIND_AARCH64;
	else
		return PA_E_UNSUPPORTED;
	if ((eh.e_phnum && eh.e_phentsize != sizeof(Elf64_Phdr)) ||
	    (eh.e_shnum && eh.e_shentsize != sizeof(Elf64_Shdr)))
		return PA_E_CORRUPT;
	*h = (struct elf_header){
		.ph_offset = eh.e_phoff,
		.sh_offset = eh.e_shoff,
		.ph_count = eh.e_phnum,
		.sh_count = eh.e_shnum,
		.names = eh.e_shstrndx,
	};
	/* Counts that do not fit into 16 bits stand in the first section header. */
	if (h->sh_offset && read_section(im, h, 0, &first)) {
		if (h->sh_count == 0)
			h->sh_count = first.bytes;
		if (h->names == SHN_XINDEX)
			h->names = first.link;
		if (h->ph_count == PN_XNUM)
			h->ph_count = first.info;
	}
	return 0;
}

static int add_segment(struct rec_image *im, const Elf64_Phdr *ph)
{
	struct ev_unwind_segment *s;
	uint32_t i;

	if (ph->p_offset > im->len || ph->p_filesz > im->len - ph->p_offset)
		return PA_E_TRUNCATED;
	if (ph->p_filesz == 0)
		return 0;
	if (ph->p_vaddr > UINT64_MAX - ph->p_filesz)
		return PA_E_CORRUPT;
	if (im->exec_count == EV_UNWIND_MAX_SEGMENTS)
		return PA_E_LIMIT;
	for (i = im->exec_count; i > 0 && im->exec[i - 1].vaddr > ph->p_vaddr; i--)
		im->exec[i] = im->exec[i - 1];
	s = &im->exec[i];
	*s = (struct ev_unwind_segment){ph->p_vaddr, ph->p_offset, ph->p_filesz};
	im->exec_count++;
	if ((i > 0 && s[-1].vaddr + s[-1].bytes > s->vaddr) ||
	    (i + 1 < im->exec_count && s->vaddr + s->bytes > s[1].vaddr))
		return PA_E_CORRUPT;
	return 0;
}

/* The rest of the loaded segment that holds vaddr. */
static void loaded_from(const struct rec_image *im, const struct elf_header *h, uint64_t vaddr,
			struct rec_image_section *s)
{
	Elf64_Phdr ph;
	uint64_t i, skip;

	for (i = 0; i < h->ph_count; i++) {
		if (!read_at(im, h->ph_offset + i * sizeof(ph), &ph, sizeof(ph)))
			return;
		skip = vaddr - ph.p_vaddr;
		if (ph.p_type != PT_LOAD || vaddr < ph.p_vaddr || skip >= ph.p_filesz ||
		    ph.p_offset > im->len || ph.p_filesz > im->len - ph.p_offset)
			continue;
		s->data = im->data + ph.p_offset + skip;
		s->len = ph.p_filesz - skip;
		s->vaddr = vaddr;
		s->zero_ends = true;
		return;
	}
}

/* .eh_frame_hdr: version, three encodings, and a pointer to .eh_frame. */
static void follow_eh_frame_hdr(struct rec_image *im, const struct elf_header *h,
				const Elf64_Phdr *hdr)
{
	struct pa_cursor c;
	uint8_t version, encoding;
	uint64_t vaddr;

	if (hdr->p_offset > im->len)
		return;
	pa_cursor_init(&c, im->data + hdr->p_offset, im->len - hdr->p_offset);
	version = pa_cursor_u8(&c);
	encoding = pa_cursor_u8(&c);
	pa_cursor_u16(&c);
	vaddr = rec_dwarf_pointer(&c, encoding, hdr->p_vaddr);
	if (!pa_cursor_error(&c) && version == 1)
		loaded_from(im, h, vaddr, &im->eh_frame);
}

static int read_segments(struct rec_image *im, const struct elf_header *h)
{
	Elf64_Phdr ph;
	uint64_t i;
	int err = 0;

	if (h->ph_count > im->len / sizeof(ph) || h->ph_offset > im->len)
		return PA_E_TRUNCATED;
	for (i = 0; i < h->ph_count && !err; i++) {
		if (!read_at(im, h->ph_offset + i * sizeof(ph), &ph, sizeof(ph)))
			return PA_E_TRUNCATED;
		if (ph.p_type == PT_LOAD && ph.p_flags & PF_X)
			err = add_segment(im, &ph);
		else if (ph.p_type == PT_GNU_EH_FRAME)
			follow_eh_frame_hdr(im, h, &ph);
	}
	return err;
}

static bool has_name(const struct rec_image *im, const struct section_header *names, uint32_t at,
		     const char *want)
{
	size_t len = strlen(want) + 1;

	return at <= names->bytes && names->bytes - at >= len && names->offset <= im->len &&
	       im->len - names->offset >= names->bytes &&
	       memcmp(im->data + names->offset + at, want, len) == 0;
}

/* Takes over a section of debug information, decompressed where it has to be. */
static int take_debug_frame(struct rec_image *im, const struct section_header *s, bool old_style)
{
	struct rec_image_section *d = &im->debug_frame;
	const uint8_t *data = im->data + s->offset;
	int err = 0;

	if (d->data)
		return 0;
	if (old_style)
		err = rec_inflate_zdebug(data, s->bytes, &im->inflated, &d->len);
	else if (s->flags & SHF_COMPRESSED)
		err = rec_inflate_section(data, s->bytes, &im->inflated, &d->len);
	else
		d->len = s->bytes;
	/* What cannot be decompressed is as good as not there. */
	if (err)
		return err == -ENOMEM ? err : 0;
	d->data = im->inflated ? im->inflated : data;
	return 0;
}

static int read_sections(struct rec_image *im, const struct elf_header *h)
{
	struct section_header names, s;
	uint64_t i;
	int err = 0;

	if (!h->sh_offset || !read_section(im, h, h->names, &names))
		return 0;
	for (i = 1; i < h->sh_count && !err && read_section(im, h, i, &s); i++) {
		if (has_name(im, &names, s.name, ".gopclntab"))
			im->go = true;
		if (s.type == SHT_NOBITS || s.offset > im->len || s.bytes > im->len - s.offset)
			continue;
		if (has_name(im, &names, s.name, ".eh_frame"))
			im->eh_frame = (struct rec_image_section){im->data + s.offset, s.bytes,
								  s.vaddr, false};
		else if (has_name(im, &names, s.name, ".debug_frame"))
			err = take_debug_frame(im, &s, false);
		else if (has_name(im, &names, s.name, ".zdebug_frame"))
			err = take_debug_frame(im, &s, true);
	}
	return err;
}

int rec_image_open(struct rec_image *im, const void *data, size_t len)
{
	struct elf_header h;
	int err;

	*im = (struct rec_image){.data = data, .len = len};
	err = read_header(im, &h);
	if (!err)
		err = read_segments(im, &h);
	if (!err)
		err = read_sections(im, &h);
	if (err)
		rec_image_close(im);
	return err;
}

void rec_image_close(struct rec_image *im)
{
	free(im->inflated);
	*im = (struct rec_image){0};
}

const struct ev_unwind_segment *rec_image_segment(const struct rec_image *im, uint64_t vaddr)
{
	uint32_t i;

	for (i = 0; i < im->exec_count; i++) {
		const struct ev_unwind_segment *s = &im->exec[i];

		if (vaddr >= s->vaddr && vaddr - s->vaddr < s->bytes)
			return s;
	}
	return NULL;
}

const uint8_t *rec_image_code(const struct rec_image *im, uint64_t vaddr, size_t *left)
{
	const struct ev_unwind_segment *s = rec_image_segment(im, vaddr);

	*left = s ? s->bytes - (vaddr - s->vaddr) : 0;
	return s ? im->data + s->offset + (vaddr - s->vaddr) : NULL;
}
