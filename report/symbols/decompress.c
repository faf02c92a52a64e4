// SPDX-License-Identifier: GPL-2.0-or-later
/* Decompression of whole files, bounded in memory. */
#include "report/symbols/decompress.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <lzma.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "report/xmem.h"

#define MAX_BYTES ((size_t)256 << 20)
#define MEMORY_LIMIT ((uint64_t)128 << 20)

enum outcome { DONE, TOO_SMALL, BROKEN };

/* Decompresses into out, and sets *bytes to what it became. */
typedef enum outcome decode_fn(struct rpt_bytes in, uint8_t *out, size_t *bytes);

static enum outcome decode_xz(struct rpt_bytes in, uint8_t *out, size_t *bytes)
{
	uint64_t memory = MEMORY_LIMIT;
	size_t in_at = 0, out_at = 0;
	lzma_ret r = lzma_stream_buffer_decode(&memory, 0, NULL, in.data, &in_at, in.len, out,
					       &out_at, *bytes);

	*bytes = out_at;
	return r == LZMA_OK ? DONE : r == LZMA_BUF_ERROR ? TOO_SMALL : BROKEN;
}

static enum outcome decode_zstd(struct rpt_bytes in, uint8_t *out, size_t *bytes)
{
	size_t n = ZSTD_decompress(out, *bytes, in.data, in.len);

	if (ZSTD_isError(n))
		return ZSTD_getErrorCode(n) == ZSTD_error_dstSize_tooSmall ? TOO_SMALL : BROKEN;
	*bytes = n;
	return DONE;
}

static enum outcome decode_gzip(struct rpt_bytes in, uint8_t *out, size_t *bytes)
{
	z_stream z = {.next_in = (Bytef *)(uintptr_t)in.data,
		      .avail_in = (uInt)in.len,
		      .next_out = out,
		      .avail_out = (uInt)*bytes};
	int r;

	if (in.len > MAX_BYTES || inflateInit2(&z, 16 + MAX_WBITS) != Z_OK)
		return BROKEN;
	r = inflate(&z, Z_FINISH);
	*bytes = z.total_out;
	inflateEnd(&z);
	if (r == Z_STREAM_END)
		return DONE;
	return r == Z_BUF_ERROR && z.avail_out == 0 ? TOO_SMALL : BROKEN;
}

/* How large it becomes is only known afterwards: try twice the space each time. */
static uint8_t *decode(struct rpt_bytes in, decode_fn *fn, size_t *out_bytes)
{
	size_t cap;

	for (cap = PA_MAX(in.len, (size_t)4096) * 4; cap <= MAX_BYTES; cap *= 2) {
		uint8_t *out = rpt_xmalloc(cap);
		enum outcome outcome;

		*out_bytes = cap;
		outcome = fn(in, out, out_bytes);
		if (outcome == DONE && *out_bytes > 0)
			return out;
		free(out);
		if (outcome != TOO_SMALL)
			break;
	}
	return NULL;
}

static const struct {
	const char *suffix;
	decode_fn *decode;
} packings[] = {{".xz", decode_xz}, {".zst", decode_zstd}, {".gz", decode_gzip}};

static decode_fn *get_packing(const char *name, size_t *stem)
{
	size_t len = strlen(name), i;

	for (i = 0; i < PA_ARRAY_LEN(packings); i++) {
		size_t suffix = strlen(packings[i].suffix);

		if (len > suffix && strcmp(name + len - suffix, packings[i].suffix) == 0) {
			*stem = len - suffix;
			return packings[i].decode;
		}
	}
	*stem = len;
	return NULL;
}

size_t rpt_packed_stem(const char *name)
{
	size_t stem;

	get_packing(name, &stem);
	return stem;
}

uint8_t *rpt_unpack(const char *name, struct rpt_bytes in, size_t *out_bytes)
{
	size_t stem;
	decode_fn *packing = get_packing(name, &stem);

	return packing ? decode(in, packing, out_bytes) : NULL;
}

bool rpt_is_packed(const char *name)
{
	size_t stem;

	return get_packing(name, &stem) != NULL;
}

struct rpt_elf *rpt_elf_open_packed(const char *path)
{
	int fd = rpt_is_packed(path) ? rpt_open_regular(path) : -1;
	struct rpt_elf *e = NULL;
	size_t bytes = 0;
	struct stat st;
	uint8_t *out;
	void *in;

	if (fd < 0)
		return NULL;
	in = fstat(fd, &st) == 0 && (uint64_t)st.st_size <= MAX_BYTES ?
		     mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0) :
		     MAP_FAILED;
	close(fd);
	if (in == MAP_FAILED)
		return NULL;
	out = rpt_unpack(path, (struct rpt_bytes){in, (size_t)st.st_size}, &bytes);
	munmap(in, (size_t)st.st_size);
	if (out)
		e = rpt_elf_open_image(path, out, bytes);
	free(out);
	return e;
}
