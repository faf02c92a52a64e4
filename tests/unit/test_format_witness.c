// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Traces of every release stay readable, and give the text that they gave then; and the example of
 * docs/format.md is what the writer makes. Run at the root of the source tree.
 */
#include "tests/unit/memory_trace.h"

#include <glob.h>

static void read_file(const char *path, struct pa_buf *content)
{
	FILE *f = fopen(path, "r");
	char chunk[4096];
	size_t n;

	if (!f)
		fail_msg("cannot open '%s': %s", path, strerror(errno));
	while ((n = fread(chunk, 1, sizeof(chunk), f)) > 0)
		pa_buf_add(content, chunk, n);
	fclose(f);
	assert_int_equal(pa_buf_error(content), 0);
}

static void check_witness(const char *path)
{
	struct pa_buf trace = {0}, expected = {0}, text = {0};
	struct pa_reader_stats stats = {0};
	struct pa_buf text_path = {0};

	pa_buf_addf(&text_path, "%.*s.txt", (int)(strlen(path) - strlen(".pa")), path);
	read_file(path, &trace);
	read_file(pa_buf_str(&text_path), &expected);
	assert_int_equal(memory_trace_to_text(trace.data, trace.len, 0, &text, &stats), 0);
	assert_string_equal(pa_buf_str(&text), pa_buf_str(&expected));
	assert_int_equal(stats.blocks_bad, 0);
	assert_int_equal(stats.unknown_records, 0);
	assert_true(stats.ended);
	pa_buf_fini(&text_path);
	pa_buf_fini(&trace);
	pa_buf_fini(&expected);
	pa_buf_fini(&text);
}

static void witnesses_are_read(void **state)
{
	glob_t found;
	size_t i;

	(void)state;
	assert_int_equal(glob("tests/witness/*.pa", 0, NULL, &found), 0);
	for (i = 0; i < found.gl_pathc; i++)
		check_witness(found.gl_pathv[i]);
	globfree(&found);
}

/* What stands between the fences that follow a marker. */
static void fenced(const char *doc, const char *marker, struct pa_buf *out)
{
	const char *start = strstr(doc, marker);

	assert_non_null(start);
	start = strstr(start, "```\n");
	assert_non_null(start);
	start += 4;
	assert_non_null(strstr(start, "```"));
	pa_buf_add(out, start, (size_t)(strstr(start, "```") - start));
}

static void the_example_is_right(void **state)
{
	struct pa_buf doc = {0}, text = {0}, hex = {0}, trace = {0}, made = {0};
	size_t i;

	(void)state;
	read_file("docs/format.md", &doc);
	fenced(pa_buf_str(&doc), "<!-- example text -->", &text);
	fenced(pa_buf_str(&doc), "<!-- example hex -->", &hex);
	memory_trace_from_text(&trace, pa_buf_str(&text));
	for (i = 0; i < trace.len; i++)
		pa_buf_addf(&made, "%02x%c", trace.data[i],
			    i % 16 == 15 || i + 1 == trace.len ? '\n' : ' ');
	assert_string_equal(pa_buf_str(&made), pa_buf_str(&hex));
	pa_buf_fini(&doc);
	pa_buf_fini(&text);
	pa_buf_fini(&hex);
	pa_buf_fini(&trace);
	pa_buf_fini(&made);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(witnesses_are_read),
		cmocka_unit_test(the_example_is_right),
	};

	return cmocka_run_group_tests_name("format/witness", tests, NULL, NULL);
}
