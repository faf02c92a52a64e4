/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A trace in memory whose blocks can be found, damaged, replaced and made by hand. */
#ifndef TEST_TRACE_FIXTURE_H
#define TEST_TRACE_FIXTURE_H

#include "tests/unit/memory_trace.h"

#include "format/block.h"

struct fixture {
	struct pa_buf trace;
	struct pa_buf text;
	size_t blocks[8]; /* offset of each block's header; the end of the trace behind the last */
	size_t count;
};

static inline size_t header_payload_bytes(const uint8_t *header)
{
	struct pa_block_header h;

	assert_int_equal(pa_block_header_decode(header, &h), 0);
	return h.payload_bytes;
}

static inline void fixture_init(struct fixture *f, const char *text)
{
	size_t at = PA_PROLOGUE_BYTES;

	*f = (struct fixture){0};
	memory_trace_from_text(&f->trace, text);
	while (at < f->trace.len) {
		f->blocks[f->count++] = at;
		at += PA_BLOCK_HEADER_BYTES + header_payload_bytes(f->trace.data + at);
	}
	f->blocks[f->count] = at;
	assert_int_equal(at, f->trace.len);
}

static inline void fixture_fini(struct fixture *f)
{
	pa_buf_fini(&f->trace);
	pa_buf_fini(&f->text);
}

static inline int read_all(struct fixture *f, struct pa_reader_stats *stats)
{
	pa_buf_reset(&f->text);
	return memory_trace_to_text(f->trace.data, f->trace.len, 0, &f->text, stats);
}

static inline bool has_line(const struct fixture *f, const char *start)
{
	return strstr(pa_buf_str(&f->text), start) != NULL;
}

/* Puts len bytes in the place of those that are removed. */
static inline void splice(struct fixture *f, size_t at, size_t remove, const void *data, size_t len)
{
	struct pa_buf out = {0};

	pa_buf_add(&out, f->trace.data, at);
	pa_buf_add(&out, data, len);
	pa_buf_add(&out, f->trace.data + at + remove, f->trace.len - at - remove);
	pa_buf_fini(&f->trace);
	f->trace = out;
}

/* Appends a block whose header and checksums are right. */
static inline void add_block(struct pa_buf *out, struct pa_block_header h, const void *payload,
			     size_t len)
{
	h.payload_bytes = (uint32_t)len;
	h.payload_crc = pa_crc32(payload, len);
	pa_block_header_encode(out, &h);
	pa_buf_add(out, payload, len);
}

static inline void add_raw_block(struct pa_buf *out, uint32_t sequence, const void *records,
				 size_t len)
{
	struct pa_block_header h = {
		.type = PA_BLOCK_RECORDS, .sequence = sequence, .raw_bytes = (uint32_t)len};

	add_block(out, h, records, len);
}

#endif
