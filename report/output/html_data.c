// SPDX-License-Identifier: GPL-2.0-or-later
/* The HTML page's data: functions, the tree of calls, and the rows of each profile over time. */
#include "report/output/html_data.h"

#include <stdlib.h>
#include <string.h>

#include "report/analyse/slices.h"
#include "report/analyse/waits.h"
#include "report/output/json_text.h"
#include "report/output/units.h"
#include "report/xmem.h"

/* Kinds of code, which the page gives a colour each. */
enum code_kind { CODE_PROGRAM, CODE_LIBRARY, CODE_KERNEL, CODE_JIT, CODE_UNKNOWN };

static enum code_kind kind_of(const struct rpt_model *m, const struct rpt_function *f)
{
	const struct rpt_module *module = &m->modules.items[f->module];
	size_t i;

	if (module->kind == RPT_MODULE_KERNEL)
		return CODE_KERNEL;
	if (module->kind == RPT_MODULE_JIT)
		return CODE_JIT;
	if (f->unnamed || module->kind == RPT_MODULE_MARKER || module->kind == RPT_MODULE_UNMAPPED)
		return CODE_UNKNOWN;
	for (i = 1; i < m->processes.process_count; i++)
		if (module->path && m->processes.processes[i].exe == module->path)
			return CODE_PROGRAM;
	return CODE_LIBRARY;
}

static void add_number(struct pa_buf *out, uint64_t number)
{
	rpt_json_add_comma(out);
	rpt_json_add_u64(out, number);
}

/* Functions of the tree, numbered anew. */
static uint32_t *number_functions(const struct rpt_calltree *tree, const struct rpt_code *c,
				  uint32_t **order, size_t *count)
{
	uint32_t *ids = rpt_xcalloc(c->function_count + 1, sizeof(*ids));
	size_t i;

	*order = rpt_xcalloc(c->function_count + 1, sizeof(**order));
	*count = 0;
	for (i = 1; i < tree->count; i++) {
		uint32_t function = tree->nodes[i].function;

		if (ids[function])
			continue;
		(*order)[(*count)++] = function;
		ids[function] = (uint32_t)*count;
	}
	return ids;
}

/* What two recordings have to agree in to mean the same code: of a name it is the name; what has none is
 * known by its file and the place in it. */
static void add_joined(struct pa_buf *out, const struct rpt_model *m, const struct rpt_function *f)
{
	const struct rpt_module *module = &m->modules.items[f->module];
	struct pa_buf text;

	rpt_json_add_comma(out);
	if (!f->unnamed || !module->build_id_bytes) {
		pa_buf_add_char(out, '0');
		return;
	}
	pa_buf_init(&text);
	rpt_add_build_id(&text, module->build_id, module->build_id_bytes);
	rpt_xcheck(pa_buf_error(&text));
	rpt_json_add_string(out, pa_buf_str(&text));
	pa_buf_fini(&text);
}

static void add_functions(struct pa_buf *out, const struct rpt_session *s, const uint32_t *order,
			  size_t count)
{
	const struct rpt_model *m = &s->model;
	const struct rpt_function *functions = s->code.functions;
	size_t i;

	rpt_json_add_key(out, "functions");
	pa_buf_add_str(out, "{\"name\":[");
	for (i = 0; i < count; i++) {
		rpt_json_add_comma(out);
		rpt_json_add_string(out, rpt_text(m, functions[order[i]].name));
	}
	pa_buf_add_str(out, "],\"module\":[");
	for (i = 0; i < count; i++)
		add_number(out, functions[order[i]].module);
	pa_buf_add_str(out, "],\"kind\":[");
	for (i = 0; i < count; i++)
		add_number(out, kind_of(m, &functions[order[i]]));
	pa_buf_add_str(out, "],\"build\":[");
	for (i = 0; i < count; i++)
		add_joined(out, m, &functions[order[i]]);
	pa_buf_add_str(out, "]}");
}

void rpt_html_add_tree(struct pa_buf *out, const struct rpt_session *s,
		       const struct rpt_calltree *tree)
{
	const struct rpt_model *m = &s->model;
	uint32_t *order, *ids;
	size_t count, i;

	ids = number_functions(tree, &s->code, &order, &count);
	rpt_json_add_key(out, "modules");
	pa_buf_add_char(out, '[');
	for (i = 0; i < m->modules.count; i++) {
		rpt_json_add_comma(out);
		rpt_json_add_string(out, rpt_text(m, m->modules.items[i].name));
	}
	pa_buf_add_char(out, ']');
	add_functions(out, s, order, count);
	rpt_json_add_key(out, "nodes");
	pa_buf_add_str(out, "{\"parent\":[");
	for (i = 0; i < tree->count; i++)
		add_number(out, tree->nodes[i].parent);
	pa_buf_add_str(out, "],\"function\":[");
	for (i = 0; i < tree->count; i++)
		add_number(out, i ? ids[tree->nodes[i].function] - 1 : 0);
	pa_buf_add_str(out, "]}");
	free(ids);
	free(order);
}

/* --- profiles --- */

struct page_row {
	uint32_t leaf, thread, class;
	uint32_t row; /* in the profile */
	uint64_t value, count;
};

struct page_part {
	uint32_t slice, row;
	uint64_t value;
};

struct parts {
	struct page_part *items;
	size_t count, cap;
	const uint32_t *page_rows;
};

static int compare_rows(const void *a, const void *b)
{
	const struct page_row *x = a, *y = b;

	if (x->leaf != y->leaf)
		return x->leaf < y->leaf ? -1 : 1;
	if (x->thread != y->thread)
		return x->thread < y->thread ? -1 : 1;
	if (x->class != y->class)
		return x->class < y->class ? -1 : 1;
	return x->row < y->row ? -1 : x->row > y->row;
}

/* Rows that the page cannot tell apart become one; page_rows has the one of each row. */
static size_t merge_rows(const struct rpt_profile *p, const struct rpt_calltree *tree,
			 struct page_row *rows, uint32_t *page_rows)
{
	size_t count = 0, i;

	for (i = 0; i < p->row_count; i++)
		rows[i] = (struct page_row){
			.leaf = tree->leaf[p->rows[i].call],
			.thread = p->rows[i].thread,
			.class = p->rows[i].class,
			.row = (uint32_t)i,
			.value = p->rows[i].value,
			.count = p->rows[i].count,
		};
	qsort(rows, p->row_count, sizeof(*rows), compare_rows);
	for (i = 0; i < p->row_count; i++) {
		struct page_row *last = count ? &rows[count - 1] : NULL;

		if (last && last->leaf == rows[i].leaf && last->thread == rows[i].thread &&
		    last->class == rows[i].class) {
			rpt_add_saturated(&last->value, rows[i].value);
			rpt_add_saturated(&last->count, rows[i].count);
		} else {
			rows[count++] = rows[i];
		}
		page_rows[rows[i].row] = (uint32_t)count - 1;
	}
	return count;
}

static void add_rows(struct pa_buf *out, const struct page_row *rows, size_t count)
{
	size_t i;

	pa_buf_add_str(out, "{\"node\":[");
	for (i = 0; i < count; i++)
		add_number(out, rows[i].leaf);
	pa_buf_add_str(out, "],\"thread\":[");
	for (i = 0; i < count; i++)
		add_number(out, rows[i].thread);
	pa_buf_add_str(out, "],\"class\":[");
	for (i = 0; i < count; i++)
		add_number(out, rows[i].class);
	pa_buf_add_str(out, "],\"value\":[");
	for (i = 0; i < count; i++)
		add_number(out, rows[i].value);
	pa_buf_add_str(out, "],\"count\":[");
	for (i = 0; i < count; i++)
		add_number(out, rows[i].count);
	pa_buf_add_str(out, "]}");
}

static void take_part(void *ctx, const struct rpt_slice_part *part)
{
	struct parts *parts = ctx;

	rpt_xgrow(&parts->items, &parts->cap, parts->count + 1, sizeof(*parts->items));
	parts->items[parts->count++] = (struct page_part){
		.slice = (uint32_t)part->slice,
		.row = parts->page_rows[part->row],
		.value = part->value,
	};
}

static int compare_parts(const void *a, const void *b)
{
	const struct page_part *x = a, *y = b;

	if (x->slice != y->slice)
		return x->slice < y->slice ? -1 : 1;
	return x->row < y->row ? -1 : x->row > y->row;
}

static void merge_parts(struct parts *parts)
{
	size_t count = 0, i;

	if (parts->count)
		qsort(parts->items, parts->count, sizeof(*parts->items), compare_parts);
	for (i = 0; i < parts->count; i++) {
		if (count && compare_parts(&parts->items[count - 1], &parts->items[i]) == 0)
			rpt_add_saturated(&parts->items[count - 1].value, parts->items[i].value);
		else
			parts->items[count++] = parts->items[i];
	}
	parts->count = count;
}

static void add_slices(struct pa_buf *out, const struct rpt_session *s, const struct rpt_profile *p,
		       uint64_t slice_ns, const uint32_t *page_rows)
{
	struct parts parts = {.page_rows = page_rows};
	struct rpt_slices slices;
	size_t i;

	rpt_slices_init(&slices, &s->model, slice_ns);
	rpt_slices_for_each(&slices, &s->model, p, take_part, &parts);
	merge_parts(&parts);
	pa_buf_addf(out, "{\"length_ns\":%llu,\"count\":%zu,\"first\":[",
		    (unsigned long long)slice_ns, slices.count);
	for (i = 0; i < s->model.trace_count; i++)
		add_number(out, slices.first[i]);
	pa_buf_add_str(out, "],\"slice\":[");
	for (i = 0; i < parts.count; i++)
		add_number(out, parts.items[i].slice);
	pa_buf_add_str(out, "],\"row\":[");
	for (i = 0; i < parts.count; i++)
		add_number(out, parts.items[i].row);
	pa_buf_add_str(out, "],\"value\":[");
	for (i = 0; i < parts.count; i++)
		add_number(out, parts.items[i].value);
	pa_buf_add_str(out, "]}");
	rpt_slices_fini(&slices);
	free(parts.items);
}

void rpt_html_add_profile(struct pa_buf *out, const struct rpt_session *s,
			  const struct rpt_profile *p, const struct rpt_calltree *tree,
			  uint64_t slice_ns)
{
	struct page_row *rows = rpt_xcalloc(p->row_count + 1, sizeof(*rows));
	uint32_t *page_rows = rpt_xcalloc(p->row_count + 1, sizeof(*page_rows));
	size_t count = merge_rows(p, tree, rows, page_rows);

	rpt_json_add_comma(out);
	pa_buf_addf(out, "{\"id\":\"%s\",\"unit\":\"%s\",\"total\":%llu,\"rows\":",
		    p->offcpu ? "offcpu" : "oncpu", p->by_time ? "ns" : "samples",
		    (unsigned long long)p->total);
	add_rows(out, rows, count);
	pa_buf_add_str(out, ",\"slices\":");
	add_slices(out, s, p, slice_ns, page_rows);
	pa_buf_add_char(out, '}');
	free(page_rows);
	free(rows);
}
