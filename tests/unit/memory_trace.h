/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Traces in memory, for the tests of format/: a sink, a source, and what is read again as text. */
#ifndef TEST_MEMORY_TRACE_H
#define TEST_MEMORY_TRACE_H

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "format/pa-format.h"
#include "format/util/buf.h"
#include "format/util/err.h"

/* Sink that appends to a struct pa_buf. */
static inline int memory_sink(void *ctx, const void *data, size_t len)
{
	pa_buf_add(ctx, data, len);
	return pa_buf_error(ctx);
}

struct memory_source {
	const uint8_t *data;
	size_t len;
	size_t pos;
	size_t chunk; /* greatest length of a read; 0 = no limit */
};

static inline int64_t memory_read(void *ctx, void *data, size_t len)
{
	struct memory_source *s = ctx;
	size_t n = s->len - s->pos;

	n = n < len ? n : len;
	if (s->chunk && n > s->chunk)
		n = s->chunk;
	if (n)
		memcpy(data, s->data + s->pos, n);
	s->pos += n;
	return (int64_t)n;
}

/* Assembles a trace from its text form; lines are separated by '\n'. */
static inline void memory_trace_from_text(struct pa_buf *out, const char *text)
{
	struct pa_writer *w = pa_writer_new(memory_sink, out, NULL);
	struct pa_buf line, error;

	assert_non_null(w);
	pa_buf_init(&line);
	pa_buf_init(&error);
	while (*text) {
		size_t len = strcspn(text, "\n");

		pa_buf_reset(&line);
		pa_buf_add(&line, text, len);
		if (pa_text_to_writer(w, pa_buf_str(&line), &error) < 0)
			fail_msg("%s: %s", pa_buf_str(&line), pa_buf_str(&error));
		text += len + (text[len] == '\n');
	}
	assert_int_equal(pa_writer_flush(w), 0);
	assert_int_equal(pa_buf_error(out), 0);
	pa_buf_fini(&line);
	pa_buf_fini(&error);
	pa_writer_free(w);
}

/* Reads a trace to its end and appends its text form. The result of the last pa_reader_next(), or
 * of pa_reader_new(). stats may be NULL. */
static inline int memory_trace_to_text(const void *data, size_t len, size_t chunk,
				       struct pa_buf *text, struct pa_reader_stats *stats)
{
	struct memory_source source = {.data = data, .len = len, .chunk = chunk};
	const struct pa_record *record;
	struct pa_reader *r;
	int n = pa_reader_new(memory_read, &source, &r);

	if (n < 0)
		return n;
	while ((n = pa_reader_next(r, &record)) == 1)
		pa_text_from_record(text, r, record);
	if (stats)
		pa_reader_get_stats(r, stats);
	pa_reader_free(r);
	assert_int_equal(pa_buf_error(text), 0);
	return n;
}

#endif
