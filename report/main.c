// SPDX-License-Identifier: GPL-2.0-or-later
/* pa-report: reads traces, and writes what was asked for. */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "format/cli/log.h"
#include "format/util/cleanup.h"
#include "format/util/err.h"
#include "report/collect.h"
#include "format/util/mem.h"
#include "report/files.h"
#include "report/options.h"
#include "report/output/outputs.h"
#include "report/pack_command.h"
#include "report/rules_file.h"
#include "report/scrub.h"
#include "report/session.h"
#include "report/symbols/symbols.h"
#include "report/terminal.h"

PA_DEFINE_CLEANUP(struct rpt_session, rpt_session_free)

static int load(void *ctx, struct pa_reader *reader, const char *file)
{
	return rpt_session_load(ctx, reader, file);
}

static int dump(void *ctx, struct pa_reader *reader, const char *file)
{
	(void)ctx;
	(void)file;
	return rpt_dump(reader, stdout);
}

struct copy {
	const struct rpt_symbol_options *symbols;
	const char *path;
	int err;
};

static int scrub(void *ctx, struct pa_reader *reader, const char *file)
{
	struct copy *copy = ctx;

	copy->err = rpt_scrub(reader, copy->symbols, copy->path);
	if (copy->err < 0)
		pa_error("cannot copy '%s' to '%s': %s", file, copy->path, pa_strerror(copy->err));
	return 0;
}

static int write_copy(const struct rpt_config *config)
{
	const struct rpt_symbol_options symbols = rpt_config_symbols(config);
	struct copy copy = {.symbols = &symbols, .path = config->files[1]};

	return rpt_file_read(config->files[0], scrub, &copy) < 0 || copy.err < 0 ? PA_EXIT_FAILURE :
										   PA_EXIT_OK;
}

/* What is printed where no output to a file was asked for. */
static const char *output_name(const struct rpt_config *config)
{
	if (config->missing)
		return "missing";
	if (config->explain)
		return "explain";
	return config->stat ? "stat" : "text";
}

/* Outputs that go to a file: the option that names it. */
static const struct file_output {
	const char *name;
	size_t option; /* offset of the path in the config */
} file_outputs[] = {
	{"pprof", offsetof(struct rpt_config, pprof)},
	{"folded", offsetof(struct rpt_config, folded)},
	{"html", offsetof(struct rpt_config, html)},
	{"perfetto", offsetof(struct rpt_config, perfetto)},
	{"firefox", offsetof(struct rpt_config, firefox)},
	{"perf-data", offsetof(struct rpt_config, perf_data)},
};

static const char *path_of(const struct rpt_config *config, const struct file_output *f)
{
	return *(const char *const *)((const char *)config + f->option);
}

static bool ends_in(const char *text, const char *end)
{
	size_t len = strlen(text), end_len = strlen(end);

	return len >= end_len && strcmp(text + len - end_len, end) == 0;
}

static int write_output(const char *name, const char *path, const struct rpt_config *config,
			const struct rpt_session *s, const struct rpt_terminal *terminal)
{
	const struct rpt_output_options options = {
		.colour = terminal->colour,
		.bars = terminal->is_terminal,
		.columns = terminal->columns,
		.offcpu = config->offcpu,
		.pmu = config->pmu,
		.per_pid = config->per_pid,
		.verbose = config->verbose,
		.top = config->top,
		.compressed = ends_in(path, ".gz"),
	};
	int err = rpt_output_to_file(rpt_output_find(name), s, &options, path);

	if (err < 0)
		pa_error("cannot write '%s': %s", strcmp(path, "-") ? path : "standard output",
			 pa_strerror(err));
	return err;
}

static void begin_pager(const struct rpt_config *config)
{
	if (!config->no_pager)
		rpt_pager_begin();
}

/* All files that were asked for; without any, the report for people. */
static int write_outputs(const struct rpt_config *config, const struct rpt_session *s)
{
	struct rpt_terminal terminal = {0};
	size_t i, written = 0;
	const char *path;

	for (i = 0; i < PA_ARRAY_LEN(file_outputs); i++) {
		path = path_of(config, &file_outputs[i]);
		if (!path)
			continue;
		if (write_output(file_outputs[i].name, path, config, s, &terminal) < 0)
			return -1;
		written++;
	}
	if (written)
		return 0;
	/* Before the pager: then it is a pipe. */
	rpt_terminal_look(&terminal);
	begin_pager(config);
	return write_output(output_name(config), "-", config, s, &terminal);
}

static bool needs_points(const struct rpt_config *config)
{
	size_t i;

	for (i = 0; i < PA_ARRAY_LEN(file_outputs); i++)
		if (path_of(config, &file_outputs[i]) &&
		    rpt_output_find(file_outputs[i].name)->needs_points)
			return true;
	return false;
}

static int analyse_and_write(const struct rpt_config *config)
{
	PA_CLEANUP(rpt_session_free_ptr) struct rpt_session *s = rpt_session_new();
	const struct rpt_symbol_options symbols = rpt_config_symbols(config);
	int i;

	if (config->rules && rpt_rules_load(rpt_session_rules(s), config->rules) < 0)
		return PA_EXIT_FAILURE;
	rpt_session_walk_copies(s, &symbols);
	if (needs_points(config))
		rpt_session_keep_points(s);
	if (rpt_files_order(config->files, config->file_count) < 0)
		return PA_EXIT_FAILURE;
	for (i = 0; i < config->file_count; i++)
		if (rpt_file_read(config->files[i], load, s) < 0)
			return PA_EXIT_FAILURE;
	rpt_session_explain(s, config->explain);
	rpt_session_analyse(s, &symbols, config->per_pid);
	if (config->missing)
		rpt_missing_find(&s->missing, &s->model, &s->code, config->sysroot);
	if (config->explain && s->explain.count == 0) {
		pa_error("'%s' is no address in a mapping, no MODULE+OFFSET, and no function of "
			 "any stack: take one as the report shows it",
			 config->explain);
		return PA_EXIT_FAILURE;
	}
	if (write_outputs(config, s) < 0)
		return PA_EXIT_FAILURE;
	if (config->check && rpt_session_worst(s) == RPT_INVESTIGATE)
		return PA_EXIT_CHECK;
	return PA_EXIT_OK;
}

static int run(const struct rpt_config *config)
{
	int i;

	if (config->scrub)
		return write_copy(config);
	if (config->pack)
		return rpt_pack_command(config);
	if (config->pack_files)
		return rpt_collect_command(config);
	if (!config->dump)
		return analyse_and_write(config);
	begin_pager(config);
	for (i = 0; i < config->file_count; i++)
		if (rpt_file_read(config->files[i], dump, NULL) < 0)
			return PA_EXIT_FAILURE;
	return PA_EXIT_OK;
}

int main(int argc, char **argv)
{
	struct rpt_config config;
	int status = PA_EXIT_OK;

	pa_log_init("pa-report", PA_LOG_NORMAL);
	switch (rpt_config_parse(&config, argc, argv)) {
	case PA_OPTS_OK:
		pa_log_init("pa-report", config.verbose ? PA_LOG_VERBOSE : PA_LOG_NORMAL);
		status = run(&config);
		break;
	case PA_OPTS_DONE:
		break;
	case PA_OPTS_USAGE:
		status = PA_EXIT_USAGE;
		break;
	}
	rpt_config_fini(&config);
	rpt_pager_end();
	return status;
}
