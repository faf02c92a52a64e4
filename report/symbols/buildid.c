// SPDX-License-Identifier: GPL-2.0-or-later
/* Build IDs of ELF files, from their notes. */
#include "report/symbols/elf.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "format/util/mem.h"

#define GO_BUILD_ID_TAG 4
#define OWNER_BYTES 4 /* of the names "GNU" and "Go", which is padded */

/*
 * Of an ID that is longer than a trace keeps, the recorder takes the end: in a Go ID, that is the part
 * which stands for the content.
 */
static void take_id(const uint8_t *bytes, size_t len, struct rpt_build_id *id)
{
	id->len = PA_MIN(len, sizeof(id->data));
	memcpy(id->data, bytes + (len - id->len), id->len);
}

/* Looks through the notes in one part of the file for the note of an owner. */
static bool find_in_notes(Elf_Data *data, const char *owner, uint32_t type, struct rpt_build_id *id)
{
	size_t offset = 0, next, name_at, desc_at;
	GElf_Nhdr note;

	while ((next = gelf_getnote(data, offset, &note, &name_at, &desc_at)) > 0) {
		const uint8_t *bytes = data->d_buf;

		if (note.n_type == type && note.n_namesz == OWNER_BYTES &&
		    memcmp(bytes + name_at, owner, OWNER_BYTES) == 0 && note.n_descsz > 0) {
			take_id(bytes + desc_at, note.n_descsz, id);
			return true;
		}
		offset = next;
	}
	return false;
}

static bool find_in_segments(Elf *elf, const char *owner, uint32_t type, struct rpt_build_id *id)
{
	size_t count = 0, i;
	GElf_Phdr header;

	elf_getphdrnum(elf, &count);
	for (i = 0; i < count && gelf_getphdr(elf, (int)i, &header); i++) {
		Elf_Data *data;

		if (header.p_type != PT_NOTE)
			continue;
		data = elf_getdata_rawchunk(elf, (int64_t)header.p_offset, header.p_filesz,
					    header.p_align == 8 ? ELF_T_NHDR8 : ELF_T_NHDR);
		if (data && find_in_notes(data, owner, type, id))
			return true;
	}
	return false;
}

static bool find_in_sections(Elf *elf, const char *owner, uint32_t type, struct rpt_build_id *id)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr header;

	while ((scn = elf_nextscn(elf, scn))) {
		Elf_Data *data;

		if (!gelf_getshdr(scn, &header) || header.sh_type != SHT_NOTE)
			continue;
		data = elf_getdata(scn, NULL);
		if (data && find_in_notes(data, owner, type, id))
			return true;
	}
	return false;
}

static void read_notes(Elf *elf, struct rpt_build_id *id)
{
	id->len = 0;
	if (!find_in_segments(elf, "GNU", NT_GNU_BUILD_ID, id) &&
	    !find_in_sections(elf, "GNU", NT_GNU_BUILD_ID, id) &&
	    !find_in_segments(elf, "Go\0", GO_BUILD_ID_TAG, id))
		find_in_sections(elf, "Go\0", GO_BUILD_ID_TAG, id);
}

void rpt_elf_get_build_id(const struct rpt_elf *e, struct rpt_build_id *id)
{
	read_notes(e->elf, id);
}

bool rpt_build_id_equal(const struct rpt_build_id *a, const struct rpt_build_id *b)
{
	return a->len == b->len && a->len > 0 && memcmp(a->data, b->data, a->len) == 0;
}

bool rpt_elf_read_build_id(const char *path, struct rpt_build_id *id)
{
	int fd = rpt_open_regular(path);
	Elf *elf;

	id->len = 0;
	if (fd < 0)
		return false;
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	if (elf && elf_kind(elf) == ELF_K_ELF)
		read_notes(elf, id);
	elf_end(elf);
	close(fd);
	return id->len > 0;
}
