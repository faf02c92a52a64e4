// SPDX-License-Identifier: GPL-2.0-or-later
/* The writer: interning, blocks, limits, failing sinks. */
#include "tests/unit/memory_trace.h"

#include <stdlib.h>

#include "format/block.h"

static struct pa_writer *new_writer(struct pa_buf *out)
{
	struct pa_writer *w = pa_writer_new(memory_sink, out, NULL);

	assert_non_null(w);
	return w;
}

static int add_covered(struct pa_writer *w, uint64_t time_ns)
{
	struct pa_record r = {.id = PA_REC_COVERED, .covered = {.time_ns = time_ns}};

	return pa_writer_add(w, &r);
}

static void assert_text(const struct pa_buf *trace, const char *expected)
{
	struct pa_buf text = {0};

	assert_int_equal(memory_trace_to_text(trace->data, trace->len, 0, &text, NULL), 0);
	assert_string_equal(pa_buf_str(&text), expected);
	pa_buf_fini(&text);
}

static void strings_are_interned(void **state)
{
	struct pa_buf out = {0};
	struct pa_writer *w = new_writer(&out);
	struct pa_writer_stats stats;
	struct pa_record r = {.id = PA_REC_TAG};
	char *longest = malloc(PA_MAX_STRING_BYTES + 2);
	uint32_t a, b, id;

	(void)state;
	memset(longest, 'x', PA_MAX_STRING_BYTES + 2);
	assert_int_equal(pa_writer_string(w, "", 0, &id), 0);
	assert_int_equal(id, 0);
	assert_int_equal(pa_writer_string(w, "a", 1, &a), 0);
	assert_int_equal(pa_writer_string(w, "a\0b", 3, &b), 0);
	assert_int_not_equal(a, b);
	assert_int_equal(pa_writer_string(w, "another", 1, &id), 0);
	assert_int_equal(id, a);
	/* What is too long is cut, and then is the same text. */
	assert_int_equal(pa_writer_string(w, longest, PA_MAX_STRING_BYTES + 2, &b), 0);
	assert_int_equal(pa_writer_string(w, longest, PA_MAX_STRING_BYTES, &id), 0);
	assert_int_equal(id, b);
	r.tag.key = a;
	r.tag.value = a + 1;
	assert_int_equal(pa_writer_add(w, &r), 0);
	assert_int_equal(pa_writer_flush(w), 0);
	pa_writer_get_stats(w, &stats);
	assert_int_equal(stats.strings, 3);
	assert_int_equal(stats.records, 4);
	assert_int_equal(stats.blocks, 1);
	assert_int_equal(stats.bytes, out.len);
	assert_true(stats.memory_bytes > PA_MAX_STRING_BYTES);
	assert_text(&out, "tag key=\"a\" value=\"a\\x00b\"\n");
	pa_writer_free(w);
	pa_buf_fini(&out);
	free(longest);
}

static void stacks_are_a_tree(void **state)
{
	static const uint64_t ab[] = {0x10, 0x20}, abc[] = {0x10, 0x20, 0x30}, ad[] = {0x10, 0x40};
	struct pa_buf out = {0};
	struct pa_writer *w = new_writer(&out);
	struct pa_writer_stats stats;
	uint32_t id;
	int twice;

	(void)state;
	for (twice = 0; twice < 2; twice++) {
		assert_int_equal(pa_writer_stack(w, PA_STACK_FP_END, ab, 2, &id), 0);
		assert_int_equal(id, 17);
		assert_int_equal(pa_writer_stack(w, PA_STACK_FP_END, abc, 3, &id), 0);
		assert_int_equal(id, 18);
		assert_int_equal(pa_writer_stack(w, PA_STACK_FP_END, ad, 2, &id), 0);
		assert_int_equal(id, 19);
		assert_int_equal(pa_writer_stack(w, PA_STACK_TRUNCATED, ad, 2, &id), 0);
		assert_int_equal(id, 21);
		assert_int_equal(pa_writer_stack(w, 17, abc + 2, 1, &id), 0);
		assert_int_equal(id, 18);
		assert_int_equal(pa_writer_stack(w, PA_STACK_FP_LOST, NULL, 0, &id), 0);
		assert_int_equal(id, PA_STACK_FP_LOST);
	}
	assert_int_equal(pa_writer_flush(w), 0);
	pa_writer_get_stats(w, &stats);
	assert_int_equal(stats.stack_nodes, 6);
	assert_text(&out, "stack id=16 parent=2 frames=[0x10,0x20]\n"
			  "stack id=18 parent=17 frames=[0x30]\n"
			  "stack id=19 parent=16 frames=[0x40]\n"
			  "stack id=20 parent=3 frames=[0x10,0x40]\n");
	pa_writer_free(w);
	pa_buf_fini(&out);
}

static void stacks_keep_the_depth_limit(void **state)
{
	struct pa_buf out = {0};
	struct pa_writer *w = new_writer(&out);
	uint64_t *frames = calloc(PA_MAX_STACK_DEPTH + 1, sizeof(*frames));
	uint32_t id, leaf;

	(void)state;
	assert_int_equal(pa_writer_stack(w, 1, frames, PA_MAX_STACK_DEPTH + 1, &id), PA_E_LIMIT);
	assert_int_equal(pa_writer_stack(w, 1, frames, PA_MAX_STACK_DEPTH, &leaf), 0);
	assert_int_equal(pa_writer_stack(w, leaf, frames, 1, &id), PA_E_LIMIT);
	assert_int_equal(pa_writer_stack(w, leaf - 1, frames, 1, &id), 0);
	assert_int_equal(id, leaf);
	/* Not an end, and not a node. */
	assert_int_equal(pa_writer_stack(w, PA_STACK_NONE, frames, 1, &id), PA_E_LIMIT);
	assert_int_equal(pa_writer_stack(w, leaf + 1, frames, 1, &id), PA_E_LIMIT);
	free(frames);
	pa_writer_free(w);
	pa_buf_fini(&out);
}

static void copies_have_ids_of_their_own(void **state)
{
	static const uint64_t low[] = {16}, regs[] = {1, 2};
	static const uint8_t bytes[] = {0xab, 0xcd};
	struct pa_buf out = {0};
	struct pa_writer *w = new_writer(&out);
	struct pa_record copy = {.id = PA_REC_STACK_COPY};
	uint32_t id;

	(void)state;
	copy.stack_copy.walked = PA_STACK_NO_TABLE;
	copy.stack_copy.registers = (struct pa_list){regs, 2};
	copy.stack_copy.data = (struct pa_bytes){bytes, 2};
	assert_int_equal(pa_writer_stack_copy(w, &copy), 0);
	assert_int_equal(copy.stack_copy.id, 16);
	assert_int_equal(pa_writer_stack(w, PA_STACK_COMPLETE, low, 1, &id), 0);
	assert_int_equal(id, 17);
	/* Equal copies are two; no stack is taken for one. */
	copy.stack_copy.walked = 17;
	assert_int_equal(pa_writer_stack_copy(w, &copy), 0);
	assert_int_equal(copy.stack_copy.id, 18);
	assert_int_equal(pa_writer_stack(w, PA_STACK_NONE, low, 1, &id), PA_E_LIMIT);
	assert_int_equal(pa_writer_add(w, &copy), PA_E_UNSUPPORTED);
	copy.stack_copy.walked = PA_STACK_NONE;
	assert_int_equal(pa_writer_stack_copy(w, &copy), PA_E_LIMIT);
	assert_int_equal(pa_writer_stack(w, PA_STACK_FP_END, low, 1, &id), 0);
	assert_int_equal(id, 19);
	assert_int_equal(pa_writer_flush(w), 0);
	assert_text(&out, "stack_copy id=16 walked=5 registers=[1,2] data=<abcd>\n"
			  "stack id=17 parent=1 frames=[0x10]\n"
			  "stack_copy id=18 walked=17 registers=[1,2] data=<abcd>\n"
			  "stack id=19 parent=2 frames=[0x10]\n");
	pa_writer_free(w);
	pa_buf_fini(&out);
}

static void given_and_interned_ids_do_not_mix(void **state)
{
	static const uint64_t frames[] = {1};
	struct pa_record string = {.id = PA_REC_STRING}, stack = {.id = PA_REC_STACK};
	struct pa_buf out = {0};
	struct pa_writer *w = new_writer(&out);
	uint32_t id;

	(void)state;
	string.string = (struct pa_string){.id = 5, .text = {(const uint8_t *)"five", 4}};
	stack.stack = (struct pa_stack){.id = 100, .parent = 1, .frames = {frames, 1}};
	assert_int_equal(pa_writer_add(w, &string), 0);
	assert_int_equal(pa_writer_string(w, "x", 1, &id), PA_E_UNSUPPORTED);
	assert_int_equal(pa_writer_stack(w, 1, frames, 1, &id), 0);
	assert_int_equal(pa_writer_add(w, &stack), PA_E_UNSUPPORTED);
	assert_int_equal(add_covered(w, 1), 0);
	assert_int_equal(pa_writer_flush(w), 0);
	assert_text(&out, "stack id=16 parent=1 frames=[0x1]\ncovered time_ns=1\n");
	pa_writer_free(w);
	pa_buf_fini(&out);
}

static void what_exceeds_a_limit_is_refused(void **state)
{
	struct pa_record file = {.id = PA_REC_FILE_IMAGE}, sample = {.id = PA_REC_SAMPLE};
	struct pa_record unknown = {.id = 99};
	uint8_t *big = calloc(1, PA_MAX_BYTES_FIELD + 1);
	uint64_t *list = calloc(PA_MAX_LIST + 1, sizeof(*list));
	struct pa_buf out = {0};
	struct pa_writer *w = new_writer(&out);

	(void)state;
	file.file_image.data = (struct pa_bytes){big, PA_MAX_BYTES_FIELD + 1};
	assert_int_equal(pa_writer_add(w, &file), PA_E_LIMIT);
	file.file_image.data.len--;
	assert_int_equal(pa_writer_add(w, &file), 0);
	sample.sample.counters = (struct pa_list){list, PA_MAX_LIST + 1};
	assert_int_equal(pa_writer_add(w, &sample), PA_E_LIMIT);
	sample.sample.counters.count--;
	assert_int_equal(pa_writer_add(w, &sample), 0);
	sample.sample.cpu = PA_MAX_CPUS;
	assert_int_equal(pa_writer_add(w, &sample), PA_E_LIMIT);
	sample.sample.cpu = 0;
	sample.sample.thread = PA_MAX_TABLE_ID + 1;
	assert_int_equal(pa_writer_add(w, &sample), PA_E_LIMIT);
	assert_int_equal(pa_writer_add(w, &unknown), PA_E_UNSUPPORTED);
	pa_writer_free(w);
	pa_buf_fini(&out);
	free(big);
	free(list);
}

/* Blocks end by themselves, and what does not compress is stored as it is. */
static void long_traces_have_many_blocks(void **state)
{
	struct pa_buf out = {0};
	struct pa_writer *w = new_writer(&out);
	struct pa_writer_stats written;
	struct pa_reader_stats read;
	struct pa_buf text = {0};
	uint64_t random = 1;
	uint32_t id;
	int i;

	(void)state;
	for (i = 0; i < 40000; i++) {
		char noise[16];
		size_t k;

		for (k = 0; k < sizeof(noise); k++) {
			random = random * 6364136223846793005u + 1442695040888963407u;
			noise[k] = (char)(random >> 56);
		}
		assert_int_equal(pa_writer_string(w, noise, sizeof(noise), &id), 0);
	}
	assert_int_equal(pa_writer_flush(w), 0);
	assert_int_equal(pa_writer_flush(w), 0);
	pa_writer_get_stats(w, &written);
	assert_in_range(written.blocks, 3, 5);
	assert_int_equal(memory_trace_to_text(out.data, out.len, 0, &text, &read), 0);
	assert_int_equal(read.records, 40000);
	assert_int_equal(read.blocks, written.blocks);
	assert_true(written.bytes < written.raw_bytes + PA_PROLOGUE_BYTES +
					    written.blocks * PA_BLOCK_HEADER_BYTES + 1);
	pa_writer_free(w);
	pa_buf_fini(&out);
}

struct failing_sink {
	struct pa_buf out;
	int left; /* calls that succeed */
};

static int fail_later(void *ctx, const void *data, size_t len)
{
	struct failing_sink *s = ctx;

	if (s->left-- <= 0)
		return -ENOSPC;
	pa_buf_add(&s->out, data, len);
	return 0;
}

static void a_failed_sink_gets_no_more(void **state)
{
	struct failing_sink sink = {.left = 1};
	struct pa_writer *w = pa_writer_new(fail_later, &sink, NULL);
	uint32_t id;

	(void)state;
	assert_int_equal(add_covered(w, 1), 0);
	assert_int_equal(pa_writer_flush(w), 0);
	assert_int_equal(add_covered(w, 2), 0);
	assert_int_equal(pa_writer_flush(w), -ENOSPC);
	sink.left = 100;
	assert_int_equal(pa_writer_flush(w), -ENOSPC);
	assert_int_equal(add_covered(w, 3), -ENOSPC);
	assert_int_equal(pa_writer_string(w, "x", 1, &id), -ENOSPC);
	assert_int_equal(pa_writer_stack(w, 1, (uint64_t[]){1}, 1, &id), -ENOSPC);
	assert_int_equal(sink.left, 100);
	assert_text(&sink.out, "covered time_ns=1\n");
	pa_writer_free(w);
	pa_writer_free(NULL);
	pa_buf_fini(&sink.out);
}

static void every_level_is_read(void **state)
{
	int level;

	(void)state;
	for (level = 0; level <= 9; level++) {
		struct pa_writer_options options = {.level = level};
		struct pa_buf out = {0};
		struct pa_writer *w = pa_writer_new(memory_sink, &out, &options);

		assert_int_equal(add_covered(w, 1), 0);
		assert_int_equal(pa_writer_flush(w), 0);
		assert_text(&out, "covered time_ns=1\n");
		pa_writer_free(w);
		pa_buf_fini(&out);
	}
	assert_null(pa_writer_new(memory_sink, NULL, &(struct pa_writer_options){.level = 10}));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(strings_are_interned),
		cmocka_unit_test(stacks_are_a_tree),
		cmocka_unit_test(stacks_keep_the_depth_limit),
		cmocka_unit_test(copies_have_ids_of_their_own),
		cmocka_unit_test(given_and_interned_ids_do_not_mix),
		cmocka_unit_test(what_exceeds_a_limit_is_refused),
		cmocka_unit_test(long_traces_have_many_blocks),
		cmocka_unit_test(a_failed_sink_gets_no_more),
		cmocka_unit_test(every_level_is_read),
	};

	return cmocka_run_group_tests_name("format/writer", tests, NULL, NULL);
}
