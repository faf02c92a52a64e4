// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Any bytes are read as a trace without a crash; what was read and then written again is read as
 * the same records; and its text form, too, makes the same text again. What does not begin like a
 * trace is taken for the records of two blocks, since no mutation finds a right checksum.
 */
#include <stdlib.h>
#include <string.h>

#include "format/block.h"
#include "format/fields.h"
#include "format/pa-format.h"
#include "format/util/buf.h"
#include "format/util/err.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct bytes_source {
	const uint8_t *data;
	size_t len;
	size_t pos;
};

static int64_t read_bytes(void *ctx, void *data, size_t len)
{
	struct bytes_source *s = ctx;
	size_t n = s->len - s->pos < len ? s->len - s->pos : len;

	if (n)
		memcpy(data, s->data + s->pos, n);
	s->pos += n;
	return (int64_t)n;
}

static int write_bytes(void *ctx, const void *data, size_t len)
{
	pa_buf_add(ctx, data, len);
	return pa_buf_error(ctx);
}

static void check(bool truth)
{
	if (!truth)
		abort();
}

static struct pa_reader *open_trace(struct bytes_source *source, const void *data, size_t len)
{
	struct pa_reader *r;

	*source = (struct bytes_source){.data = data, .len = len};
	return pa_reader_new(read_bytes, source, &r) == 0 ? r : NULL;
}

/* Reads a trace and writes its records again; their text goes to text. The number of records. */
static uint64_t copy(const void *data, size_t len, struct pa_buf *out, struct pa_buf *text)
{
	struct bytes_source source;
	struct pa_reader *r = open_trace(&source, data, len);
	struct pa_writer *w;
	const struct pa_record *record;
	uint64_t records = 0;

	if (!r)
		return 0;
	w = pa_writer_new(write_bytes, out, &(struct pa_writer_options){.level = 1});
	check(w != NULL);
	while (pa_reader_next(r, &record) == 1) {
		check(pa_record_type_get(record->id) != NULL);
		check(pa_writer_add(w, record) == 0);
		pa_text_from_record(text, r, record);
		records++;
	}
	check(pa_writer_flush(w) == 0);
	pa_writer_free(w);
	pa_reader_free(r);
	return records;
}

/* Both traces have the same records. */
static void compare(const void *a, size_t a_len, const struct pa_buf *b, uint64_t records)
{
	struct bytes_source a_source, b_source;
	struct pa_reader *ra = open_trace(&a_source, a, a_len);
	struct pa_reader *rb = open_trace(&b_source, b->data, b->len);
	const struct pa_record *from_a, *from_b;

	check(ra != NULL && rb != NULL);
	for (; records > 0; records--) {
		check(pa_reader_next(ra, &from_a) == 1);
		check(pa_reader_next(rb, &from_b) == 1);
		check(pa_record_equal(from_a, from_b));
	}
	check(pa_reader_next(ra, &from_a) == 0);
	check(pa_reader_next(rb, &from_b) == 0);
	pa_reader_free(ra);
	pa_reader_free(rb);
}

/* Makes a trace of a text; false when a limit is in the way. */
static bool assemble(const struct pa_buf *text, struct pa_buf *out)
{
	struct pa_writer *w =
		pa_writer_new(write_bytes, out, &(struct pa_writer_options){.level = 1});
	char *copy_of = strdup(pa_buf_str(text)), *line, *next;
	struct pa_buf error;
	bool done = true;

	check(w != NULL && copy_of != NULL);
	pa_buf_init(&error);
	for (line = copy_of; *line && done; line = next) {
		int err;

		next = line + strcspn(line, "\n");
		if (*next)
			*next++ = 0;
		err = pa_text_to_writer(w, line, &error);
		check(err == 0 || err == PA_E_LIMIT);
		done = err == 0;
	}
	check(pa_writer_flush(w) == 0);
	pa_writer_free(w);
	pa_buf_fini(&error);
	free(copy_of);
	return done;
}

static void add_block(struct pa_buf *trace, uint32_t sequence, const uint8_t *data, size_t len)
{
	struct pa_block_header h = {
		.type = PA_BLOCK_RECORDS,
		.sequence = sequence,
		.payload_bytes = (uint32_t)len,
		.raw_bytes = (uint32_t)len,
		.payload_crc = pa_crc32(data, len),
	};

	pa_block_header_encode(trace, &h);
	pa_buf_add(trace, data, len);
}

static void make_trace(struct pa_buf *trace, const uint8_t *data, size_t size)
{
	uint16_t major, minor;

	if (pa_prologue_decode(data, size, &major, &minor) != PA_E_BAD_MAGIC) {
		pa_buf_add(trace, data, size);
		return;
	}
	pa_prologue_encode(trace, PA_VERSION_MAJOR, PA_VERSION_MINOR);
	add_block(trace, 0, data, size / 2);
	add_block(trace, 1, data + size / 2, size - size / 2);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pa_buf trace, out, text, again, text_again, unused;
	uint64_t records;

	pa_buf_init(&trace);
	pa_buf_init(&out);
	pa_buf_init(&text);
	pa_buf_init(&again);
	pa_buf_init(&text_again);
	pa_buf_init(&unused);
	make_trace(&trace, data, size);
	records = copy(trace.data, trace.len, &out, &text);
	if (records)
		compare(trace.data, trace.len, &out, records);
	/* An undefined string keeps its number, which the text may give to another string. */
	if (text.len && !strchr(pa_buf_str(&text), '#') && assemble(&text, &again)) {
		copy(again.data, again.len, &unused, &text_again);
		check(text.len == text_again.len);
		check(memcmp(text.data, text_again.data, text.len) == 0);
	}
	pa_buf_fini(&trace);
	pa_buf_fini(&out);
	pa_buf_fini(&text);
	pa_buf_fini(&again);
	pa_buf_fini(&text_again);
	pa_buf_fini(&unused);
	return 0;
}
