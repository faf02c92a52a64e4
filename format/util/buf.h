/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Growable bytes: the one string and byte builder. Errors are sticky: after a failed allocation
 * every further call does nothing, and the caller tests pa_buf_error() once at the end.
 */
#ifndef PA_BUF_H
#define PA_BUF_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

struct pa_buf {
	uint8_t *data; /* owned; NUL-terminated beyond len once anything was added */
	size_t len;
	size_t cap;
	int error; /* 0 or -ENOMEM, sticky */
};

void pa_buf_init(struct pa_buf *b);
void pa_buf_fini(struct pa_buf *b);
/* Empties the buffer and keeps its memory; clears the error. */
void pa_buf_reset(struct pa_buf *b);
/* Cuts the content to its first len bytes, len being no more than there are; clears the error. */
void pa_buf_truncate(struct pa_buf *b, size_t len);
int pa_buf_error(const struct pa_buf *b);
/* The content as a C string; "" when empty or failed. Borrowed, valid until the next change. */
const char *pa_buf_str(const struct pa_buf *b);
/* Moves the content to the caller, who frees it; NULL on error. The buffer is empty afterwards. */
char *pa_buf_take(struct pa_buf *b);

void pa_buf_add(struct pa_buf *b, const void *data, size_t len);
void pa_buf_add_str(struct pa_buf *b, const char *s);
void pa_buf_add_char(struct pa_buf *b, char c);
void pa_buf_addf(struct pa_buf *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void pa_buf_vaddf(struct pa_buf *b, const char *fmt, va_list ap)
	__attribute__((format(printf, 2, 0)));

/* Little-endian fixed sizes and LEB128 varints; zigzag for signed values. */
void pa_buf_add_u8(struct pa_buf *b, uint8_t v);
void pa_buf_add_u16(struct pa_buf *b, uint16_t v);
void pa_buf_add_u32(struct pa_buf *b, uint32_t v);
void pa_buf_add_u64(struct pa_buf *b, uint64_t v);
void pa_buf_add_varint(struct pa_buf *b, uint64_t v);
void pa_buf_add_zigzag(struct pa_buf *b, int64_t v);

#endif
