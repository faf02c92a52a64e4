// SPDX-License-Identifier: GPL-2.0-or-later
/* The reader on traces of other versions, and on those whose checksums are right and content is
 * not. */
#include "tests/unit/trace_fixture.h"

#include <stdlib.h>

#include <zlib.h>

#include "format/util/mem.h"

/* Three blocks, as short as can be. */
static const char three_blocks[] = "covered time_ns=1\nflush\ncovered time_ns=2\nflush\nend\n";

static void prologues(void **state)
{
	struct pa_reader_stats stats = {0};
	struct fixture f;
	size_t i;

	(void)state;
	fixture_init(&f, three_blocks);
	f.trace.data[10] = 9; /* minor */
	f.trace.data[13] = 1; /* reserved */
	assert_int_equal(read_all(&f, &stats), 0);
	assert_int_equal(stats.minor, 9);
	assert_int_equal(stats.blocks, 3);
	f.trace.data[8] = 2;
	assert_int_equal(read_all(&f, NULL), PA_E_VERSION);
	f.trace.data[8] = 0;
	assert_int_equal(read_all(&f, NULL), PA_E_VERSION);
	for (i = 0; i < 8; i++) {
		f.trace.data[i] ^= 0x20;
		assert_int_equal(read_all(&f, NULL), PA_E_BAD_MAGIC);
		f.trace.data[i] ^= 0x20;
	}
	assert_int_equal(memory_trace_to_text("ELF", 3, 0, &f.text, NULL), PA_E_BAD_MAGIC);
	fixture_fini(&f);
}

static void newer_minor_versions_are_read(void **state)
{
	static const uint8_t records[] = {
		200,  1,    3,    'n',  'e',  'w', /* record type 200 */
		28,   3,    20,   0xaa, 0xbb, /* covered, with a later field */
		0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 0, /* greatest id, empty */
		28,   1,    2, /* covered */
	};
	static const struct pa_block_header new_type = {.type = 2, .sequence = 1, .raw_bytes = 3};
	static const struct pa_block_header new_flag = {
		.type = 1, .flags = 2, .sequence = 2, .raw_bytes = 3};
	struct pa_reader_stats stats = {0};
	struct fixture f = {0};

	(void)state;
	pa_prologue_encode(&f.trace, PA_VERSION_MAJOR, PA_VERSION_MINOR + 1);
	add_raw_block(&f.trace, 0, records, sizeof(records));
	add_block(&f.trace, new_type, "abc", 3);
	add_block(&f.trace, new_flag, "abc", 3);
	assert_int_equal(read_all(&f, &stats), 0);
	assert_string_equal(pa_buf_str(&f.text), "covered time_ns=10\ncovered time_ns=11\n"
						 "loss time_ns=11 kind=10 count=2\n");
	assert_int_equal(stats.unknown_records, 2);
	assert_int_equal(stats.unknown_blocks, 2);
	assert_int_equal(stats.blocks_bad, 0);
	fixture_fini(&f);
}

/* Right checksums, wrong content: what came before stands, the rest of the block is given up. */
static void wrong_content_costs_the_rest_of_the_block(void **state)
{
	static const uint8_t bad[][16] = {
		{28, 1, 2, 28, 200}, /* longer than the block */
		{28, 1, 2, 28, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1},
		{28, 1, 2, 2, 4, 32, 40, 1, 2}, /* stack below a later node */
		{28, 1, 2, 1, 3, 0, 1, 'x'}, /* string 0 */
		{28, 1, 2, 28, 1, 0x80}, /* number without an end */
	};
	static const uint8_t good[] = {28, 1, 4};
	struct pa_reader_stats stats = {0};
	struct fixture f = {0};
	size_t i;

	(void)state;
	for (i = 0; i < PA_ARRAY_LEN(bad); i++) {
		pa_buf_reset(&f.trace);
		pa_prologue_encode(&f.trace, PA_VERSION_MAJOR, PA_VERSION_MINOR);
		add_raw_block(&f.trace, 0, bad[i], sizeof(bad[i]));
		add_raw_block(&f.trace, 1, good, sizeof(good));
		assert_int_equal(read_all(&f, &stats), 0);
		assert_string_equal(pa_buf_str(&f.text), "covered time_ns=1\n"
							 "loss time_ns=1 kind=9 count=1\n"
							 "covered time_ns=2\n");
		assert_int_equal(stats.blocks_bad, 1);
		assert_int_equal(stats.blocks, 1);
	}
	fixture_fini(&f);
}

static void a_string_keeps_its_text(void **state)
{
	static const uint8_t same[] = {1, 3, 2, 1, 'a', 1, 3, 0, 1, 'a', 28, 1, 2};
	static const uint8_t other[] = {1, 3, 2, 1, 'a', 1, 3, 0, 1, 'b', 28, 1, 2};
	struct fixture f = {0};

	(void)state;
	pa_prologue_encode(&f.trace, PA_VERSION_MAJOR, PA_VERSION_MINOR);
	add_raw_block(&f.trace, 0, same, sizeof(same));
	add_raw_block(&f.trace, 1, other, sizeof(other));
	assert_int_equal(read_all(&f, NULL), 0);
	assert_string_equal(pa_buf_str(&f.text),
			    "covered time_ns=1\nloss time_ns=1 kind=9 count=1\n");
	fixture_fini(&f);
}

/* 0 is the empty text; that another id has it, too, makes no difference. */
static void empty_strings_have_no_text(void **state)
{
	static const uint8_t records[] = {1, 1, 2, 1, 1, 0, 1, 2, 0, 0, 26, 1, 1, 28, 1, 2};
	struct fixture f = {0};

	(void)state;
	pa_prologue_encode(&f.trace, PA_VERSION_MAJOR, PA_VERSION_MINOR);
	add_raw_block(&f.trace, 0, records, sizeof(records));
	assert_int_equal(read_all(&f, NULL), 0);
	assert_string_equal(pa_buf_str(&f.text), "tag\ncovered time_ns=1\n");
	fixture_fini(&f);
}

/* Deflates len zero bytes; returns the compressed length. */
static size_t deflate_zeros(uint8_t *out, size_t out_cap, size_t len)
{
	uint8_t *zeros = calloc(1, len);
	uLongf n = out_cap;

	assert_int_equal(compress2(out, &n, zeros, len, 9), Z_OK);
	free(zeros);
	return n;
}

static void bombs_and_lying_lengths(void **state)
{
	struct pa_block_header h = {.type = PA_BLOCK_RECORDS, .flags = PA_BLOCK_ZLIB};
	static const uint32_t raw_bytes[] = {0, 1, 999, 1001, PA_MAX_BLOCK_BYTES};
	uint8_t payload[1 << 16];
	struct pa_reader_stats stats = {0};
	struct fixture f = {0};
	size_t i, len;

	(void)state;
	/* Not the length that the header gives. */
	len = deflate_zeros(payload, sizeof(payload), 1000);
	pa_prologue_encode(&f.trace, PA_VERSION_MAJOR, PA_VERSION_MINOR);
	for (i = 0; i < PA_ARRAY_LEN(raw_bytes); i++) {
		h.raw_bytes = raw_bytes[i];
		h.sequence = (uint32_t)i;
		add_block(&f.trace, h, payload, len);
	}
	/* Bytes behind the end of the stream; an unfinished stream; no stream. */
	h.raw_bytes = 1000;
	h.sequence++;
	add_block(&f.trace, h, payload, len + 1);
	h.sequence++;
	add_block(&f.trace, h, payload, len - 1);
	h.sequence++;
	add_block(&f.trace, h, "none", 4);
	/* Not compressed, and not of the length it claims. */
	h.flags = 0;
	h.sequence++;
	add_block(&f.trace, h, payload, len);
	assert_int_equal(read_all(&f, &stats), 0);
	assert_int_equal(stats.blocks, 0);
	assert_int_equal(stats.blocks_bad, PA_ARRAY_LEN(raw_bytes) + 4);
	/* Over the limit: not even a header. */
	pa_buf_reset(&f.trace);
	pa_prologue_encode(&f.trace, PA_VERSION_MAJOR, PA_VERSION_MINOR);
	h = (struct pa_block_header){.type = 1, .payload_bytes = UINT32_MAX, .raw_bytes = 1};
	pa_block_header_encode(&f.trace, &h);
	h = (struct pa_block_header){.type = 1, .payload_bytes = 1, .raw_bytes = UINT32_MAX};
	pa_block_header_encode(&f.trace, &h);
	assert_int_equal(read_all(&f, &stats), 0);
	assert_int_equal(stats.bytes_skipped, 2 * PA_BLOCK_HEADER_BYTES);
	fixture_fini(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(prologues),
		cmocka_unit_test(newer_minor_versions_are_read),
		cmocka_unit_test(wrong_content_costs_the_rest_of_the_block),
		cmocka_unit_test(a_string_keeps_its_text),
		cmocka_unit_test(empty_strings_have_no_text),
		cmocka_unit_test(bombs_and_lying_lengths),
	};

	return cmocka_run_group_tests_name("format/hostile", tests, NULL, NULL);
}
