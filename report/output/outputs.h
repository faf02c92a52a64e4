/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The outputs: each is one file that defines one rpt_output, and one line in outputs.c. An output reads
 * a session that is worked out, and computes nothing.
 */
#ifndef RPT_OUTPUTS_H
#define RPT_OUTPUTS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "format/util/buf.h"
#include "report/session.h"

struct rpt_output_options {
	bool offcpu; /* blocked time instead of CPU time */
	bool pmu; /* scheduler and counters alone */
	bool per_pid; /* one block for each process */
	bool verbose;
	bool colour; /* the output goes to a terminal that shows colours */
	bool bars; /* and there is room for bars beside numbers */
	size_t columns; /* width of the page */
	bool compressed; /* the file's name ends in ".gz": for formats that may be, and need not */
	bool grouped; /* stacks begin with whom they are of */
	bool raw; /* in a comparison: sums, not per second */
	uint64_t top; /* rows in a table */
};

struct rpt_output {
	const char *name;
	const char *help;
	bool needs_points; /* the session has to have kept them */
	bool needs_before; /* it is of a session that was compared with another */
	/* Writes all of it to out. 0, or -errno or PA_E_* with nothing said; the caller looks at ferror(). */
	int (*write)(const struct rpt_session *s, const struct rpt_output_options *options,
		     FILE *out);
	/*
	 * Or, of what cannot be a stream: makes the file temporary of sessions of one recording each. It is
	 * renamed to path by the caller; what is there may be taken over.
	 */
	int (*write_file)(const struct rpt_session *const *sessions, size_t count,
			  const struct rpt_output_options *options, const char *temporary,
			  const char *path);
	/* Says, after PA_E_UNSUPPORTED, what kind of file it takes; NULL = it takes any. */
	const char *wants;
};

extern const struct rpt_output rpt_out_text;
extern const struct rpt_output rpt_out_pprof;
extern const struct rpt_output rpt_out_folded;
extern const struct rpt_output rpt_out_html;
extern const struct rpt_output rpt_out_perfetto;
extern const struct rpt_output rpt_out_firefox;
extern const struct rpt_output rpt_out_perf_data;
extern const struct rpt_output rpt_out_stat;
extern const struct rpt_output rpt_out_missing;
extern const struct rpt_output rpt_out_explain;
extern const struct rpt_output rpt_out_sqlite;
extern const struct rpt_output rpt_out_json;
extern const struct rpt_output rpt_out_diff;

/* All of them, NULL at the end. */
extern const struct rpt_output *const rpt_outputs[];
/* The one of that name, which must be there. */
const struct rpt_output *rpt_output_find(const char *name);

/*
 * Writes an output to a file: under a temporary name beside it, which is renamed when all is written, so
 * that the name never stands for a part. "-" is standard output. Only what has write_file() takes more
 * than one session. 0 or the error.
 */
int rpt_output_to_file(const struct rpt_output *output, const struct rpt_session *const *sessions,
		       size_t count, const struct rpt_output_options *options, const char *path);
/* Writes what an output has put together, and frees it. 0 or the error. */
int rpt_output_put(struct pa_buf *text, FILE *out);

/* Prints the records of a trace as text; no session is needed. 0 or the error. */
int rpt_dump(struct pa_reader *reader, FILE *out);

#endif
