// SPDX-License-Identifier: GPL-2.0-or-later
/* Names are demangled right, and none takes long or does harm. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <pthread.h>
#include <string.h>
#include <time.h>

#include "format/util/buf.h"
#include "report/symbols/symbols.h"

static void expect(const char *mangled, const char *text)
{
	char *got = rpt_demangle(mangled);

	assert_non_null(got);
	assert_string_equal(got, text);
	free(got);
}

static void known_languages(void **state)
{
	(void)state;
	expect("_Z3foov", "foo()");
	expect("_ZNSt6vectorIiSaIiEE9push_backERKi",
	       "std::vector<int, std::allocator<int> >::push_back(int const&)");
	expect("_ZN3fooEv.part.0", "foo() [clone .part.0]");
	expect("_ZN3fooEv.llvm.1234567890", "foo() [clone .llvm.1234567890]");
	expect("_RNvCskwGfYPst2Cb_3foo16example_function", "foo::example_function");
	expect("_RNvNtCs1234_7mycrate3foo3bar", "mycrate::foo::bar");
	expect("_D8demangle4testFiZv", "demangle.test(int)");
}

/* Rust before v0 looks like C++; only the hash at the end tells. */
static void rust_or_cplusplus(void **state)
{
	(void)state;
	expect("_ZN4core3fmt9Formatter3pad17h0123456789abcdefE", "core::fmt::Formatter::pad");
	expect("_ZN71_$LT$Test$u20$$u2b$$u20$$u27$static$u20$as$u20$foo..Bar$LT$Test$GT$$GT$"
	       "3bar17h930b740aa94f1d3aE",
	       "<Test + 'static as foo::Bar<Test>>::bar");
	expect("_ZN12_GLOBAL__N_13runEv", "(anonymous namespace)::run()");
	expect("_ZN12_GLOBAL__N_13fooE", "(anonymous namespace)::foo");
}

static void what_is_no_mangled_name_stays(void **state)
{
	static const char *const names[] = {
		"",       "_",     "main", "_start", "_Z",     "_R",       "_D",
		"_ZN",    "_Zfoo", "_R9",  "_D9",    "Z3foov", "__Z3foov", "_ZN3fooE.",
		"_ZZZZZ", "_RNvC", "\xff", "_Z\xff", "_R\xff", "_D\xff",   "foo.part.0",
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		char *got = rpt_demangle(names[i]);

		assert_non_null(got);
		if (strcmp(names[i], "_ZN3fooE.") != 0)
			assert_string_equal(got, names[i]);
		free(got);
	}
}

/* Nested pairs, each of which names the one before twice: the text doubles with each. */
static void make_doubling_name(struct pa_buf *b, int depth)
{
	int i;

	pa_buf_add_str(b, "_Z1fSt4pairIiiE");
	for (i = 0; i < depth; i++) {
		if (i == 0)
			pa_buf_add_str(b, "S_IS0_S0_E");
		else if (i < 36)
			pa_buf_addf(b, "S_IS%c_S%c_E", "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[i],
				    "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[i]);
	}
}

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void check_is_quick(const char *name)
{
	double start = seconds();
	char *got = rpt_demangle(name);

	assert_non_null(got);
	assert_true(strlen(got) < 65536 || strcmp(got, name) == 0);
	/* Ten times of what is promised, for sanitizers. */
	assert_true(seconds() - start < 0.1);
	free(got);
}

static void hard_names_are_given_up(void **state)
{
	struct pa_buf b;
	int i;

	(void)state;
	pa_buf_init(&b);
	make_doubling_name(&b, 30);
	check_is_quick(pa_buf_str(&b));
	/* Depth, in several ways. */
	for (i = 0; i < 4; i++) {
		static const char *const parts[] = {"P", "F", "N1a", "IJ"};
		int j;

		pa_buf_reset(&b);
		pa_buf_add_str(&b, "_Z1f");
		for (j = 0; j < 100000; j++)
			pa_buf_add_str(&b, parts[i]);
		check_is_quick(pa_buf_str(&b));
		pa_buf_truncate(&b, 4000);
		check_is_quick(pa_buf_str(&b));
	}
	pa_buf_fini(&b);
}

static uint64_t random_state = 1;

static unsigned random_below(unsigned limit)
{
	random_state = random_state * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(random_state >> 33) % limit;
}

static void random_names_do_no_harm(void **state)
{
	static const char letters[] = "NSTLKIEJPRFQZYDCxvbiljmfd0123456789_.$AXOMGUt";
	static const char *const prefixes[] = {"_Z", "_R", "_D", "_ZN", "_ZNK", "_RNv"};
	char name[200];
	int i;

	(void)state;
	for (i = 0; i < 20000; i++) {
		size_t len = strlen(prefixes[i % 6]), end = len + random_below(80);

		memcpy(name, prefixes[i % 6], len);
		for (; len < end; len++)
			name[len] = letters[random_below(sizeof(letters) - 1)];
		name[len] = '\0';
		check_is_quick(name);
	}
}

/* Worker threads have the same stack as the first one at best; deep names have to fit. */
static void *demangle_deep(void *ctx)
{
	struct pa_buf b;
	int i;

	(void)ctx;
	pa_buf_init(&b);
	pa_buf_add_str(&b, "_Z1f");
	for (i = 0; i < 1000; i++)
		pa_buf_add_str(&b, "PFv");
	free(rpt_demangle(pa_buf_str(&b)));
	pa_buf_fini(&b);
	return NULL;
}

static void in_a_thread(void **state)
{
	pthread_t thread;

	(void)state;
	assert_int_equal(pthread_create(&thread, NULL, demangle_deep, NULL), 0);
	pthread_join(thread, NULL);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(known_languages),
		cmocka_unit_test(rust_or_cplusplus),
		cmocka_unit_test(what_is_no_mangled_name_stays),
		cmocka_unit_test(hard_names_are_given_up),
		cmocka_unit_test(random_names_do_no_harm),
		cmocka_unit_test(in_a_thread),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
