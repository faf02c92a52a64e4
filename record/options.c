// SPDX-License-Identifier: GPL-2.0-or-later
/* The command line of pa-record. */
#include <errno.h>
#include <limits.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "format/cli/log.h"
#include "format/cli/values.h"
#include "record/config.h"

#define OFFSET(member) offsetof(struct rec_config, member)
#define SECONDS 1000000000ull
#define MIN_SEGMENT_BYTES (64u << 10)

static const char *const unwind_modes[] = {"auto", "fp", "dwarf", "copy", "auto,copy", NULL};

const char *rec_unwind_name(int mode)
{
	return unwind_modes[mode];
}

static const struct pa_opt options[] = {
	{.group = "What to record",
	 .name = "pid",
	 .letter = 'p',
	 .kind = PA_OPT_LIST,
	 .offset = OFFSET(pids),
	 .arg = "PID",
	 .help = "a process, all its threads and what it forks; may be repeated"},
	{.name = "comm",
	 .kind = PA_OPT_LIST,
	 .offset = OFFSET(comms),
	 .arg = "NAME",
	 .help = "all processes of this name; may be repeated"},
	{.name = "all",
	 .letter = 'a',
	 .kind = PA_OPT_FLAG,
	 .offset = OFFSET(all),
	 .help = "the whole system"},
	{.group = "How to record",
	 .name = "profile",
	 .kind = PA_OPT_FLAG,
	 .offset = OFFSET(profile),
	 .help = "on-CPU samples with stacks (default when no mode is named)"},
	{.name = "offcpu",
	 .kind = PA_OPT_FLAG,
	 .offset = OFFSET(offcpu),
	 .help = "blocked time with stacks"},
	{.name = "wakers",
	 .kind = PA_OPT_FLAG,
	 .offset = OFFSET(wakers),
	 .help = "with --offcpu, which it implies: the stacks of who wakes blocked threads"},
	{.name = "pmu",
	 .kind = PA_OPT_FLAG,
	 .offset = OFFSET(pmu),
	 .help = "scheduler statistics and hardware counters"},
	{.name = "snapshot",
	 .kind = PA_OPT_FLAG,
	 .offset = OFFSET(snapshot),
	 .help = "what every thread does at this moment, and nothing else: for what hangs"},
	{.name = "duration",
	 .letter = 'd',
	 .kind = PA_OPT_DURATION,
	 .offset = OFFSET(duration_ns),
	 .arg = "DUR",
	 .min = 1000000,
	 .max = 7 * 24 * 3600 * SECONDS,
	 .help = "500ms, 10s, 5m (default 10s; with a command, until it ends)"},
	{.name = "sample-rate",
	 .letter = 'F',
	 .kind = PA_OPT_UINT,
	 .offset = OFFSET(sample_rate_hz),
	 .arg = "HZ",
	 .min = 1,
	 .max = 20000,
	 .help = "samples per second and CPU (default 99)"},
	{.name = "unwind",
	 .kind = PA_OPT_CHOICE,
	 .offset = OFFSET(unwind),
	 .arg = "HOW",
	 .choices = unwind_modes,
	 .help = "how user stacks are walked: auto (by unwind tables, and frame pointers where there are "
		 "none; the default), fp or dwarf (by one of these alone), copy (64 KiB of each stack are "
		 "copied, and walked by pa-report), or auto,copy (copied where auto leads to no end)"},
	{.name = "unwind-memory",
	 .kind = PA_OPT_SIZE,
	 .offset = OFFSET(unwind_memory_bytes),
	 .arg = "SIZE",
	 .min = 1 << 20,
	 .max = 1ull << 30,
	 .help = "for unwind tables in the kernel (default 24M)"},
	{.name = "buffer",
	 .kind = PA_OPT_SIZE,
	 .offset = OFFSET(buffer_bytes),
	 .arg = "SIZE",
	 .min = 65536,
	 .max = 1u << 30,
	 .help = "of the ring buffer, a power of two (default 4M, more on many CPUs)"},
	{.group = "The trace",
	 .name = "output",
	 .letter = 'o',
	 .kind = PA_OPT_STRING,
	 .offset = OFFSET(output),
	 .arg = "FILE",
	 .help = "the trace; '-' is standard output (default NAME-YYYYMMDDhhmmss.pa)"},
	{.name = "tag",
	 .kind = PA_OPT_LIST,
	 .offset = OFFSET(tags),
	 .arg = "KEY=VALUE",
	 .help = "kept in the trace and shown by every output; may be repeated"},
	{.name = "max-size",
	 .kind = PA_OPT_SIZE,
	 .offset = OFFSET(max_bytes),
	 .arg = "SIZE",
	 .min = 1 << 20,
	 .max = 1ull << 50,
	 .help = "end when so much is written; a ring: what it may hold"},
	{.name = "rotate",
	 .kind = PA_OPT_STRING,
	 .offset = OFFSET(rotate),
	 .arg = "SIZE|DUR",
	 .help = "go on in a new file, FILE.0.pa, FILE.1.pa, ..., after 64M or 60s"},
	{.name = "ring",
	 .kind = PA_OPT_DURATION,
	 .offset = OFFSET(ring_ns),
	 .arg = "DUR",
	 .min = SECONDS,
	 .max = 24 * 3600 * SECONDS,
	 .help = "keep the newest part in memory; written on SIGUSR2 and at the end"},
	{.group = "Other",
	 .name = "verbose",
	 .letter = 'v',
	 .kind = PA_OPT_FLAG,
	 .offset = OFFSET(verbose),
	 .help = "say what is done, and what it costs"},
	{.name = "quiet",
	 .letter = 'q',
	 .kind = PA_OPT_FLAG,
	 .offset = OFFSET(quiet),
	 .help = "say nothing but errors"},
	{.name = "completion",
	 .kind = PA_OPT_COMPLETION,
	 .arg = "SHELL",
	 .help = "print a completion script for bash or zsh",
	 .choices = (const char *const[]){"bash", "zsh", NULL}},
	{.name = "help", .letter = 'h', .kind = PA_OPT_HELP, .help = "print this and exit"},
	{.name = "version",
	 .letter = 'V',
	 .kind = PA_OPT_VERSION,
	 .help = "print the version and exit"},
	{.name = NULL},
};

static const struct pa_opt_program program = {
	.name = "pa-record",
	.usage = "pa-record [OPTION...] --pid PID\n"
		 "pa-record [OPTION...] --all\n"
		 "pa-record [OPTION...] -- COMMAND [ARG...]",
	.about = "Records where threads run and wait into one trace file, for pa-report to read.",
	.version = PA_VERSION,
	.opts = options,
	.footer = "Example: pa-record --pid 1234 --profile --offcpu --pmu --duration 60s -o app.pa",
};

static int check_pids(const struct rec_config *config)
{
	size_t i;

	for (i = 0; i < config->pids.count; i++) {
		const char *text = config->pids.items[i];
		char *end;
		long pid;

		errno = 0;
		pid = strtol(text, &end, 10);
		if (errno || end == text || *end || pid < 1 || pid > INT_MAX) {
			pa_error("--pid: '%s' is not a process id", text);
			return PA_EXIT_USAGE + 1;
		}
	}
	return 0;
}

static int check_tags(const struct rec_config *config)
{
	size_t i;

	for (i = 0; i < config->tags.count; i++) {
		const char *equals = strchr(config->tags.items[i], '=');

		if (!equals || equals == config->tags.items[i]) {
			pa_error("--tag: '%s' is not of the form key=value", config->tags.items[i]);
			return PA_EXIT_USAGE + 1;
		}
	}
	return 0;
}

static int check_target(const struct rec_config *config)
{
	int ways = (config->pids.count || config->comms.count) + config->all +
		   (config->command != NULL);

	if (ways == 1)
		return 0;
	if (ways == 0)
		pa_error("nothing to record: name --pid PID, --comm NAME, --all, or -- COMMAND");
	else
		pa_error("--pid/--comm, --all and a command exclude each other");
	return PA_EXIT_USAGE + 1;
}

/* 60s is a duration, 64M a size. */
static int check_rotate(struct rec_config *config)
{
	const char *text = config->rotate;

	if (!text)
		return 0;
	if (!pa_value_size(text, &config->rotate_bytes) &&
	    !pa_value_duration(text, &config->rotate_ns)) {
		pa_error("--rotate: '%s' is neither a size (64M) nor a duration (60s)", text);
		return PA_EXIT_USAGE + 1;
	}
	if (config->rotate_ns ? config->rotate_ns < SECONDS :
				config->rotate_bytes < MIN_SEGMENT_BYTES) {
		pa_error("--rotate: '%s' is too little, it is at least 64K or 1s", text);
		return PA_EXIT_USAGE + 1;
	}
	return 0;
}

static int check_output(const struct rec_config *config)
{
	bool to_stdout = config->output && strcmp(config->output, "-") == 0;

	if (config->rotate && config->ring_ns) {
		pa_error("--rotate and --ring exclude each other");
		return PA_EXIT_USAGE + 1;
	}
	if (to_stdout && (config->rotate || config->ring_ns)) {
		pa_error(
			"--rotate and --ring make files with numbers: name one by -o FILE, not '-'");
		return PA_EXIT_USAGE + 1;
	}
	return 0;
}

static int check_snapshot(const struct rec_config *config)
{
	const char *other = config->profile     ? "--profile" :
			    config->wakers      ? "--wakers" :
			    config->offcpu      ? "--offcpu" :
			    config->pmu         ? "--pmu" :
			    config->rotate      ? "--rotate" :
			    config->ring_ns     ? "--ring" :
			    config->command     ? "a command" :
			    config->duration_ns ? "--duration" :
						  NULL;

	if (!config->snapshot || !other)
		return 0;
	pa_error("--snapshot is of one moment and what runs already: %s does not go with it",
		 other);
	return PA_EXIT_USAGE + 1;
}

int rec_options_parse(int argc, char **argv, struct rec_config *config)
{
	int rest, err;

	*config = (struct rec_config){.sample_rate_hz = 99, .unwind_memory_bytes = 24u << 20};
	switch (pa_opts_parse(&program, argc, argv, config, true, &rest)) {
	case PA_OPTS_DONE:
		return PA_EXIT_OK + 1;
	case PA_OPTS_USAGE:
		return PA_EXIT_USAGE + 1;
	case PA_OPTS_OK:
		break;
	}
	if (rest < argc)
		config->command = argv + rest;
	if (config->buffer_bytes & (config->buffer_bytes - 1)) {
		pa_error("--buffer: the size must be a power of two");
		return PA_EXIT_USAGE + 1;
	}
	err = check_pids(config);
	if (!err)
		err = check_tags(config);
	if (!err)
		err = check_target(config);
	if (!err)
		err = check_rotate(config);
	if (!err)
		err = check_output(config);
	if (err)
		return err;
	err = check_snapshot(config);
	if (err)
		return err;
	if (config->wakers)
		config->offcpu = true;
	if (!config->snapshot && !config->profile && !config->offcpu && !config->pmu)
		config->profile = true;
	if (!config->duration_ns && !config->command && !config->rotate && !config->ring_ns)
		config->duration_ns = 10 * SECONDS;
	return 0;
}

void rec_config_fini(struct rec_config *config)
{
	pa_opt_list_fini(&config->pids);
	pa_opt_list_fini(&config->comms);
	pa_opt_list_fini(&config->tags);
}
