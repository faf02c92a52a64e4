// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Collapsed stacks, one a line, as flamegraph.pl, inferno and speedscope read them: frames from the
 * outermost to the innermost with ';' between them, a space, a number. The first two frames are the
 * process and the thread, "NAME-ID".
 */
#include <stdlib.h>
#include <string.h>

#include "format/util/buf.h"
#include "format/util/utf8.h"
#include "report/analyse/calltree.h"
#include "report/output/outputs.h"
#include "report/xmem.h"

struct line {
	size_t start, len; /* of its text */
	uint64_t value;
};

struct writer {
	const struct rpt_session *s;
	struct rpt_calltree tree;
	struct pa_buf text; /* of all lines; owned, as what follows */
	struct line *lines;
	size_t line_count, line_cap;
	struct pa_htab index;
	uint32_t *path;
	size_t path_cap;
};

/* What would end a frame or a line is replaced: ';' by ':', and control characters and bytes that are not
 * UTF-8 by "\n" or "\x1f". */
static void add_frame(struct pa_buf *out, const char *name)
{
	size_t left = strlen(name), len;

	for (; left; name += len, left -= len) {
		len = pa_utf8_char_len(name, left);
		if (*name == ';') {
			pa_buf_add_char(out, ':');
		} else if (*name == '\n') {
			pa_buf_add_str(out, "\\n");
		} else if (len == 0 || (unsigned char)*name < 0x20 || *name == 0x7f) {
			pa_buf_addf(out, "\\x%02x", (unsigned char)*name);
			len = 1;
		} else {
			pa_buf_add(out, name, len);
		}
	}
}

static void add_task(struct pa_buf *out, const char *name, uint32_t id)
{
	add_frame(out, name);
	pa_buf_addf(out, "-%u", id);
}

static void add_stack(struct writer *w, uint32_t leaf)
{
	const struct rpt_code *c = &w->s->code;
	size_t depth = 0;
	uint32_t node;

	for (node = leaf; node; node = w->tree.nodes[node].parent) {
		rpt_xgrow(&w->path, &w->path_cap, depth + 1, sizeof(*w->path));
		w->path[depth++] = w->tree.nodes[node].function;
	}
	while (depth) {
		pa_buf_add_char(&w->text, ';');
		add_frame(&w->text, rpt_text(&w->s->model, c->functions[w->path[--depth]].name));
	}
}

static bool equal(const void *ctx, uint32_t value, const void *key)
{
	const struct writer *w = ctx;
	const struct line *a = &w->lines[value], *b = key;

	return a->len == b->len &&
	       memcmp(w->text.data + a->start, w->text.data + b->start, a->len) == 0;
}

/* Rows that differ in what a line does not show are one line. */
static void add_row(struct writer *w, const struct rpt_row *row)
{
	const struct rpt_model *m = &w->s->model;
	const struct rpt_processes *p = &m->processes;
	struct line line = {.start = w->text.len, .value = row->value};
	uint32_t found;
	uint64_t hash;

	add_task(&w->text, rpt_text(m, rpt_process_name(p, row->process)),
		 p->processes[row->process].pid);
	pa_buf_add_char(&w->text, ';');
	add_task(&w->text, rpt_text(m, row->comm), p->threads[row->thread].tid);
	add_stack(w, w->tree.leaf[row->call]);
	rpt_xcheck(pa_buf_error(&w->text));
	line.len = w->text.len - line.start;
	hash = pa_hash_bytes(w->text.data + line.start, line.len, 0);
	if (pa_htab_get(&w->index, hash, equal, w, &line, &found)) {
		rpt_add_saturated(&w->lines[found].value, line.value);
		pa_buf_truncate(&w->text, line.start);
		return;
	}
	rpt_xcheck(pa_htab_add(&w->index, hash, (uint32_t)w->line_count));
	rpt_xgrow(&w->lines, &w->line_cap, w->line_count + 1, sizeof(*w->lines));
	w->lines[w->line_count++] = line;
}

static int compare(const void *a, const void *b, void *ctx)
{
	const struct line *x = a, *y = b;
	const uint8_t *text = ((const struct writer *)ctx)->text.data;
	int order = memcmp(text + x->start, text + y->start, PA_MIN(x->len, y->len));

	if (order)
		return order;
	return x->len < y->len ? -1 : x->len > y->len;
}

static int write_folded(const struct rpt_session *s, const struct rpt_output_options *options,
			FILE *out)
{
	const struct rpt_profile *profile = options->offcpu ? &s->offcpu : &s->oncpu;
	struct writer w = {.s = s};
	size_t i;

	rpt_calltree_init(&w.tree, &s->code);
	pa_buf_init(&w.text);
	pa_htab_init(&w.index);
	for (i = 0; i < profile->row_count; i++)
		if (profile->rows[i].value)
			add_row(&w, &profile->rows[i]);
	if (w.line_count)
		qsort_r(w.lines, w.line_count, sizeof(*w.lines), compare, &w);
	for (i = 0; i < w.line_count; i++) {
		fwrite(w.text.data + w.lines[i].start, 1, w.lines[i].len, out);
		fprintf(out, " %llu\n", (unsigned long long)w.lines[i].value);
	}
	pa_htab_fini(&w.index);
	pa_buf_fini(&w.text);
	free(w.lines);
	free(w.path);
	rpt_calltree_fini(&w.tree);
	return 0;
}

const struct rpt_output rpt_out_folded = {
	.name = "folded",
	.help = "collapsed stacks",
	.write = write_folded,
};
