// SPDX-License-Identifier: GPL-2.0-or-later
/* The XZ-compressed ELF file in .gnu_debugdata. */
#include "report/symbols/minidebug.h"

#include <stdlib.h>

#include "report/symbols/decompress.h"

struct rpt_elf *rpt_minidebug_open(const struct rpt_elf *e)
{
	struct rpt_bytes in = rpt_elf_read_section(e, ".gnu_debugdata");
	struct rpt_elf *inner = NULL;
	size_t bytes;
	uint8_t *out;

	if (!in.data)
		return NULL;
	out = rpt_unpack(".gnu_debugdata.xz", in, &bytes);
	if (out)
		inner = rpt_elf_open_image(e->path, out, bytes);
	free(out);
	return inner;
}
