// SPDX-License-Identifier: GPL-2.0-or-later
/* Content of ELF sections: found by name, decompressed when needed. */
#include "report/symbols/elf.h"

#include <stdlib.h>
#include <string.h>

#include <zlib.h>
#include <zstd.h>

#include "format/util/cleanup.h"
#include "report/xmem.h"

/* How much larger than its compressed form a section may claim to be: zlib's own limit. */
#define MAX_RATIO 1032
/* ELFCOMPRESS_ZSTD, which the elf.h of older C libraries lacks. */
#define COMPRESS_ZSTD 2
/* How far a string's end is looked for; without a limit, many strings without one would cost time. */
#define MAX_STRING 4096
/* "ZLIB" and the size before compression, as eight bytes, most significant first. */
#define OLD_HEADER_BYTES 12

static struct rpt_bytes get_raw(const struct rpt_section *section)
{
	Elf_Data *data;

	if (!section->scn || section->header.sh_type == SHT_NOBITS)
		return (struct rpt_bytes){0};
	data = elf_rawdata(section->scn, NULL);
	if (!data || !data->d_buf)
		return (struct rpt_bytes){0};
	return (struct rpt_bytes){data->d_buf, data->d_size};
}

static bool inflate_zlib(struct rpt_bytes in, uint8_t *out, size_t bytes)
{
	z_stream z = {.next_in = (Bytef *)(uintptr_t)in.data, .next_out = out};
	size_t left_in = in.len, left_out = bytes;
	int r = Z_OK;

	if (inflateInit(&z) != Z_OK)
		return false;
	/* zlib counts in unsigned int: large sections go through in parts. */
	while (r == Z_OK && left_out) {
		uInt in_part = (uInt)PA_MIN(left_in, (size_t)1 << 30);
		uInt out_part = (uInt)PA_MIN(left_out, (size_t)1 << 30);

		z.avail_in = in_part;
		z.avail_out = out_part;
		r = inflate(&z, Z_NO_FLUSH);
		if (z.avail_in == in_part && z.avail_out == out_part)
			break;
		left_in -= in_part - z.avail_in;
		left_out -= out_part - z.avail_out;
	}
	inflateEnd(&z);
	return (r == Z_OK || r == Z_STREAM_END) && left_out == 0;
}

static bool inflate_zstd(struct rpt_bytes in, uint8_t *out, size_t bytes)
{
	return ZSTD_decompress(out, bytes, in.data, in.len) == bytes;
}

/* Replaces the section's content by what in holds, which are bytes when decompressed. */
static void expand(struct rpt_section *section, struct rpt_bytes in, uint64_t bytes,
		   uint32_t method)
{
	bool ok;

	section->broken = true;
	if (bytes == 0 || bytes / MAX_RATIO > in.len)
		return;
	section->inflated = malloc(bytes);
	if (!section->inflated)
		return;
	if (method == ELFCOMPRESS_ZLIB)
		ok = inflate_zlib(in, section->inflated, bytes);
	else
		ok = method == COMPRESS_ZSTD && inflate_zstd(in, section->inflated, bytes);
	if (ok) {
		section->inflated_bytes = bytes;
		section->broken = false;
	} else {
		free(pa_steal(&section->inflated));
	}
}

static void expand_compressed(struct rpt_section *section, struct rpt_bytes raw)
{
	size_t header_bytes = section->is_64bit ? sizeof(Elf64_Chdr) : sizeof(Elf32_Chdr);
	struct rpt_bytes in = {raw.data + header_bytes, raw.len - header_bytes};
	GElf_Chdr header;

	section->broken = true;
	if (raw.len > header_bytes && gelf_getchdr(section->scn, &header))
		expand(section, in, header.ch_size, header.ch_type);
}

/* The way of .zdebug_* sections, from before there was a flag for it. */
static void expand_old(struct rpt_section *section, struct rpt_bytes raw)
{
	struct rpt_bytes in = {raw.data + OLD_HEADER_BYTES, raw.len - OLD_HEADER_BYTES};
	uint64_t bytes = 0;
	int i;

	for (i = 4; i < OLD_HEADER_BYTES; i++)
		bytes = bytes << 8 | raw.data[i];
	expand(section, in, bytes, ELFCOMPRESS_ZLIB);
}

struct rpt_bytes rpt_section_read(struct rpt_section *section)
{
	struct rpt_bytes raw = get_raw(section);

	if (raw.data && !section->inflated && !section->broken) {
		if (section->header.sh_flags & SHF_COMPRESSED)
			expand_compressed(section, raw);
		else if (strncmp(section->name, ".zdebug", 7) == 0 && raw.len > OLD_HEADER_BYTES &&
			 memcmp(raw.data, "ZLIB", 4) == 0)
			expand_old(section, raw);
	}
	if (section->broken)
		return (struct rpt_bytes){0};
	if (section->inflated)
		return (struct rpt_bytes){section->inflated, section->inflated_bytes};
	return raw;
}

struct rpt_section *rpt_elf_find_section(const struct rpt_elf *e, const char *name)
{
	size_t i;

	for (i = 1; i < e->section_count; i++) {
		if (e->sections[i].header.sh_type != SHT_NOBITS &&
		    strcmp(e->sections[i].name, name) == 0)
			return &e->sections[i];
	}
	return NULL;
}

struct rpt_bytes rpt_elf_read_section(const struct rpt_elf *e, const char *name)
{
	struct rpt_section *section = rpt_elf_find_section(e, name);
	char old_name[64];

	if (!section && strncmp(name, ".debug", 6) == 0) {
		snprintf(old_name, sizeof(old_name), ".z%s", name + 1);
		section = rpt_elf_find_section(e, old_name);
	}
	return section ? rpt_section_read(section) : (struct rpt_bytes){0};
}

const char *rpt_bytes_string(struct rpt_bytes bytes, uint64_t offset)
{
	const char *text;

	if (offset >= bytes.len)
		return NULL;
	text = (const char *)bytes.data + offset;
	/* A table of strings ends with a terminated one: then all are. */
	if (bytes.data[bytes.len - 1] == '\0')
		return text;
	return memchr(text, '\0', PA_MIN(bytes.len - offset, (size_t)MAX_STRING)) ? text : NULL;
}
