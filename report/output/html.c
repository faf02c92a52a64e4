// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * One page of HTML that needs nothing else: the page's own style and script from report/html/, and the
 * data, as JSON. Its security policy lets no other script run and nothing be loaded.
 */
#include <errno.h>

#include "report/output/html_data.h"
#include "report/output/json_text.h"
#include "report/xmem.h"

/* The time line has at most about so many columns. */
#define MAX_SLICES 400
#define MIN_SLICE_NS 1000000ull

/* 1, 2 or 5 times a power of ten. */
static uint64_t slice_length(uint64_t duration_ns)
{
	uint64_t wanted = duration_ns / MAX_SLICES, step = MIN_SLICE_NS;

	while (step < wanted && step < UINT64_MAX / 10) {
		if (2 * step >= wanted)
			return 2 * step;
		if (5 * step >= wanted)
			return 5 * step;
		step *= 10;
	}
	return step;
}

static void add_data(struct pa_buf *out, const struct rpt_session *s,
		     const struct rpt_output_options *options)
{
	uint64_t slice_ns = slice_length(s->duration_ns);
	struct rpt_calltree tree;

	rpt_calltree_init(&tree, &s->code);
	pa_buf_add_char(out, '{');
	rpt_html_add_head(out, s, options);
	rpt_html_add_tasks(out, s);
	rpt_html_add_tree(out, s, &tree);
	rpt_json_add_key(out, "profiles");
	pa_buf_add_char(out, '[');
	if (s->oncpu.row_count)
		rpt_html_add_profile(out, s, &s->oncpu, &tree, slice_ns);
	if (s->offcpu.row_count)
		rpt_html_add_profile(out, s, &s->offcpu, &tree, slice_ns);
	pa_buf_add_str(out, "]}");
	rpt_calltree_fini(&tree);
}

static int write_html(const struct rpt_session *s, const struct rpt_output_options *options,
		      FILE *out)
{
	struct pa_buf data;
	int err;

	pa_buf_init(&data);
	add_data(&data, s, options);
	err = pa_buf_error(&data);
	if (err == 0) {
		fprintf(out,
			"<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
			"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
			"script-src 'sha256-%s'; style-src 'sha256-%s'; base-uri 'none'; "
			"form-action 'none'\">\n"
			"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
			"<meta name=\"color-scheme\" content=\"light dark\">\n"
			"<title>pa-report</title>\n<style>%s</style>\n</head>\n<body>\n%s"
			"<script type=\"application/json\" id=\"data\">",
			rpt_html_script_sum, rpt_html_style_sum, rpt_html_style, rpt_html_body);
		fwrite(data.data, 1, data.len, out);
		fprintf(out, "</script>\n<script>%s</script>\n</body>\n</html>\n", rpt_html_script);
	}
	pa_buf_fini(&data);
	return err;
}

const struct rpt_output rpt_out_html = {
	.name = "html",
	.help = "a page with flame graphs and a time line",
	.needs_points = true,
	.write = write_html,
};
