// SPDX-License-Identifier: GPL-2.0-or-later
/* The layouts of separate debug files that debuggers have agreed upon. */
#include "report/symbols/debuglink.h"

#include <string.h>

#include <zlib.h>

#include "format/util/buf.h"
#include "report/xmem.h"

struct link {
	const char *name; /* borrowed from the file */
	uint32_t crc;
	const struct rpt_wanted *wanted;
	const char *recorded_dir; /* borrowed; not terminated */
	size_t recorded_dir_len;
	struct pa_buf path;
};

/* The name, terminated, padded to four bytes, and the CRC in the file's byte order. */
static bool read_link(const struct rpt_elf *code, struct link *link)
{
	struct rpt_bytes bytes = rpt_elf_read_section(code, ".gnu_debuglink");
	const uint8_t *p;
	size_t at;

	link->name = rpt_bytes_string(bytes, 0);
	if (!link->name || !*link->name || strchr(link->name, '/'))
		return false;
	at = (strlen(link->name) + 4) / 4 * 4;
	if (bytes.len < at + 4)
		return false;
	p = bytes.data + at;
	if (code->header.e_ident[EI_DATA] == ELFDATA2MSB)
		link->crc =
			(uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
	else
		link->crc =
			(uint32_t)p[3] << 24 | (uint32_t)p[2] << 16 | (uint32_t)p[1] << 8 | p[0];
	return true;
}

static uint32_t get_crc(const struct rpt_elf *e)
{
	size_t bytes = 0;
	const char *data = elf_rawfile(e->elf, &bytes);

	return data ? (uint32_t)crc32_z(0, (const Bytef *)data, bytes) : 0;
}

static struct rpt_elf *open_candidate(const struct link *link)
{
	enum rpt_place_result result = RPT_PLACE_USED;
	struct rpt_trail *trail = link->wanted->trail;
	struct rpt_build_id id;
	const char *path;
	struct rpt_elf *e;

	rpt_xcheck(pa_buf_error(&link->path));
	path = pa_buf_str(&link->path);
	e = rpt_elf_open(path);
	if (!e) {
		rpt_trail_add(trail, RPT_PLACE_DEBUG, path, RPT_PLACE_ABSENT, NULL);
		return NULL;
	}
	rpt_elf_get_build_id(e, &id);
	if (id.len && !rpt_build_id_equal(&id, &link->wanted->id))
		result = RPT_PLACE_OTHER_ID;
	else if (!id.len && get_crc(e) != link->crc)
		result = RPT_PLACE_OTHER_CRC;
	rpt_trail_add(trail, RPT_PLACE_DEBUG, path, result, &id);
	if (result == RPT_PLACE_USED)
		return e;
	rpt_elf_free(e);
	return NULL;
}

/* DIRECTORY[SUBDIRECTORY]/NAME */
static struct rpt_elf *try_dir(struct link *link, const char *directory, size_t len,
			       const char *below)
{
	pa_buf_reset(&link->path);
	pa_buf_add(&link->path, directory, len);
	pa_buf_addf(&link->path, "%s/%s", below, link->name);
	return open_candidate(link);
}

/* ROOT/recorded directory/NAME and ROOT/NAME, as below a global directory of debug files. */
static struct rpt_elf *try_root(struct link *link, const char *sysroot, const char *root)
{
	struct rpt_elf *e;

	pa_buf_reset(&link->path);
	pa_buf_addf(&link->path, "%s%s", sysroot, root);
	pa_buf_add(&link->path, link->recorded_dir, link->recorded_dir_len);
	pa_buf_addf(&link->path, "/%s", link->name);
	e = open_candidate(link);
	if (e)
		return e;
	pa_buf_reset(&link->path);
	pa_buf_addf(&link->path, "%s%s/%s", sysroot, root, link->name);
	return open_candidate(link);
}

static struct rpt_elf *try_all(struct link *link, const struct rpt_debuglink_dirs *dirs,
			       const struct rpt_elf *code)
{
	const char *slash = strrchr(code->path, '/');
	struct rpt_elf *e = NULL;
	size_t i;

	if (slash) {
		size_t len = (size_t)(slash - code->path);

		e = try_dir(link, code->path, len, "");
		if (!e)
			e = try_dir(link, code->path, len, "/.debug");
	}
	for (i = 0; !e && i < dirs->symbol_dir_count; i++)
		e = try_root(link, "", dirs->symbol_dirs[i]);
	if (!e && dirs->host && dirs->sysroot)
		e = try_root(link, dirs->sysroot, dirs->host);
	if (!e && dirs->host)
		e = try_root(link, "", dirs->host);
	return e;
}

struct rpt_elf *rpt_debuglink_open(const struct rpt_debuglink_dirs *dirs,
				   const struct rpt_wanted *wanted, const struct rpt_elf *code)
{
	const char *recorded = wanted->path;
	struct link link = {.wanted = wanted, .recorded_dir = ""};
	const char *slash = recorded && recorded[0] == '/' ? strrchr(recorded, '/') : NULL;
	struct rpt_elf *e;

	if (!read_link(code, &link))
		return NULL;
	if (slash) {
		link.recorded_dir = recorded;
		link.recorded_dir_len = (size_t)(slash - recorded);
	}
	pa_buf_init(&link.path);
	e = try_all(&link, dirs, code);
	pa_buf_fini(&link.path);
	return e;
}
