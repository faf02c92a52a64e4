// SPDX-License-Identifier: GPL-2.0-or-later
/* Segments of one recording, each in a file of its own, are read as one trace. */
#include <string.h>

#include "report/load.h"

bool rpt_load_continues(const struct rpt_load *l, struct pa_reader *r,
			const struct pa_record *first)
{
	const struct pa_session *s = &first->session;
	const struct rpt_trace *t;
	const char *host;

	if (!l->begun || first->id != PA_REC_SESSION || !s->segment_start_ns)
		return false;
	t = &l->m->traces[l->trace];
	host = pa_reader_string(r, s->host, NULL);
	return t->segment_count && s->segment > t->last_segment &&
	       s->start_ns == t->session_start_ns && s->start_wall_ns == t->session_wall_ns &&
	       host && strcmp(host, rpt_text(l->m, t->host)) == 0;
}

/* Nothing is known of the time between two segments whose end and beginning are that far apart. */
#define GAP_NS 1000000

void rpt_load_find_end(struct rpt_trace *t)
{
	if (!t->ended)
		t->end_ns = t->covered_ns ? t->covered_ns : t->last_ns;
}

void rpt_load_continue(struct rpt_load *l, const struct pa_session *first)
{
	struct rpt_trace *t = rpt_load_trace_get(l);

	l->continued = true;
	if (first->segment_start_ns > t->end_ns && first->segment_start_ns - t->end_ns > GAP_NS) {
		rpt_add_saturated(&t->gap_ns, first->segment_start_ns - t->end_ns);
		/* What was blocked before may have been anything since. */
		rpt_load_close_open(l);
		l->run_start_ns = first->segment_start_ns;
	}
	t->segments_cut += !t->ended;
	t->ended = false;
	t->last_segment = first->segment;
	t->segment_count++;
	/* Ids of stacks begin anew in each segment, those of all else go on. */
	rpt_idmap_fini(&l->stacks);
	rpt_idmap_init(&l->stacks);
}

void rpt_load_add_stats(struct rpt_trace *t, const struct pa_reader *r)
{
	struct pa_reader_stats *sum = &t->reader, add;
	size_t i;

	pa_reader_get_stats(r, &add);
	sum->major = add.major;
	sum->minor = add.minor;
	sum->bytes += add.bytes;
	sum->blocks += add.blocks;
	sum->blocks_bad += add.blocks_bad;
	sum->bytes_skipped += add.bytes_skipped;
	sum->unknown_blocks += add.unknown_blocks;
	sum->records += add.records;
	sum->unknown_records += add.unknown_records;
	sum->truncated |= add.truncated;
	sum->ended = add.ended;
	for (i = 0; i < PA_REC_IDS_; i++) {
		sum->per_record[i].records += add.per_record[i].records;
		sum->per_record[i].raw_bytes += add.per_record[i].raw_bytes;
	}
}
