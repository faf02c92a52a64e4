// SPDX-License-Identifier: GPL-2.0-or-later
/* Finds blocks in a stream of bytes, whatever has happened to it. */
#include "format/input.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "format/block.h"
#include "format/util/err.h"
#include "format/util/mem.h"

#define READ_BYTES (64u << 10)

static size_t available(const struct pa_input *in)
{
	return in->end - in->start;
}

static uint64_t offset(const struct pa_input *in)
{
	return in->bytes - available(in);
}

/* Reads until want bytes are there or the input ends. The buffer grows with what arrives, and never
 * because of what a header promises. */
static int fill(struct pa_input *in, size_t want)
{
	int64_t n;
	int err;

	if (in->start && in->start + want > in->cap) {
		memmove(in->buf, in->buf + in->start, available(in));
		in->end -= in->start;
		in->start = 0;
	}
	while (available(in) < want) {
		if (in->end == in->cap) {
			err = pa_grow(&in->buf, &in->cap, PA_MAX(in->cap + 1, (size_t)READ_BYTES),
				      1);
			if (err < 0)
				return err;
		}
		n = in->source(in->source_ctx, in->buf + in->end, in->cap - in->end);
		if (n < 0)
			return (int)n;
		if (n == 0)
			return 0;
		in->end += (size_t)n;
		in->bytes += (uint64_t)n;
	}
	return 0;
}

int pa_input_init(struct pa_input *in, pa_source_fn *source, void *ctx)
{
	int err;

	*in = (struct pa_input){.source = source, .source_ctx = ctx, .last_sequence = -1};
	if (inflateInit(&in->z) != Z_OK)
		return -ENOMEM;
	in->z_ready = true;
	err = fill(in, PA_PROLOGUE_BYTES);
	if (err == 0)
		err = pa_prologue_decode(in->buf, available(in), &in->major, &in->minor);
	if (err < 0)
		return err;
	in->start += PA_PROLOGUE_BYTES;
	return 0;
}

void pa_input_fini(struct pa_input *in)
{
	if (in->z_ready)
		inflateEnd(&in->z);
	free(in->buf);
	free(in->raw);
	*in = (struct pa_input){0};
}

uint64_t pa_input_take_lost(struct pa_input *in)
{
	uint64_t n = in->blocks_lost;

	in->blocks_lost = 0;
	return n;
}

/* True when the bytes at p are a sync word, or the beginning of one that the input cuts off. */
static bool maybe_sync(const uint8_t *p, size_t len)
{
	return memcmp(p, pa_block_sync, PA_MIN(len, sizeof(pa_block_sync))) == 0;
}

/* Passes over bytes that are no block, up to the next sync word or the end of what was read. */
static void skip_to_sync(struct pa_input *in)
{
	const uint8_t *from = in->buf + in->start, *end = in->buf + in->end, *p = from + 1;

	if (!in->skipping)
		in->blocks_bad++;
	in->skipping = true;
	while (p < end && !maybe_sync(p, (size_t)(end - p))) {
		const uint8_t *next = memchr(p + 1, pa_block_sync[0], (size_t)(end - p - 1));

		p = next ? next : end;
	}
	in->bytes_skipped += (uint64_t)(p - from);
	in->start += (size_t)(p - from);
}

/* Less than a header is left. */
static void end_of_input(struct pa_input *in)
{
	if (available(in) && !maybe_sync(in->buf + in->start, available(in)))
		skip_to_sync(in);
	in->truncated = available(in) > 0;
	if (in->skipping) {
		/* No later block tells how many there were: one at least. */
		in->skipping = false;
		in->blocks_lost++;
		in->last_sequence++;
	}
}

/* Traces that were joined are not one trace: their ids would be mixed up. */
static bool is_prologue(const uint8_t *data)
{
	uint16_t major, minor;
	int err = pa_prologue_decode(data, PA_PROLOGUE_BYTES, &major, &minor);

	return err == 0 || err == PA_E_VERSION;
}

/* Finds the next good header. 1 with it at start, 0 at the end, or negative. */
static int find_header(struct pa_input *in, struct pa_block_header *h)
{
	while (!in->stopped) {
		int err = fill(in, PA_BLOCK_HEADER_BYTES);

		if (err < 0)
			return err;
		if (available(in) < PA_BLOCK_HEADER_BYTES) {
			end_of_input(in);
			return 0;
		}
		if (pa_block_header_decode(in->buf + in->start, h) == 0) {
			in->skipping = false;
			return 1;
		}
		if (is_prologue(in->buf + in->start)) {
			in->stopped = true;
			in->blocks_lost++;
			return 0;
		}
		skip_to_sync(in);
	}
	return 0;
}

static int inflate_block(struct pa_input *in, const uint8_t *payload,
			 const struct pa_block_header *h)
{
	int err = pa_grow(&in->raw, &in->raw_cap, (size_t)h->raw_bytes + 1, 1);

	if (err < 0)
		return err;
	in->z.next_in = payload;
	in->z.avail_in = h->payload_bytes;
	in->z.next_out = in->raw;
	in->z.avail_out = h->raw_bytes;
	if (inflateReset(&in->z) != Z_OK)
		return PA_E_CORRUPT;
	err = inflate(&in->z, Z_FINISH);
	if (err == Z_MEM_ERROR)
		return -ENOMEM;
	if (err != Z_STREAM_END || in->z.avail_out || in->z.avail_in)
		return PA_E_CORRUPT;
	return 0;
}

/*
 * Checks the complete block at start and decompresses it. 0, -ENOMEM, PA_E_UNSUPPORTED for a block
 * of another kind, or PA_E_*.
 */
static int open_block(struct pa_input *in, const struct pa_block_header *h,
		      struct pa_input_block *block)
{
	const uint8_t *payload = in->buf + in->start + PA_BLOCK_HEADER_BYTES;
	int err = 0;

	/* A block from before, or of another trace. */
	if ((int64_t)h->sequence <= in->last_sequence)
		return PA_E_CORRUPT;
	in->blocks_lost += (uint64_t)((int64_t)h->sequence - in->last_sequence - 1);
	in->last_sequence = h->sequence;
	if (pa_crc32(payload, h->payload_bytes) != h->payload_crc)
		return PA_E_CHECKSUM;
	if (h->type != PA_BLOCK_RECORDS || (h->flags & ~PA_BLOCK_ZLIB))
		return PA_E_UNSUPPORTED;
	if (h->flags & PA_BLOCK_ZLIB)
		err = inflate_block(in, payload, h);
	else if (h->raw_bytes != h->payload_bytes)
		err = PA_E_CORRUPT;
	*block = (struct pa_input_block){
		.data = h->flags & PA_BLOCK_ZLIB ? in->raw : payload,
		.len = h->raw_bytes,
		.offset = offset(in),
		.sequence = h->sequence,
	};
	return err;
}

int pa_input_next(struct pa_input *in, struct pa_input_block *block)
{
	struct pa_block_header h;
	size_t total;
	int err, n;

	for (;;) {
		in->start += in->current_bytes;
		in->current_bytes = 0;
		in->truncated = false;
		n = find_header(in, &h);
		if (n <= 0)
			return n;
		total = PA_BLOCK_HEADER_BYTES + h.payload_bytes;
		err = fill(in, total);
		if (err < 0)
			return err;
		if (available(in) < total) {
			in->truncated = true;
			return 0;
		}
		err = open_block(in, &h, block);
		if (err == -ENOMEM)
			return err;
		in->current_bytes = total;
		if (err == 0)
			return 1;
		if (err == PA_E_UNSUPPORTED) {
			in->unknown_blocks++;
			continue;
		}
		in->blocks_bad++;
		in->blocks_lost++;
		in->bytes_skipped += total;
	}
}
