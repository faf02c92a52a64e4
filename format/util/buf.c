// SPDX-License-Identifier: GPL-2.0-or-later
/* Growable bytes. */
#include "format/util/buf.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/util/mem.h"

void pa_buf_init(struct pa_buf *b)
{
	*b = (struct pa_buf){0};
}

void pa_buf_fini(struct pa_buf *b)
{
	free(b->data);
	*b = (struct pa_buf){0};
}

void pa_buf_reset(struct pa_buf *b)
{
	pa_buf_truncate(b, 0);
}

void pa_buf_truncate(struct pa_buf *b, size_t len)
{
	b->len = len;
	b->error = 0;
	if (b->data)
		b->data[len] = 0;
}

int pa_buf_error(const struct pa_buf *b)
{
	return b->error;
}

const char *pa_buf_str(const struct pa_buf *b)
{
	return b->data && !b->error ? (const char *)b->data : "";
}

/* Makes room for len more bytes and the terminating NUL. */
static int reserve(struct pa_buf *b, size_t len)
{
	size_t need;

	if (b->error)
		return b->error;
	if (!pa_add_ok(b->len, len, &need) || !pa_add_ok(need, (size_t)1, &need))
		b->error = -ENOMEM;
	else
		b->error = pa_grow(&b->data, &b->cap, need, 1);
	return b->error;
}

char *pa_buf_take(struct pa_buf *b)
{
	char *s = NULL;

	if (reserve(b, 0) == 0) {
		b->data[b->len] = 0;
		s = (char *)b->data;
		b->data = NULL;
	}
	pa_buf_fini(b);
	return s;
}

void pa_buf_add(struct pa_buf *b, const void *data, size_t len)
{
	if (len == 0 || reserve(b, len) < 0)
		return;
	memcpy(b->data + b->len, data, len);
	b->len += len;
	b->data[b->len] = 0;
}

void pa_buf_add_str(struct pa_buf *b, const char *s)
{
	pa_buf_add(b, s, strlen(s));
}

void pa_buf_add_char(struct pa_buf *b, char c)
{
	pa_buf_add(b, &c, 1);
}

void pa_buf_vaddf(struct pa_buf *b, const char *fmt, va_list ap)
{
	va_list again;
	int n;

	if (b->error)
		return;
	va_copy(again, ap);
	/* The analyser does not follow a va_list that is a parameter. */
	n = vsnprintf(NULL, 0, fmt, again); /* NOLINT(clang-analyzer-valist.Uninitialized) */
	va_end(again);
	if (n >= 0 && reserve(b, (size_t)n) == 0) {
		vsnprintf((char *)b->data + b->len, (size_t)n + 1, fmt, ap);
		b->len += (size_t)n;
	}
}

void pa_buf_addf(struct pa_buf *b, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	pa_buf_vaddf(b, fmt, ap);
	va_end(ap);
}

static void add_le(struct pa_buf *b, uint64_t v, unsigned bytes)
{
	uint8_t le[8];
	unsigned i;

	for (i = 0; i < bytes; i++)
		le[i] = (uint8_t)(v >> (8 * i));
	pa_buf_add(b, le, bytes);
}

void pa_buf_add_u8(struct pa_buf *b, uint8_t v)
{
	add_le(b, v, 1);
}

void pa_buf_add_u16(struct pa_buf *b, uint16_t v)
{
	add_le(b, v, 2);
}

void pa_buf_add_u32(struct pa_buf *b, uint32_t v)
{
	add_le(b, v, 4);
}

void pa_buf_add_u64(struct pa_buf *b, uint64_t v)
{
	add_le(b, v, 8);
}

void pa_buf_add_varint(struct pa_buf *b, uint64_t v)
{
	uint8_t out[10];
	size_t n = 0;

	while (v >= 0x80) {
		out[n++] = (uint8_t)(v | 0x80);
		v >>= 7;
	}
	out[n++] = (uint8_t)v;
	pa_buf_add(b, out, n);
}

void pa_buf_add_zigzag(struct pa_buf *b, int64_t v)
{
	uint64_t twice = (uint64_t)v << 1;

	pa_buf_add_varint(b, v < 0 ? ~twice : twice);
}
