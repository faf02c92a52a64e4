// SPDX-License-Identifier: GPL-2.0-or-later
/* zlib streams inside of ELF sections. */
#include "record/unwind/inflate.h"

#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "format/util/cursor.h"
#include "format/util/err.h"
#include "record/unwind/image.h"

#define MAX_RATIO 1100 /* deflate packs at most 1032 bytes into one */

static int inflate_rest(struct pa_cursor *c, uint64_t want, uint8_t **out, size_t *out_len)
{
	size_t left = pa_cursor_left(c);
	uLongf got;
	uint8_t *raw;
	int z;

	if (pa_cursor_error(c))
		return pa_cursor_error(c);
	if (want == 0 || want / MAX_RATIO > left)
		return PA_E_CORRUPT;
	if (want > REC_MAX_DEBUG_FRAME_BYTES)
		return PA_E_LIMIT;
	raw = malloc(want);
	if (!raw)
		return -ENOMEM;
	got = want;
	z = uncompress(raw, &got, pa_cursor_bytes(c, left), left);
	if (z != Z_OK || got != want) {
		free(raw);
		return z == Z_MEM_ERROR ? -ENOMEM : PA_E_CORRUPT;
	}
	*out = raw;
	*out_len = want;
	return 0;
}

int rec_inflate_section(const uint8_t *data, size_t len, uint8_t **out, size_t *out_len)
{
	struct pa_cursor c;
	uint32_t type;
	uint64_t want;

	pa_cursor_init(&c, data, len);
	type = pa_cursor_u32(&c);
	pa_cursor_u32(&c);
	want = pa_cursor_u64(&c);
	pa_cursor_u64(&c);
	if (!pa_cursor_error(&c) && type != ELFCOMPRESS_ZLIB)
		return PA_E_UNSUPPORTED;
	return inflate_rest(&c, want, out, out_len);
}

int rec_inflate_zdebug(const uint8_t *data, size_t len, uint8_t **out, size_t *out_len)
{
	struct pa_cursor c;
	const uint8_t *magic;
	uint64_t want;

	pa_cursor_init(&c, data, len);
	magic = pa_cursor_bytes(&c, 4);
	want = __builtin_bswap64(pa_cursor_u64(&c));
	if (magic && memcmp(magic, "ZLIB", 4) != 0)
		return PA_E_CORRUPT;
	return inflate_rest(&c, want, out, out_len);
}
