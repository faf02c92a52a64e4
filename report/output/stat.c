// SPDX-License-Identifier: GPL-2.0-or-later
/* What a trace consists of: records by type, blocks, sizes. */
#include "format/pa-format.h"
#include "report/output/outputs.h"
#include "report/output/units.h"

static void add_trace(struct pa_buf *out, const struct rpt_trace *t)
{
	const struct pa_reader_stats *r = &t->reader;
	uint32_t i;

	rpt_add_text(out, t->file, 0);
	pa_buf_addf(out, ": version %u.%u, %llu bytes, %llu blocks, %llu records%s%s\n",
		    (unsigned)r->major, (unsigned)r->minor, (unsigned long long)r->bytes,
		    (unsigned long long)r->blocks, (unsigned long long)r->records,
		    r->ended ? "" : ", no end record", r->truncated ? ", cut within a block" : "");
	if (r->blocks_bad || r->bytes_skipped || r->unknown_records)
		pa_buf_addf(out,
			    "  %llu bad blocks, %llu bytes skipped, %llu records of unknown type\n",
			    (unsigned long long)r->blocks_bad, (unsigned long long)r->bytes_skipped,
			    (unsigned long long)r->unknown_records);
	pa_buf_addf(out, "  %-16s %12s %14s %10s\n", "record", "count", "bytes, raw", "each");
	for (i = 0; i < PA_REC_IDS_; i++) {
		if (!r->per_record[i].records)
			continue;
		pa_buf_addf(out, "  %-16s %12llu %14llu %10.1f\n", pa_record_name(i),
			    (unsigned long long)r->per_record[i].records,
			    (unsigned long long)r->per_record[i].raw_bytes,
			    (double)r->per_record[i].raw_bytes / (double)r->per_record[i].records);
	}
}

static int write_stat(const struct rpt_session *s, const struct rpt_output_options *options,
		      FILE *out)
{
	struct pa_buf text;
	size_t i;

	(void)options;
	pa_buf_init(&text);
	for (i = 0; i < s->model.trace_count; i++)
		add_trace(&text, &s->model.traces[i]);
	return rpt_output_put(&text, out);
}

const struct rpt_output rpt_out_stat = {
	.name = "stat",
	.help = "what the trace consists of",
	.write = write_stat,
};
