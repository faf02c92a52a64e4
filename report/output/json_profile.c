// SPDX-License-Identifier: GPL-2.0-or-later
/* Profiles in the JSON output: functions and stacks, and what refers to them. */
#include "report/analyse/waits.h"
#include "report/output/json_parts.h"

/* --- what is referred to --- */

static void add_modules(struct rpt_json *j, const struct rpt_session *s)
{
	const struct rpt_module *m;
	size_t i;

	rpt_json_open(j, "modules", '[');
	for (i = 1; i < s->model.modules.count; i++) {
		m = &s->model.modules.items[i];
		rpt_json_open(j, NULL, '{');
		rpt_json_int(j, "id", i);
		rpt_json_text(j, "name", rpt_text(&s->model, m->name));
		rpt_json_string(j, "path", s, m->path);
		rpt_json_build_id(j, "build_id", m->build_id, m->build_id_bytes);
		rpt_json_bool(j, "is_kernel", m->kind == RPT_MODULE_KERNEL);
		rpt_json_close(j, '}');
	}
	rpt_json_close(j, ']');
}

static void add_functions(struct rpt_json *j, const struct rpt_session *s)
{
	const struct rpt_function *f;
	size_t i;

	rpt_json_open(j, "functions", '[');
	for (i = 1; i < s->code.function_count; i++) {
		f = &s->code.functions[i];
		rpt_json_open(j, NULL, '{');
		rpt_json_int(j, "id", i);
		rpt_json_text(j, "name", rpt_text(&s->model, f->name));
		rpt_json_string(j, "linkage_name", s, f->linkage_name);
		rpt_json_int(j, "module", f->module);
		rpt_json_string(j, "file", s, f->file);
		rpt_json_int_if(j, "line", f->start_line, f->start_line);
		rpt_json_bool(j, "is_named", !f->unnamed);
		rpt_json_close(j, '}');
	}
	rpt_json_close(j, ']');
}

static void add_frames(struct rpt_json *j, const struct rpt_session *s)
{
	const struct rpt_code *c = &s->code;
	const struct rpt_location *l;
	uint32_t i, k;

	rpt_json_open(j, "frames", '[');
	for (i = 1; i < c->location_count; i++) {
		l = &c->locations[i];
		rpt_json_open(j, NULL, '{');
		rpt_json_int(j, "id", i);
		rpt_json_int(j, "module", l->module);
		rpt_json_address(j, "address", l->address);
		rpt_json_text(j, "unnamed_because", l->reason ? c->reason_texts[l->reason] : NULL);
		rpt_json_open(j, "lines", '[');
		for (k = 0; k < l->line_count; k++) {
			const struct rpt_line *line = &c->lines[l->first_line + k];

			rpt_json_open(j, NULL, '{');
			rpt_json_int(j, "function", line->function);
			rpt_json_int_if(j, "line", line->line, line->line);
			rpt_json_close(j, '}');
		}
		rpt_json_close(j, ']');
		rpt_json_close(j, '}');
	}
	rpt_json_close(j, ']');
	rpt_json_open(j, "stacks", '[');
	for (i = 1; i < c->call_count; i++) {
		rpt_json_open(j, NULL, '{');
		rpt_json_int(j, "id", i);
		rpt_json_id(j, "parent", c->calls[i].parent);
		rpt_json_int(j, "frame", c->calls[i].location);
		rpt_json_close(j, '}');
	}
	rpt_json_close(j, ']');
}

/* --- profiles --- */

static void add_function_values(struct rpt_json *j, const struct rpt_profile *p)
{
	const struct rpt_function_value *v;
	size_t i;

	rpt_json_open(j, "functions", '[');
	for (i = 0; i < p->function_count; i++) {
		v = &p->functions[i];
		rpt_json_open(j, NULL, '{');
		rpt_json_int(j, "function", v->function);
		rpt_json_int_if(j, "self_ns", p->by_time, v->self);
		rpt_json_int_if(j, "total_ns", p->by_time, v->total);
		rpt_json_int(j, "self_count", v->self_count);
		rpt_json_int(j, "total_count", v->total_count);
		rpt_json_close(j, '}');
	}
	rpt_json_close(j, ']');
}

static void add_row_counters(struct rpt_json *j, const struct rpt_session *s,
			     const struct rpt_row *r)
{
	size_t i;

	rpt_json_open(j, "counters", '[');
	for (i = 0; r->counters && i < s->model.sampled_count; i++) {
		rpt_json_open(j, NULL, '{');
		rpt_json_int(j, "counter", s->model.sampled[i]);
		rpt_json_int(j, "value", r->counters[i]);
		rpt_json_close(j, '}');
	}
	rpt_json_close(j, ']');
}

static void add_row(struct rpt_json *j, const struct rpt_session *s, const struct rpt_profile *p,
		    const struct rpt_row *r)
{
	rpt_json_open(j, NULL, '{');
	rpt_json_int(j, "process", r->process);
	rpt_json_int(j, "thread", r->thread);
	rpt_json_string(j, "thread_name", s, r->comm);
	rpt_json_id(j, "stack", r->call);
	rpt_json_int(j, "count", r->count);
	rpt_json_int_if(j, "ns", p->by_time, r->value);
	if (p->offcpu) {
		rpt_json_text(j, "state", rpt_state_text(r->state));
		rpt_json_text(j, "class", rpt_wait_classes[r->class].name);
		rpt_json_int(j, "longest_ns", r->max_ns);
		rpt_json_int(j, "open", r->open_count);
	} else {
		rpt_json_int(j, "weight", r->weight);
		add_row_counters(j, s, r);
	}
	rpt_json_close(j, '}');
}

static void add_profile(struct rpt_json *j, const char *key, const struct rpt_session *s,
			const struct rpt_profile *p)
{
	size_t i;

	rpt_json_open(j, key, '{');
	rpt_json_int(j, "count", p->count);
	rpt_json_int_if(j, "ns", p->by_time, p->total);
	rpt_json_bool(j, "time_is_estimated", p->estimated_time);
	if (p->offcpu) {
		rpt_json_int(j, "open", p->open_count);
		rpt_json_int(j, "thinned_ns", p->thinned);
		rpt_json_int(j, "unrecorded_ns", p->unrecorded);
	} else {
		rpt_json_int(j, "weight", p->weight);
	}
	add_function_values(j, p);
	rpt_json_open(j, "rows", '[');
	for (i = 0; i < p->row_count; i++)
		add_row(j, s, p, &p->rows[i]);
	rpt_json_close(j, ']');
	rpt_json_close(j, '}');
}

/* --- waits --- */

static void add_waits(struct rpt_json *j, const struct rpt_session *s)
{
	const struct rpt_wait_site *w;
	size_t i;

	rpt_json_open(j, "waits", '[');
	for (i = 0; i < s->wait_sites.count; i++) {
		w = &s->wait_sites.items[i];
		rpt_json_open(j, NULL, '{');
		rpt_json_id(j, "function", w->user);
		rpt_json_id(j, "kernel_function", w->kernel);
		rpt_json_text(j, "class", rpt_wait_classes[w->class].name);
		rpt_json_bool(j, "is_idle", rpt_wait_classes[w->class].idle);
		rpt_json_int(j, "ns", w->value);
		rpt_json_int(j, "count", w->count);
		rpt_json_int(j, "open", w->open_count);
		rpt_json_int(j, "longest_ns", w->max_ns);
		rpt_json_close(j, '}');
	}
	rpt_json_close(j, ']');
}

void rpt_json_profiles(struct rpt_json *j, const struct rpt_session *s)
{
	add_modules(j, s);
	add_functions(j, s);
	add_frames(j, s);
	add_profile(j, "on_cpu", s, &s->oncpu);
	add_profile(j, "off_cpu", s, &s->offcpu);
	add_waits(j, s);
}
