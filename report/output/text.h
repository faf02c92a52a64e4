/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Between the files of the text report: a page that grows, and the parts that are put on it. */
#ifndef RPT_TEXT_H
#define RPT_TEXT_H

#include "report/output/outputs.h"
#include "report/output/units.h"

/* The width where there is no terminal. */
#define RPT_PAGE_COLUMNS 100

struct rpt_page {
	struct pa_buf out;
	const struct rpt_session *s;
	const struct rpt_output_options *options;
	bool marks_labels; /* for other outputs: labels stand between the next two */
};
#define RPT_PAGE_LABEL_BEGIN '\x1e'
#define RPT_PAGE_LABEL_END '\x1f'

/* The width of this page. */
size_t rpt_page_columns(const struct rpt_page *p);
/* Colours, where they are wanted: from begin to end. */
enum rpt_page_style {
	RPT_STYLE_BOLD,
	RPT_STYLE_GOOD,
	RPT_STYLE_WATCH,
	RPT_STYLE_BAD,
	RPT_STYLE_FAINT,
	RPT_STYLE_BAR
};
void rpt_page_begin_style(struct rpt_page *p, enum rpt_page_style style);
void rpt_page_end_style(struct rpt_page *p);
/* A bar of at most RPT_BAR_COLUMNS columns for a share of 100, where bars are wanted. */
#define RPT_BAR_COLUMNS 8
void rpt_page_bar(struct rpt_page *p, double percent);
/* An empty line and a heading. */
void rpt_page_heading(struct rpt_page *p, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
/* Begins a line "  label       "; the caller adds the rest and the newline. */
void rpt_page_label(struct rpt_page *p, const char *label);
/* Cells of a table: each ends width columns behind its beginning, with two spaces before it. */
void rpt_page_cell_duration(struct rpt_page *p, size_t width, uint64_t ns);
void rpt_page_cell_percent(struct rpt_page *p, size_t width, double percent);
void rpt_page_cell_number(struct rpt_page *p, size_t width, uint64_t number);
/* A heading or text for such a cell; left-aligned when width is negative. */
void rpt_page_cell(struct rpt_page *p, int width, const char *text);
/* Adds a name from the traces, cut so that the line ends at the page's width, unless --verbose. line is
 * the byte at which it began. */
void rpt_page_name(struct rpt_page *p, size_t line, uint32_t string);
void rpt_page_text(struct rpt_page *p, size_t line, const char *text);
/* A thread as "name/tid", a process as "name/pid". */
void rpt_page_thread(struct rpt_page *p, uint32_t thread);
void rpt_page_process(struct rpt_page *p, uint32_t process);
/* "at +1.234 s" of the trace that a thread belongs to. */
void rpt_page_moment(struct rpt_page *p, uint32_t thread, uint64_t time_ns);

/* A stack as "inner < its caller < ...", as many frames as fit into the line, which began at byte
 * line; without those that every wait has, unless --verbose. */
void rpt_page_stack(struct rpt_page *p, size_t line, uint32_t call);

void rpt_text_head(struct rpt_page *p);
/* What was filtered out of a model. */
void rpt_text_filter(struct rpt_page *p, const struct rpt_model *m);
void rpt_text_coverage(struct rpt_page *p);
void rpt_text_verdicts(struct rpt_page *p, const struct rpt_verdicts *v);
/* The cells of a verdict's line, and what a thread contributes to it. */
void rpt_text_verdict_value(struct rpt_page *p, const struct rpt_verdict *v);
void rpt_text_verdict_bounds(struct rpt_page *p, const struct rpt_verdict *v);
void rpt_text_verdict_amount(struct rpt_page *p, const struct rpt_verdict *v,
			     const struct rpt_evidence *e);
void rpt_text_oncpu(struct rpt_page *p);
/* The functions of one process. */
void rpt_text_process(struct rpt_page *p, const struct rpt_process_profile *process);
/* IPC and misses of each function. */
void rpt_text_counts(struct rpt_page *p);
void rpt_text_offcpu(struct rpt_page *p);
void rpt_text_hints(struct rpt_page *p);
/* What threads did when the snapshot was taken. */
void rpt_text_snapshot(struct rpt_page *p);
/* The system call that a thread was in, decoded: "read(5 = pipe:[77])". */
void rpt_add_call(struct pa_buf *out, const struct rpt_model *m,
		  const struct rpt_snapshot_thread *t);
/* Who wakes whom. */
void rpt_text_wakes(struct rpt_page *p);
/* Threads that break a rule. */
void rpt_text_breaches(struct rpt_page *p);
/* Processes and threads, where there are several. */
void rpt_text_tasks(struct rpt_page *p);
/* Scheduler and counters of a process, or of everything. */
void rpt_text_unit(struct rpt_page *p, const struct rpt_unit *u);

/* What a status as of wait(2) means: "exit status 1", "killed by SIGSEGV (139: ...)". */
void rpt_add_exit_status(struct pa_buf *out, uint32_t status);

#endif
