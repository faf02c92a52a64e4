// SPDX-License-Identifier: GPL-2.0-or-later
/* Completion scripts for shells, made of the option table. */
#include <stdio.h>
#include <string.h>

#include "format/cli/opts.h"

/* What an argument is, by its name in --help. */
static bool is_named(const struct pa_opt *opt, const char *name)
{
	return opt->arg && strcmp(opt->arg, name) == 0;
}

static void print_choices(const struct pa_opt *opt)
{
	size_t i;

	for (i = 0; opt->choices[i]; i++)
		printf("%s%s", i ? " " : "", opt->choices[i]);
}

/* A name that may stand for a function of the shell. */
static void print_function(const struct pa_opt_program *program)
{
	const char *p;

	putchar('_');
	for (p = program->name; *p; p++)
		putchar(*p == '-' ? '_' : *p);
}

static void print_bash_case(const struct pa_opt *opt)
{
	if (!pa_opt_takes_arg(opt) || opt->optional_arg)
		return;
	printf("\t--%s", opt->name);
	if (opt->letter)
		printf(" | -%c", opt->letter);
	printf(") ");
	if (opt->choices) {
		printf("words='");
		print_choices(opt);
		printf("'");
	} else if (is_named(opt, "DIR")) {
		printf("kind=-d");
	} else if (is_named(opt, "FILE")) {
		printf("kind=-f");
	} else if (is_named(opt, "PID")) {
		printf("words=$(cd /proc && echo [0-9]*)");
	} else {
		printf("return");
	}
	printf(" ;;\n");
}

static void print_bash(const struct pa_opt_program *program)
{
	size_t i;

	printf("# bash completion for %s, made by %s --completion=bash\n", program->name,
	       program->name);
	print_function(program);
	printf("()\n{\n"
	       "\tlocal current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} words= kind=\n"
	       "\t[[ $current == = ]] && current=\n"
	       "\t[[ $before == = ]] && before=${COMP_WORDS[COMP_CWORD - 2]}\n"
	       "\tCOMPREPLY=()\n"
	       "\tcase $before in\n");
	for (i = 0; program->opts[i].name; i++)
		print_bash_case(&program->opts[i]);
	printf("\t*)\n\t\tkind=-f\n\t\t[[ $current != -* ]] || words='");
	for (i = 0; program->opts[i].name; i++)
		printf("%s--%s", i ? " " : "", program->opts[i].name);
	printf("'\n\t\t;;\n\tesac\n"
	       "\tif [[ -n $words ]]; then\n"
	       "\t\tmapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$current\")\n"
	       "\telse\n"
	       "\t\tmapfile -t COMPREPLY < <(compgen \"$kind\" -- \"$current\")\n"
	       "\tfi\n}\n"
	       "complete -o filenames -F ");
	print_function(program);
	printf(" %s\n", program->name);
}

/* Within '...[help]:message:action', quoted for the shell. */
static void print_zsh_text(const char *text)
{
	for (; *text; text++) {
		if (*text == '\'')
			printf("'\\''");
		else if (strchr("[]:\\", *text))
			printf("\\%c", *text);
		else
			putchar(*text);
	}
}

static void print_zsh_option(const struct pa_opt *opt)
{
	bool repeated = opt->kind == PA_OPT_LIST;

	printf("\t'");
	if (repeated)
		putchar('*');
	if (opt->letter && !repeated)
		printf("(-%c --%s)'{-%c,--%s", opt->letter, opt->name, opt->letter, opt->name);
	else if (opt->letter)
		printf("'{-%c,--%s", opt->letter, opt->name);
	else
		printf("--%s", opt->name);
	if (pa_opt_takes_arg(opt))
		putchar(opt->optional_arg ? '-' : '=');
	printf("%s[", opt->letter ? "}'" : "");
	print_zsh_text(opt->help);
	putchar(']');
	if (pa_opt_takes_arg(opt)) {
		printf("%s:", opt->optional_arg ? ":" : "");
		print_zsh_text(opt->arg ? opt->arg : "value");
		putchar(':');
		if (opt->choices) {
			putchar('(');
			print_choices(opt);
			putchar(')');
		} else if (is_named(opt, "DIR")) {
			printf("_files -/");
		} else if (is_named(opt, "FILE")) {
			printf("_files");
		} else if (is_named(opt, "PID")) {
			printf("_pids");
		}
	}
	printf("' \\\n");
}

static void print_zsh(const struct pa_opt_program *program)
{
	size_t i;

	printf("#compdef %s\n# zsh completion, made by %s --completion=zsh\n_arguments -s -S \\\n",
	       program->name, program->name);
	for (i = 0; program->opts[i].name; i++)
		print_zsh_option(&program->opts[i]);
	/* What follows the options: a command to be started, or files. */
	printf("\t'%s'\n", strstr(program->usage, "COMMAND") ? "*:: :_normal" : "*:file:_files");
}

void pa_opts_print_completion(const struct pa_opt_program *program, bool zsh)
{
	if (zsh)
		print_zsh(program);
	else
		print_bash(program);
}
