// SPDX-License-Identifier: GPL-2.0-or-later
/* Where files are found, and that no file but the right one is ever used. */
#include "tests/unit/symbols_fixture.h"

#include <ctype.h>

/* "xx/yyy" of a file's build ID. */
static const char *store_name(const char *path)
{
	char text[2 * PA_MAX_BUILD_ID_BYTES + 2];
	struct rpt_build_id id;
	size_t i, at = 0;

	assert_true(rpt_elf_read_build_id(path, &id));
	for (i = 0; i < id.len; i++)
		at += (size_t)snprintf(text + at, sizeof(text) - at, i == 0 ? "%02x/" : "%02x",
				       id.data[i]);
	return fixture_text("%s", text);
}

/* An empty directory. */
static const char *fresh(const char *name)
{
	const char *dir = fixture_path(name);

	fixture_run(fixture_text("rm -rf '%s'; mkdir -p '%s'", dir, dir));
	return dir;
}

static void copy(const char *from, const char *to)
{
	fixture_run(fixture_text("mkdir -p \"$(dirname '%s')\" && cp '%s' '%s'", to,
				 fixture_path(from), to));
}

/* What a recording of FULL at PATH gives for the address within inner(). */
static struct fixture_answer ask(const char *path, const char *dir, const char *sysroot)
{
	const char *full = fixture_path("full");
	struct fixture_query q = {
		.path = path,
		.id_from = full,
		.dir = dir,
		.sysroot = sysroot,
		.offset = fixture_offset(full, fixture_symbol(full, "at_inner")),
	};

	return fixture_ask(&q);
}

static void expect_chain(struct fixture_answer a)
{
	assert_int_equal(a.result.reason, RPT_SYM_OK);
	assert_int_equal(a.result.frame_count, 3);
	assert_string_equal(a.result.frames[0].function, "inner");
	assert_true(a.result.frames[0].line > 0);
	rpt_symbolizer_free(a.symbolizer);
}

static void expect_reason(struct fixture_answer a, enum rpt_symbol_reason reason)
{
	assert_int_equal(a.result.reason, reason);
	assert_int_equal(a.state.reason, reason);
	assert_int_equal(a.result.frame_count, 0);
	assert_non_null(a.state.message);
	assert_null(a.state.file);
	rpt_symbolizer_free(a.symbolizer);
}

static void anywhere_below_a_directory(void **state)
{
	const char *dir = fresh("tree");

	(void)state;
	copy("full", fixture_text("%s/a/b c/whatever", dir));
	expect_chain(ask("/nowhere/full", dir, NULL));
}

static void one_file(void **state)
{
	(void)state;
	expect_chain(ask("/nowhere/full", fixture_path("full"), NULL));
}

static void code_and_debug_file_in_a_tree(void **state)
{
	const char *dir = fresh("both");
	struct fixture_answer a;

	(void)state;
	copy("stripped", fixture_text("%s/x/prog", dir));
	copy("full.debug", fixture_text("%s/y/anything", dir));
	a = ask("/nowhere/full", dir, NULL);
	assert_non_null(strstr(a.state.file, "/x/prog"));
	assert_non_null(strstr(a.state.debug_file, "/y/anything"));
	expect_chain(a);
}

static void build_id_stores(void **state)
{
	static const char *const layouts[] = {".build-id/", ""};
	const char *name = store_name(fixture_path("full"));
	size_t i;

	(void)state;
	for (i = 0; i < 2; i++) {
		const char *dir = fresh("store");

		copy("stripped", fixture_text("%s/%s%s", dir, layouts[i], name));
		copy("full.debug", fixture_text("%s/%s%s.debug", dir, layouts[i], name));
		expect_chain(ask("/nowhere/full", dir, NULL));
	}
}

/*
 * A debug file alone does not say where in the original file its code is. The mapping does, when it has
 * the size of the code.
 */
static void debug_file_alone(void **state)
{
	const char *full = fixture_path("full"), *dir = fresh("alone");
	uint64_t vaddr = fixture_symbol(full, "at_inner");
	struct fixture_query q = {
		.path = "/nowhere/full",
		.id_from = full,
		.dir = dir,
		.offset = fixture_offset(full, vaddr),
	};
	struct fixture_answer a;

	(void)state;
	copy("full.debug", fixture_text("%s/full.debug", dir));
	a = fixture_ask(&q);
	assert_non_null(strstr(a.state.message, "debug file"));
	expect_reason(a, RPT_SYM_NO_FILE);
	/* A program as small as this has one page of code. */
	q.map.offset = q.offset & ~0xfffull;
	q.map.bytes = 0x1000;
	expect_chain(fixture_ask(&q));
	q.map.bytes = 0x2000;
	expect_reason(fixture_ask(&q), RPT_SYM_NO_FILE);
}

/* The places where debuggers look for the file that .gnu_debuglink names. */
static void debug_link_layouts(void **state)
{
	static const char *const places[] = {"bin/%s.debug", "bin/.debug/%s.debug",
					     "usr/lib/debug/bin/%s.debug",
					     "usr/lib/debug/%s.debug"};
	static const char *const names[][2] = {{"linked", "full"}, {"linked_no_id", "no_id"}};
	size_t i, j;

	(void)state;
	for (i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		for (j = 0; j < 2; j++) {
			const char *root = fresh("root"), *full = names[j][1];

			copy(names[j][0], fixture_text("%s/bin/prog", root));
			/* The place is one of a few constants, with one %s. */
			fixture_run(
				fixture_text("p=$(printf '%s/%s' %s); mkdir -p \"$(dirname $p)\"; "
					     "cp '%s/%s.debug' \"$p\"",
					     root, places[i], full, fixture_dir, full));
			expect_chain(ask("/bin/prog", NULL, root));
		}
	}
}

static void debug_link_needs_the_right_sum(void **state)
{
	const char *root = fresh("root");
	struct fixture_answer a;

	(void)state;
	copy("linked_no_id", fixture_text("%s/bin/prog", root));
	copy("no_id.debug", fixture_text("%s/bin/no_id.debug", root));
	/* One more byte at the end changes nothing but the sum. */
	fixture_run(fixture_text("printf x >> '%s/bin/no_id.debug'", root));
	a = ask("/bin/prog", NULL, root);
	assert_null(a.state.debug_file);
	rpt_symbolizer_free(a.symbolizer);
}

static void recorded_path_below_the_sysroot(void **state)
{
	const char *root = fresh("root");

	(void)state;
	copy("full", fixture_text("%s/opt/app/full", root));
	expect_chain(ask("/opt/app/full", NULL, root));
}

static void recorded_path_with_another_build(void **state)
{
	const char *root = fresh("root");
	struct fixture_answer a;

	(void)state;
	copy("other", fixture_text("%s/opt/app/full", root));
	a = ask("/opt/app/full", NULL, root);
	assert_non_null(strstr(a.state.message, "/opt/app/full"));
	expect_reason(a, RPT_SYM_MISMATCH);
}

static void other_builds_in_a_tree_are_not_there(void **state)
{
	const char *dir = fresh("tree");

	(void)state;
	copy("other", fixture_text("%s/full", dir));
	copy("anonymous", fixture_text("%s/full2", dir));
	expect_reason(ask("/nowhere/full", dir, NULL), RPT_SYM_NO_FILE);
}

static void recorded_path_that_is_no_program(void **state)
{
	const char *root = fresh("root");

	(void)state;
	fixture_run(fixture_text("echo text >'%s/full'", root));
	expect_reason(ask("/full", NULL, root), RPT_SYM_UNREADABLE);
	fixture_run(fixture_text("rm '%s/full'; mkfifo '%s/full'", root, root));
	expect_reason(ask("/full", NULL, root), RPT_SYM_NO_FILE);
}

/* IDs of all lengths: none matches, none does harm. */
static void odd_build_ids(void **state)
{
	static const size_t lengths[] = {0, 1, 2, 3, 63, 64, 65, 1000};
	const char *path = fixture_path("full"), *dir = fixture_dir;
	static const uint8_t bytes[1000] = {0xab};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
		struct rpt_symbol_options options = {
			.symbol_dirs = &dir, .symbol_dir_count = 1, .threads = 1};
		struct rpt_symbolizer *s = rpt_symbolizer_new(&options);
		struct rpt_module_desc desc = {
			.path = path, .build_id = bytes, .build_id_bytes = lengths[i]};
		struct rpt_symbol_query q = {.module = rpt_symbolizer_add(s, &desc)};

		assert_int_equal(rpt_symbolizer_resolve(s, &q, 1, NULL, NULL), 0);
		assert_int_equal(q.result.frame_count, 0);
		assert_int_equal(q.result.reason,
				 lengths[i] == 0 || lengths[i] > PA_MAX_BUILD_ID_BYTES ?
					 RPT_SYM_NO_BUILD_ID :
					 RPT_SYM_MISMATCH);
		rpt_symbolizer_free(s);
	}
}

/* A file without a build ID is not trusted, not even where the trace has none either. */
static void file_without_build_id(void **state)
{
	const char *path = fixture_path("anonymous");
	struct fixture_query q = {.path = path,
				  .offset = fixture_offset(path, fixture_symbol(path, "main"))};
	struct fixture_answer a = fixture_ask(&q);

	(void)state;
	assert_non_null(strstr(a.state.message, path));
	assert_non_null(strstr(a.state.message, "no build ID"));
	expect_reason(a, RPT_SYM_NO_BUILD_ID);
}

static struct fixture_answer ask_dwz(const char *dir)
{
	const char *path = fixture_path("dwz1");
	struct fixture_query q = {
		.path = "/nowhere/dwz1",
		.id_from = path,
		.dir = dir,
		.offset = fixture_offset(path, fixture_symbol(path, "at_inner")),
	};

	return fixture_ask(&q);
}

static void names_in_a_common_file(void **state)
{
	const char *dir = fresh("dwz");
	struct fixture_answer a;
	size_t i;

	(void)state;
	fixture_need("dwz1");
	copy("dwz1", fixture_text("%s/dwz1", dir));
	/* Without the common file there are fewer frames, and none without a name. */
	a = ask_dwz(dir);
	assert_true(a.result.frame_count >= 1);
	for (i = 0; i < a.result.frame_count; i++)
		assert_true(a.result.frames[i].function[0] != '\0');
	assert_string_equal(a.result.frames[a.result.frame_count - 1].function, "target");
	assert_non_null(a.state.message);
	rpt_symbolizer_free(a.symbolizer);
	/* It is found by its build ID, under whatever name. */
	copy("common.dwz", fixture_text("%s/deep/within/it", dir));
	expect_chain(ask_dwz(dir));
}

static int setup(void **state)
{
	(void)state;
	return fixture_build("separate");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(anywhere_below_a_directory),
		cmocka_unit_test(one_file),
		cmocka_unit_test(code_and_debug_file_in_a_tree),
		cmocka_unit_test(build_id_stores),
		cmocka_unit_test(debug_file_alone),
		cmocka_unit_test(debug_link_layouts),
		cmocka_unit_test(debug_link_needs_the_right_sum),
		cmocka_unit_test(recorded_path_below_the_sysroot),
		cmocka_unit_test(recorded_path_with_another_build),
		cmocka_unit_test(other_builds_in_a_tree_are_not_there),
		cmocka_unit_test(recorded_path_that_is_no_program),
		cmocka_unit_test(odd_build_ids),
		cmocka_unit_test(file_without_build_id),
		cmocka_unit_test(names_in_a_common_file),
	};

	return cmocka_run_group_tests(tests, setup, fixture_remove);
}
