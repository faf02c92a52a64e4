/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Between the files of the HTML page: the parts of the data that it draws. */
#ifndef RPT_HTML_DATA_H
#define RPT_HTML_DATA_H

#include "format/util/buf.h"
#include "report/analyse/calltree.h"
#include "report/output/outputs.h"

/* Each adds members to the object that was begun in out. */
void rpt_html_add_head(struct pa_buf *out, const struct rpt_session *s,
		       const struct rpt_output_options *options);
void rpt_html_add_tasks(struct pa_buf *out, const struct rpt_session *s);
void rpt_html_add_tree(struct pa_buf *out, const struct rpt_session *s,
		       const struct rpt_calltree *tree);
/* One profile, its rows spread over slices of that length. */
void rpt_html_add_profile(struct pa_buf *out, const struct rpt_session *s,
			  const struct rpt_profile *profile, const struct rpt_calltree *tree,
			  uint64_t slice_ns);

/* The page's own files as they are in report/html/, made into arrays by embed.sh; and the SHA-256 sums in
 * base64 by which the page's security policy knows them. */
extern const char rpt_html_style[], rpt_html_body[], rpt_html_script[];
extern const char rpt_html_style_sum[], rpt_html_script_sum[];

#endif
