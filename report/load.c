// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads a trace into the model: the table of handlers, and what they share. */
#include "report/load.h"

#include <stdlib.h>

#include "report/xmem.h"

/* STRING records are kept by the reader, which gives their text. */
static rpt_load_fn *const handlers[PA_REC_IDS_] = {
#define HANDLER(NAME, name) [PA_REC_##NAME] = rpt_load_##name##_record,
	RPT_LOAD_HANDLERS(HANDLER)
#undef HANDLER
};

void rpt_load_problem(struct rpt_load *l, enum rpt_problem problem)
{
	rpt_load_trace_get(l)->problems[problem]++;
}

uint32_t rpt_load_string(struct rpt_load *l, uint32_t id)
{
	size_t len = 0;
	const char *text = pa_reader_string(l->r, id, &len);

	return rpt_strings_intern(&l->m->strings, text, len);
}

struct rpt_moment rpt_load_moment(struct rpt_load *l, uint64_t time_ns)
{
	struct rpt_trace *t = rpt_load_trace_get(l);

	t->last_ns = PA_MAX(t->last_ns, time_ns);
	return (struct rpt_moment){time_ns, l->m->sequence};
}

static uint32_t look_up(struct rpt_load *l, const struct rpt_idmap *map, uint64_t id,
			enum rpt_problem problem)
{
	uint32_t index = rpt_idmap_get(map, id);

	if (!index)
		rpt_load_problem(l, problem);
	return index;
}

uint32_t rpt_load_process(struct rpt_load *l, uint32_t id)
{
	return look_up(l, &l->processes, id, RPT_PROBLEM_PROCESS);
}

uint32_t rpt_load_thread(struct rpt_load *l, uint64_t id)
{
	return look_up(l, &l->threads, id, RPT_PROBLEM_THREAD);
}

uint32_t rpt_load_module(struct rpt_load *l, uint32_t id)
{
	return look_up(l, &l->modules, id, RPT_PROBLEM_MODULE);
}

uint32_t rpt_load_stack(struct rpt_load *l, uint64_t id)
{
	uint32_t node;

	if (id < PA_STACK_FIRST_ID)
		return (uint32_t)id;
	node = look_up(l, &l->stacks, id, RPT_PROBLEM_STACK);
	return node ? node : PA_STACK_LOST;
}

struct rpt_load *rpt_load_new(struct rpt_model *m)
{
	struct rpt_load *l = rpt_xcalloc(1, sizeof(*l));

	l->m = m;
	return l;
}

static void begin(struct rpt_load *l, const char *file)
{
	struct rpt_model *m = l->m;

	*l = (struct rpt_load){.m = m,
			       .unwinder = l->unwinder,
			       .tap = l->tap,
			       .tap_ctx = l->tap_ctx,
			       .begun = true,
			       .trace = m->trace_count};
	rpt_idmap_init(&l->stacks);
	rpt_idmap_init(&l->modules);
	rpt_idmap_init(&l->processes);
	rpt_idmap_init(&l->threads);
	rpt_idmap_init(&l->counters);
	rpt_idmap_init(&l->functions);
	pa_htab_init(&l->open_index);
	rpt_xgrow(&m->traces, &m->trace_cap, m->trace_count + 1, sizeof(*m->traces));
	m->traces[m->trace_count++] = (struct rpt_trace){.file = rpt_xstrdup(file)};
}

static void end(struct rpt_load *l)
{
	if (!l->begun)
		return;
	l->begun = false;
	rpt_load_close_open(l);
	rpt_load_settle(l, UINT64_MAX);
	rpt_points_finish_trace(&l->m->sample_points);
	rpt_points_finish_trace(&l->m->block_points);
	rpt_idmap_fini(&l->stacks);
	rpt_idmap_fini(&l->modules);
	rpt_idmap_fini(&l->processes);
	rpt_idmap_fini(&l->threads);
	rpt_idmap_fini(&l->counters);
	rpt_idmap_fini(&l->functions);
	pa_htab_fini(&l->open_index);
	free(l->pending);
	free(l->open);
}

void rpt_load_free(struct rpt_load *l)
{
	if (!l)
		return;
	end(l);
	free(l);
}

void rpt_load_set_tap(struct rpt_load *l, rpt_load_tap_fn *tap, void *ctx)
{
	l->tap = tap;
	l->tap_ctx = ctx;
}

void rpt_load_record(struct rpt_load *l, const struct pa_record *record)
{
	l->m->sequence++;
	if (record->id < PA_REC_IDS_ && handlers[record->id])
		handlers[record->id](l, record);
}

void rpt_load_begin(struct rpt_load *l, struct pa_reader *r, const char *file)
{
	end(l);
	begin(l, file);
	l->r = r;
}

int rpt_load_trace(struct rpt_load *l, struct pa_reader *r, const char *file)
{
	const struct pa_record *record;
	int n, err = 0;

	/* The session comes first, but for the strings in it. */
	do
		n = pa_reader_next(r, &record);
	while (n > 0 && record->id == PA_REC_STRING);
	if (n > 0 && rpt_load_continues(l, r, record)) {
		rpt_load_continue(l, &record->session);
	} else {
		rpt_load_begin(l, r, file);
	}
	l->r = r;
	for (; n > 0 && !err; n = err ? err : pa_reader_next(r, &record)) {
		rpt_load_record(l, record);
		err = l->tap ? l->tap(l->tap_ctx, r, record) : 0;
	}
	rpt_load_find_end(rpt_load_trace_get(l));
	rpt_load_add_stats(rpt_load_trace_get(l), r);
	l->r = NULL;
	return n;
}
