// SPDX-License-Identifier: GPL-2.0-or-later
/* The profiles in the database: functions, frames, stacks, and the rows that refer to them. */
#include <stdlib.h>

#include "report/analyse/waits.h"
#include "report/output/sqlite_parts.h"
#include "report/output/units.h"
#include "report/xmem.h"

static const char *text(const struct rpt_sql_writer *w, uint32_t string)
{
	return rpt_text(&w->s->model, string);
}

/* --- what is the same in all traces --- */

static const char *module_kind(uint32_t kind)
{
	switch (kind) {
	case RPT_MODULE_KERNEL:
		return "kernel";
	case RPT_MODULE_JIT:
		return "jit";
	case RPT_MODULE_UNMAPPED:
		return "unmapped";
	case RPT_MODULE_MARKER:
		return "marker";
	case PA_MODULE_FILE:
		return "file";
	case PA_MODULE_VDSO:
		return "vdso";
	case PA_MODULE_ANON:
		return "anonymous";
	case PA_MODULE_MEMFD:
		return "memfd";
	default:
		return "special";
	}
}

static uint64_t module_id(struct rpt_sql_writer *w, uint32_t index)
{
	const struct rpt_module *m = &w->s->model.modules.items[index];
	const char *kind = module_kind(m->kind), *path = text(w, m->path);
	struct pa_buf build_id;

	if (w->modules[index])
		return w->modules[index];
	pa_buf_init(&build_id);
	rpt_add_build_id(&build_id, m->build_id, m->build_id_bytes);
	rpt_xcheck(pa_buf_error(&build_id));
	w->modules[index] = (uint64_t)rpt_db_query(
		w->db, "SELECT id FROM modules WHERE path = ? AND build_id = ? AND kind = ?",
		SQL_TEXT(path), SQL_TEXT(pa_buf_str(&build_id)), SQL_TEXT(kind));
	if (!w->modules[index]) {
		w->modules[index] = ++w->base[RPT_SQL_modules];
		rpt_db_insert(w->db, RPT_SQL_modules, SQL_INT(w->modules[index]), SQL_TEXT(kind),
			      SQL_TEXT(text(w, m->name)), SQL_TEXT(path),
			      SQL_TEXT(pa_buf_str(&build_id)));
	}
	pa_buf_fini(&build_id);
	return w->modules[index];
}

static uint64_t function_id(struct rpt_sql_writer *w, uint32_t index)
{
	const struct rpt_function *f = &w->s->code.functions[index];
	uint64_t module;

	if (w->functions[index])
		return w->functions[index];
	module = module_id(w, f->module);
	w->functions[index] = (uint64_t)rpt_db_query(
		w->db,
		"SELECT id FROM functions WHERE name = ? AND module_id = ? AND linkage_name = ? AND "
		"file = ? AND start_line = ? AND is_named = ?",
		SQL_TEXT(text(w, f->name)), SQL_INT(module), SQL_TEXT(text(w, f->linkage_name)),
		SQL_TEXT(text(w, f->file)), SQL_INT(f->start_line), SQL_INT(!f->unnamed));
	if (!w->functions[index]) {
		w->functions[index] = ++w->base[RPT_SQL_functions];
		rpt_db_insert(w->db, RPT_SQL_functions, SQL_INT(w->functions[index]),
			      SQL_INT(module), SQL_TEXT(text(w, f->name)),
			      SQL_TEXT(text(w, f->linkage_name)), SQL_TEXT(text(w, f->file)),
			      SQL_INT(f->start_line), SQL_INT(!f->unnamed));
	}
	return w->functions[index];
}

/* --- stacks --- */

static void add_frames(struct rpt_sql_writer *w)
{
	const struct rpt_code *c = &w->s->code;
	uint32_t i, k;

	for (i = 1; i < c->location_count; i++) {
		const struct rpt_location *l = &c->locations[i];

		rpt_db_insert(w->db, RPT_SQL_frames, SQL_ID(w, frames, i), SQL_INT(w->trace),
			      SQL_INT(module_id(w, l->module)), SQL_ADDRESS(l->address),
			      SQL_TEXT(l->reason ? c->reason_texts[l->reason] : NULL));
		for (k = 0; k < l->line_count; k++) {
			const struct rpt_line *line = &c->lines[l->first_line + k];

			rpt_db_insert(w->db, RPT_SQL_frame_functions, SQL_ID(w, frames, i),
				      SQL_INT(k), SQL_INT(function_id(w, line->function)),
				      SQL_INT_IF(line->line, line->line));
		}
	}
}

/* A caller stands before what it calls. */
static void add_stacks(struct rpt_sql_writer *w)
{
	const struct rpt_code *c = &w->s->code;
	uint32_t *depths = rpt_xcalloc(c->call_count, sizeof(*depths));
	uint32_t i;

	for (i = 1; i < c->call_count; i++) {
		const struct rpt_call *call = &c->calls[i];

		depths[i] = depths[call->parent] + 1;
		rpt_db_insert(w->db, RPT_SQL_stacks, SQL_ID(w, stacks, i), SQL_INT(w->trace),
			      SQL_ID(w, stacks, call->parent), SQL_ID(w, frames, call->location),
			      SQL_INT(depths[i]));
	}
	free(depths);
}

/* --- rows --- */

static void add_samples(struct rpt_sql_writer *w)
{
	const struct rpt_profile *p = &w->s->oncpu;
	const struct rpt_model *m = &w->s->model;
	size_t i, k;

	for (i = 0; i < p->row_count; i++) {
		const struct rpt_row *r = &p->rows[i];

		rpt_db_insert(w->db, RPT_SQL_samples, SQL_ID(w, samples, i + 1), SQL_INT(w->trace),
			      SQL_ID(w, processes, r->process), SQL_ID(w, threads, r->thread),
			      SQL_TEXT(text(w, r->comm)), SQL_ID(w, stacks, r->call),
			      SQL_INT(r->count), SQL_INT_IF(p->by_time, r->value),
			      SQL_INT(r->weight));
		for (k = 0; r->counters && k < m->sampled_count; k++)
			rpt_db_insert(w->db, RPT_SQL_sample_counters, SQL_ID(w, samples, i + 1),
				      SQL_ID(w, counters, m->sampled[k]), SQL_INT(r->counters[k]));
	}
}

/* A waker's name; NULL where it is not known. */
static const char *waker_name(const struct rpt_sql_writer *w, uint32_t waker)
{
	switch (waker) {
	case 0:
		return NULL;
	case RPT_WAKER_INTERRUPT:
		return "[interrupt]";
	case RPT_WAKER_OUTSIDE:
		return "[not recorded]";
	default:
		return text(w, rpt_thread_name(&w->s->model.processes, waker));
	}
}

static void add_blocks(struct rpt_sql_writer *w)
{
	const struct rpt_profile *p = &w->s->offcpu;
	const struct rpt_groups *groups = &w->s->model.blocks;
	size_t i;

	for (i = 0; i < p->row_count; i++) {
		const struct rpt_row *r = &p->rows[i];
		uint32_t syscall =
			r->group == RPT_NO_GROUP ? 0 : groups->items[r->group].site.syscall;

		rpt_db_insert(w->db, RPT_SQL_blocks, SQL_ID(w, blocks, i + 1), SQL_INT(w->trace),
			      SQL_ID(w, processes, r->process), SQL_ID(w, threads, r->thread),
			      SQL_TEXT(text(w, r->comm)), SQL_ID(w, stacks, r->call),
			      SQL_TEXT(rpt_state_text(r->state)),
			      SQL_TEXT(rpt_wait_classes[r->class].name),
			      SQL_INT_IF(syscall, syscall - 1u), SQL_INT(r->count),
			      SQL_INT(r->value), SQL_INT(r->max_ns), SQL_INT(r->open_count),
			      SQL_ID(w, threads, r->waker < RPT_WAKER_OUTSIDE ? r->waker : 0),
			      SQL_TEXT(waker_name(w, r->waker)));
	}
}

static void add_function_times(struct rpt_sql_writer *w, const struct rpt_profile *p,
			       const char *kind)
{
	size_t i;

	for (i = 0; i < p->function_count; i++) {
		const struct rpt_function_value *v = &p->functions[i];

		rpt_db_insert(w->db, RPT_SQL_function_times, SQL_INT(w->trace), SQL_TEXT(kind),
			      SQL_INT(function_id(w, v->function)), SQL_INT_IF(p->by_time, v->self),
			      SQL_INT_IF(p->by_time, v->total), SQL_INT(v->self_count),
			      SQL_INT(v->total_count));
	}
}

void rpt_sql_profiles(struct rpt_sql_writer *w)
{
	w->modules = rpt_xcalloc(w->s->model.modules.count, sizeof(*w->modules));
	w->functions = rpt_xcalloc(w->s->code.function_count, sizeof(*w->functions));
	add_frames(w);
	add_stacks(w);
	add_samples(w);
	add_blocks(w);
	add_function_times(w, &w->s->oncpu, "on-CPU");
	add_function_times(w, &w->s->offcpu, "off-CPU");
	free(w->modules);
	free(w->functions);
}
