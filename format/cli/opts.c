// SPDX-License-Identifier: GPL-2.0-or-later
/* Parsing of command lines by option tables, on top of getopt_long. */
#include "format/cli/opts.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/cli/log.h"
#include "format/cli/values.h"
#include "format/util/mem.h"

#define MAX_OPTIONS 64
#define FIRST_VALUE 256 /* what getopt returns for the first row; above all letters */

bool pa_opt_takes_arg(const struct pa_opt *opt)
{
	return opt->kind != PA_OPT_FLAG && opt->kind != PA_OPT_HELP && opt->kind != PA_OPT_VERSION;
}

static int arg_kind(const struct pa_opt *opt)
{
	if (!pa_opt_takes_arg(opt))
		return no_argument;
	return opt->optional_arg ? optional_argument : required_argument;
}

struct getopt_tables {
	char letters[3 * MAX_OPTIONS + 3]; /* up to two colons each; '+', ':', NUL */
	struct option longs[MAX_OPTIONS + 1];
	size_t count;
};

static void make_tables(const struct pa_opt *opts, bool stop_at_arg, struct getopt_tables *t)
{
	char *p = t->letters;
	size_t i;

	memset(t, 0, sizeof(*t));
	if (stop_at_arg)
		*p++ = '+';
	*p++ = ':'; /* a missing argument is told from an unknown option */
	for (i = 0; opts[i].name && i < MAX_OPTIONS; i++) {
		t->longs[i] = (struct option){opts[i].name, arg_kind(&opts[i]), NULL,
					      FIRST_VALUE + (int)i};
		if (!opts[i].letter)
			continue;
		*p++ = opts[i].letter;
		if (pa_opt_takes_arg(&opts[i]))
			*p++ = ':';
		if (opts[i].optional_arg)
			*p++ = ':'; /* twice: optional */
	}
	t->count = i;
}

/* The row that getopt means by a value: a letter, or FIRST_VALUE and the row's number. NULL = none. */
static const struct pa_opt *find_option(const struct pa_opt *opts, size_t count, int value)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (value == FIRST_VALUE + (int)i || (value && value == opts[i].letter))
			return &opts[i];
	return NULL;
}

static int list_add(struct pa_opt_list *list, const char *item)
{
	int err = pa_grow(&list->items, &list->cap, list->count + 1, sizeof(*list->items));

	if (!err)
		list->items[list->count++] = item;
	return err;
}

static bool store_choice(const struct pa_opt *opt, void *member, const char *arg)
{
	int i;

	for (i = 0; opt->choices[i]; i++) {
		if (strcmp(opt->choices[i], arg) == 0) {
			*(int *)member = i;
			return true;
		}
	}
	return false;
}

static bool store_number(const struct pa_opt *opt, void *member, const char *arg)
{
	uint64_t value;
	bool ok;

	if (opt->kind == PA_OPT_DURATION)
		ok = pa_value_duration(arg, &value);
	else if (opt->kind == PA_OPT_SIZE)
		ok = pa_value_size(arg, &value);
	else
		ok = pa_value_uint(arg, &value);
	if (!ok || ((opt->min || opt->max) && (value < opt->min || value > opt->max)))
		return false;
	*(uint64_t *)member = value;
	return true;
}

static const char *kind_text(enum pa_opt_kind kind)
{
	switch (kind) {
	case PA_OPT_DURATION:
		return "a duration like 500ms, 10s or 5m";
	case PA_OPT_SIZE:
		return "a size like 64K, 10M or 2G";
	default:
		return "a whole number";
	}
}

/* What would have been accepted, for the message. */
static void print_expected(const struct pa_opt *opt, char *out, size_t size)
{
	char low[32], high[32];
	size_t used = 0, i;

	if (opt->kind == PA_OPT_CHOICE) {
		used = (size_t)snprintf(out, size, "expected one of");
		for (i = 0; opt->choices[i] && used < size; i++)
			used += (size_t)snprintf(out + used, size - used, "%s %s", i ? "," : "",
						 opt->choices[i]);
		return;
	}
	if (!opt->min && !opt->max) {
		snprintf(out, size, "expected %s", kind_text(opt->kind));
		return;
	}
	pa_value_print(opt->kind, opt->min, low, sizeof(low));
	pa_value_print(opt->kind, opt->max, high, sizeof(high));
	snprintf(out, size, "expected %s from %s to %s", kind_text(opt->kind), low, high);
}

/* Writes an option's value into the program's struct. False: a message has been printed. */
static bool store(const struct pa_opt *opt, void *config, const char *arg)
{
	void *member = (char *)config + opt->offset;
	char expected[256];

	switch (opt->kind) {
	case PA_OPT_FLAG:
		*(bool *)member = true;
		return true;
	case PA_OPT_STRING:
		*(const char **)member = arg ? arg : "";
		return true;
	case PA_OPT_LIST:
		if (list_add(member, arg) == 0)
			return true;
		pa_error("out of memory");
		return false;
	case PA_OPT_CHOICE:
		if (store_choice(opt, member, arg))
			return true;
		break;
	default:
		if (store_number(opt, member, arg))
			return true;
	}
	print_expected(opt, expected, sizeof(expected));
	pa_error("--%s: '%s': %s", opt->name, arg, expected);
	return false;
}

/* --- what was wrong --- */

/* Number of single-letter edits between two short words (Levenshtein). */
static size_t distance(const char *a, const char *b)
{
	size_t row[33], la = strlen(a), lb = strlen(b), i, j;

	if (la > 32 || lb > 32)
		return 99;
	for (j = 0; j <= lb; j++)
		row[j] = j;
	for (i = 1; i <= la; i++) {
		size_t diagonal = row[0];

		row[0] = i;
		for (j = 1; j <= lb; j++) {
			size_t above = row[j], best = diagonal + (a[i - 1] != b[j - 1]);

			best = PA_MIN(best, above + 1);
			row[j] = PA_MIN(best, row[j - 1] + 1);
			diagonal = above;
		}
	}
	return row[lb];
}

static void complain_unknown(const struct pa_opt_program *program, const char *word)
{
	const char *best = NULL;
	size_t best_distance = 4, i, d;
	char name[64];

	snprintf(name, sizeof(name), "%s", word + strspn(word, "-"));
	name[strcspn(name, "=")] = '\0';
	for (i = 0; program->opts[i].name; i++) {
		d = distance(name, program->opts[i].name);
		if (d < best_distance && d < strlen(program->opts[i].name)) {
			best_distance = d;
			best = program->opts[i].name;
		}
	}
	if (best)
		pa_error("unknown option '%s'; did you mean '--%s'? see %s --help", word, best,
			 program->name);
	else
		pa_error("unknown option '%s'; see %s --help", word, program->name);
}

static void complain(const struct pa_opt_program *program, const struct getopt_tables *t,
		     int result, char **argv)
{
	const char *word = argv[optind - 1];
	char letter[3] = {'-', (char)optopt, '\0'};
	const struct pa_opt *opt = find_option(program->opts, t->count, optopt);

	if (result == ':' && opt)
		pa_error("--%s needs an argument: %s", opt->name, opt->arg ? opt->arg : "VALUE");
	else if (opt && optopt >= FIRST_VALUE)
		pa_error("--%s takes no argument", opt->name);
	else
		complain_unknown(program, optopt && optopt < FIRST_VALUE ? letter : word);
}

static enum pa_opt_result print_completion(const struct pa_opt_program *program, const char *shell)
{
	bool zsh = strcmp(shell, "zsh") == 0;

	if (!zsh && strcmp(shell, "bash") != 0) {
		pa_error("--completion: '%s': expected one of bash, zsh", shell);
		return PA_OPTS_USAGE;
	}
	pa_opts_print_completion(program, zsh);
	return PA_OPTS_DONE;
}

enum pa_opt_result pa_opts_parse(const struct pa_opt_program *program, int argc, char **argv,
				 void *config, bool stop_at_arg, int *rest)
{
	struct getopt_tables t;
	int c;

	make_tables(program->opts, stop_at_arg, &t);
	optind = 0; /* glibc: start over */
	opterr = 0;
	while ((c = getopt_long(argc, argv, t.letters, t.longs, NULL)) != -1) {
		const struct pa_opt *opt = find_option(program->opts, t.count, c);

		if (c == '?' || c == ':' || !opt) {
			complain(program, &t, c, argv);
			return PA_OPTS_USAGE;
		}
		if (opt->kind == PA_OPT_HELP) {
			pa_opts_print_help(program);
			return PA_OPTS_DONE;
		}
		if (opt->kind == PA_OPT_VERSION) {
			printf("%s %s\n", program->name, program->version);
			return PA_OPTS_DONE;
		}
		if (opt->kind == PA_OPT_COMPLETION)
			return print_completion(program, optarg);
		if (!store(opt, config, optarg))
			return PA_OPTS_USAGE;
	}
	*rest = optind;
	return PA_OPTS_OK;
}

void pa_opt_list_fini(struct pa_opt_list *list)
{
	free(list->items);
	*list = (struct pa_opt_list){0};
}
