// SPDX-License-Identifier: GPL-2.0-or-later
/* The profile format of pprof: samples, what they refer to, and what is known of the whole. */
#include <stdlib.h>
#include <string.h>

#include "format/util/buf.h"
#include "report/analyse/waits.h"
#include "report/model/cgroup.h"
#include "report/output/outputs.h"
#include "report/output/pprof_parts.h"
#include "report/output/pprof_plan.h"
#include "report/output/units.h"
#include "report/xmem.h"

#define MAX_VALUES (3 + RPT_MAX_SAMPLED)
#define MAX_LABELS 9

struct writer {
	const struct rpt_session *s;
	const struct rpt_profile *profile;
	struct rpt_pprof_plan plan;
	struct rpt_pprof_parts parts;
	/* labels' names */
	int64_t key_process, key_pid, key_thread, key_tid, key_state;
	int64_t key_comm, key_cgroup, key_container, key_pod;
	bool has_weight; /* samples count something else than time */
	bool weight_is_counted; /* and carry a counter of it, which is exact */
};

static int64_t to_signed(uint64_t value)
{
	return value > INT64_MAX ? INT64_MAX : (int64_t)value;
}

/* --- what the values are --- */

static void write_value_type(struct writer *w, const char *type, const char *unit)
{
	Pprof__ValueType value = PPROF__VALUE_TYPE__INIT, *values[] = {&value};
	Pprof__Profile part = PPROF__PROFILE__INIT;

	value.type = rpt_pprof_string(&w->parts, type);
	value.unit = rpt_pprof_string(&w->parts, unit);
	part.n_sample_type = 1;
	part.sample_type = values;
	rpt_pprof_add(&w->parts, &part);
}

static const char *event_name(const struct writer *w)
{
	const struct rpt_model *m = &w->s->model;

	return m->trace_count && m->traces[0].event ? rpt_text(m, m->traces[0].event) : "cycles";
}

/* As perf calls it: with its PMU where there are several. */
static void write_counter_type(struct writer *w, const struct rpt_counter *c)
{
	const struct rpt_model *m = &w->s->model;
	struct pa_buf name;

	pa_buf_init(&name);
	if (c->pmu)
		pa_buf_addf(&name, "%s/%s/", rpt_text(m, c->pmu), rpt_text(m, c->name));
	else
		pa_buf_add_str(&name, rpt_text(m, c->name));
	rpt_xcheck(pa_buf_error(&name));
	write_value_type(w, pa_buf_str(&name), "count");
	pa_buf_fini(&name);
}

static bool is_counted(const struct rpt_model *m, const char *event)
{
	size_t i;

	for (i = 0; i < m->sampled_count; i++)
		if (!m->counters[m->sampled[i]].pmu &&
		    strcmp(rpt_text(m, m->counters[m->sampled[i]].name), event) == 0)
			return true;
	return false;
}

static void write_value_types(struct writer *w)
{
	const struct rpt_model *m = &w->s->model;
	size_t i;

	if (w->profile->offcpu) {
		write_value_type(w, "blocks", "count");
		write_value_type(w, "offcpu", "nanoseconds");
		return;
	}
	write_value_type(w, "samples", "count");
	if (w->profile->by_time)
		write_value_type(w, "cpu", "nanoseconds");
	if (w->has_weight && !w->weight_is_counted)
		write_value_type(w, event_name(w), "count");
	for (i = 0; i < m->sampled_count; i++)
		write_counter_type(w, &m->counters[m->sampled[i]]);
}

static size_t fill_values(const struct writer *w, const struct rpt_row *row, int64_t *values)
{
	size_t n = 0, i;

	values[n++] = to_signed(row->count);
	if (w->profile->by_time)
		values[n++] = to_signed(row->value);
	if (w->profile->offcpu)
		return n;
	if (w->has_weight && !w->weight_is_counted)
		values[n++] = to_signed(row->weight);
	for (i = 0; i < w->s->model.sampled_count; i++)
		values[n++] =
			row->counters ?
				to_signed(rpt_counts_scaled(&w->s->counts, i, row->counters[i])) :
				0;
	return n;
}

/* --- samples --- */

struct labels {
	Pprof__Label items[MAX_LABELS];
	Pprof__Label *pointers[MAX_LABELS];
	size_t count;
};

static void add_label(struct labels *labels, int64_t key, int64_t text, int64_t number)
{
	Pprof__Label *label = &labels->items[labels->count];

	pprof__label__init(label);
	label->key = key;
	label->str = text;
	label->num = number;
	labels->pointers[labels->count++] = label;
}

/* Where a process ran; container and pod are what its cgroup's path says. */
static void add_cgroup(struct writer *w, uint32_t cgroup, struct labels *labels)
{
	struct rpt_container c;

	if (!cgroup)
		return;
	add_label(labels, w->key_cgroup, rpt_pprof_take(&w->parts, cgroup), 0);
	rpt_container_of(&c, rpt_text(&w->s->model, cgroup));
	if (*c.id)
		add_label(labels, w->key_container, rpt_pprof_string(&w->parts, c.id), 0);
	if (*c.pod)
		add_label(labels, w->key_pod, rpt_pprof_string(&w->parts, c.pod), 0);
}

static void fill_labels(struct writer *w, const struct rpt_row *row, struct labels *labels)
{
	const struct rpt_processes *p = &w->s->model.processes;
	uint32_t name = rpt_process_name(p, row->process);

	labels->count = 0;
	if (name)
		add_label(labels, w->key_process, rpt_pprof_take(&w->parts, name), 0);
	add_label(labels, w->key_pid, 0, p->processes[row->process].pid);
	/* pprof's own convention, and what perf and most others call it. */
	if (row->comm) {
		add_label(labels, w->key_thread, rpt_pprof_take(&w->parts, row->comm), 0);
		add_label(labels, w->key_comm, rpt_pprof_take(&w->parts, row->comm), 0);
	}
	add_label(labels, w->key_tid, 0, p->threads[row->thread].tid);
	add_cgroup(w, p->processes[row->process].cgroup, labels);
	if (w->profile->offcpu)
		add_label(labels, w->key_state,
			  rpt_pprof_string(&w->parts, rpt_state_text(row->state)), 0);
}

static void write_sample(struct writer *w, const struct rpt_row *row, uint64_t *ids)
{
	Pprof__Sample sample = PPROF__SAMPLE__INIT, *samples[] = {&sample};
	Pprof__Profile part = PPROF__PROFILE__INIT;
	const struct rpt_code *c = &w->s->code;
	int64_t values[MAX_VALUES];
	struct labels labels;
	uint32_t call;

	for (call = row->call; call; call = c->calls[call].parent)
		ids[sample.n_location_id++] = c->calls[call].location;
	sample.location_id = ids;
	sample.n_value = fill_values(w, row, values);
	sample.value = values;
	fill_labels(w, row, &labels);
	sample.n_label = labels.count;
	sample.label = labels.pointers;
	part.n_sample = 1;
	part.sample = samples;
	rpt_pprof_add(&w->parts, &part);
}

static void write_samples(struct writer *w)
{
	/* User and kernel stack and the markers at their ends. */
	uint64_t *ids = rpt_xcalloc(2 * PA_MAX_STACK_DEPTH + 4, sizeof(*ids));
	size_t i;

	for (i = 0; i < w->profile->row_count; i++)
		write_sample(w, &w->profile->rows[i], ids);
	free(ids);
}

/* --- what samples refer to --- */

static void write_mapping(struct writer *w, size_t index)
{
	const struct rpt_pprof_mapping *m = &w->plan.mappings[index];
	const struct rpt_module *module = &w->s->model.modules.items[m->module];
	Pprof__Mapping mapping = PPROF__MAPPING__INIT, *mappings[] = {&mapping};
	Pprof__Profile part = PPROF__PROFILE__INIT;
	struct pa_buf build_id;

	mapping.id = index + 1;
	mapping.memory_start = m->start;
	mapping.memory_limit = m->limit;
	mapping.file_offset = m->offset;
	mapping.filename = rpt_pprof_take(
		&w->parts, module->kind == PA_MODULE_FILE || module->kind == RPT_MODULE_KERNEL ?
				   module->path :
				   module->name);
	pa_buf_init(&build_id);
	rpt_add_build_id(&build_id, module->build_id, module->build_id_bytes);
	rpt_xcheck(pa_buf_error(&build_id));
	mapping.build_id = rpt_pprof_string(&w->parts, pa_buf_str(&build_id));
	pa_buf_fini(&build_id);
	mapping.has_functions = m->has_functions;
	mapping.has_filenames = m->has_filenames;
	mapping.has_line_numbers = m->has_line_numbers;
	mapping.has_inline_frames = m->has_inline_frames;
	part.n_mapping = 1;
	part.mapping = mappings;
	rpt_pprof_add(&w->parts, &part);
}

static void write_location(struct writer *w, uint32_t index)
{
	const struct rpt_code *c = &w->s->code;
	const struct rpt_location *l = &c->locations[index];
	Pprof__Location location = PPROF__LOCATION__INIT, *locations[] = {&location};
	Pprof__Profile part = PPROF__PROFILE__INIT;
	Pprof__Line *lines = rpt_xcalloc(l->line_count, sizeof(*lines));
	Pprof__Line **pointers = rpt_xcalloc(l->line_count, sizeof(*pointers));
	uint32_t i;

	for (i = 0; i < l->line_count; i++) {
		pprof__line__init(&lines[i]);
		lines[i].function_id = c->lines[l->first_line + i].function;
		lines[i].line = c->lines[l->first_line + i].line;
		pointers[i] = &lines[i];
	}
	location.id = index;
	location.mapping_id = w->plan.mapping_of[index];
	location.address = rpt_pprof_address(&w->plan, w->s, index);
	location.n_line = l->line_count;
	location.line = pointers;
	part.n_location = 1;
	part.location = locations;
	rpt_pprof_add(&w->parts, &part);
	free(pointers);
	free(lines);
}

static void write_function(struct writer *w, uint32_t index)
{
	const struct rpt_function *f = &w->s->code.functions[index];
	Pprof__Function function = PPROF__FUNCTION__INIT, *functions[] = {&function};
	Pprof__Profile part = PPROF__PROFILE__INIT;

	function.id = index;
	function.name = rpt_pprof_take(&w->parts, f->name);
	function.system_name =
		f->linkage_name ? rpt_pprof_take(&w->parts, f->linkage_name) : function.name;
	function.filename = rpt_pprof_take(&w->parts, f->file);
	function.start_line = f->start_line;
	part.n_function = 1;
	part.function = functions;
	rpt_pprof_add(&w->parts, &part);
}

static void write_tables(struct writer *w)
{
	uint32_t i;

	for (i = 0; i < w->plan.mapping_count; i++)
		write_mapping(w, i);
	for (i = 1; i < w->s->code.location_count; i++)
		if (w->plan.locations[i])
			write_location(w, i);
	for (i = 1; i < w->s->code.function_count; i++)
		if (w->plan.functions[i])
			write_function(w, i);
}

/* --- about the whole --- */

static void write_comment(struct writer *w, struct pa_buf *text)
{
	Pprof__Profile part = PPROF__PROFILE__INIT;
	int64_t comment;

	rpt_xcheck(pa_buf_error(text));
	comment = rpt_pprof_string(&w->parts, pa_buf_str(text));
	part.n_comment = 1;
	part.comment = &comment;
	rpt_pprof_add(&w->parts, &part);
	pa_buf_reset(text);
}

/* Which counters were on the PMU for part of the time only. */
static void write_estimates(struct writer *w)
{
	const struct rpt_counts *c = &w->s->counts;
	struct pa_buf text;
	size_t i;

	for (i = 0; !w->profile->offcpu && i < c->column_count; i++) {
		const struct rpt_counter *counter = &w->s->model.counters[c->columns[i].counter];

		if (c->columns[i].measured >= 1.0)
			continue;
		pa_buf_init(&text);
		pa_buf_addf(&text, "%s: estimated, measured %.0f %% of the time",
			    rpt_text(&w->s->model, counter->name), 100.0 * c->columns[i].measured);
		write_comment(w, &text);
		pa_buf_fini(&text);
	}
}

static void write_trace_comments(struct writer *w, const struct rpt_trace *t)
{
	const struct rpt_model *m = &w->s->model;
	struct pa_buf text;
	size_t i;

	pa_buf_init(&text);
	pa_buf_addf(&text, "host: %s, Linux %s %s", rpt_text(m, t->host), rpt_text(m, t->kernel),
		    rpt_text(m, t->arch));
	write_comment(w, &text);
	pa_buf_addf(&text, "recorded by: %s", rpt_text(m, t->recorder));
	write_comment(w, &text);
	for (i = 0; i < t->tags.count; i++) {
		pa_buf_addf(&text, "tag: %s=%s", rpt_text(m, t->tags.items[i].key),
			    rpt_text(m, t->tags.items[i].value));
		write_comment(w, &text);
	}
	for (i = 0; i < t->loss_count; i++) {
		pa_buf_addf(&text, "lost: %llu %s", (unsigned long long)t->losses[i].count,
			    rpt_loss_text(t->losses[i].kind));
		write_comment(w, &text);
	}
	if (!t->ended) {
		pa_buf_add_str(&text, "incomplete: ended without an end record");
		write_comment(w, &text);
	}
	pa_buf_fini(&text);
}

static void fill_period(struct writer *w, Pprof__ValueType *type, Pprof__Profile *part)
{
	const struct rpt_model *m = &w->s->model;
	const struct rpt_trace *t = m->trace_count ? &m->traces[0] : NULL;

	if (w->profile->offcpu) {
		type->type = rpt_pprof_string(&w->parts, "offcpu");
		type->unit = rpt_pprof_string(&w->parts, "nanoseconds");
		part->period = 1;
	} else if (w->has_weight) {
		type->type = rpt_pprof_string(&w->parts, event_name(w));
		type->unit = rpt_pprof_string(&w->parts, "count");
		part->period = t ? to_signed(t->period) : 0;
	} else {
		type->type = rpt_pprof_string(&w->parts, "cpu");
		type->unit = rpt_pprof_string(&w->parts, "nanoseconds");
		part->period = t ? to_signed(t->period) : 0;
	}
	part->period_type = type;
}

static void write_whole(struct writer *w)
{
	const struct rpt_model *m = &w->s->model;
	Pprof__ValueType period = PPROF__VALUE_TYPE__INIT;
	Pprof__Profile part = PPROF__PROFILE__INIT;
	size_t i;

	for (i = 0; i < m->trace_count; i++)
		write_trace_comments(w, &m->traces[i]);
	write_estimates(w);
	fill_period(w, &period, &part);
	part.time_nanos = m->trace_count ? to_signed(m->traces[0].start_wall_ns) : 0;
	part.duration_nanos = to_signed(w->s->duration_ns);
	part.default_sample_type = rpt_pprof_string(&w->parts, w->profile->offcpu  ? "offcpu" :
							       w->profile->by_time ? "cpu" :
										     "samples");
	rpt_pprof_add(&w->parts, &part);
}

static int write_pprof(const struct rpt_session *s, const struct rpt_output_options *options,
		       FILE *out)
{
	struct writer w = {
		.s = s,
		.profile = options->offcpu ? &s->offcpu : &s->oncpu,
	};
	int err = rpt_pprof_begin(&w.parts, &s->model, out);

	if (err < 0)
		return err;
	w.has_weight = !options->offcpu && (s->oncpu.estimated_time || !s->oncpu.by_time);
	w.weight_is_counted = w.has_weight && is_counted(&s->model, event_name(&w));
	rpt_pprof_plan_init(&w.plan, s, w.profile);
	w.key_process = rpt_pprof_string(&w.parts, "process");
	w.key_pid = rpt_pprof_string(&w.parts, "pid");
	w.key_thread = rpt_pprof_string(&w.parts, "thread");
	w.key_tid = rpt_pprof_string(&w.parts, "tid");
	w.key_comm = rpt_pprof_string(&w.parts, "comm");
	w.key_cgroup = rpt_pprof_string(&w.parts, "cgroup");
	w.key_container = rpt_pprof_string(&w.parts, "container");
	w.key_pod = rpt_pprof_string(&w.parts, "pod");
	w.key_state = rpt_pprof_string(&w.parts, "state");
	write_value_types(&w);
	write_samples(&w);
	write_tables(&w);
	write_whole(&w);
	rpt_pprof_plan_fini(&w.plan);
	return rpt_pprof_end(&w.parts);
}

const struct rpt_output rpt_out_pprof = {
	.name = "pprof",
	.help = "a profile for pprof",
	.write = write_pprof,
};
