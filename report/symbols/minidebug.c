// SPDX-License-Identifier: GPL-2.0-or-later
/* The XZ-compressed ELF file in .gnu_debugdata. */
#include "report/symbols/minidebug.h"

#include <stdlib.h>

#include <lzma.h>

#include "report/xmem.h"

#define MAX_BYTES ((size_t)256 << 20)
#define MEMORY_LIMIT ((uint64_t)128 << 20)

static uint8_t *unxz(struct rpt_bytes in, size_t *out_bytes)
{
	uint64_t memory = MEMORY_LIMIT;
	size_t cap = PA_MAX(in.len, (size_t)4096), in_at, out_at;
	lzma_ret r;

	/* How large it becomes is only known afterwards: try twice the space each time. */
	for (cap *= 4; cap <= MAX_BYTES; cap *= 2) {
		uint8_t *out = rpt_xmalloc(cap);

		in_at = 0;
		out_at = 0;
		r = lzma_stream_buffer_decode(&memory, 0, NULL, in.data, &in_at, in.len, out,
					      &out_at, cap);
		if (r == LZMA_OK && out_at > 0) {
			*out_bytes = out_at;
			return out;
		}
		free(out);
		if (r != LZMA_BUF_ERROR)
			break;
	}
	return NULL;
}

struct rpt_elf *rpt_minidebug_open(const struct rpt_elf *e)
{
	struct rpt_bytes in = rpt_elf_read_section(e, ".gnu_debugdata");
	struct rpt_elf *inner = NULL;
	size_t bytes;
	uint8_t *out;

	if (!in.data)
		return NULL;
	out = unxz(in, &bytes);
	if (out)
		inner = rpt_elf_open_image(e->path, out, bytes);
	free(out);
	return inner;
}
