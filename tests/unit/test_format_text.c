// SPDX-License-Identifier: GPL-2.0-or-later
/* The text form: what is written is read again, and errors name the word and what was expected. */
#include "tests/unit/memory_trace.h"

#include "format/util/mem.h"

/* Text, to a trace, to text. */
static void assert_text(const char *in, const char *out)
{
	struct pa_buf trace = {0}, text = {0};

	memory_trace_from_text(&trace, in);
	assert_int_equal(memory_trace_to_text(trace.data, trace.len, 0, &text, NULL), 0);
	assert_string_equal(pa_buf_str(&text), out);
	pa_buf_fini(&trace);
	pa_buf_fini(&text);
}

static void canonical_lines_stay_as_they_are(void **state)
{
	static const char *const lines[] = {
		"sample time_ns=123 thread=1 ustack=20 cpu=1 period=5 counters=[1,2]\n",
		"sample\n",
		"stack id=16 parent=1 frames=[0x0,0xffffffffffffffff]\n",
		"mapping time_ns=1 process=2 start=0xffffffff81000000 length_bytes=4096 prot=5\n",
		"session recorder=\"pa-record\" big_endian=1 kernel_build_id=<00ff10> cpus=8192\n",
		"process id=1 cmdline=\"a \\\"b\\\" \\\\ \\n\\t\\x1b\\x7f\" "
		"ns_pids=[0,0,18446744073709551615]\n",
		"tag key=\"gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x90\xa7\" "
		"value=\"\\xff\\xc3\\xc2\\x9b\\x00x\"\n",
		"tag key=\"\\xed\\xa0\\x80\\xc0\\x80\\xf4\\x90\\x80\\x80\\xe2\\x82\"\n",
		"comm time_ns=18446744073709551615 thread=16777216 comm=#77\n",
	};
	size_t i;

	(void)state;
	for (i = 0; i < PA_ARRAY_LEN(lines); i++)
		assert_text(lines[i], lines[i]);
}

static void input_is_liberal(void **state)
{
	(void)state;
	assert_text("# comment\n\n  \t\n   # comment\nflush\nsample\n  flush  \n", "sample\n");
	assert_text("  sample   cpu=0x10\ttime_ns=0x7b  ustack=0 counters=[] \r\n",
		    "sample time_ns=123 cpu=16\n");
	assert_text("tag key=\"\\x41\" value=\"\"\n", "tag key=\"A\"\n");
	assert_text("module build_id=<A1b2> id=010\n", "module id=10 build_id=<a1b2>\n");
	assert_text("stack id=16 parent=1 frames=[16,0x11]\n",
		    "stack id=16 parent=1 frames=[0x10,0x11]\n");
}

struct bad_line {
	const char *line;
	const char *error;
};

static const struct bad_line bad_lines[] = {
	{"smaple x=1", "line: expected a record type, or 'flush', instead of 'smaple'"},
	{"string id=1", "line: expected a record type, or 'flush', instead of 'string'"},
	{"=", "line: expected a record type, or 'flush', instead of '='"},
	{"covered cpuu=1", "covered: expected one of its fields (time_ns) instead of 'cpuu=1'"},
	{"sample cpu=x y", "cpu: expected a number instead of 'x'"},
	{"sample cpu=", "cpu: expected a number at the end of the line"},
	{"sample cpu=-1", "cpu: expected a number instead of '-1'"},
	{"sample cpu=0x", "cpu: expected a blank after the value instead of 'x'"},
	{"sample cpu", "cpu: expected '=' at the end of the line"},
	{"sample cpu=1 cpu=2", "cpu: expected only once instead of 'cpu=2'"},
	{"sample cpu=1,", "cpu: expected a blank after the value instead of ','"},
	{"sample cpu=4294967296", "cpu: expected a number of 32 bits instead of '4294967296'"},
	{"sample period=18446744073709551616",
	 "period: expected a number of 64 bits instead of '18446744073709551616'"},
	{"comm comm=abc", "comm: expected a text in double quotes, or #ID, instead of 'abc'"},
	{"comm comm=\"ab", "comm: expected a closing '\"' at the end of the line"},
	{"comm comm=\"a\\q\"", "comm: expected \\\\, \\\", \\n, \\t or \\xNN instead of '\\q\"'"},
	{"comm comm=\"\\x1\"", "comm: expected \\\\, \\\", \\n, \\t or \\xNN instead of '\\x1\"'"},
	{"comm comm=\"\\", "comm: expected \\\\, \\\", \\n, \\t or \\xNN instead of '\\'"},
	{"comm comm=#x", "comm: expected a number instead of 'x'"},
	{"comm comm=#4294967296", "comm: expected a number of 32 bits instead of '#4294967296'"},
	{"sample counters=1", "counters: expected a list as in [1,2] instead of '1'"},
	{"sample counters=[1;2]", "counters: expected ',' or ']' instead of ';2]'"},
	{"sample counters=[1,]", "counters: expected a number instead of ']'"},
	{"sample counters=[1", "counters: expected ',' or ']' at the end of the line"},
	{"module build_id=abc", "build_id: expected bytes as in <00ff> instead of 'abc'"},
	{"module build_id=<abc>",
	 "build_id: expected two hexadecimal digits or '>' instead of 'c>'"},
	{"flush now", "flush: expected nothing behind it instead of 'now'"},
};

static void errors_name_the_word(void **state)
{
	struct pa_buf trace = {0}, error = {0};
	struct pa_writer *w = pa_writer_new(memory_sink, &trace, NULL);
	struct pa_writer_stats stats;
	size_t i;

	(void)state;
	for (i = 0; i < PA_ARRAY_LEN(bad_lines); i++) {
		pa_buf_reset(&error);
		assert_int_equal(pa_text_to_writer(w, bad_lines[i].line, &error), PA_E_SYNTAX);
		assert_string_equal(pa_buf_str(&error), bad_lines[i].error);
	}
	assert_int_equal(pa_text_to_writer(w, "sample cpu=9999", &error), PA_E_LIMIT);
	pa_writer_get_stats(w, &stats);
	assert_int_equal(stats.records, stats.strings);
	pa_writer_free(w);
	pa_buf_fini(&trace);
	pa_buf_fini(&error);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(canonical_lines_stay_as_they_are),
		cmocka_unit_test(input_is_liberal),
		cmocka_unit_test(errors_name_the_word),
	};

	return cmocka_run_group_tests_name("format/text", tests, NULL, NULL);
}
