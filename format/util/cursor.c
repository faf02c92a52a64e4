// SPDX-License-Identifier: GPL-2.0-or-later
/* Bounds-checked reading of bytes. */
#include "format/util/cursor.h"

#include "format/util/err.h"

void pa_cursor_init(struct pa_cursor *c, const void *data, size_t len)
{
	*c = (struct pa_cursor){.data = data, .len = len};
}

void pa_cursor_fail(struct pa_cursor *c, int err)
{
	if (!c->error)
		c->error = err;
}

const uint8_t *pa_cursor_bytes(struct pa_cursor *c, size_t len)
{
	const uint8_t *p;

	if (c->error || pa_cursor_left(c) < len) {
		pa_cursor_fail(c, PA_E_TRUNCATED);
		return NULL;
	}
	if (len == 0)
		return (const uint8_t *)"";
	p = c->data + c->pos;
	c->pos += len;
	return p;
}

static uint64_t read_le(struct pa_cursor *c, unsigned bytes)
{
	const uint8_t *p = pa_cursor_bytes(c, bytes);
	uint64_t v = 0;
	unsigned i;

	for (i = 0; p && i < bytes; i++)
		v |= (uint64_t)p[i] << (8 * i);
	return v;
}

uint8_t pa_cursor_u8(struct pa_cursor *c)
{
	return (uint8_t)read_le(c, 1);
}

uint16_t pa_cursor_u16(struct pa_cursor *c)
{
	return (uint16_t)read_le(c, 2);
}

uint32_t pa_cursor_u32(struct pa_cursor *c)
{
	return (uint32_t)read_le(c, 4);
}

uint64_t pa_cursor_u64(struct pa_cursor *c)
{
	return read_le(c, 8);
}

uint64_t pa_cursor_long_varint(struct pa_cursor *c)
{
	uint64_t v = 0;
	unsigned shift;

	if (c->error)
		return 0;
	for (shift = 0; shift < 70; shift += 7) {
		uint8_t byte;

		if (c->pos >= c->len) {
			pa_cursor_fail(c, PA_E_TRUNCATED);
			return 0;
		}
		byte = c->data[c->pos++];
		if (shift == 63 && byte > 1)
			break;
		v |= (uint64_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			return v;
	}
	pa_cursor_fail(c, PA_E_CORRUPT);
	return 0;
}

struct pa_cursor pa_cursor_sub(struct pa_cursor *c, size_t len)
{
	struct pa_cursor sub = {0};
	const uint8_t *p = pa_cursor_bytes(c, len);

	if (p)
		pa_cursor_init(&sub, p, len);
	else
		sub.error = c->error;
	return sub;
}
