// SPDX-License-Identifier: GPL-2.0-or-later
/* The steps from traces to results, in their order. */
#include "report/session.h"

#include <errno.h>
#include <stdlib.h>

#include "report/analyse/locate.h"
#include "report/analyse/resolve.h"
#include "report/interrupt.h"
#include "report/load.h"
#include "report/unwind/unwinder.h"
#include "report/xmem.h"

struct rpt_session *rpt_session_new(void)
{
	struct rpt_session *s = rpt_xcalloc(1, sizeof(*s));

	rpt_model_init(&s->model);
	rpt_code_init(&s->code);
	s->load = rpt_load_new(&s->model);
	s->rules = rpt_rules_new();
	return s;
}

void rpt_session_free(struct rpt_session *s)
{
	size_t i;

	if (!s)
		return;
	rpt_diff_free(s->diff);
	rpt_load_free(s->load);
	for (i = 0; s->unit_verdicts && i < s->sched.unit_count; i++)
		rpt_verdicts_fini(&s->unit_verdicts[i]);
	free(s->unit_verdicts);
	for (i = 0; i < s->process_profile_count; i++) {
		rpt_profile_fini(&s->process_profiles[i].oncpu);
		rpt_profile_fini(&s->process_profiles[i].offcpu);
	}
	free(s->process_profiles);
	rpt_verdicts_fini(&s->verdicts);
	rpt_counts_fini(&s->counts);
	rpt_sched_fini(&s->sched);
	rpt_breaches_fini(&s->breaches);
	rpt_hints_fini(&s->hints);
	rpt_snapshot_fini(&s->snapshot);
	rpt_wakes_fini(&s->wakes);
	rpt_wait_sites_fini(&s->wait_sites);
	rpt_profile_fini(&s->offcpu);
	rpt_profile_fini(&s->oncpu);
	rpt_coverage_fini(&s->coverage);
	rpt_missing_fini(&s->missing);
	rpt_explain_fini(&s->explain);
	rpt_code_fini(&s->code);
	rpt_symbolizer_free(s->symbolizer);
	rpt_unwinder_free(s->unwinder);
	rpt_model_fini(&s->model);
	rpt_rules_free(s->rules);
	free(s);
}

void rpt_session_walk_copies(struct rpt_session *s, const struct rpt_symbol_options *options)
{
	s->unwinder = rpt_unwinder_new(options);
	rpt_load_set_unwinder(s->load, s->unwinder);
}

void rpt_session_filter(struct rpt_session *s, const struct rpt_filter *filter,
			const struct rpt_stack_filter *stacks)
{
	s->stack_filter = stacks;
	s->model.filter = filter;
}

void rpt_session_keep_points(struct rpt_session *s)
{
	s->model.keeps_points = true;
}

int rpt_session_load(struct rpt_session *s, struct pa_reader *reader, const char *file)
{
	return rpt_load_trace(s->load, reader, file);
}

void rpt_session_explain(struct rpt_session *s, const char *what)
{
	s->explain_what = what;
}

static void add_process(struct rpt_session *s, uint32_t process)
{
	struct rpt_process_profile *p = &s->process_profiles[s->process_profile_count++];

	p->process = process;
	rpt_profile_of_process(&p->oncpu, &s->oncpu, process, &s->model, &s->code);
	rpt_profile_of_process(&p->offcpu, &s->offcpu, process, &s->model, &s->code);
}

/* Processes with CPU time come first, by that, and then those that were only blocked. */
static void split_by_process(struct rpt_session *s)
{
	size_t count = s->model.processes.process_count, i;
	bool *seen = rpt_xcalloc(count, sizeof(*seen));

	s->process_profiles = rpt_xcalloc(count, sizeof(*s->process_profiles));
	for (i = 0; i < s->oncpu.processes.count; i++) {
		seen[s->oncpu.processes.items[i].id] = true;
		add_process(s, s->oncpu.processes.items[i].id);
	}
	for (i = 0; i < s->offcpu.processes.count; i++)
		if (!seen[s->offcpu.processes.items[i].id])
			add_process(s, s->offcpu.processes.items[i].id);
	free(seen);
}

static void judge(struct rpt_session *s)
{
	struct rpt_verdict_basis basis = {
		.m = &s->model, .c = &s->code, .rules = s->rules, .oncpu = &s->oncpu};
	size_t i;

	rpt_verdict_basis_init(&basis);
	rpt_verdicts_judge(&s->verdicts, &basis, &s->sched.whole);
	s->unit_verdicts = rpt_xcalloc(s->sched.unit_count, sizeof(*s->unit_verdicts));
	for (i = 0; i < s->sched.unit_count; i++)
		rpt_verdicts_judge(&s->unit_verdicts[i], &basis, &s->sched.units[i]);
	rpt_verdict_basis_fini(&basis);
}

struct rpt_rules *rpt_session_rules(struct rpt_session *s)
{
	return s->rules;
}

enum rpt_judgement rpt_session_worst(const struct rpt_session *s)
{
	return s->breaches.count || s->snapshot.breach_count || s->snapshot.cycle_count ?
		       RPT_INVESTIGATE :
		       rpt_verdicts_worst(&s->verdicts);
}

void rpt_session_analyse(struct rpt_session *s, const struct rpt_symbol_options *options,
			 bool per_process)
{
	struct rpt_symbol_options here = *options;
	struct rpt_model *m = &s->model;
	size_t i;

	rpt_load_free(s->load);
	s->load = NULL;
	rpt_filter_sums(m);
	if (m->trace_count)
		here.kernel_release = rpt_text(m, m->traces[0].kernel);
	s->symbolizer = rpt_symbolizer_new(&here);
	rpt_xcheck(s->symbolizer ? 0 : -ENOMEM);
	s->modes = rpt_model_modes(m);
	rpt_locate(m, &s->code);
	if (s->explain_what)
		rpt_explain_begin(&s->explain, s->explain_what, m, &s->code);
	rpt_interrupt_begin();
	rpt_resolve(m, &s->code, s->symbolizer, options);
	rpt_interrupt_end();
	if (s->explain_what)
		rpt_explain_finish(&s->explain, s->explain_what, m, &s->code);
	if (s->stack_filter)
		rpt_stack_filter_apply(s->stack_filter, m, &s->code);
	rpt_coverage_analyse(&s->coverage, m, &s->code);
	rpt_profile_samples(&s->oncpu, m, &s->code);
	rpt_profile_blocks(&s->offcpu, m, &s->code);
	rpt_wait_sites_find(&s->wait_sites, &s->offcpu, m, &s->code);
	rpt_wakes_find(&s->wakes, &s->offcpu);
	rpt_snapshot_analyse(&s->snapshot, s->rules, m, &s->code);
	rpt_hints_find(&s->hints, s->rules, &s->oncpu, &s->offcpu, m, &s->code);
	rpt_breaches_find(&s->breaches, s->rules, &s->offcpu, m, &s->code);
	rpt_sched_analyse(&s->sched, m);
	rpt_counts_find(&s->counts, &s->oncpu, &s->sched, m, &s->code);
	judge(s);
	if (per_process)
		split_by_process(s);
	for (i = 0; i < m->trace_count; i++)
		rpt_add_saturated(&s->duration_ns, rpt_trace_duration(&m->traces[i]));
}

static struct rpt_diff_side side_of(const struct rpt_session *s)
{
	return (struct rpt_diff_side){
		.m = &s->model,
		.c = &s->code,
		.oncpu = &s->oncpu,
		.offcpu = &s->offcpu,
		.whole = &s->sched.whole,
		.verdicts = &s->verdicts,
		.duration_ns = s->duration_ns,
	};
}

void rpt_session_compare(struct rpt_session *s, const struct rpt_session *before)
{
	struct rpt_diff_side b = side_of(before), a = side_of(s);

	s->before = before;
	s->diff = rpt_diff_new(&b, &a);
}
