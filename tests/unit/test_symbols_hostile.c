// SPDX-License-Identifier: GPL-2.0-or-later
/* Damaged files: no crash, no answer without a name, and no harm to what is asked beside them. */
#include "tests/unit/symbols_fixture.h"

enum { QUERIES = 24 };

static void ask_image(const uint8_t *image, size_t bytes, uint64_t around)
{
	struct rpt_symbol_options options = {.no_host_files = true, .threads = 1};
	struct rpt_symbolizer *s = rpt_symbolizer_new(&options);
	struct rpt_symbol_query queries[QUERIES] = {0};
	struct rpt_module_desc desc = {
		.source = RPT_SRC_IMAGE,
		.path = "[image]",
		.image = image,
		.image_bytes = bytes,
	};
	size_t i, j;

	assert_int_equal(rpt_symbolizer_add(s, &desc), 0);
	for (i = 0; i < QUERIES; i++)
		queries[i].file_offset = around + i * 3;
	assert_int_equal(rpt_symbolizer_resolve(s, queries, QUERIES, NULL, NULL), 0);
	for (i = 0; i < QUERIES; i++) {
		const struct rpt_resolution *r = &queries[i].result;

		assert_int_equal(r->reason == RPT_SYM_OK, r->frame_count > 0);
		for (j = 0; j < r->frame_count; j++)
			assert_true(r->frames[j].function[0] != '\0');
	}
	rpt_symbolizer_free(s);
}

static uint64_t code_offset(void)
{
	const char *path = fixture_path("full");

	return fixture_offset(path, fixture_symbol(path, "target"));
}

static void truncated_anywhere(void **state)
{
	uint64_t around = code_offset();
	size_t bytes, keep;
	uint8_t *image = fixture_read(fixture_path("full"), &bytes);

	(void)state;
	for (keep = 0; keep < bytes; keep += 97) {
		/* A copy of its own size, so that a sanitizer sees what is read behind its end. */
		uint8_t *part = malloc(keep + 1);

		assert_non_null(part);
		memcpy(part, image, keep);
		ask_image(part, keep, around);
		free(part);
	}
	free(image);
}

static void bytes_changed_anywhere(void **state)
{
	static const uint8_t values[] = {0x00, 0x01, 0x7f, 0x80, 0xff};
	uint64_t around = code_offset(), random = 11;
	size_t bytes, i;
	uint8_t *image = fixture_read(fixture_path("full"), &bytes);

	(void)state;
	for (i = 0; i < 3000; i++) {
		size_t at;
		uint8_t old;

		random = random * 6364136223846793005u + 1442695040888963407u;
		/* Every other one in the headers at both ends of the file, where it does most. */
		at = (random >> 33) % (i % 2 ? bytes : 2048);
		if (i % 4 == 0)
			at = bytes - 1 - at;
		old = image[at];
		image[at] = values[i % sizeof(values)];
		ask_image(image, bytes, around);
		image[at] = old;
	}
	free(image);
}

/* A module that cannot be read is said once, and the others of the batch are as good as ever. */
static void one_bad_among_good(void **state)
{
	const char *full = fixture_path("full"), *bad = fixture_path("bad");
	struct rpt_symbol_options options = {.threads = 1};
	struct rpt_symbolizer *s = rpt_symbolizer_new(&options);
	struct rpt_symbol_query queries[4];
	struct rpt_module_state module;
	struct rpt_build_id id;
	uint64_t offset = code_offset();
	int i;

	(void)state;
	fixture_write(bad, "\177ELF and then nothing", 20);
	assert_true(rpt_elf_read_build_id(full, &id));
	for (i = 0; i < 4; i++) {
		struct rpt_module_desc desc = {.path = i == 1 ? bad : full};

		desc.build_id = id.data;
		desc.build_id_bytes = id.len;
		queries[i] = (struct rpt_symbol_query){.file_offset = offset};
		queries[i].module = rpt_symbolizer_add(s, &desc);
	}
	assert_int_equal(rpt_symbolizer_resolve(s, queries, 4, NULL, NULL), 0);
	for (i = 0; i < 4; i++) {
		rpt_symbolizer_get_module(s, queries[i].module, &module);
		assert_int_equal(queries[i].result.reason,
				 i == 1 ? RPT_SYM_UNREADABLE : RPT_SYM_OK);
		assert_int_equal(module.message != NULL, i == 1);
	}
	rpt_symbolizer_free(s);
}

static int setup(void **state)
{
	(void)state;
	return fixture_build("separate");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(truncated_anywhere),
		cmocka_unit_test(bytes_changed_anywhere),
		cmocka_unit_test(one_bad_among_good),
	};

	return cmocka_run_group_tests(tests, setup, fixture_remove);
}
