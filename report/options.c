// SPDX-License-Identifier: GPL-2.0-or-later
/* The options of pa-report, one row each. */
#include "report/options.h"

#include <stdlib.h>
#include <string.h>

#include "format/cli/log.h"
#include "format/cli/values.h"
#include "report/interrupt.h"
#include "report/symbols/symbols.h"
#include "report/xmem.h"

#define DEFAULT_TOP 20
#define DEFAULT_FETCH_NS 60000000000ull
#define MAX_FETCH_NS (24 * 3600 * 1000000000ull)
#define MAX_TOP 1000000
#define DEFAULT_THRESHOLD 5
#define MAX_THRESHOLD 1000000

/* As enum rpt_by; without it none. */
static const char *const by_choices[] = {"none", "thread", "process", "cpu", "cgroup", "tag", NULL};

#define AT(member) offsetof(struct rpt_config, member)

static const struct pa_opt options[] = {
	{.name = "pprof",
	 .kind = PA_OPT_STRING,
	 .offset = AT(pprof),
	 .arg = "FILE",
	 .help = "write a profile for pprof (gzip); with --offcpu of blocked time; '-' is stdout",
	 .group = "What to show"},
	{.name = "folded",
	 .kind = PA_OPT_STRING,
	 .offset = AT(folded),
	 .arg = "FILE",
	 .help = "write collapsed stacks, for flamegraph.pl and its like"},
	{.name = "html",
	 .kind = PA_OPT_STRING,
	 .offset = AT(html),
	 .arg = "FILE",
	 .help = "write a page with flame graphs and a time line; of two traces their difference"},
	{.name = "perf-data",
	 .kind = PA_OPT_STRING,
	 .offset = AT(perf_data),
	 .arg = "FILE",
	 .help = "write a perf.data, for perf script, perf report, hotspot, AutoFDO"},
	{.name = "firefox",
	 .kind = PA_OPT_STRING,
	 .offset = AT(firefox),
	 .arg = "FILE",
	 .help = "write a profile for the Firefox profiler; gzip if FILE ends in .gz"},
	{.name = "perfetto",
	 .kind = PA_OPT_STRING,
	 .offset = AT(perfetto),
	 .arg = "FILE",
	 .help = "write a trace for ui.perfetto.dev: tracks of CPUs and threads"},
	{.name = "sqlite",
	 .kind = PA_OPT_STRING,
	 .offset = AT(sqlite),
	 .arg = "FILE",
	 .help = "write or extend an SQLite database of recordings"},
	{.name = "json",
	 .kind = PA_OPT_STRING,
	 .offset = AT(json),
	 .arg = "FILE",
	 .help = "write everything as JSON, for programs"},
	{.name = "offcpu",
	 .kind = PA_OPT_FLAG,
	 .offset = AT(offcpu),
	 .help = "off-CPU time instead of CPU time"},
	{.name = "pmu",
	 .kind = PA_OPT_FLAG,
	 .offset = AT(pmu),
	 .help = "the page of scheduler and counters alone"},
	{.name = "per-pid",
	 .kind = PA_OPT_FLAG,
	 .offset = AT(per_pid),
	 .help = "one block for each process"},
	{.name = "top",
	 .letter = 'n',
	 .kind = PA_OPT_UINT,
	 .offset = AT(top),
	 .arg = "N",
	 .help = "rows in each table (20)",
	 .min = 1,
	 .max = MAX_TOP},
	{.name = "check",
	 .kind = PA_OPT_FLAG,
	 .offset = AT(check),
	 .help = "exit status 3 when something is to be investigated"},
	{.name = "rules",
	 .kind = PA_OPT_STRING,
	 .offset = AT(rules),
	 .arg = "FILE",
	 .help = "bounds, hints, and what threads may block in: see pa-rules(5)"},
	{.name = "diff",
	 .kind = PA_OPT_FLAG,
	 .offset = AT(diff),
	 .help = "compare the first FILE, of before, with the second, of after",
	 .group = "Comparing"},
	{.name = "to",
	 .kind = PA_OPT_LIST,
	 .offset = AT(to),
	 .arg = "FILE",
	 .help = "with --diff: FILE and all that follow it are of after; a TIME ends what is reported"},
	{.name = "raw",
	 .kind = PA_OPT_FLAG,
	 .offset = AT(raw),
	 .help = "with --diff: sums of each recording, not per second of it"},
	{.name = "threshold",
	 .kind = PA_OPT_UINT,
	 .offset = AT(threshold_percent),
	 .arg = "PCT",
	 .help = "with --diff --check: how much more is a regression, if not chance (5)",
	 .max = MAX_THRESHOLD},
	{.name = "from",
	 .kind = PA_OPT_STRING,
	 .offset = AT(from),
	 .arg = "TIME",
	 .help = "what happened from then on; until --to TIME: 2s (since the start), 03:42:06 UTC",
	 .group = "Which part"},
	{.name = "pid",
	 .kind = PA_OPT_LIST,
	 .offset = AT(pids),
	 .arg = "PID",
	 .help = "this process; may be repeated, as all of these"},
	{.name = "tid",
	 .kind = PA_OPT_LIST,
	 .offset = AT(tids),
	 .arg = "TID",
	 .help = "this thread"},
	{.name = "comm",
	 .kind = PA_OPT_LIST,
	 .offset = AT(comms),
	 .arg = "NAME",
	 .help = "threads, while they have this name"},
	{.name = "cpu",
	 .kind = PA_OPT_LIST,
	 .offset = AT(cpus),
	 .arg = "N",
	 .help = "samples of this CPU"},
	{.name = "cgroup",
	 .kind = PA_OPT_LIST,
	 .offset = AT(cgroups),
	 .arg = "PATH",
	 .help = "processes in this control group, or below it"},
	{.name = "container",
	 .kind = PA_OPT_LIST,
	 .offset = AT(containers),
	 .arg = "ID",
	 .help = "processes of this container, by the beginning of its id"},
	{.name = "stack-has",
	 .kind = PA_OPT_STRING,
	 .offset = AT(stack_has),
	 .arg = "REGEX",
	 .help = "stacks with a function that matches"},
	{.name = "exclude",
	 .kind = PA_OPT_STRING,
	 .offset = AT(exclude),
	 .arg = "REGEX",
	 .help = "stacks without one that matches"},
	{.name = "focus",
	 .kind = PA_OPT_STRING,
	 .offset = AT(focus),
	 .arg = "FUNCTION",
	 .help = "stacks with this function, from it inwards"},
	{.name = "by",
	 .kind = PA_OPT_CHOICE,
	 .offset = AT(by),
	 .arg = "WHAT",
	 .choices = by_choices,
	 .help = "put stacks below their thread, process, cpu, cgroup or tag"},
	{.name = "symbols",
	 .kind = PA_OPT_LIST,
	 .offset = AT(symbol_dirs),
	 .arg = "DIR",
	 .help = "look for files by build ID below DIR first; may be repeated",
	 .group = "Names of functions"},
	{.name = "sysroot",
	 .kind = PA_OPT_STRING,
	 .offset = AT(sysroot),
	 .arg = "DIR",
	 .help = "recorded paths lie below DIR"},
	{.name = "debuginfod",
	 .kind = PA_OPT_STRING,
	 .offset = AT(debuginfod),
	 .arg = "URL",
	 .optional_arg = true,
	 .help = "fetch what is missing from a server; without URL, from $DEBUGINFOD_URLS"},
	{.name = "debuginfod-timeout",
	 .kind = PA_OPT_DURATION,
	 .offset = AT(debuginfod_ns),
	 .arg = "DUR",
	 .help = "how long all of that may take (1m)",
	 .min = 1000000,
	 .max = MAX_FETCH_NS},
	{.name = "no-demangle",
	 .kind = PA_OPT_FLAG,
	 .offset = AT(no_demangle),
	 .help = "names as in the symbol table"},
	{.name = "no-inlines",
	 .kind = PA_OPT_FLAG,
	 .offset = AT(no_inlines),
	 .help = "leave inlined functions in their callers"},
	{.name = "missing",
	 .kind = PA_OPT_FLAG,
	 .offset = AT(missing),
	 .help = "list the build IDs of files that would give more names, the heaviest first"},
	{.name = "explain",
	 .kind = PA_OPT_STRING,
	 .offset = AT(explain),
	 .arg = "WHAT",
	 .help = "show how an address, MODULE+OFFSET or function was resolved, step by step"},
	{.name = "dump",
	 .kind = PA_OPT_FLAG,
	 .offset = AT(dump),
	 .help = "print the records of the trace, as text",
	 .group = "The trace itself"},
	{.name = "stat",
	 .kind = PA_OPT_FLAG,
	 .offset = AT(stat),
	 .help = "print what the trace consists of, and its sizes"},
	{.name = "scrub",
	 .kind = PA_OPT_FLAG,
	 .offset = AT(scrub),
	 .help = "copy FILE to a second one, without command lines, host name and directories"},
	{.name = "pack",
	 .kind = PA_OPT_STRING,
	 .offset = AT(pack),
	 .arg = "OUT",
	 .help = "copy FILE to OUT, with all names: it is reported anywhere without other files"},
	{.name = "pack-files",
	 .kind = PA_OPT_STRING,
	 .offset = AT(pack_files),
	 .arg = "DIR",
	 .help = "copy the files that names come from to DIR, for --symbols"},
	{.name = "verbose",
	 .letter = 'v',
	 .kind = PA_OPT_FLAG,
	 .offset = AT(verbose),
	 .help = "say more, cut no names",
	 .group = "Others"},
	{.name = "no-pager",
	 .kind = PA_OPT_FLAG,
	 .offset = AT(no_pager),
	 .help = "on a terminal, don't let the report go through a pager"},
	{.name = "completion",
	 .kind = PA_OPT_COMPLETION,
	 .arg = "SHELL",
	 .help = "print a completion script for bash or zsh",
	 .choices = (const char *const[]){"bash", "zsh", NULL}},
	{.name = "help", .letter = 'h', .kind = PA_OPT_HELP, .help = "print this"},
	{.name = "version", .letter = 'V', .kind = PA_OPT_VERSION, .help = "print the version"},
	{0},
};

static const struct pa_opt_program program = {
	.name = "pa-report",
	.usage = "pa-report [OPTION]... FILE...\n"
		 "pa-report [OPTION]... --diff BEFORE AFTER\n"
		 "pa-report [OPTION]... --diff BEFORE... --to AFTER...\n"
		 "pa-report --scrub FILE COPY\n"
		 "pa-report --pack OUT FILE...\n"
		 "pa-report --pack-files DIR FILE...",
	.about = "Reports what pa-record recorded. '-' as FILE is standard input.",
	.version = PA_VERSION,
	.opts = options,
	.footer = "Exit status: 0 all right, 1 failure, 2 wrong usage, 3 with --check when\n"
		  "something is to be investigated, or has got worse.\n",
};

/* --- which part --- */

static void note_filter(struct rpt_config *config, const char *option, const char *value)
{
	if (value)
		pa_buf_addf(&config->filter_text, "%s--%s %s", config->filter_text.len ? " " : "",
			    option, value);
}

static struct rpt_names note_names(struct rpt_config *config, const char *option,
				   const struct pa_opt_list *list)
{
	size_t i;

	for (i = 0; i < list->count; i++)
		note_filter(config, option, list->items[i]);
	return (struct rpt_names){list->items, list->count};
}

static bool check_numbers(const char *option, const struct pa_opt_list *list)
{
	uint64_t number;
	size_t i;

	for (i = 0; i < list->count; i++) {
		if (pa_value_uint(list->items[i], &number) && number <= UINT32_MAX)
			continue;
		pa_error("--%s: '%s': expected a whole number", option, list->items[i]);
		return false;
	}
	return true;
}

static bool check_time(const char *option, const char *text, struct rpt_when *when)
{
	if (!text || rpt_when_parse(text, when))
		return true;
	pa_error("--%s: '%s': expected a duration since the start like 2s, or a time in UTC like "
		 "03:42:06 or 2026-12-01T03:42:06",
		 option, text);
	return false;
}

static bool check_regex(const char *option, const char *regex)
{
	char *fault = regex ? rpt_regex_fault(regex) : NULL;

	if (fault)
		pa_error("--%s: '%s' is no regular expression: %s", option, regex, fault);
	free(fault);
	return !fault;
}

/* --to is a time, but that with --diff it may be a file. */
static const char *take_end(struct rpt_config *config)
{
	const char *end = NULL;
	struct rpt_when when;
	size_t i, kept = 0;

	for (i = 0; i < config->to.count; i++) {
		if (!config->diff || rpt_when_parse(config->to.items[i], &when))
			end = config->to.items[i];
		else
			config->to.items[kept++] = config->to.items[i];
	}
	config->to.count = kept;
	return end;
}

#define MIN_CONTAINER_CHARS 8

static bool check_containers(const struct pa_opt_list *list)
{
	size_t i;

	for (i = 0; i < list->count; i++) {
		if (strlen(list->items[i]) >= MIN_CONTAINER_CHARS)
			continue;
		pa_error("--container: '%s' is too short to be sure: give %d characters of the id",
			 list->items[i], MIN_CONTAINER_CHARS);
		return false;
	}
	return true;
}

static bool make_filter(struct rpt_config *config)
{
	struct rpt_filter *f = &config->filter;
	const char *to = take_end(config);

	if (!check_time("from", config->from, &f->from) || !check_time("to", to, &f->to) ||
	    !check_numbers("pid", &config->pids) || !check_numbers("tid", &config->tids) ||
	    !check_numbers("cpu", &config->cpus) || !check_containers(&config->containers) ||
	    !check_regex("stack-has", config->stack_has) ||
	    !check_regex("exclude", config->exclude))
		return false;
	note_filter(config, "from", config->from);
	note_filter(config, "to", to);
	f->pids = note_names(config, "pid", &config->pids);
	f->tids = note_names(config, "tid", &config->tids);
	f->comms = note_names(config, "comm", &config->comms);
	f->cpus = note_names(config, "cpu", &config->cpus);
	f->cgroups = note_names(config, "cgroup", &config->cgroups);
	f->containers = note_names(config, "container", &config->containers);
	note_filter(config, "stack-has", config->stack_has);
	note_filter(config, "exclude", config->exclude);
	note_filter(config, "focus", config->focus);
	note_filter(config, "by", config->by ? by_choices[config->by] : NULL);
	f->by_cpu = config->by == RPT_BY_CPU;
	f->text = pa_buf_str(&config->filter_text);
	config->stacks = (struct rpt_stack_filter){
		.has = config->stack_has,
		.exclude = config->exclude,
		.focus = config->focus,
		.by = (enum rpt_by)config->by,
	};
	return true;
}

/* --- the files --- */

/* Which word of the command line a name, or an option's argument, stands in. */
static int word_of(char *const *words, int count, const char *name)
{
	int i;

	for (i = 0; i < count; i++)
		if (name >= words[i] && name <= words[i] + strlen(words[i]))
			return i;
	return count;
}

/* Files that stand behind the first --to go with it; words is the command line as it was. */
static void split_at_to(struct rpt_config *config, char *const *words, int count)
{
	int i, at = word_of(words, count, config->to.items[0]), before = 0;
	size_t k;

	for (k = 0; k < config->to.count; k++)
		config->after[config->after_count++] = (char *)config->to.items[k];
	for (i = 0; i < config->file_count; i++) {
		if (word_of(words, count, config->files[i]) > at)
			config->after[config->after_count++] = config->files[i];
		else
			config->files[before++] = config->files[i];
	}
	config->file_count = before;
}

static bool split_files(struct rpt_config *config, char *const *words, int count)
{
	config->after = rpt_xcalloc((size_t)count + 1, sizeof(char *));
	if (config->to.count) {
		split_at_to(config, words, count);
		if (config->file_count > 0)
			return true;
		pa_error("--diff: no trace of before was named: give them in front of --to");
		return false;
	}
	if (config->file_count == 2) {
		config->after[config->after_count++] = config->files[1];
		config->file_count = 1;
		return true;
	}
	pa_error("--diff compares two traces, %d were named; several of each: "
		 "--diff BEFORE... --to AFTER...",
		 config->file_count);
	return false;
}

static bool check_diff(const struct rpt_config *config)
{
	if (!config->diff && config->raw)
		pa_error("--raw goes with --diff");
	else if (config->diff &&
		 (config->dump || config->stat || config->scrub || config->pmu || config->per_pid))
		pa_error("--diff does not go with --dump, --stat, --scrub, --pmu or --per-pid");
	else if (config->diff && (config->pprof || config->sqlite || config->json))
		pa_error("--diff is a report for people: it does not go with --pprof, --sqlite or "
			 "--json");
	else
		return true;
	return false;
}

static enum pa_opt_result check_files(struct rpt_config *config, char *const *words, int count)
{
	if (!make_filter(config) || !check_diff(config))
		return PA_OPTS_USAGE;
	if (config->scrub && config->file_count != 2) {
		pa_error("--scrub takes two files: the trace, and where its copy is to be written");
		return PA_OPTS_USAGE;
	}
	if (config->diff)
		return split_files(config, words, count) ? PA_OPTS_OK : PA_OPTS_USAGE;
	if (config->file_count > 0)
		return PA_OPTS_OK;
	pa_error("no trace was named: give a FILE that pa-record wrote, or '-' for standard input");
	return PA_OPTS_USAGE;
}

struct rpt_symbol_options rpt_config_symbols(const struct rpt_config *config)
{
	return (struct rpt_symbol_options){
		.symbol_dirs = config->symbol_dirs.items,
		.symbol_dir_count = config->symbol_dirs.count,
		.sysroot = config->sysroot,
		.debuginfod = config->debuginfod,
		.debuginfod_ns = config->debuginfod_ns,
		.interrupted = &rpt_interrupted,
		.no_inlines = config->no_inlines,
		.no_demangle = config->no_demangle,
		.no_lines = config->stat,
		.keep_trail = config->explain != NULL,
	};
}

enum pa_opt_result rpt_config_parse(struct rpt_config *config, int argc, char **argv)
{
	char **words = rpt_xcalloc((size_t)argc + 1, sizeof(char *));
	enum pa_opt_result result;
	int rest;

	*config = (struct rpt_config){.top = DEFAULT_TOP,
				      .threshold_percent = DEFAULT_THRESHOLD,
				      .debuginfod_ns = DEFAULT_FETCH_NS};
	/* Parsing moves what is no option to the end. */
	memcpy(words, argv, (size_t)argc * sizeof(char *));
	result = pa_opts_parse(&program, argc, argv, config, false, &rest);
	if (result == PA_OPTS_OK) {
		config->files = argv + rest;
		config->file_count = argc - rest;
		result = check_files(config, words, argc);
	}
	free(words);
	return result;
}

void rpt_config_fini(struct rpt_config *config)
{
	pa_opt_list_fini(&config->symbol_dirs);
	pa_opt_list_fini(&config->to);
	pa_opt_list_fini(&config->pids);
	pa_opt_list_fini(&config->tids);
	pa_opt_list_fini(&config->comms);
	pa_opt_list_fini(&config->cpus);
	pa_opt_list_fini(&config->cgroups);
	pa_opt_list_fini(&config->containers);
	pa_buf_fini(&config->filter_text);
	free(config->after);
}
