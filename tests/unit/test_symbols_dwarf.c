// SPDX-License-Identifier: GPL-2.0-or-later
/* Functions, inlined calls and lines, the same from every kind of debug information. */
#include "tests/unit/symbols_fixture.h"

#include <glob.h>

struct expected {
	const char *function;
	const char *line; /* its comment in chain.c */
};

static void check_frames(const struct rpt_resolution *r, const struct expected *expected,
			 size_t count, const char *what)
{
	size_t i;

	if (r->frame_count != count)
		fail_msg("%s: %zu frames instead of %zu", what, r->frame_count, count);
	for (i = 0; i < count; i++) {
		const struct rpt_frame *f = &r->frames[i];
		uint32_t line = fixture_line("tests/symbols/chain.c", expected[i].line);

		if (strcmp(f->function, expected[i].function) != 0 || f->line != line)
			fail_msg("%s: frame %zu is %s:%u instead of %s:%u", what, i, f->function,
				 f->line, expected[i].function, line);
		assert_non_null(f->file);
		assert_string_equal(strrchr(f->file, '/'), "/chain.c");
		assert_int_equal(f->file[0], '/');
		assert_true(f->inlined == (i + 1 < count));
		assert_true(f->start_line > 0 && f->start_line < f->line);
	}
}

/* The label's address, less back bytes, in a file that describes itself. */
static struct fixture_answer ask_label(const char *path, const char *label, unsigned back,
				       const struct fixture_query *options)
{
	struct fixture_query q = *options;

	q.path = path;
	q.offset = fixture_offset(path, fixture_symbol(path, label)) - back;
	return fixture_ask(&q);
}

static void check_program(const char *path)
{
	static const struct fixture_query plain;
	static const struct expected at_inner[] = {{"inner", "inner"},
						   {"outer", "outer calls inner"},
						   {"target", "target calls outer"}};
	static const struct expected at_outer[] = {{"outer", "outer"},
						   {"target", "target calls outer"}};
	static const struct expected at_target[] = {{"target", "target"}};
	/* A caller is seen at its return address less one, and that is the line of the call. */
	static const struct expected before_return[] = {{"caller", "caller calls target"}};
	static const struct expected at_return[] = {{"caller", "after the call"}};
	static const struct {
		const char *label;
		unsigned back;
		const struct expected *expected;
		size_t count;
	} rows[] = {
		{"at_inner", 0, at_inner, 3},    {"at_outer", 0, at_outer, 2},
		{"at_target", 0, at_target, 1},  {"after_call", 1, before_return, 1},
		{"after_call", 0, at_return, 1},
	};
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct fixture_answer a = ask_label(path, rows[i].label, rows[i].back, &plain);

		check_frames(&a.result, rows[i].expected, rows[i].count, strrchr(path, '/'));
		assert_true(a.state.has_functions && a.state.has_inlines && a.state.has_lines);
		assert_null(a.state.message);
		rpt_symbolizer_free(a.symbolizer);
	}
}

static void check_kind(const char *name)
{
	fixture_need(name);
	check_program(fixture_path(name));
}

#define KINDS(X) X(2) X(3) X(4) X(5) X(64bit) X(gcc_lines) X(sections) X(lto) X(types) X(lld)
#define PACKED_KINDS(X) X(zlib) X(zstd) X(zdebug) X(split4) X(split5) X(package4) X(package5)
#define CLANG_KINDS(X) X(clang2) X(clang3) X(clang4) X(clang5) X(clang_split4) X(clang_split5)

#define DEFINE(kind)                           \
	static void dwarf_##kind(void **state) \
	{                                      \
		(void)state;                   \
		check_kind("dwarf_" #kind);    \
	}
KINDS(DEFINE)
PACKED_KINDS(DEFINE)
CLANG_KINDS(DEFINE)

static void only_functions_when_asked(void **state)
{
	const struct fixture_query options = {.no_inlines = true};
	struct fixture_answer a = ask_label(fixture_path("dwarf_5"), "at_inner", 0, &options);

	(void)state;
	assert_int_equal(a.result.frame_count, 1);
	assert_string_equal(a.result.frames[0].function, "target");
	assert_int_equal(a.result.frames[0].line, fixture_line("tests/symbols/chain.c", "inner"));
	rpt_symbolizer_free(a.symbolizer);
}

static void only_symbol_tables_when_asked(void **state)
{
	const struct fixture_query options = {.no_lines = true};
	struct fixture_answer a = ask_label(fixture_path("dwarf_5"), "at_inner", 0, &options);

	(void)state;
	assert_int_equal(a.result.frame_count, 1);
	assert_string_equal(a.result.frames[0].function, "target");
	assert_int_equal(a.result.frames[0].line, 0);
	assert_false(a.state.has_lines || a.state.has_inlines);
	rpt_symbolizer_free(a.symbolizer);
}

/* Without the split file there are functions by the symbol table, lines, and a word about it. */
static void missing_split_file_is_said(void **state)
{
	const struct fixture_query options = {.path = NULL};
	const char *path = fixture_path("dwarf_split5");
	struct fixture_answer a;
	glob_t files;

	(void)state;
	assert_int_equal(glob(fixture_path("dwarf_split5*.dwo"), 0, NULL, &files), 0);
	fixture_run(fixture_text("mkdir '%s/away' && mv '%s' '%s/away/'", fixture_dir,
				 files.gl_pathv[0], fixture_dir));
	globfree(&files);
	a = ask_label(path, "at_target", 0, &options);
	assert_int_equal(a.result.frame_count, 1);
	assert_string_equal(a.result.frames[0].function, "target");
	assert_int_equal(a.result.frames[0].line, fixture_line("tests/symbols/chain.c", "target"));
	assert_non_null(strstr(a.state.message, ".dwo"));
	rpt_symbolizer_free(a.symbolizer);
	fixture_run(fixture_text("mv '%s'/away/*.dwo '%s/'", fixture_dir, fixture_dir));
}

static int setup(void **state)
{
	(void)state;
	return fixture_build("kinds");
}

int main(void)
{
#define ROW(kind) cmocka_unit_test(dwarf_##kind),
	static const struct CMUnitTest tests[] = {
		KINDS(ROW) PACKED_KINDS(ROW) CLANG_KINDS(ROW)
			cmocka_unit_test(only_functions_when_asked),
		cmocka_unit_test(only_symbol_tables_when_asked),
		cmocka_unit_test(missing_split_file_is_said),
	};

	return cmocka_run_group_tests(tests, setup, fixture_remove);
}
