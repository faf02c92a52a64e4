// SPDX-License-Identifier: GPL-2.0-or-later
/* Option tables: what is parsed, what is said of wrong words, --help; and the levels of messages. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include <cmocka.h>

#include "format/cli/log.h"
#include "format/cli/opts.h"
#include "format/util/mem.h"

struct config {
	bool all, quiet;
	const char *output, *color;
	uint64_t rate, duration_ns, size_bytes;
	struct pa_opt_list pids;
	int order;
};

#define AT(member) offsetof(struct config, member)

static const char *const orders[] = {"self", "total", NULL};

/* clang-format off */
static const struct pa_opt options[] = {
	{.name = "all", .letter = 'a', .kind = PA_OPT_FLAG, .offset = AT(all), .help = "everything",
	 .group = "What"},
	{.name = "pid", .letter = 'p', .kind = PA_OPT_LIST, .offset = AT(pids), .arg = "PID", .help = "a process"},
	{.name = "rate", .letter = 'F', .kind = PA_OPT_UINT, .offset = AT(rate), .arg = "HZ", .min = 1,
	 .max = 20000, .help = "samples per second"},
	{.name = "duration", .kind = PA_OPT_DURATION, .offset = AT(duration_ns), .arg = "DUR", .min = 1000000,
	 .max = 3600000000000, .help = "how long"},
	{.name = "size", .kind = PA_OPT_SIZE, .offset = AT(size_bytes), .arg = "SIZE", .help = "of a buffer"},
	{.name = "output", .letter = 'o', .kind = PA_OPT_STRING, .offset = AT(output), .arg = "FILE",
	 .help = "where to, a sentence that is long enough to be wrapped at the end of the line, and that goes on below",
	 .group = "How"},
	{.name = "color", .letter = 'c', .kind = PA_OPT_STRING, .offset = AT(color), .arg = "WHEN",
	 .optional_arg = true, .help = "colours"},
	{.name = "order", .kind = PA_OPT_CHOICE, .offset = AT(order), .arg = "COLUMN", .choices = orders,
	 .help = "what comes first"},
	{.name = "quiet", .letter = 'q', .kind = PA_OPT_FLAG, .offset = AT(quiet), .help = "say nothing"},
	{.name = "help", .letter = 'h', .kind = PA_OPT_HELP, .help = "print this"},
	{.name = "version", .letter = 'V', .kind = PA_OPT_VERSION, .help = "print the version"},
	{0},
};
/* clang-format on */

static const struct pa_opt_program program = {
	.name = "try",
	.usage = "try [OPTION]... FILE\ntry -- COMMAND",
	.about = "Tries options.",
	.version = "1.2",
	.opts = options,
	.footer = "The end.",
};

#define MAX_WORDS 16

/* What the last call of parse() gave. */
static struct config config;
static int rest;
static char *words[MAX_WORDS + 1];
static char printed[8192]; /* on standard output and standard error */

/* Redirects both standard streams into a file while it is open. */
struct capture {
	FILE *file;
	int out, err;
};

static void capture_begin(struct capture *c)
{
	fflush(stdout);
	c->file = tmpfile();
	assert_non_null(c->file);
	c->out = dup(STDOUT_FILENO);
	c->err = dup(STDERR_FILENO);
	dup2(fileno(c->file), STDOUT_FILENO);
	dup2(fileno(c->file), STDERR_FILENO);
}

static void capture_end(struct capture *c)
{
	size_t n;

	fflush(stdout);
	dup2(c->out, STDOUT_FILENO);
	dup2(c->err, STDERR_FILENO);
	close(c->out);
	close(c->err);
	rewind(c->file);
	n = fread(printed, 1, sizeof(printed) - 1, c->file);
	printed[n] = '\0';
	fclose(c->file);
}

/* Parses the words of a line, which are separated by single spaces. */
static enum pa_opt_result parse(const char *line, bool stop_at_arg)
{
	static char copy[256];
	enum pa_opt_result result;
	struct capture capture;
	int argc = 1;
	char *p;

	snprintf(copy, sizeof(copy), "%s", line);
	words[0] = "try";
	for (p = copy; *p && argc < MAX_WORDS; argc++) {
		words[argc] = p;
		p += strcspn(p, " ");
		if (*p)
			*p++ = '\0';
	}
	words[argc] = NULL;
	pa_opt_list_fini(&config.pids);
	config = (struct config){.order = -1};
	capture_begin(&capture);
	result = pa_opts_parse(&program, argc, words, &config, stop_at_arg, &rest);
	capture_end(&capture);
	return result;
}

static int begin(void **state)
{
	(void)state;
	pa_log_init("try", PA_LOG_NORMAL);
	return 0;
}

static int end(void **state)
{
	(void)state;
	pa_opt_list_fini(&config.pids);
	return 0;
}

static void all_kinds_are_stored(void **state)
{
	(void)state;
	assert_int_equal(
		parse("-a -p 12 --pid=34 -F997 --duration 1.5s --size 64K -o x --order total f",
		      false),
		PA_OPTS_OK);
	assert_true(config.all);
	assert_false(config.quiet);
	assert_int_equal(config.pids.count, 2);
	assert_string_equal(config.pids.items[0], "12");
	assert_string_equal(config.pids.items[1], "34");
	assert_int_equal(config.rate, 997);
	assert_int_equal(config.duration_ns, 1500000000);
	assert_int_equal(config.size_bytes, 65536);
	assert_string_equal(config.output, "x");
	assert_int_equal(config.order, 1);
	assert_string_equal(words[rest], "f");
	assert_string_equal(printed, "");
}

static void an_optional_argument_belongs_to_its_word(void **state)
{
	(void)state;
	assert_int_equal(parse("--color f", false), PA_OPTS_OK);
	assert_string_equal(config.color, "");
	assert_string_equal(words[rest], "f");
	assert_int_equal(parse("--color=never -calways", false), PA_OPTS_OK);
	assert_string_equal(config.color, "always");
	assert_int_equal(parse("-c f", false), PA_OPTS_OK);
	assert_string_equal(config.color, "");
	assert_string_equal(words[rest], "f");
}

static void arguments_end_or_do_not_end_the_options(void **state)
{
	(void)state;
	assert_int_equal(parse("f -q", false), PA_OPTS_OK);
	assert_true(config.quiet);
	assert_string_equal(words[rest], "f");
	assert_int_equal(parse("f -q", true), PA_OPTS_OK);
	assert_false(config.quiet);
	assert_string_equal(words[rest], "f");
	assert_int_equal(parse("-a -- -q", false), PA_OPTS_OK);
	assert_false(config.quiet);
	assert_string_equal(words[rest], "-q");
	assert_int_equal(parse("-a", true), PA_OPTS_OK);
	assert_null(words[rest]);
}

static void the_wrong_word_is_named(void **state)
{
	static const struct {
		const char *line, *message;
	} rows[] = {
		{"--rate 0", "try: --rate: '0': expected a whole number from 1 to 20000\n"},
		{"-F 20001", "try: --rate: '20001': expected a whole number from 1 to 20000\n"},
		{"--rate fast", "try: --rate: 'fast': expected a whole number from 1 to 20000\n"},
		{"--duration 1x", "try: --duration: '1x': expected a duration like 500ms, 10s or 5m"
				  " from 1ms to 1h\n"},
		{"--size 1T", "try: --size: '1T': expected a size like 64K, 10M or 2G\n"},
		{"--order name", "try: --order: 'name': expected one of self, total\n"},
		{"--pid", "try: --pid needs an argument: PID\n"},
		{"-a -p", "try: --pid needs an argument: PID\n"},
		{"--all=1", "try: --all takes no argument\n"},
		{"--frobnicate", "try: unknown option '--frobnicate'; see try --help\n"},
		{"--outptu x",
		 "try: unknown option '--outptu'; did you mean '--output'? see try --help\n"},
		{"--durations=5s f", "try: unknown option '--durations=5s'; did you mean "
				     "'--duration'? see try --help\n"},
		{"f -ax", "try: unknown option '-x'; see try --help\n"},
	};
	size_t i;

	(void)state;
	for (i = 0; i < PA_ARRAY_LEN(rows); i++) {
		assert_int_equal(parse(rows[i].line, false), PA_OPTS_USAGE);
		assert_string_equal(printed, rows[i].message);
	}
}

static void version_and_help_end_the_parsing(void **state)
{
	(void)state;
	assert_int_equal(parse("--version --frobnicate", false), PA_OPTS_DONE);
	assert_string_equal(printed, "try 1.2\n");
	assert_int_equal(parse("-h", false), PA_OPTS_DONE);
	assert_string_equal(printed, "usage: try [OPTION]... FILE\n"
				     "       try -- COMMAND\n"
				     "\n"
				     "Tries options.\n"
				     "\n"
				     "What:\n"
				     "  -a, --all                 everything\n"
				     "  -p, --pid PID             a process\n"
				     "  -F, --rate HZ             samples per second\n"
				     "      --duration DUR        how long\n"
				     "      --size SIZE           of a buffer\n"
				     "\n"
				     "How:\n"
				     "  -o, --output FILE         where to, a sentence that is "
				     "long enough to be wrapped at the"
				     " end of the\n"
				     "                            line, and that goes on below\n"
				     "  -c, --color[=WHEN]        colours\n"
				     "      --order COLUMN        what comes first\n"
				     "  -q, --quiet               say nothing\n"
				     "  -h, --help                print this\n"
				     "  -V, --version             print the version\n"
				     "\n"
				     "The end.\n");
}

static void messages_have_levels(void **state)
{
	static const char *const expected[] = {
		[PA_LOG_QUIET] = "try: e 1\n",
		[PA_LOG_NORMAL] = "try: e 1\ntry: w\ntry: i\n",
		[PA_LOG_VERBOSE] = "try: e 1\ntry: w\ntry: i\ntry: v\n",
	};
	struct capture capture;
	int level;

	(void)state;
	for (level = PA_LOG_QUIET; level <= PA_LOG_VERBOSE; level++) {
		pa_log_init("try", (enum pa_log_level)level);
		assert_int_equal(pa_log_get_level(), level);
		capture_begin(&capture);
		pa_error("e %d", 1);
		pa_warn("w");
		pa_info("i");
		pa_verbose("v");
		pa_status("not on a file");
		capture_end(&capture);
		assert_string_equal(printed, expected[level]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_kinds_are_stored),
		cmocka_unit_test(an_optional_argument_belongs_to_its_word),
		cmocka_unit_test(arguments_end_or_do_not_end_the_options),
		cmocka_unit_test(the_wrong_word_is_named),
		cmocka_unit_test(version_and_help_end_the_parsing),
		cmocka_unit_test(messages_have_levels),
	};

	return cmocka_run_group_tests_name("cli", tests, begin, end);
}
