// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads a trace record by record: decodes blocks, keeps strings, and puts losses in their place. */
#include "format/pa-format.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "format/codec.h"
#include "format/input.h"
#include "format/strings.h"
#include "format/util/err.h"

struct pa_reader {
	struct pa_input input;
	struct pa_cursor block; /* the current block's records; empty between blocks */
	uint64_t block_records; /* of the current block, so far */
	struct pa_delta delta;
	struct pa_items items;
	struct pa_strings strings;
	struct pa_record record; /* what was returned last */
	uint64_t time_ns; /* the greatest time of any record so far, for LOSS records */
	uint64_t blocks_lost; /* not yet returned as LOSS */
	uint64_t unknown_lost; /* skipped records, not yet returned as LOSS */
	bool is_timed[PA_REC_IDS_];
	int error; /* sticky */
	struct pa_where where;
	struct pa_reader_stats stats;
};

/* Whether a type's first field is its time; found out once. */
static void find_timed(struct pa_reader *r)
{
	uint32_t i;

	for (i = 0; i < PA_REC_IDS_; i++) {
		const struct pa_record_type *type = pa_record_type_get(i);

		r->is_timed[i] = type && strcmp(type->fields[0].name, "time_ns") == 0;
	}
}

int pa_reader_new(pa_source_fn *source, void *ctx, struct pa_reader **reader)
{
	struct pa_reader *r = calloc(1, sizeof(*r));
	int err;

	if (!r)
		return -ENOMEM;
	find_timed(r);
	err = pa_input_init(&r->input, source, ctx);
	if (err < 0) {
		pa_reader_free(r);
		return err;
	}
	*reader = r;
	return 0;
}

void pa_reader_free(struct pa_reader *r)
{
	if (!r)
		return;
	pa_input_fini(&r->input);
	pa_strings_fini(&r->strings);
	free(r->items.items);
	free(r);
}

/* Gives up the rest of the current block. */
static void drop_block(struct pa_reader *r)
{
	pa_cursor_init(&r->block, NULL, 0);
	r->stats.blocks--;
	r->stats.blocks_bad++;
	r->blocks_lost++;
}

/* Makes the record to be returned one of our own, which says how much is missing here. */
static void make_loss(struct pa_reader *r, enum pa_loss_kind kind, uint64_t *count)
{
	r->record = (struct pa_record){.id = PA_REC_LOSS};
	r->record.loss.time_ns = r->time_ns;
	r->record.loss.kind = kind;
	r->record.loss.count = *count;
	*count = 0;
}

static int keep_string(struct pa_reader *r)
{
	const struct pa_string *s = &r->record.string;

	return pa_strings_define(&r->strings, (uint32_t)s->id, (const char *)s->text.data,
				 s->text.len);
}

/* The time of the record that was read last; 0 when it has none. */
static uint64_t record_time_ns(const struct pa_reader *r)
{
	const struct pa_record *record = &r->record;

	if (record->id == PA_REC_SESSION)
		return record->session.start_ns;
	/* All of the union begin at the same address. */
	return r->is_timed[record->id] ? record->covered.time_ns : 0;
}

static void note_record(struct pa_reader *r, size_t bytes)
{
	uint64_t time_ns = record_time_ns(r);

	r->where.record_id = r->record.id;
	r->stats.records++;
	r->stats.per_record[r->record.id].records++;
	r->stats.per_record[r->record.id].raw_bytes += bytes;
	if (r->record.id == PA_REC_END)
		r->stats.ended = true;
	if (time_ns > r->time_ns)
		r->time_ns = time_ns;
}

/*
 * Decodes the record at the cursor. 1, or 0 when it was of an unknown type and skipped; negative
 * when the block's content is wrong, or -ENOMEM.
 */
static int next_record(struct pa_reader *r)
{
	size_t start = r->block.pos;
	uint64_t id = pa_cursor_varint(&r->block);
	uint64_t len = pa_cursor_varint(&r->block);
	struct pa_cursor body = pa_cursor_sub(&r->block, len);
	int err = pa_cursor_error(&r->block);

	if (err < 0)
		return err;
	r->where.record = r->block_records++;
	if (id > UINT32_MAX || !pa_record_type_get((uint32_t)id)) {
		r->stats.unknown_records++;
		r->unknown_lost++;
		return 0;
	}
	r->record.id = (enum pa_record_id)id;
	err = pa_decode(&body, &r->delta, &r->items, &r->record);
	if (err == 0 && r->record.id == PA_REC_STRING)
		err = keep_string(r);
	if (err < 0)
		return err;
	note_record(r, r->block.pos - start);
	return 1;
}

/* Makes the next good block the current one. 1, 0 at the end, or negative. */
static int next_block(struct pa_reader *r)
{
	struct pa_input_block block;
	int n = pa_input_next(&r->input, &block);

	pa_cursor_init(&r->block, NULL, 0);
	r->blocks_lost += pa_input_take_lost(&r->input);
	if (n <= 0)
		return n;
	pa_cursor_init(&r->block, block.data, block.len);
	r->delta = (struct pa_delta){0};
	r->block_records = 0;
	r->stats.blocks++;
	r->where = (struct pa_where){.offset = block.offset, .block = block.sequence};
	return 1;
}

/* One step: 1 when r->record is to be returned, 0 at the end, negative, or AGAIN. */
#define AGAIN 2
static int step(struct pa_reader *r)
{
	int n;

	/* What is missing comes before the records of the next block. */
	if (r->blocks_lost && r->block.pos == 0) {
		make_loss(r, PA_LOSS_BLOCK_CORRUPT, &r->blocks_lost);
		return 1;
	}
	if (pa_cursor_left(&r->block) == 0) {
		n = next_block(r);
		if (n == 0 && r->blocks_lost)
			return AGAIN;
		if (n == 0 && r->unknown_lost) {
			make_loss(r, PA_LOSS_UNKNOWN_RECORD, &r->unknown_lost);
			return 1;
		}
		return n == 1 ? AGAIN : n;
	}
	n = next_record(r);
	if (n == 0)
		return AGAIN;
	if (n < 0 && n != -ENOMEM) {
		drop_block(r);
		return AGAIN;
	}
	return n;
}

int pa_reader_next(struct pa_reader *r, const struct pa_record **record)
{
	int n;

	if (r->error)
		return r->error;
	do
		n = step(r);
	while (n == AGAIN);
	if (n < 0)
		r->error = n;
	if (n == 1)
		*record = &r->record;
	return n;
}

const char *pa_reader_string(const struct pa_reader *r, uint32_t id, size_t *len)
{
	const struct pa_string_entry *entry = id ? pa_strings_get(&r->strings, id) : NULL;

	if (len)
		*len = entry ? entry->len : 0;
	if (id == 0)
		return "";
	return entry ? entry->text : NULL;
}

void pa_reader_get_where(const struct pa_reader *r, struct pa_where *where)
{
	*where = r->where;
}

void pa_reader_get_stats(const struct pa_reader *r, struct pa_reader_stats *stats)
{
	*stats = r->stats;
	stats->major = r->input.major;
	stats->minor = r->input.minor;
	stats->bytes = r->input.bytes;
	stats->blocks_bad += r->input.blocks_bad;
	stats->bytes_skipped = r->input.bytes_skipped;
	stats->unknown_blocks = r->input.unknown_blocks;
	stats->truncated = r->input.truncated;
}
