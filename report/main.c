// SPDX-License-Identifier: GPL-2.0-or-later
/* pa-report: reads traces, and writes what was asked for. */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/cli/log.h"
#include "format/util/cleanup.h"
#include "format/util/err.h"
#include "format/util/mem.h"
#include "report/collect.h"
#include "report/files.h"
#include "report/options.h"
#include "report/output/outputs.h"
#include "report/pack_command.h"
#include "report/rules_file.h"
#include "report/scrub.h"
#include "report/session.h"
#include "report/symbols/symbols.h"
#include "report/terminal.h"
#include "report/xmem.h"

/* Bars beside numbers take room from names. */
#define BAR_MIN_COLUMNS 100

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
	if (config->diff)
		return "diff";
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
	{"sqlite", offsetof(struct rpt_config, sqlite)},
	{"json", offsetof(struct rpt_config, json)},
};

static const char *path_of(const struct rpt_config *config, const struct file_output *f)
{
	return *(const char *const *)((const char *)config + f->option);
}

/* Outputs that were asked for; without any, the report for people. */
struct chosen {
	const struct rpt_output *output;
	const char *path;
};
#define MAX_CHOSEN PA_ARRAY_LEN(file_outputs)

/* An output to a file; else it is the one for people. */
static bool is_file(const struct chosen *chosen)
{
	size_t i;

	for (i = 0; i < PA_ARRAY_LEN(file_outputs); i++)
		if (chosen->output == rpt_output_find(file_outputs[i].name))
			return true;
	return false;
}

static size_t choose_outputs(const struct rpt_config *config, struct chosen *chosen)
{
	size_t i, n = 0;

	for (i = 0; i < PA_ARRAY_LEN(file_outputs); i++)
		if (path_of(config, &file_outputs[i]))
			chosen[n++] = (struct chosen){rpt_output_find(file_outputs[i].name),
						      path_of(config, &file_outputs[i])};
	if (n == 0)
		chosen[n++] = (struct chosen){rpt_output_find(output_name(config)), "-"};
	return n;
}

/* What is analysed: all traces together, and, where an output wants that, each recording by itself. */
struct work {
	const struct rpt_config *config;
	struct rpt_symbol_options symbols;
	struct chosen chosen[MAX_CHOSEN];
	size_t chosen_count;
	struct rpt_session *before; /* owned; what the others are compared with; NULL = nothing */
	struct rpt_session *together; /* owned; NULL = nobody needs it */
	struct rpt_session **each; /* owned; the first may be together itself */
	size_t each_count;
};

static void work_fini(struct work *w)
{
	size_t i;

	for (i = 0; i < w->each_count; i++)
		if (w->each[i] != w->together)
			rpt_session_free(w->each[i]);
	rpt_session_free(w->together);
	rpt_session_free(w->before);
	free(w->each);
}

static bool any_chosen(const struct work *w, bool (*test)(const struct rpt_output *output))
{
	size_t i;

	for (i = 0; i < w->chosen_count; i++)
		if (test(w->chosen[i].output))
			return true;
	return false;
}

static bool needs_points(const struct rpt_output *output)
{
	return output->needs_points;
}

static bool takes_each(const struct rpt_output *output)
{
	return output->write_file;
}

static bool takes_together(const struct rpt_output *output)
{
	return output->write;
}

/* Whether the filter has left anything that it took something from; else says so. */
static bool check_filter(const struct rpt_session *s)
{
	const struct rpt_model *m = &s->model;
	const char *what, *unknown = rpt_filter_unknown(m->filter, m, &what);

	if (unknown)
		pa_error("no %s %s is in '%s': the report without a filter names those that are",
			 what, unknown, m->traces[0].file);
	else if (!s->oncpu.count && !s->offcpu.count &&
		 (m->left_out.samples || m->left_out.intervals))
		pa_error("nothing is left of '%s' with %s: it has %llu samples and %llu intervals, "
			 "and all are left out",
			 m->traces[0].file, m->filter->text,
			 (unsigned long long)m->left_out.samples,
			 (unsigned long long)m->left_out.intervals);
	else
		return true;
	return false;
}

/* A finished session of files; NULL after a message. */
static struct rpt_session *analyse(const struct work *w, char **files, int count)
{
	PA_CLEANUP(rpt_session_free_ptr) struct rpt_session *s = rpt_session_new();
	struct rpt_session *finished;
	int i;

	if (w->config->rules && rpt_rules_load(rpt_session_rules(s), w->config->rules) < 0)
		return NULL;
	rpt_session_walk_copies(s, &w->symbols);
	rpt_session_filter(s, &w->config->filter, &w->config->stacks);
	if (any_chosen(w, needs_points))
		rpt_session_keep_points(s);
	for (i = 0; i < count; i++)
		if (rpt_file_read(files[i], load, s) < 0)
			return NULL;
	rpt_session_explain(s, w->config->explain);
	rpt_session_analyse(s, &w->symbols, w->config->per_pid);
	if (w->config->missing)
		rpt_missing_find(&s->missing, &s->model, &s->code, w->config->sysroot);
	if (w->config->explain && s->explain.count == 0) {
		pa_error("'%s' is no address in a mapping, no MODULE+OFFSET, and no function of "
			 "any stack: take one as the report shows it",
			 w->config->explain);
		return NULL;
	}
	if (!check_filter(s))
		return NULL;
	finished = s;
	s = NULL;
	return finished;
}

static int analyse_each(struct work *w, const int *recordings)
{
	int count = w->config->file_count, first, end;
	struct rpt_session *s;

	w->each = rpt_xcalloc((size_t)count, sizeof(struct rpt_session *));
	for (first = 0; first < count; first = end) {
		for (end = first + 1; end < count && recordings[end] == recordings[first]; end++)
			;
		s = first == 0 && end == count && w->together ?
			    w->together :
			    analyse(w, w->config->files + first, end - first);
		if (!s)
			return -1;
		w->each[w->each_count++] = s;
	}
	return 0;
}

static int analyse_both(struct work *w)
{
	const struct rpt_config *config = w->config;

	if (rpt_files_order(config->files, config->file_count, NULL) < 0 ||
	    rpt_files_order(config->after, config->after_count, NULL) < 0)
		return -1;
	w->before = analyse(w, config->files, config->file_count);
	w->together = w->before ? analyse(w, config->after, config->after_count) : NULL;
	if (!w->together)
		return -1;
	rpt_session_compare(w->together, w->before);
	return 0;
}

static int analyse_all(struct work *w)
{
	const struct rpt_config *config = w->config;
	int *recordings = rpt_xcalloc((size_t)config->file_count, sizeof(*recordings)), err;

	err = rpt_files_order(config->files, config->file_count, recordings);
	if (err == 0 && any_chosen(w, takes_together)) {
		w->together = analyse(w, config->files, config->file_count);
		err = w->together ? 0 : -1;
	}
	if (err == 0 && any_chosen(w, takes_each))
		err = analyse_each(w, recordings);
	free(recordings);
	return err;
}

static bool ends_in(const char *text, const char *end)
{
	size_t len = strlen(text), end_len = strlen(end);

	return len >= end_len && strcmp(text + len - end_len, end) == 0;
}

static int write_output(const struct work *w, const struct chosen *chosen,
			const struct rpt_terminal *terminal)
{
	const struct rpt_output_options options = {
		.colour = terminal->colour,
		.bars = terminal->is_terminal && terminal->columns >= BAR_MIN_COLUMNS,
		.columns = terminal->columns,
		.compressed = ends_in(chosen->path, ".gz"),
		.offcpu = w->config->offcpu,
		.pmu = w->config->pmu,
		.per_pid = w->config->per_pid,
		.verbose = w->config->verbose,
		.top = w->config->top,
		.raw = w->config->raw,
		.grouped = w->config->by != RPT_BY_NONE,
	};
	const struct rpt_output *output = chosen->output;
	const struct rpt_session *const *sessions = (const struct rpt_session *const *)w->each;
	const struct rpt_session *together = w->together;
	const char *name = strcmp(chosen->path, "-") ? chosen->path : "standard output";
	int err;

	if (output->write)
		err = rpt_output_to_file(output, &together, 1, &options, chosen->path);
	else
		err = rpt_output_to_file(output, sessions, w->each_count, &options, chosen->path);
	if (err == PA_E_UNSUPPORTED && output->wants)
		pa_error("cannot write '%s': %s", name, output->wants);
	else if (err < 0)
		pa_error("cannot write '%s': %s", name, pa_strerror(err));
	return err;
}

static bool is_to_be_investigated(const struct work *w)
{
	size_t i;

	if (w->before)
		return rpt_diff_has_regression(w->together->diff,
					       (double)w->config->threshold_percent);
	if (w->together)
		return rpt_session_worst(w->together) == RPT_INVESTIGATE;
	for (i = 0; i < w->each_count; i++)
		if (rpt_session_worst(w->each[i]) == RPT_INVESTIGATE)
			return true;
	return false;
}

static void begin_pager(const struct rpt_config *config)
{
	if (!config->no_pager)
		rpt_pager_begin();
}

static int analyse_and_write(const struct rpt_config *config)
{
	struct work w = {.config = config, .symbols = rpt_config_symbols(config)};
	struct rpt_terminal terminal = {0};
	int status = PA_EXIT_FAILURE;
	size_t i;

	w.chosen_count = choose_outputs(config, w.chosen);
	if ((config->diff ? analyse_both(&w) : analyse_all(&w)) < 0)
		goto out;
	if (!is_file(&w.chosen[0])) {
		/* Before the pager: then it is a pipe. */
		rpt_terminal_look(&terminal);
		begin_pager(config);
	}
	for (i = 0; i < w.chosen_count; i++)
		if (write_output(&w, &w.chosen[i], &terminal) < 0)
			goto out;
	status = config->check && is_to_be_investigated(&w) ? PA_EXIT_CHECK : PA_EXIT_OK;
out:
	work_fini(&w);
	return status;
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
