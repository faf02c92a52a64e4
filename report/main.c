// SPDX-License-Identifier: GPL-2.0-or-later
/* pa-report: reads traces, and writes what was asked for. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "format/cli/log.h"
#include "format/util/cleanup.h"
#include "format/util/err.h"
#include "report/options.h"
#include "report/output/outputs.h"
#include "report/session.h"
#include "report/symbols/symbols.h"

PA_DEFINE_CLEANUP(struct pa_reader, pa_reader_free)
PA_DEFINE_CLEANUP(struct rpt_session, rpt_session_free)

static int64_t read_fd(void *ctx, void *data, size_t len)
{
	ssize_t n;

	do {
		n = read(*(int *)ctx, data, len);
	} while (n < 0 && errno == EINTR);
	return n < 0 ? -errno : n;
}

static int report_bad_file(const char *file, int err)
{
	pa_error("cannot read '%s': %s", file, pa_strerror(err));
	return err;
}

/* Opens a trace, and hands its reader to use(). */
static int with_reader(const char *file,
		       int (*use)(void *ctx, struct pa_reader *r, const char *file), void *ctx)
{
	PA_CLEANUP(pa_reader_free_ptr) struct pa_reader *reader = NULL;
	PA_CLEANUP(pa_close_fd) int opened = -1;
	int fd = STDIN_FILENO, err;

	if (strcmp(file, "-") != 0) {
		opened = open(file, O_RDONLY | O_CLOEXEC);
		if (opened < 0)
			return report_bad_file(file, -errno);
		fd = opened;
	}
	err = pa_reader_new(read_fd, &fd, &reader);
	if (err < 0)
		return report_bad_file(file, err);
	return use(ctx, reader, file);
}

static int load(void *ctx, struct pa_reader *reader, const char *file)
{
	int err = rpt_session_load(ctx, reader, file);

	return err < 0 ? report_bad_file(file, err) : 0;
}

static int dump(void *ctx, struct pa_reader *reader, const char *file)
{
	int err = rpt_dump(reader, stdout);

	(void)ctx;
	return err < 0 ? report_bad_file(file, err) : 0;
}

static int write_output(const struct rpt_config *config, const struct rpt_session *s)
{
	const struct rpt_output_options options = {
		.offcpu = config->offcpu,
		.pmu = config->pmu,
		.per_pid = config->per_pid,
		.verbose = config->verbose,
		.top = config->top,
	};
	const struct rpt_output *output = config->stat ? &rpt_out_stat : &rpt_out_text;
	const char *path = "-";
	int err;

	if (config->pprof) {
		output = &rpt_out_pprof;
		path = config->pprof;
	}
	err = rpt_output_to_file(output, s, &options, path);
	if (err < 0)
		pa_error("cannot write '%s': %s", path, pa_strerror(err));
	return err;
}

static int analyse_and_write(const struct rpt_config *config)
{
	PA_CLEANUP(rpt_session_free_ptr) struct rpt_session *s = rpt_session_new();
	const struct rpt_symbol_options symbols = {
		.symbol_dirs = config->symbol_dirs.items,
		.symbol_dir_count = config->symbol_dirs.count,
		.sysroot = config->sysroot,
		.no_inlines = config->no_inlines,
		.no_demangle = config->no_demangle,
		.no_lines = config->stat,
	};
	int i;

	for (i = 0; i < config->file_count; i++)
		if (with_reader(config->files[i], load, s) < 0)
			return PA_EXIT_FAILURE;
	rpt_session_analyse(s, &symbols, config->per_pid);
	if (write_output(config, s) < 0)
		return PA_EXIT_FAILURE;
	if (config->check && rpt_verdicts_worst(&s->verdicts) == RPT_INVESTIGATE)
		return PA_EXIT_CHECK;
	return PA_EXIT_OK;
}

static int run(const struct rpt_config *config)
{
	int i;

	if (!config->dump)
		return analyse_and_write(config);
	for (i = 0; i < config->file_count; i++)
		if (with_reader(config->files[i], dump, NULL) < 0)
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
	return status;
}
