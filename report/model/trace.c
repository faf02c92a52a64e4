// SPDX-License-Identifier: GPL-2.0-or-later
/* What is known about one trace. */
#include "report/model/trace.h"

#include <stdlib.h>
#include <string.h>

#include "report/model/sum.h"
#include "report/xmem.h"

const char *rpt_problem_text(enum rpt_problem problem)
{
	static const char *const texts[] = {
#define TEXT(name, text) [RPT_PROBLEM_##name] = text,
		RPT_PROBLEMS(TEXT)
#undef TEXT
	};

	return problem < RPT_PROBLEM_KINDS_ ? texts[problem] : "";
}

void rpt_trace_fini(struct rpt_trace *t)
{
	free(t->file);
	free(t->sampled_slots);
	free(t->tags.items);
	free(t->features.items);
	free(t->losses);
	free(t->unwind_ends);
	free(t->cpu);
}

void rpt_pairs_add(struct rpt_pairs *pairs, struct rpt_pair pair)
{
	rpt_xgrow(&pairs->items, &pairs->cap, pairs->count + 1, sizeof(*pairs->items));
	pairs->items[pairs->count++] = pair;
}

void rpt_trace_add_loss(struct rpt_trace *t, const struct rpt_loss *loss)
{
	size_t i;

	for (i = 0; i < t->loss_count; i++) {
		if (t->losses[i].kind == loss->kind && t->losses[i].detail == loss->detail) {
			rpt_add_saturated(&t->losses[i].count, loss->count);
			return;
		}
	}
	rpt_xgrow(&t->losses, &t->loss_cap, t->loss_count + 1, sizeof(*t->losses));
	t->losses[t->loss_count++] = *loss;
}

void rpt_trace_add_unwind_end(struct rpt_trace *t, const struct rpt_unwind_end *end)
{
	size_t i;

	for (i = 0; i < t->unwind_count; i++) {
		if (t->unwind_ends[i].module == end->module && t->unwind_ends[i].end == end->end) {
			rpt_add_saturated(&t->unwind_ends[i].count, end->count);
			return;
		}
	}
	rpt_xgrow(&t->unwind_ends, &t->unwind_cap, t->unwind_count + 1, sizeof(*t->unwind_ends));
	t->unwind_ends[t->unwind_count++] = *end;
}

struct rpt_cpu *rpt_trace_cpu(struct rpt_trace *t, uint32_t cpu)
{
	size_t old = t->cpu_count;

	if (cpu >= PA_MAX_CPUS)
		return NULL;
	if (cpu >= old) {
		rpt_xgrow(&t->cpu, &t->cpu_count, (size_t)cpu + 1, sizeof(*t->cpu));
		memset(t->cpu + old, 0, (t->cpu_count - old) * sizeof(*t->cpu));
	}
	return &t->cpu[cpu];
}

uint64_t rpt_trace_duration(const struct rpt_trace *t)
{
	uint64_t from_ns = t->is_cut ? PA_MAX(t->start_ns, t->from_ns) : t->start_ns;
	uint64_t to_ns = t->is_cut ? PA_MIN(t->end_ns, t->to_ns) : t->end_ns;
	uint64_t span_ns = to_ns > from_ns ? to_ns - from_ns : 0;

	return span_ns > t->gap_ns ? span_ns - t->gap_ns : 0;
}

void rpt_trace_name_kernel(const struct rpt_trace *t, struct rpt_module *kernel)
{
	kernel->build_id_bytes = t->kernel_build_id_bytes;
	memcpy(kernel->build_id, t->kernel_build_id, sizeof(kernel->build_id));
}
