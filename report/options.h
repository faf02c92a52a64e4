/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The command line of pa-report. */
#ifndef RPT_OPTIONS_H
#define RPT_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "format/cli/opts.h"
#include "format/util/buf.h"
#include "report/analyse/stack_filter.h"

struct rpt_symbol_options;

struct rpt_config {
	char **files; /* traces; borrowed from argv */
	int file_count;
	char **after; /* with diff: traces to be compared with them; owned array of borrowed names */
	int after_count;
	const char *pprof; /* file to write, NULL = none; as are the next */
	const char *folded;
	const char *html;
	const char *perfetto;
	const char *firefox;
	const char *perf_data;
	const char *sqlite;
	const char *json;
	bool offcpu;
	bool pmu;
	bool per_pid;
	struct pa_opt_list symbol_dirs;
	const char *sysroot;
	const char *debuginfod; /* servers, "" = of the environment, NULL = none */
	uint64_t debuginfod_ns;
	bool no_demangle;
	bool no_inlines;
	uint64_t top;
	bool check;
	const char *rules; /* file, NULL = the built-in ones alone */
	bool diff;
	bool raw;
	uint64_t threshold_percent;
	struct pa_opt_list to; /* the end of time, or files that are compared with */
	const char *from;
	struct pa_opt_list pids, tids, comms, cpus, cgroups, containers;
	const char *stack_has, *exclude, *focus;
	int by; /* enum rpt_by */
	struct rpt_filter filter; /* of the above */
	struct rpt_stack_filter stacks;
	struct pa_buf filter_text;
	bool dump;
	bool stat;
	bool scrub; /* files are the trace and its copy */
	bool missing; /* the files that names are missing of */
	const char *explain; /* address or function, NULL = none */
	const char *pack; /* trace to write, NULL = none */
	const char *pack_files; /* directory for the files that names come from, NULL = none */
	bool verbose;
	bool no_pager;
};

/* Parses argv. PA_OPTS_USAGE after one message, PA_OPTS_DONE after --help or --version. */
enum pa_opt_result rpt_config_parse(struct rpt_config *config, int argc, char **argv);
/* What the command line says of symbols; borrowed from the config. */
struct rpt_symbol_options rpt_config_symbols(const struct rpt_config *config);
void rpt_config_fini(struct rpt_config *config);

#endif
