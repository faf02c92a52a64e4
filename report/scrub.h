/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A copy of a trace that can be handed to somebody else: without command lines, host name, user ids,
 * directories and kernel addresses. Names of threads, files and functions stay, and so do tags.
 * Copied stacks are walked, with files that are found by the options (NULL: the recorder's walk has to do);
 * what they hold is left out.
 */
#ifndef RPT_SCRUB_H
#define RPT_SCRUB_H

#include "format/pa-format.h"

struct rpt_symbol_options;

/* Hands the scrubbed copy of what reader gives to a sink. 0, or the error of the reader or of the sink. */
int rpt_scrub_to_sink(struct pa_reader *reader, const struct rpt_symbol_options *options,
		      pa_sink_fn *sink, void *ctx);
/* Writes the scrubbed copy of what reader gives into a new file, mode 0600, in the place of path; "-" is
 * standard output. 0, or the error of the reader or of the file. */
int rpt_scrub(struct pa_reader *reader, const struct rpt_symbol_options *options, const char *path);

#endif
