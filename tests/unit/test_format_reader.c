// SPDX-License-Identifier: GPL-2.0-or-later
/* The reader on whole, cut, damaged, joined and growing traces. */
#include "tests/unit/trace_fixture.h"

#include <stdlib.h>

#include "format/util/mem.h"

/* Three blocks; every record of a block tells its number by its time. */
static const char three_blocks[] = "session recorder=\"test\" arch=\"x86_64\" cpus=2\n"
				   "thread time_ns=100 id=1 tid=7 comm=\"one\"\n"
				   "flush\n"
				   "stack id=16 parent=1 frames=[0x401000,0x401020]\n"
				   "sample time_ns=200 thread=1 ustack=17 cpu=1\n"
				   "flush\n"
				   "comm time_ns=300 thread=1 comm=\"two\"\n"
				   "end time_ns=301\n";

static void a_whole_trace_is_read(void **state)
{
	struct pa_reader_stats stats = {0};
	struct fixture f;
	size_t chunk;

	(void)state;
	fixture_init(&f, three_blocks);
	assert_int_equal(f.count, 3);
	for (chunk = 0; chunk < 40; chunk++) {
		pa_buf_reset(&f.text);
		assert_int_equal(
			memory_trace_to_text(f.trace.data, f.trace.len, chunk, &f.text, &stats), 0);
		assert_true(has_line(&f, "comm=\"two\""));
		assert_int_equal(stats.blocks, 3);
		assert_int_equal(stats.blocks_bad, 0);
		assert_int_equal(stats.bytes, f.trace.len);
		assert_int_equal(stats.per_record[PA_REC_SAMPLE].records, 1);
		assert_true(stats.ended);
		assert_false(stats.truncated);
	}
	fixture_fini(&f);
}

/* Whatever the length: the blocks that are complete are read, and nothing is reported as damage. */
static void every_prefix_is_a_trace(void **state)
{
	struct fixture f;
	size_t len, i;

	(void)state;
	fixture_init(&f, three_blocks);
	for (len = 0; len <= f.trace.len; len++) {
		struct pa_reader_stats stats = {0};
		struct pa_buf text = {0};
		size_t complete = 0, rest;
		uint8_t *copy = malloc(len + !len);
		int err;

		memcpy(copy, f.trace.data, len);
		err = memory_trace_to_text(copy, len, 0, &text, &stats);
		free(copy);
		if (len < PA_PROLOGUE_BYTES) {
			assert_int_equal(err, PA_E_TRUNCATED);
			continue;
		}
		for (i = 1; i <= f.count; i++)
			complete += f.blocks[i] <= len;
		rest = len - f.blocks[complete];
		assert_int_equal(err, 0);
		assert_int_equal(stats.blocks, complete);
		assert_int_equal(stats.blocks_bad, 0);
		assert_int_equal(stats.truncated, rest > 0);
		assert_null(strstr(pa_buf_str(&text), "loss"));
		assert_true((strstr(pa_buf_str(&text), "sample") != NULL) == (complete > 1));
		pa_buf_fini(&text);
	}
	fixture_fini(&f);
}

/* Each bit: the block that it lies in is lost and counted, the others are read as before. */
static void a_flipped_bit_costs_its_block(void **state)
{
	static const char *const lines[] = {"thread time_ns=100 ", "sample time_ns=200 ",
					    "comm time_ns=300 "};
	struct fixture f;
	size_t bit, i;

	(void)state;
	fixture_init(&f, three_blocks);
	for (bit = PA_PROLOGUE_BYTES * 8; bit < f.trace.len * 8; bit++) {
		struct pa_reader_stats stats = {0};
		size_t hit = 0;

		while (f.blocks[hit + 1] <= bit / 8)
			hit++;
		f.trace.data[bit / 8] ^= (uint8_t)(1u << bit % 8);
		assert_int_equal(read_all(&f, &stats), 0);
		f.trace.data[bit / 8] ^= (uint8_t)(1u << bit % 8);
		for (i = 0; i < PA_ARRAY_LEN(lines); i++)
			assert_true(has_line(&f, lines[i]) == (i != hit));
		assert_int_equal(stats.blocks, 2);
		assert_int_equal(stats.blocks_bad, 1);
		assert_true(has_line(&f, "kind=9 count=1\n"));
		assert_int_equal(stats.bytes_skipped, f.blocks[hit + 1] - f.blocks[hit]);
	}
	fixture_fini(&f);
}

static void a_lost_block_leaves_its_strings_undefined(void **state)
{
	struct fixture f;

	(void)state;
	fixture_init(&f, "thread id=1 comm=\"gone\"\nflush\nthread id=2 comm=\"gone\"\n");
	f.trace.data[f.blocks[0] + PA_BLOCK_HEADER_BYTES] ^= 1;
	assert_int_equal(read_all(&f, NULL), 0);
	assert_string_equal(pa_buf_str(&f.text), "loss kind=9 count=1\nthread id=2 comm=#1\n");
	fixture_fini(&f);
}

static void missing_and_foreign_bytes(void **state)
{
	struct pa_reader_stats stats = {0};
	struct fixture f;
	uint8_t zeros[100] = {0};

	(void)state;
	/* A whole block is missing: the numbers tell. */
	fixture_init(&f, three_blocks);
	splice(&f, f.blocks[1], f.blocks[2] - f.blocks[1], "", 0);
	assert_int_equal(read_all(&f, &stats), 0);
	assert_true(has_line(&f, "loss time_ns=100 kind=9 count=1\ncomm time_ns=300"));
	assert_int_equal(stats.blocks_bad, 0);
	fixture_fini(&f);
	/* Bytes between blocks: skipped, and no block is missing. */
	fixture_init(&f, three_blocks);
	splice(&f, f.blocks[1], 0, zeros, sizeof(zeros));
	assert_int_equal(read_all(&f, &stats), 0);
	assert_false(has_line(&f, "loss"));
	assert_int_equal(stats.blocks, 3);
	assert_int_equal(stats.bytes_skipped, sizeof(zeros));
	fixture_fini(&f);
	/* A tail of zeros, as file systems leave after a crash. */
	fixture_init(&f, three_blocks);
	splice(&f, f.trace.len, 0, zeros, sizeof(zeros));
	assert_int_equal(read_all(&f, &stats), 0);
	assert_true(has_line(&f, "end time_ns=301\nloss time_ns=301 kind=9 count=1\n"));
	assert_false(stats.truncated);
	fixture_fini(&f);
	/* Bytes of a header are missing: the next block is found again. */
	fixture_init(&f, three_blocks);
	splice(&f, f.blocks[0] + 8, 12, "", 0);
	assert_int_equal(read_all(&f, &stats), 0);
	assert_true(has_line(&f, "sample time_ns=200"));
	assert_true(has_line(&f, "comm time_ns=300"));
	fixture_fini(&f);
}

static void joined_traces_are_not_mixed(void **state)
{
	struct fixture f, other;

	(void)state;
	fixture_init(&f, "covered time_ns=1\n");
	fixture_init(&other, three_blocks);
	splice(&f, f.trace.len, 0, other.trace.data, other.trace.len);
	assert_int_equal(read_all(&f, NULL), 0);
	assert_string_equal(pa_buf_str(&f.text),
			    "covered time_ns=1\nloss time_ns=1 kind=9 count=1\n");
	fixture_fini(&f);
	/* A block a second time. */
	fixture_init(&f, "covered time_ns=1\n");
	splice(&f, f.trace.len, 0, f.trace.data + f.blocks[0], f.blocks[1] - f.blocks[0]);
	assert_int_equal(read_all(&f, NULL), 0);
	assert_string_equal(pa_buf_str(&f.text),
			    "covered time_ns=1\nloss time_ns=1 kind=9 count=1\n");
	fixture_fini(&f);
	fixture_fini(&other);
}

/* A source that ends and later has more, as a file that is being written. */
static void a_growing_trace_is_followed(void **state)
{
	struct fixture f;
	struct memory_source source;
	const struct pa_record *record;
	struct pa_reader *r;
	size_t records = 0, len;

	(void)state;
	fixture_init(&f, three_blocks);
	source = (struct memory_source){.data = f.trace.data, .len = PA_PROLOGUE_BYTES};
	assert_int_equal(pa_reader_new(memory_read, &source, &r), 0);
	for (len = PA_PROLOGUE_BYTES; len <= f.trace.len; len++) {
		int n;

		source.len = len;
		while ((n = pa_reader_next(r, &record)) == 1) {
			assert_int_not_equal(record->id, PA_REC_LOSS);
			records++;
		}
		assert_int_equal(n, 0);
	}
	assert_int_equal(records, 6 + 4); /* and 4 strings */
	pa_reader_free(r);
	fixture_fini(&f);
}

static int64_t failing_read(void *ctx, void *data, size_t len)
{
	int64_t n = memory_read(ctx, data, len);

	return n ? n : -EIO;
}

static void a_failing_source_ends_the_reading(void **state)
{
	struct memory_source source = {.chunk = 10};
	const struct pa_record *record;
	struct pa_reader *r;
	struct fixture f;
	int n;

	(void)state;
	fixture_init(&f, three_blocks);
	source.data = f.trace.data;
	source.len = f.trace.len;
	assert_int_equal(pa_reader_new(failing_read, &source, &r), 0);
	while ((n = pa_reader_next(r, &record)) == 1)
		;
	assert_int_equal(n, -EIO);
	assert_int_equal(pa_reader_next(r, &record), -EIO);
	pa_reader_free(r);
	source.len = source.pos = 0;
	assert_int_equal(pa_reader_new(failing_read, &source, &r), -EIO);
	pa_reader_free(NULL);
	fixture_fini(&f);
}

static void the_place_is_known(void **state)
{
	struct memory_source source = {0};
	const struct pa_record *record;
	struct pa_where where;
	struct pa_reader *r;
	struct fixture f;

	(void)state;
	fixture_init(&f, three_blocks);
	source.data = f.trace.data;
	source.len = f.trace.len;
	assert_int_equal(pa_reader_new(memory_read, &source, &r), 0);
	do
		assert_int_equal(pa_reader_next(r, &record), 1);
	while (record->id != PA_REC_SAMPLE);
	pa_reader_get_where(r, &where);
	assert_int_equal(where.offset, f.blocks[1]);
	assert_int_equal(where.block, 1);
	assert_int_equal(where.record_id, PA_REC_SAMPLE);
	assert_int_equal(where.record, 1);
	assert_string_equal(pa_reader_string(r, 0, NULL), "");
	assert_string_equal(pa_reader_string(r, 1, NULL), "test");
	assert_null(pa_reader_string(r, 1000, NULL));
	pa_reader_free(r);
	fixture_fini(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_whole_trace_is_read),
		cmocka_unit_test(every_prefix_is_a_trace),
		cmocka_unit_test(a_flipped_bit_costs_its_block),
		cmocka_unit_test(a_lost_block_leaves_its_strings_undefined),
		cmocka_unit_test(missing_and_foreign_bytes),
		cmocka_unit_test(joined_traces_are_not_mixed),
		cmocka_unit_test(a_growing_trace_is_followed),
		cmocka_unit_test(a_failing_source_ends_the_reading),
		cmocka_unit_test(the_place_is_known),
	};

	return cmocka_run_group_tests_name("format/reader", tests, NULL, NULL);
}
