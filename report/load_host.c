// SPDX-License-Identifier: GPL-2.0-or-later
/* Handlers of what concerns the whole trace: the session, the kernel, losses, the end. */
#include <stdlib.h>
#include <string.h>

#include "report/load.h"
#include "report/xmem.h"

void rpt_load_session_record(struct rpt_load *l, const struct pa_record *record)
{
	const struct pa_session *r = &record->session;
	struct rpt_trace *t = rpt_load_trace_get(l);

	/* The first one of a further file was looked at when that was opened. */
	if (t->has_session && t->last_segment == r->segment && l->continued)
		return;
	if (t->has_session && rpt_load_continues(l, l->r, record)) {
		rpt_load_find_end(t);
		rpt_load_continue(l, r);
		return;
	}
	if (t->has_session) {
		rpt_load_problem(l, RPT_PROBLEM_SESSION);
		return;
	}
	t->has_session = true;
	t->recorder = rpt_load_string(l, r->recorder);
	t->arch = rpt_load_string(l, r->arch);
	t->clock = rpt_load_string(l, r->clock);
	t->host = rpt_load_string(l, r->host);
	t->kernel = rpt_load_string(l, r->kernel);
	t->cpu_model = rpt_load_string(l, r->cpu_model);
	t->target = rpt_load_string(l, r->target);
	t->command = rpt_load_string(l, r->command);
	t->unwind = rpt_load_string(l, r->unwind);
	t->start_ns = r->start_ns;
	t->start_wall_ns = r->start_wall_ns;
	if (r->segment_start_ns >= r->start_ns && r->segment_start_ns) {
		t->session_start_ns = r->start_ns;
		t->session_wall_ns = r->start_wall_ns;
		t->segment_count = 1;
		l->run_start_ns = r->segment_start_ns;
		t->first_segment = t->last_segment = r->segment;
		t->start_ns = r->segment_start_ns;
		t->start_wall_ns += r->segment_start_ns - r->start_ns;
	}
	t->cpus = r->cpus;
	t->modes = r->modes;
	t->asked_ns = r->duration_ns;
	rpt_load_moment(l, r->start_ns);
	t->kernel_build_id_bytes = PA_MIN(r->kernel_build_id.len, PA_MAX_BUILD_ID_BYTES);
	if (t->kernel_build_id_bytes)
		memcpy(t->kernel_build_id, r->kernel_build_id.data, t->kernel_build_id_bytes);
}

/* The place of a counter among those that samples carry, plus 1; 0 when there is no more room. */
static uint32_t sampled_slot(struct rpt_model *m, uint32_t counter)
{
	uint32_t i;

	for (i = 0; i < m->sampled_count; i++)
		if (m->sampled[i] == counter)
			return i + 1;
	if (!counter || m->sampled_count == RPT_MAX_SAMPLED)
		return 0;
	m->sampled[m->sampled_count++] = counter;
	return (uint32_t)m->sampled_count;
}

void rpt_load_sampling_record(struct rpt_load *l, const struct pa_record *record)
{
	const struct pa_sampling *r = &record->sampling;
	struct rpt_trace *t = rpt_load_trace_get(l);
	uint32_t i;

	if (l->continued)
		return;
	if (t->has_sampling) {
		rpt_load_problem(l, RPT_PROBLEM_SESSION);
		return;
	}
	t->has_sampling = true;
	t->event = rpt_load_string(l, r->event);
	t->event_reason = rpt_load_string(l, r->reason);
	t->rate_hz = r->rate_hz;
	t->period = r->period;
	t->sampled_slot_count = PA_MIN(r->counters.count, RPT_MAX_SAMPLED);
	t->sampled_slots = rpt_xcalloc(t->sampled_slot_count, sizeof(*t->sampled_slots));
	for (i = 0; i < t->sampled_slot_count; i++)
		t->sampled_slots[i] =
			sampled_slot(l->m, rpt_idmap_get(&l->counters, r->counters.items[i]));
}

void rpt_load_tag_record(struct rpt_load *l, const struct pa_record *record)
{
	struct rpt_pair pair = {
		.key = rpt_load_string(l, record->tag.key),
		.value = rpt_load_string(l, record->tag.value),
	};

	if (!l->continued)
		rpt_pairs_add(&rpt_load_trace_get(l)->tags, pair);
}

void rpt_load_feature_record(struct rpt_load *l, const struct pa_record *record)
{
	struct rpt_pair pair = {
		.key = rpt_load_string(l, record->feature.name),
		.value = rpt_load_string(l, record->feature.value),
		.reason = rpt_load_string(l, record->feature.reason),
	};

	if (!l->continued)
		rpt_pairs_add(&rpt_load_trace_get(l)->features, pair);
}

void rpt_load_covered_record(struct rpt_load *l, const struct pa_record *record)
{
	struct rpt_trace *t = rpt_load_trace_get(l);

	rpt_load_moment(l, record->covered.time_ns);
	t->covered_ns = PA_MAX(t->covered_ns, record->covered.time_ns);
	rpt_load_settle(l, t->covered_ns);
}

void rpt_load_end_record(struct rpt_load *l, const struct pa_record *record)
{
	const struct pa_end *r = &record->end;
	struct rpt_trace *t = rpt_load_trace_get(l);

	rpt_load_moment(l, r->time_ns);
	t->ended = true;
	t->end_ns = r->time_ns;
	t->end_reason = r->reason;
	t->end_detail = rpt_load_string(l, r->detail);
	t->status_known = r->status_known;
	t->status = r->status;
	t->oom_kills = r->oom_kills;
}

void rpt_load_loss_record(struct rpt_load *l, const struct pa_record *record)
{
	struct rpt_loss loss = {
		.kind = record->loss.kind,
		.detail = rpt_load_string(l, record->loss.detail),
		.count = record->loss.count,
	};

	rpt_trace_add_loss(rpt_load_trace_get(l), &loss);
}

void rpt_load_unwind_sum_record(struct rpt_load *l, const struct pa_record *record)
{
	const struct pa_unwind_sum *r = &record->unwind_sum;
	struct rpt_unwind_end end = {.end = r->end, .count = r->count};

	if (r->end >= PA_STACK_FIRST_ID) {
		rpt_load_problem(l, RPT_PROBLEM_VALUE);
		return;
	}
	if (r->module) {
		end.module = rpt_load_module(l, r->module);
		if (!end.module)
			return;
	}
	rpt_trace_add_unwind_end(rpt_load_trace_get(l), &end);
}

void rpt_load_kernel_range_record(struct rpt_load *l, const struct pa_record *record)
{
	const struct pa_kernel_range *r = &record->kernel_range;
	struct rpt_module module = {
		.kind = RPT_MODULE_KERNEL,
		.path = rpt_load_string(l, r->name),
		.build_id_bytes = r->build_id.len,
	};
	struct rpt_kernel_range range = {.start = r->start};

	if (l->continued)
		return;
	if (!pa_add_ok(r->start, r->length_bytes, &range.end) || !r->length_bytes) {
		rpt_load_problem(l, RPT_PROBLEM_RANGE);
		return;
	}
	if (r->build_id.len > PA_MAX_BUILD_ID_BYTES) {
		rpt_load_problem(l, RPT_PROBLEM_VALUE);
		return;
	}
	if (r->build_id.len)
		memcpy(module.build_id, r->build_id.data, r->build_id.len);
	else if (strcmp(rpt_text(l->m, module.path), RPT_KERNEL_PATH) == 0)
		rpt_trace_name_kernel(rpt_load_trace_get(l), &module);
	range.module = rpt_modules_add(&l->m->modules, &l->m->strings, &module);
	l->m->modules.items[range.module].start = range.start;
	l->m->modules.items[range.module].end = range.end;
	rpt_kernel_add_range(&l->m->kernel, &range);
}

void rpt_load_kernel_symbol_record(struct rpt_load *l, const struct pa_record *record)
{
	const struct pa_kernel_symbol *r = &record->kernel_symbol;
	struct rpt_kernel_symbol symbol = {
		.start = r->start,
		.length_bytes = r->length_bytes,
		.name = rpt_load_string(l, r->name),
		.module = rpt_load_string(l, r->module),
	};

	if (!symbol.name) {
		rpt_load_problem(l, RPT_PROBLEM_VALUE);
		return;
	}
	rpt_kernel_add_symbol(&l->m->kernel, &symbol);
}

void rpt_load_file_image_record(struct rpt_load *l, const struct pa_record *record)
{
	const struct pa_file_image *r = &record->file_image;
	uint32_t index = rpt_load_module(l, r->module);
	struct rpt_module *module = &l->m->modules.items[index];

	if (!index || module->image || r->data.len == 0)
		return;
	module->image = rpt_xmalloc(r->data.len);
	memcpy(module->image, r->data.data, r->data.len);
	module->image_bytes = r->data.len;
}
