/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Bounds-checked reading of bytes. Errors are sticky: a read past the end gives 0 and sets the
 * error; decode field after field and test pa_cursor_error() once at the end.
 */
#ifndef PA_CURSOR_H
#define PA_CURSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pa_cursor {
	const uint8_t *data; /* borrowed */
	size_t len;
	size_t pos;
	int error; /* 0, PA_E_TRUNCATED or PA_E_CORRUPT, sticky */
};

void pa_cursor_init(struct pa_cursor *c, const void *data, size_t len);

static inline int pa_cursor_error(const struct pa_cursor *c)
{
	return c->error;
}

static inline size_t pa_cursor_left(const struct pa_cursor *c)
{
	return c->error ? 0 : c->len - c->pos;
}

/* Sets the sticky error unless one is set already. */
void pa_cursor_fail(struct pa_cursor *c, int err);

uint8_t pa_cursor_u8(struct pa_cursor *c);
uint16_t pa_cursor_u16(struct pa_cursor *c);
uint32_t pa_cursor_u32(struct pa_cursor *c);
uint64_t pa_cursor_u64(struct pa_cursor *c);
uint64_t pa_cursor_long_varint(struct pa_cursor *c);

/* LEB128; more than ten bytes, or bits beyond the 64th, are PA_E_CORRUPT. */
static inline uint64_t pa_cursor_varint(struct pa_cursor *c)
{
	/* Most are one byte long. */
	if (pa_cursor_left(c) && c->data[c->pos] < 0x80)
		return c->data[c->pos++];
	return pa_cursor_long_varint(c);
}

static inline int64_t pa_cursor_zigzag(struct pa_cursor *c)
{
	uint64_t v = pa_cursor_varint(c);

	return (int64_t)(v >> 1) ^ -(int64_t)(v & 1);
}

/*
 * len bytes in place (borrowed), not NULL even for 0; NULL when there are fewer, or after an error.
 */
const uint8_t *pa_cursor_bytes(struct pa_cursor *c, size_t len);
/* A cursor over the next len bytes, which c skips; an empty failed one when there are fewer. */
struct pa_cursor pa_cursor_sub(struct pa_cursor *c, size_t len);

#endif
