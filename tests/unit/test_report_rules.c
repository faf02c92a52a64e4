// SPDX-License-Identifier: GPL-2.0-or-later
/* Rules files: what they change, which rule fits, and what is said of each mistake. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "format/util/buf.h"
#include "format/util/err.h"
#include "format/util/mem.h"
#include "report/analyse/rules.h"
#include "report/analyse/waits.h"

static struct rpt_rules *parse(const char *text)
{
	struct rpt_rules *r = rpt_rules_new();
	struct pa_buf error;
	int err;

	pa_buf_init(&error);
	err = rpt_rules_parse(r, "my.rules", text, strlen(text), &error);
	if (err)
		fail_msg("%s", pa_buf_str(&error));
	pa_buf_fini(&error);
	return r;
}

/* The text of a file below the tree. */
static char *read_text(const char *path)
{
	FILE *f = fopen(path, "re");
	char *text = calloc(1, 1 << 16);

	assert_non_null(f);
	assert_true(fread(text, 1, (1 << 16) - 1, f) > 0);
	fclose(f);
	return text;
}

static void built_in_rules_are_the_documented_ones(void **state)
{
	char *text = read_text("docs/rules/default");
	struct rpt_rules *r, *again;
	size_t i;

	(void)state;
	assert_string_equal(text, rpt_rules_default);
	r = rpt_rules_new();
	again = parse(text);
	for (i = 0; i < RPT_METRIC_COUNT_; i++) {
		assert_true(r->bounds[i].healthy == again->bounds[i].healthy);
		assert_true(r->bounds[i].investigate == again->bounds[i].investigate);
		assert_int_equal(r->bounds[i].higher_is_better, again->bounds[i].higher_is_better);
	}
	assert_int_equal(again->hint_count, 2 * r->hint_count);
	rpt_rules_free(r);
	rpt_rules_free(again);
	free(text);
}

static void shipped_rules_have_no_mistake(void **state)
{
	static const char *const files[] = {"docs/rules/microvm", "docs/rules/async-runtime"};
	size_t i;

	(void)state;
	for (i = 0; i < PA_ARRAY_LEN(files); i++) {
		char *text = read_text(files[i]);
		struct rpt_rules *r = parse(text);

		assert_true(r->thread_count > 3);
		rpt_rules_free(r);
		free(text);
	}
}

static void bounds_are_read_in_their_unit(void **state)
{
	struct rpt_rules *r = parse("bound cpu.ipc healthy > 2.25 investigate < 0.5\n"
				    "  # a remark\r\n"
				    "\n"
				    "bound sched.slice_p999\thealthy < 500us investigate > 1.5s\n"
				    "bound sched.voluntary healthy > 90% investigate < 12.5%");

	(void)state;
	assert_true(r->bounds[RPT_METRIC_IPC].healthy == 2.25);
	assert_true(r->bounds[RPT_METRIC_IPC].investigate == 0.5);
	assert_true(r->bounds[RPT_METRIC_SLICE_P999].healthy == 500e3);
	assert_true(r->bounds[RPT_METRIC_SLICE_P999].investigate == 1.5e9);
	assert_int_equal(r->bounds[RPT_METRIC_SLICE_P999].line, 4);
	assert_true(r->bounds[RPT_METRIC_VOLUNTARY].investigate == 12.5);
	/* What it does not name stays. */
	assert_true(r->bounds[RPT_METRIC_RUNQ_P99].investigate == 5e6);
	assert_string_equal(r->file, "my.rules");
	rpt_rules_free(r);
}

static void the_first_rule_that_fits_is_taken(void **state)
{
	struct rpt_rules *r = parse("thread tokio-runtime-b*\n"
				    "thread tokio-*\n"
				    "\tprocess web*\n"
				    "\tcalls epoll_wait\n"
				    "\tcalls futex poll\n"
				    "\tclasses poll, page fault ,virtual CPU\n"
				    "\tslice 10ms\n"
				    "thread Hashed wheel timer #?\n"
				    "\tperiod 100ms\n"
				    "hint allocator\n"
				    "\tfunctions malloc\n"
				    "\tadvice pool\n");
	const struct rpt_thread_rule *t;

	(void)state;
	t = rpt_rules_thread(r, "tokio-runtime-w", "webserver");
	assert_non_null(t);
	assert_int_equal(t->line, 2);
	assert_string_equal(t->calls, "epoll_wait futex poll");
	assert_int_equal(t->slice_ns, 10000000);
	assert_int_equal(__builtin_popcount(t->classes), 3);
	assert_int_equal(rpt_rules_thread(r, "tokio-runtime-blocking", "x")->line, 1);
	assert_null(rpt_rules_thread(r, "tokio-runtime-w", "database"));
	assert_int_equal(rpt_rules_thread(r, "Hashed wheel timer #1", "java")->period_ns,
			 100000000);
	assert_null(rpt_rules_thread(r, "vcpu-0", "x"));
	/* The user's hints come before the built-in ones. */
	assert_string_equal(rpt_rules_hint(r, "malloc")->kind, "allocator");
	assert_string_equal(rpt_rules_hint(r, "calloc")->kind, "memory allocation");
	assert_null(rpt_rules_hint(r, "main"));
	rpt_rules_free(r);
}

static void expect_mistake(const char *text, const char *message)
{
	struct rpt_rules *r = rpt_rules_new();
	struct pa_buf error;

	pa_buf_init(&error);
	assert_int_equal(rpt_rules_parse(r, "f", text, strlen(text), &error), PA_E_SYNTAX);
	if (!strstr(pa_buf_str(&error), message))
		fail_msg("'%s' is not in: %s", message, pa_buf_str(&error));
	pa_buf_fini(&error);
	rpt_rules_free(r);
}

static void each_mistake_is_told_with_its_line(void **state)
{
	static const struct {
		const char *text, *message;
	} mistakes[] = {
		{"\n\nbuond cpu.ipc",
		 "f:3: 'buond' is no rule; expected one of bound, hint, thread"},
		{"bound", "f:1: 'bound' is to be followed by a verdict"},
		{"bound cpu.ipd healthy > 1 investigate < 1",
		 "f:1: 'cpu.ipd' has no verdict; expected one of cpu.ipc, "},
		{"bound cpu.branch_mpki healthy < 1 investigate > 1", "has no verdict"},
		{"bound cpu.ipc health > 1", "'health' where 'healthy' is expected"},
		{"bound cpu.ipc healthy < 1 investigate > 2", "'<' where '>' is expected"},
		{"bound cpu.ipc healthy > 1", "the line ends where 'investigate' is expected"},
		{"bound cpu.ipc healthy > 1 investigate > 2", "'>' where '<' is expected"},
		{"bound cpu.ipc healthy > one investigate < 1", "'one': expected a number"},
		{"bound cpu.ipc healthy > 1,5 investigate < 1", "'1,5': expected a number"},
		{"bound cpu.ipc healthy > nan investigate < 1", "'nan': expected a number"},
		{"bound cpu.ipc healthy > -1 investigate < 1", "'-1': expected a number"},
		{"bound cpu.ipc healthy > 1 investigate < 2", "the bounds overlap"},
		{"bound cpu.ipc healthy > 2 investigate < 1 now",
		 "'now' where the end of the line"},
		{"bound cpu.ipc healthy > 2 investigate < 1\nbound cpu.ipc healthy > 2 investigate < 1",
		 "f:2: the bound of 'cpu.ipc' is given a second time, after line 1"},
		{"bound sched.slice_p999 healthy < 50 investigate > 100ms",
		 "'50': expected a duration with its unit"},
		{"bound sched.voluntary healthy > 80 investigate < 50%", "'80': expected a share"},
		{"bound sched.voluntary healthy > 180% investigate < 50%",
		 "'180%': expected a share"},
		{"hint", "'hint' is to be followed by what the hint is about"},
		{"hint x\n\tfunctions a\n", "f:1: this hint lacks 'advice'"},
		{"hint x\n\tadvice a\nthread y\n", "f:1: this hint lacks 'functions' or 'classes'"},
		{"hint x\n\tfunctions a\n\tclasses lock\n\tadvice y\n",
		 "f:1: this hint has 'functions' and 'classes'"},
		{"hint x\n\tclasses locks\n", "f:2: 'locks' is no class of waits; expected lock"},
		{"hint x\n\tclasses lock,\n", "f:2: '' is no class of waits"},
		{"hint x\n\tadvice a\n\tadvice b\n", "f:3: 'advice' is given twice"},
		{"hint x\n\tcalls read\n", "f:2: 'calls' is no rule in a hint; expected one of"},
		{"functions a", "f:1: 'functions' is no rule; expected"},
		{"thread x\n\tshare 5%\n", "f:2: 'share' is no rule of a thread"},
		{"thread x\n\tslice 0ms\n", "f:2: '0ms': expected a duration"},
		{"thread x\n\tperiod soon\n", "f:2: 'soon': expected a duration"},
		{"thread x\n\tcalls\n",
		 "f:2: 'calls' is to be followed by patterns of system calls"},
		{"thread \xff\n", "f:1: expected text in UTF-8"},
	};
	char *line = calloc(1, 8192);
	size_t i;

	(void)state;
	for (i = 0; i < PA_ARRAY_LEN(mistakes); i++)
		expect_mistake(mistakes[i].text, mistakes[i].message);
	memset(line, 'x', 8000);
	expect_mistake(line, "f:1: the line is too long");
	free(line);
}

/* Whatever a file is cut to, or has in it, it is taken or refused; nothing else happens. */
static void any_text_is_taken_or_refused(void **state)
{
	char *text = read_text("docs/rules/microvm");
	size_t len = strlen(text), i;
	struct pa_buf error;

	(void)state;
	pa_buf_init(&error);
	for (i = 0; i < len; i++) {
		struct rpt_rules *r = rpt_rules_new();
		char kept = text[i];

		(void)rpt_rules_parse(r, "cut", text, i, &error);
		rpt_rules_free(r);
		r = rpt_rules_new();
		text[i] = (char)(i * 7 % 256);
		(void)rpt_rules_parse(r, "changed", text, len, &error);
		text[i] = kept;
		rpt_rules_free(r);
	}
	pa_buf_fini(&error);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(built_in_rules_are_the_documented_ones),
		cmocka_unit_test(shipped_rules_have_no_mistake),
		cmocka_unit_test(bounds_are_read_in_their_unit),
		cmocka_unit_test(the_first_rule_that_fits_is_taken),
		cmocka_unit_test(each_mistake_is_told_with_its_line),
		cmocka_unit_test(any_text_is_taken_or_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
