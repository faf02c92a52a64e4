// SPDX-License-Identifier: GPL-2.0-or-later
/* --help from an option table. */
#include "format/cli/opts.h"

#include <stdio.h>
#include <string.h>

#define HELP_COLUMN 28
#define LINE_WIDTH 100

/* Prints words up to the width, further lines indented. column is where the cursor stands. */
static void print_wrapped(const char *text, size_t column, size_t indent)
{
	while (*text) {
		size_t word = strcspn(text, " ");

		if (column > indent && column + 1 + word > LINE_WIDTH) {
			printf("\n%*s", (int)indent, "");
			column = indent;
		} else if (column > indent) {
			putchar(' ');
			column++;
		}
		printf("%.*s", (int)word, text);
		column += word;
		text += word;
		text += strspn(text, " ");
	}
	putchar('\n');
}

static void print_usage(const char *usage)
{
	const char *lead = "usage: ";

	while (*usage) {
		size_t len = strcspn(usage, "\n");

		printf("%s%.*s\n", lead, (int)len, usage);
		lead = "       ";
		usage += len + (usage[len] == '\n');
	}
}

static void print_option(const struct pa_opt *opt)
{
	const char *before = "", *after = "";
	char letter[] = "   ", left[64];
	int n;

	if (opt->letter)
		snprintf(letter, sizeof(letter), "-%c,", opt->letter);
	if (opt->optional_arg) {
		before = "[=";
		after = "]";
	} else if (opt->arg) {
		before = " ";
	}
	n = snprintf(left, sizeof(left), "  %s --%s%s%s%s", letter, opt->name, before,
		     opt->arg ? opt->arg : "", after);
	printf("%s", left);
	if (n >= HELP_COLUMN) {
		putchar('\n');
		n = 0;
	}
	printf("%*s", HELP_COLUMN - n, "");
	print_wrapped(opt->help, HELP_COLUMN, HELP_COLUMN);
}

void pa_opts_print_help(const struct pa_opt_program *program)
{
	const struct pa_opt *opt;

	print_usage(program->usage);
	putchar('\n');
	print_wrapped(program->about, 0, 0);
	for (opt = program->opts; opt->name; opt++) {
		if (opt->group)
			printf("\n%s:\n", opt->group);
		print_option(opt);
	}
	if (program->footer)
		printf("\n%s\n", program->footer);
}
