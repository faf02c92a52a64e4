// SPDX-License-Identifier: GPL-2.0-or-later
/* The table of verdicts, and how a value is judged. */
#include "report/analyse/verdicts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "format/util/buf.h"
#include "report/xmem.h"

/* Counters that counted for less of the time than this give no verdict. */
#define MIN_MEASURED 0.5

static uint64_t thread_longest_slice(const struct rpt_thread_stats *t)
{
	return t->hist[PA_HIST_SLICE].count ? t->hist[PA_HIST_SLICE].max_ns : 0;
}

static uint64_t thread_runq(const struct rpt_thread_stats *t)
{
	return t->sum.runq_ns;
}

static uint64_t thread_preempted(const struct rpt_thread_stats *t)
{
	return t->sum.preempted;
}

static uint64_t thread_on_cpu(const struct rpt_thread_stats *t)
{
	return t->sum.on_cpu_ns;
}

static const struct rpt_verdict_entry table[] = {
	{
		.metric = RPT_METRIC_IPC,
		.meaning = "memory-bound: look for cache thrashing",
		.note_above = 1.5,
		.note = "compute-bound: look for hot loops",
		.evidence = thread_on_cpu,
		.evidence_unit = RPT_UNIT_NS,
		.evidence_name = "on CPU",
		.stacks = RPT_STACKS_BY_COUNTER,
		.stack_counter = "cycles",
	},
	{
		.metric = RPT_METRIC_CACHE_MPKI,
		.meaning = "data structures are not cache-friendly",
		.evidence = thread_on_cpu,
		.evidence_unit = RPT_UNIT_NS,
		.evidence_name = "on CPU",
		.stacks = RPT_STACKS_BY_COUNTER,
		.stack_counter = "cache-misses",
	},
	{
		.metric = RPT_METRIC_SLICE_P999,
		.sure_from = 1000,
		.alarm_from = 1,
		.meaning = "some thread holds a CPU too long",
		.evidence = thread_longest_slice,
		.evidence_unit = RPT_UNIT_NS,
		.evidence_name = "longest slice",
		.stacks = RPT_STACKS_OF_EVIDENCE,
	},
	{
		.metric = RPT_METRIC_VOLUNTARY,
		.sure_from = 50,
		.alarm_from = 10,
		.meaning = "CPU-bound",
		.evidence = thread_on_cpu,
		.evidence_unit = RPT_UNIT_NS,
		.evidence_name = "on CPU",
	},
	{
		.metric = RPT_METRIC_PREEMPTED,
		.sure_from = 50,
		.alarm_from = 10,
		.meaning = "the CPUs are saturated",
		.evidence = thread_preempted,
		.evidence_unit = RPT_UNIT_RATIO,
		.evidence_name = "preempted",
		.stacks = RPT_STACKS_OF_EVIDENCE,
	},
	{
		.metric = RPT_METRIC_RUNQ_P99,
		.sure_from = 100,
		.alarm_from = 20,
		.meaning = "threads wait for a CPU",
		.evidence = thread_runq,
		.evidence_unit = RPT_UNIT_NS,
		.evidence_name = "waited for a CPU",
	},
};

const char *rpt_judgement_text(enum rpt_judgement judgement)
{
	static const char *const texts[] = {
		[RPT_HEALTHY] = "healthy",
		[RPT_WATCH] = "watch",
		[RPT_INVESTIGATE] = "investigate",
		[RPT_UNKNOWN] = "unknown",
	};

	return texts[judgement];
}

/* --- why a counter has no reading --- */

static const char no_hardware[] = "no hardware counters on this machine";

static bool refused_by_hardware(uint32_t error)
{
	return error == ENOENT || error == ENODEV || error == EOPNOTSUPP || error == ENXIO;
}

/* Whether any counter of the machine's PMU works, so that a missing one is the exception. */
static bool has_pmu(const struct rpt_model *m)
{
	size_t i;

	for (i = 1; i < m->counter_count; i++) {
		const char *name = rpt_text(m, m->counters[i].name);

		if (m->counters[i].error)
			continue;
		if (strcmp(name, "cycles") == 0 || strcmp(name, "instructions") == 0)
			return true;
	}
	return false;
}

static const struct rpt_counter *find_counter(const struct rpt_model *m, const char *name)
{
	size_t i;

	for (i = 1; i < m->counter_count; i++)
		if (strcmp(rpt_text(m, m->counters[i].name), name) == 0)
			return &m->counters[i];
	return NULL;
}

const char *rpt_counter_reason(const struct rpt_model *m, const char *name)
{
	const struct rpt_counter *c = find_counter(m, name);

	if (!c)
		return rpt_model_modes(m) & PA_MODE_PMU ? "not recorded" :
							  "not recorded (needs --pmu)";
	if (refused_by_hardware(c->error))
		return has_pmu(m) ? "not counted by this machine" : no_hardware;
	if (c->error)
		return c->reason ? rpt_text(m, c->reason) : strerror((int)c->error);
	return m->left_out.sums_reason ? m->left_out.sums_reason : "no readings";
}

/* --- judging --- */

static bool beyond(double number, double bound, bool higher)
{
	return higher ? number > bound : number < bound;
}

static char *format_reason(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
static char *format_reason(const char *fmt, ...)
{
	struct pa_buf out;
	va_list ap;

	pa_buf_init(&out);
	va_start(ap, fmt);
	pa_buf_vaddf(&out, fmt, ap);
	va_end(ap);
	rpt_xcheck(pa_buf_error(&out));
	return pa_buf_take(&out);
}

static void judge_number(struct rpt_verdict *v)
{
	const struct rpt_verdict_entry *e = v->entry;
	uint64_t needed;

	if (beyond(v->value.number, e->healthy, e->higher_is_better))
		v->judgement = RPT_HEALTHY;
	else if (e->healthy == e->investigate ||
		 beyond(v->value.number, e->investigate, !e->higher_is_better))
		v->judgement = RPT_INVESTIGATE;
	else
		v->judgement = RPT_WATCH;
	needed = v->judgement == RPT_HEALTHY ? e->sure_from : e->alarm_from;
	if (v->value.basis < needed) {
		v->judgement = RPT_UNKNOWN;
		v->reason = format_reason("%llu %s only", (unsigned long long)v->value.basis,
					  v->value.basis_name);
	}
}

static void judge(struct rpt_verdict *v, const struct rpt_model *m)
{
	v->judgement = RPT_UNKNOWN;
	if (v->value.missing) {
		const char *reason = rpt_counter_reason(m, v->value.missing);

		v->reason = reason == no_hardware ?
				    rpt_xstrdup(reason) :
				    format_reason("%s: %s", v->value.missing, reason);
		return;
	}
	if (!v->value.known) {
		v->reason = rpt_xstrdup(v->value.reason ? v->value.reason : "");
		return;
	}
	if (v->value.measured < MIN_MEASURED) {
		v->reason = format_reason("multiplexed to %.0f %%", 100.0 * v->value.measured);
		return;
	}
	judge_number(v);
	if (!v->reason && v->value.measured < 1.0)
		v->reason = format_reason("estimated, measured %.0f %% of the time",
					  100.0 * v->value.measured);
}

/* Keeps the greatest amounts; of equal ones, the thread that was seen first. */
static void offer_evidence(struct rpt_verdict *v, uint32_t thread, uint64_t amount)
{
	size_t at = v->evidence_count;

	while (at > 0 && v->evidence[at - 1].amount < amount)
		at--;
	if (at == RPT_EVIDENCE_THREADS)
		return;
	v->evidence_count = PA_MIN(v->evidence_count + 1, (size_t)RPT_EVIDENCE_THREADS);
	memmove(v->evidence + at + 1, v->evidence + at,
		(v->evidence_count - at - 1) * sizeof(*v->evidence));
	v->evidence[at] = (struct rpt_evidence){thread, amount};
}

static void find_evidence(struct rpt_verdict *v, const struct rpt_model *m, uint32_t process)
{
	uint64_t amount;
	size_t i;

	if (!v->entry->evidence)
		return;
	for (i = 1; i < m->processes.thread_count; i++) {
		const struct rpt_thread *t = &m->processes.threads[i];

		if (process && t->process != process)
			continue;
		amount = v->entry->evidence(rpt_thread_stats(t));
		if (amount)
			offer_evidence(v, (uint32_t)i, amount);
	}
}

void rpt_verdicts_judge(struct rpt_verdicts *v, const struct rpt_verdict_basis *basis,
			const struct rpt_unit *u)
{
	size_t i;

	v->count = PA_ARRAY_LEN(table);
	v->items = rpt_xcalloc(v->count, sizeof(*v->items));
	v->entries = rpt_xcalloc(v->count, sizeof(*v->entries));
	for (i = 0; i < v->count; i++) {
		const struct rpt_bound *bound = &basis->rules->bounds[table[i].metric];

		v->entries[i] = table[i];
		v->entries[i].healthy = bound->healthy;
		v->entries[i].investigate = bound->investigate;
		v->entries[i].higher_is_better = bound->higher_is_better;
		v->items[i].entry = &v->entries[i];
		v->items[i].metric = &rpt_metrics[table[i].metric];
		v->items[i].value = v->items[i].metric->get(basis->m, u);
		judge(&v->items[i], basis->m);
		find_evidence(&v->items[i], basis->m, u->process);
		rpt_verdict_find_stacks(&v->items[i], basis, u->process);
	}
}

void rpt_verdicts_fini(struct rpt_verdicts *v)
{
	size_t i;

	for (i = 0; i < v->count; i++)
		free(v->items[i].reason);
	free(v->items);
	free(v->entries);
}

enum rpt_judgement rpt_verdicts_worst(const struct rpt_verdicts *v)
{
	enum rpt_judgement worst = RPT_HEALTHY;
	size_t i;

	for (i = 0; i < v->count; i++)
		if (v->items[i].judgement != RPT_UNKNOWN && v->items[i].judgement > worst)
			worst = v->items[i].judgement;
	return worst;
}
