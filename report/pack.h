/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A copy of a trace that brings its names along, so that it is reported without the files that were
 * recorded. Copied stacks are walked on the way, since that takes these files, too. Segments of one
 * recording become one trace.
 */
#ifndef RPT_PACK_H
#define RPT_PACK_H

#include "format/pa-format.h"

struct rpt_pack;
struct rpt_session;

/* Copies whatever session loads from now on to the sink; both are borrowed. */
struct rpt_pack *rpt_pack_new(struct rpt_session *session, pa_sink_fn *sink, void *ctx);
/* What writing the copy failed with, which ends the loading; else 0. */
int rpt_pack_get_error(const struct rpt_pack *p);
/* Adds the names, once the session was analysed, and the end. 0, or the writer's or sink's error. */
int rpt_pack_finish(struct rpt_pack *p);
void rpt_pack_free(struct rpt_pack *p);

struct rpt_pack_stats {
	uint64_t addresses; /* of code in files */
	uint64_t named; /* those of them that have a name */
};
void rpt_pack_get_stats(const struct rpt_pack *p, struct rpt_pack_stats *stats);

#endif
