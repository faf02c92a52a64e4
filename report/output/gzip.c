// SPDX-License-Identifier: GPL-2.0-or-later
/* Gzip onto a stream. */
#include "report/output/gzip.h"

#include <errno.h>
#include <limits.h>

#include "format/util/mem.h"

#define CHUNK_BYTES 65536
#define GZIP_WINDOW (15 + 16) /* zlib: the largest window, with gzip's header */
#define MEMORY_LEVEL 8

int rpt_gzip_begin(struct rpt_gzip *g, FILE *out)
{
	*g = (struct rpt_gzip){.out = out};
	if (deflateInit2(&g->z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP_WINDOW, MEMORY_LEVEL,
			 Z_DEFAULT_STRATEGY) != Z_OK)
		return -ENOMEM;
	return 0;
}

static void compress_bytes(struct rpt_gzip *g, int flush)
{
	uint8_t chunk[CHUNK_BYTES];
	size_t n;

	do {
		g->z.next_out = chunk;
		g->z.avail_out = sizeof(chunk);
		deflate(&g->z, flush);
		n = sizeof(chunk) - g->z.avail_out;
		errno = 0;
		if (fwrite(chunk, 1, n, g->out) != n)
			g->error = errno ? -errno : -EIO;
	} while (g->z.avail_out == 0 && !g->error);
}

void rpt_gzip_write(struct rpt_gzip *g, const void *data, size_t len)
{
	const uint8_t *at = data;
	size_t n;

	for (; len && !g->error; at += n, len -= n) {
		n = PA_MIN(len, (size_t)INT_MAX);
		g->z.next_in = (Bytef *)at;
		g->z.avail_in = (uInt)n;
		g->raw_bytes += n;
		compress_bytes(g, Z_NO_FLUSH);
	}
}

int rpt_gzip_end(struct rpt_gzip *g)
{
	g->z.next_in = NULL;
	g->z.avail_in = 0;
	if (!g->error)
		compress_bytes(g, Z_FINISH);
	deflateEnd(&g->z);
	return g->error;
}
