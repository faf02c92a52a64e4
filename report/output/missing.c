// SPDX-License-Identifier: GPL-2.0-or-later
/* The files that names are missing of, as a table for programs: columns separated by tabs. */
#include "report/output/outputs.h"
#include "report/output/units.h"

static void add_row(struct pa_buf *out, const struct rpt_session *s,
		    const struct rpt_missing_row *row)
{
	const struct rpt_module *module = &s->model.modules.items[row->module];
	bool has_id = module->build_id_bytes > 0;

	rpt_add_build_id(out, module->build_id, module->build_id_bytes);
	pa_buf_addf(out, "%s\t%llu\t%llu\t%s\t", has_id ? "" : "-",
		    (unsigned long long)row->samples, (unsigned long long)row->addresses,
		    rpt_lack_text(row->lack));
	rpt_add_text(out, rpt_text(&s->model, module->path), 0);
	pa_buf_addf(out, "\t%s\t", row->package ? row->package : "-");
	/* Servers know GNU build IDs alone. */
	if (has_id && module->build_id_kind <= PA_BUILD_ID_GNU) {
		pa_buf_add_str(out, "/buildid/");
		rpt_add_build_id(out, module->build_id, module->build_id_bytes);
		pa_buf_add_str(out, row->lack == RPT_LACK_FILE ? "/executable" : "/debuginfo");
	} else {
		pa_buf_add_char(out, '-');
	}
	pa_buf_add_char(out, '\n');
}

static int write_missing(const struct rpt_session *s, const struct rpt_output_options *options,
			 FILE *out)
{
	struct pa_buf text;
	size_t i;

	(void)options;
	pa_buf_init(&text);
	pa_buf_add_str(&text, "#build_id\tstacks\taddresses\tmissing\tpath\tpackage\tdebuginfod\n");
	for (i = 0; i < s->missing.count; i++)
		add_row(&text, s, &s->missing.rows[i]);
	return rpt_output_put(&text, out);
}

const struct rpt_output rpt_out_missing = {
	.name = "missing",
	.help = "files that names are missing of",
	.write = write_missing,
};
