// SPDX-License-Identifier: GPL-2.0-or-later
/* Many questions at a time: threads, repetition, progress; and names that two sources know in part. */
#include "tests/unit/symbols_fixture.h"

enum { MODULES = 3, QUERIES = 600 };
static const char *const modules[MODULES] = {"classes", "nameless", "plain"};

static struct rpt_symbolizer *open_all(unsigned threads)
{
	struct rpt_symbol_options options = {.threads = threads};
	struct rpt_symbolizer *s = rpt_symbolizer_new(&options);
	int i;

	for (i = 0; i < MODULES; i++) {
		const char *path = fixture_path(modules[i]);
		struct rpt_build_id id;
		struct rpt_module_desc desc = {.path = path};

		assert_true(rpt_elf_read_build_id(path, &id));
		desc.build_id = id.data;
		desc.build_id_bytes = id.len;
		assert_int_equal(rpt_symbolizer_add(s, &desc), i);
	}
	return s;
}

/* Offsets all over the code, in no order, many of them twice. */
static void make_queries(struct rpt_symbol_query *queries)
{
	const char *path = fixture_path("classes");
	uint64_t first = fixture_offset(path, fixture_symbol(path, "_start"));
	int i;

	for (i = 0; i < QUERIES; i++)
		queries[i] = (struct rpt_symbol_query){
			.module = i % MODULES,
			.file_offset = first + (uint64_t)(i * 37 % 700),
		};
}

static void assert_same(const struct rpt_resolution *a, const struct rpt_resolution *b)
{
	size_t i;

	assert_int_equal(a->reason, b->reason);
	assert_int_equal(a->frame_count, b->frame_count);
	for (i = 0; i < a->frame_count; i++) {
		assert_string_equal(a->frames[i].function, b->frames[i].function);
		assert_int_equal(a->frames[i].line, b->frames[i].line);
	}
}

static void any_number_of_threads_gives_the_same(void **state)
{
	static const unsigned numbers[] = {0, 2, 7};
	static struct rpt_symbol_query one[QUERIES], many[QUERIES];
	struct rpt_symbolizer *s = open_all(1), *other;
	size_t i, j, named = 0;

	(void)state;
	make_queries(one);
	assert_int_equal(rpt_symbolizer_resolve(s, one, QUERIES, NULL, NULL), 0);
	for (i = 0; i < QUERIES; i++)
		named += one[i].result.frame_count > 0;
	assert_true(named > QUERIES / 3);
	for (j = 0; j < sizeof(numbers) / sizeof(numbers[0]); j++) {
		other = open_all(numbers[j]);
		make_queries(many);
		assert_int_equal(rpt_symbolizer_resolve(other, many, QUERIES, NULL, NULL), 0);
		for (i = 0; i < QUERIES; i++)
			assert_same(&one[i].result, &many[i].result);
		rpt_symbolizer_free(other);
	}
	rpt_symbolizer_free(s);
}

static void asking_again_gives_the_same_answers(void **state)
{
	static struct rpt_symbol_query first[QUERIES], second[QUERIES];
	struct rpt_symbolizer *s = open_all(1);
	size_t i;

	(void)state;
	make_queries(first);
	make_queries(second);
	assert_int_equal(rpt_symbolizer_resolve(s, first, QUERIES / 2, NULL, NULL), 0);
	assert_int_equal(rpt_symbolizer_resolve(s, second, QUERIES, NULL, NULL), 0);
	for (i = 0; i < QUERIES / 2; i++) {
		assert_same(&first[i].result, &second[i].result);
		assert_ptr_equal(first[i].result.frames, second[i].result.frames);
	}
	rpt_symbolizer_free(s);
}

struct progress {
	size_t calls;
	size_t stop_at;
};

static bool note_progress(void *ctx, const char *module, size_t done, size_t total)
{
	struct progress *p = ctx;

	assert_non_null(module);
	p->calls++;
	assert_int_equal(done + 1, p->calls);
	assert_int_equal(total, MODULES);
	return done == p->stop_at;
}

static void progress_is_told_and_can_stop(void **state)
{
	static struct rpt_symbol_query queries[QUERIES];
	struct progress all = {.stop_at = SIZE_MAX}, one = {.stop_at = 1};
	struct rpt_symbolizer *s = open_all(1);
	size_t named = 0, i;

	(void)state;
	make_queries(queries);
	assert_int_equal(rpt_symbolizer_resolve(s, queries, QUERIES, note_progress, &all), 0);
	/* Once for each, and at the end. */
	assert_int_equal(all.calls, MODULES + 1);
	rpt_symbolizer_free(s);

	s = open_all(1);
	make_queries(queries);
	assert_int_equal(rpt_symbolizer_resolve(s, queries, QUERIES, note_progress, &one), 0);
	assert_int_equal(one.calls, 2);
	for (i = 0; i < QUERIES; i++) {
		named += queries[i].result.frame_count > 0;
		if (queries[i].module != 0) {
			assert_int_equal(queries[i].result.reason, RPT_SYM_INTERRUPTED);
			assert_int_equal(queries[i].result.frame_count, 0);
		}
	}
	assert_true(named > 0);
	rpt_symbolizer_free(s);
}

static void interrupted_before_it_began(void **state)
{
	static const volatile sig_atomic_t interrupted = 1;
	struct rpt_symbol_options options = {.threads = 2, .interrupted = &interrupted};
	static struct rpt_symbol_query queries[QUERIES];
	struct rpt_symbolizer *s = rpt_symbolizer_new(&options);
	size_t i;

	(void)state;
	for (i = 0; i < MODULES; i++)
		rpt_symbolizer_add(s, &(struct rpt_module_desc){.path = fixture_path(modules[i])});
	make_queries(queries);
	assert_int_equal(rpt_symbolizer_resolve(s, queries, QUERIES, NULL, NULL), 0);
	for (i = 0; i < QUERIES; i++)
		assert_int_equal(queries[i].result.reason, RPT_SYM_INTERRUPTED);
	rpt_symbolizer_free(s);
}

/* Each function of the program, as it is called and as it is linked. */
static void check_classes(const char *name, bool no_demangle)
{
	static const char *const names[][2] = {
		{"_ZN6shapes6circleC1Ei", "shapes::circle::circle(int)"},
		{"_ZNK6shapes6circle4areaEi", "shapes::circle::area(int) const"},
		{"_ZN6shapes3boxIlE4growEl", "shapes::box<long>::grow(long)"},
		{"_ZN12_GLOBAL__N_19anonymousEi", "(anonymous namespace)::anonymous(int)"},
	};
	const char *path = fixture_path(name);
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		uint64_t vaddr = fixture_symbol(path, names[i][0]);
		struct fixture_query q = {
			.path = path,
			.offset = fixture_offset(path, vaddr),
			.no_demangle = no_demangle,
		};
		struct fixture_answer a = fixture_ask(&q);
		const struct rpt_frame *f = a.result.frames;

		assert_int_equal(a.result.frame_count, 1);
		if (!no_demangle)
			assert_string_equal(f->function, names[i][1]);
		else
			assert_string_equal(f->function, f->linkage_name);
		/* Constructors have several names for one code. */
		assert_true(strcmp(f->linkage_name, names[i][0]) == 0 ||
			    strstr(f->linkage_name, "C2E") || strstr(f->linkage_name, "C4E"));
		assert_true(f->line > 0);
		rpt_symbolizer_free(a.symbolizer);
	}
}

static void names_are_where_the_entry_refers_to(void **state)
{
	(void)state;
	check_classes("classes", false);
	check_classes("classes", true);
}

static void symbol_table_helps_out(void **state)
{
	(void)state;
	check_classes("nameless", false);
}

static void nothing_to_do(void **state)
{
	struct rpt_symbol_options options = {0};
	struct rpt_symbolizer *s = rpt_symbolizer_new(&options);
	int i;

	(void)state;
	assert_int_equal(rpt_symbolizer_resolve(s, NULL, 0, NULL, NULL), 0);
	for (i = -1; i <= RPT_SYM_REASONS_; i++)
		assert_non_null(rpt_symbol_reason_text((enum rpt_symbol_reason)i));
	rpt_symbolizer_free(s);
	rpt_symbolizer_free(NULL);
}

static int setup(void **state)
{
	(void)state;
	return fixture_build("classes");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(any_number_of_threads_gives_the_same),
		cmocka_unit_test(asking_again_gives_the_same_answers),
		cmocka_unit_test(progress_is_told_and_can_stop),
		cmocka_unit_test(interrupted_before_it_began),
		cmocka_unit_test(names_are_where_the_entry_refers_to),
		cmocka_unit_test(symbol_table_helps_out),
		cmocka_unit_test(nothing_to_do),
	};

	return cmocka_run_group_tests(tests, setup, fixture_remove);
}
