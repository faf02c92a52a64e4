// SPDX-License-Identifier: GPL-2.0-or-later
/* Prologue and block headers. */
#include "format/block.h"

#include <string.h>

#include <zlib.h>

#include "format/pa-format.h"
#include "format/util/buf.h"
#include "format/util/cursor.h"
#include "format/util/err.h"
#include "format/util/mem.h"

/* Not ASCII, and with every line ending, so that a transfer as text shows at once. */
static const uint8_t magic[8] = {0x89, 'p', 'a', 't', '\r', '\n', 0x1a, '\n'};

const uint8_t pa_block_sync[4] = {0xb1, 'p', 'a', 0xf5};

uint32_t pa_crc32(const void *data, size_t len)
{
	return (uint32_t)crc32_z(0, data, len);
}

void pa_prologue_encode(struct pa_buf *out, uint16_t major, uint16_t minor)
{
	pa_buf_add(out, magic, sizeof(magic));
	pa_buf_add_u16(out, major);
	pa_buf_add_u16(out, minor);
	pa_buf_add_u32(out, 0);
}

int pa_prologue_decode(const uint8_t *data, size_t len, uint16_t *major, uint16_t *minor)
{
	struct pa_cursor c;

	if (len && memcmp(data, magic, PA_MIN(len, sizeof(magic))) != 0)
		return PA_E_BAD_MAGIC;
	pa_cursor_init(&c, data, len);
	pa_cursor_bytes(&c, sizeof(magic));
	*major = pa_cursor_u16(&c);
	*minor = pa_cursor_u16(&c);
	pa_cursor_u32(&c);
	if (pa_cursor_error(&c))
		return pa_cursor_error(&c);
	return *major == PA_VERSION_MAJOR ? 0 : PA_E_VERSION;
}

void pa_block_header_encode(struct pa_buf *out, const struct pa_block_header *h)
{
	size_t start = out->len;

	pa_buf_add(out, pa_block_sync, sizeof(pa_block_sync));
	pa_buf_add_u8(out, h->type);
	pa_buf_add_u8(out, h->flags);
	pa_buf_add_u16(out, 0);
	pa_buf_add_u32(out, h->sequence);
	pa_buf_add_u32(out, h->payload_bytes);
	pa_buf_add_u32(out, h->raw_bytes);
	pa_buf_add_u32(out, h->payload_crc);
	if (!pa_buf_error(out))
		pa_buf_add_u32(out, pa_crc32(out->data + start, out->len - start));
}

int pa_block_header_decode(const uint8_t *data, struct pa_block_header *h)
{
	struct pa_cursor c;

	if (memcmp(data, pa_block_sync, sizeof(pa_block_sync)) != 0)
		return PA_E_CORRUPT;
	pa_cursor_init(&c, data, PA_BLOCK_HEADER_BYTES);
	pa_cursor_u32(&c);
	h->type = pa_cursor_u8(&c);
	h->flags = pa_cursor_u8(&c);
	pa_cursor_u16(&c);
	h->sequence = pa_cursor_u32(&c);
	h->payload_bytes = pa_cursor_u32(&c);
	h->raw_bytes = pa_cursor_u32(&c);
	h->payload_crc = pa_cursor_u32(&c);
	if (pa_cursor_u32(&c) != pa_crc32(data, PA_BLOCK_HEADER_BYTES - 4))
		return PA_E_CORRUPT;
	if (h->payload_bytes > PA_MAX_BLOCK_BYTES || h->raw_bytes > PA_MAX_BLOCK_BYTES)
		return PA_E_CORRUPT;
	return 0;
}
