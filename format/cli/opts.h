/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Command-line options as a table: one row an option. The table makes the parser, --help, and completion
 * for shells; each row
 * writes through its offset into the program's own struct.
 */
#ifndef PA_OPTS_H
#define PA_OPTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum pa_opt_kind {
	PA_OPT_FLAG, /* bool */
	PA_OPT_STRING, /* const char *; points into argv */
	PA_OPT_UINT, /* uint64_t, within [min, max] */
	PA_OPT_DURATION, /* uint64_t, nanoseconds: 500ms, 10s, 5m, 1h; within [min, max] */
	PA_OPT_SIZE, /* uint64_t, bytes: 64K, 10M, 2G */
	PA_OPT_LIST, /* struct pa_opt_list; may be repeated */
	PA_OPT_CHOICE, /* int, index into choices */
	PA_OPT_COMPLETION, /* bash or zsh: prints a script for it to standard output, ends the parsing */
	PA_OPT_HELP, /* prints help to standard output, ends the parsing */
	PA_OPT_VERSION, /* prints the version to standard output, ends the parsing */
};

struct pa_opt_list {
	const char **items; /* owned array of strings that point into argv */
	size_t count;
	size_t cap;
};

struct pa_opt {
	const char *name; /* long name without dashes; NULL ends the table */
	char letter; /* short name or 0 */
	enum pa_opt_kind kind;
	size_t offset; /* of the member in the program's struct */
	const char *arg; /* name of the argument in --help: PID, FILE, DUR */
	const char *help; /* one line */
	uint64_t min, max; /* both 0: no bounds */
	const char *const *choices; /* NULL-terminated */
	bool optional_arg; /* --name or --name=ARG */
	const char *group; /* heading in --help above this option, NULL = as before */
};

struct pa_opt_program {
	const char *name;
	const char *usage; /* lines below "usage:" */
	const char *about; /* one paragraph */
	const char *version;
	const struct pa_opt *opts;
	const char *footer; /* below the options; may be NULL */
};

enum pa_opt_result { PA_OPTS_OK, PA_OPTS_DONE /* help or version was printed */, PA_OPTS_USAGE };

/*
 * Parses argv into config. On PA_OPTS_OK *rest is the index of the first argument that is no option
 * (options may stand after arguments unless stop_at_arg; "--" always ends them). On PA_OPTS_USAGE one
 * message has been printed that names the word that is wrong and what is accepted.
 */
enum pa_opt_result pa_opts_parse(const struct pa_opt_program *program, int argc, char **argv,
				 void *config, bool stop_at_arg, int *rest);
void pa_opts_print_help(const struct pa_opt_program *program);
bool pa_opt_takes_arg(const struct pa_opt *opt);
/* A completion script for zsh, or for bash, to standard output. */
void pa_opts_print_completion(const struct pa_opt_program *program, bool zsh);
void pa_opt_list_fini(struct pa_opt_list *list);

#endif
