// SPDX-License-Identifier: GPL-2.0-or-later
/* Which symbol answers for which bytes, and which name it gives. */
#include "tests/unit/symbols_fixture.h"

#include "report/symbols/symtab.h"

/* Expects a name for each of some bytes from a symbol on; functions[i] NULL = none. */
static void expect_at(const char *file, const char *symbol, const char *functions[], const int at[],
		      size_t count)
{
	const char *path = fixture_path(file);
	/* Places are found in the twin that was not stripped: the code is the same. */
	const char *twin = strstr(file, ".stripped") ?
				   fixture_text("%s/%.*s.so", fixture_dir,
						(int)(strstr(file, ".stripped") - file), file) :
				   path;
	uint64_t vaddr = fixture_symbol(twin, symbol);
	size_t i;

	for (i = 0; i < count; i++) {
		uint64_t offset = fixture_offset(path, vaddr + (uint64_t)at[i]);

		fixture_expect(&(struct fixture_query){.path = path, .offset = offset},
			       functions[i]);
	}
}

#define EXPECT(file, symbol, functions, at) \
	expect_at(file, symbol, functions, at, sizeof(at) / sizeof((at)[0]))

static void sizeless_export_of_a_stripped_file_answers_for_one_address(void **state)
{
	const char *functions[] = {"sizeless", NULL, NULL, "unnamed_code", NULL};
	const int at[] = {0, 1, 15, 16, 31};

	(void)state;
	EXPECT("asm.stripped.so", "sizeless", functions, at);
}

static void hidden_function_of_a_stripped_file_has_no_name(void **state)
{
	const char *here[] = {"hidden"}, *none[] = {NULL, NULL}, *exported[] = {"after"};
	const int first[] = {0}, some[] = {0, 3};

	(void)state;
	EXPECT("names.so", "hidden", here, first);
	EXPECT("names.stripped.so", "hidden", none, some);
	EXPECT("names.stripped.so", "after", exported, first);
}

static void sizeless_assembler_function_reaches_to_the_next_symbol(void **state)
{
	const char *functions[] = {"sizeless",     "sizeless",     "sizeless",
				   "unnamed_code", "unnamed_code", "sized"};
	const int at[] = {0, 9, 15, 16, 31, 32};

	(void)state;
	EXPECT("asm.so", "sizeless", functions, at);
}

static void label_within_a_function_is_a_part_of_it(void **state)
{
	const char *functions[] = {"sized", "sized", "sized", "gap_follows", NULL, NULL};
	const int at[] = {0, 4, 7, 8, 9, 23};

	(void)state;
	EXPECT("asm.so", "sized", functions, at);
}

static void suffixes_of_compilers_are_kept(void **state)
{
	static const char *const names[] = {"foo.part.0", "foo.cold", "foo.isra.0", "foo.llvm.123"};
	const int at[] = {0};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const char *functions[] = {names[i]};

		EXPECT("asm.so", names[i], functions, at);
	}
	{
		const char *functions[] = {"foo() [clone .cold]"};

		EXPECT("asm.so", "_ZN3fooEv.cold", functions, at);
	}
}

static void aliases_are_chosen_by_rule(void **state)
{
	const char *functions[] = {"alias", "alias"};
	const int at[] = {0, 7};

	(void)state;
	EXPECT("asm.so", "alias_local", functions, at);
	EXPECT("asm.stripped.so", "alias_local", functions, at);
}

static void stripped_classes_keep_their_dynamic_names(void **state)
{
	const char *functions[] = {"shapes::circle::area(int) const"}, *none[] = {NULL};
	const int at[] = {0};

	(void)state;
	EXPECT("classes.stripped.so", "_ZNK6shapes6circle4areaEi", functions, at);
	EXPECT("classes.stripped.so", "_ZN12_GLOBAL__N_19anonymousEi", none, at);
}

/* Every stub that objdump knows, at its first and at its last byte. */
static void check_stubs(const char *name)
{
	const char *path = fixture_path(name);
	FILE *f = fopen(fixture_path(fixture_text("%s.stubs", name)), "r");
	unsigned long long vaddr;
	char stub[128];
	int count = 0;

	assert_non_null(f);
	while (fscanf(f, "%llx %127s", &vaddr, stub) == 2) {
		uint64_t offset = fixture_offset(path, vaddr);

		fixture_expect(&(struct fixture_query){.path = path, .offset = offset}, stub);
		fixture_expect(&(struct fixture_query){.path = path, .offset = offset + 5}, stub);
		count++;
	}
	fclose(f);
	assert_true(count > 0);
}

static void linkage_stubs(void **state)
{
	(void)state;
	check_stubs("plt_lazy");
	check_stubs("plt_now");
	check_stubs("plt_ibt");
	check_stubs("plt_ibt_now");
}

static void linkage_stubs_of_lld(void **state)
{
	(void)state;
	fixture_need("plt_lld");
	check_stubs("plt_lld");
}

static void mini_debug_info(void **state)
{
	const char *functions[] = {"hidden"}, *exported[] = {"after"};
	const char *path;
	uint64_t vaddr = fixture_symbol(fixture_path("names.so"), "hidden");
	uint64_t other = fixture_symbol(fixture_path("names.so"), "after");

	(void)state;
	fixture_need("mini.so");
	path = fixture_path("mini.so");
	fixture_expect(&(struct fixture_query){.path = path, .offset = fixture_offset(path, vaddr)},
		       functions[0]);
	/* What is broken costs the names that were in it, and nothing else. */
	path = fixture_path("mini_cut.so");
	fixture_expect(&(struct fixture_query){.path = path, .offset = fixture_offset(path, vaddr)},
		       NULL);
	fixture_expect(&(struct fixture_query){.path = path, .offset = fixture_offset(path, other)},
		       exported[0]);
}

static void build_ids_of_go(void **state)
{
	struct rpt_build_id plain, gnu;

	(void)state;
	fixture_need("go_plain");
	assert_true(rpt_elf_read_build_id(fixture_path("go_plain"), &plain));
	assert_int_equal(plain.len, PA_MAX_BUILD_ID_BYTES);
	/* The second half of the note's text. */
	assert_non_null(memchr(plain.data, '/', plain.len));
	assert_true(rpt_elf_read_build_id(fixture_path("go_gnu"), &gnu));
	assert_int_equal(gnu.len, 8);
	assert_memory_equal(gnu.data, "\x01\x23\x45\x67\x89\xab\xcd\xef", 8);
}

static void go_functions(void **state)
{
	const char *path;
	uint64_t vaddr;

	(void)state;
	fixture_need("go_plain");
	path = fixture_path("go_plain");
	vaddr = fixture_symbol(path, "runtime.schedinit");
	fixture_expect(&(struct fixture_query){.path = path, .offset = fixture_offset(path, vaddr)},
		       "runtime.schedinit");
}

static int setup(void **state)
{
	(void)state;
	return fixture_build("tables");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(sizeless_export_of_a_stripped_file_answers_for_one_address),
		cmocka_unit_test(hidden_function_of_a_stripped_file_has_no_name),
		cmocka_unit_test(sizeless_assembler_function_reaches_to_the_next_symbol),
		cmocka_unit_test(label_within_a_function_is_a_part_of_it),
		cmocka_unit_test(suffixes_of_compilers_are_kept),
		cmocka_unit_test(aliases_are_chosen_by_rule),
		cmocka_unit_test(stripped_classes_keep_their_dynamic_names),
		cmocka_unit_test(linkage_stubs),
		cmocka_unit_test(linkage_stubs_of_lld),
		cmocka_unit_test(mini_debug_info),
		cmocka_unit_test(build_ids_of_go),
		cmocka_unit_test(go_functions),
	};

	return cmocka_run_group_tests(tests, setup, fixture_remove);
}
