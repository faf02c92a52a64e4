// SPDX-License-Identifier: GPL-2.0-or-later
/* What the traces hold and what they lack. */
#include "report/analyse/coverage.h"

#include <stdlib.h>

#include "format/util/htab.h"
#include "report/xmem.h"

const char *rpt_loss_text(uint32_t kind)
{
	static const char *const texts[PA_LOSS_KINDS_] = {
		[PA_LOSS_SAMPLES] = "on-CPU samples",
		[PA_LOSS_BLOCKS] = "off-CPU intervals",
		[PA_LOSS_STACKS] = "off-CPU stacks",
		[PA_LOSS_SIDEBAND] = "mapping and process events",
		[PA_LOSS_HIST] = "values of distributions",
		[PA_LOSS_THREADS] = "threads",
		[PA_LOSS_OUTPUT] = "bytes of output",
		[PA_LOSS_MAPPINGS] = "mappings",
		[PA_LOSS_JIT] = "JIT symbols",
		[PA_LOSS_BLOCK_CORRUPT] = "damaged blocks of the file",
		[PA_LOSS_UNKNOWN_RECORD] = "records of types that this version does not know",
		[PA_LOSS_COUNTS] = "counter readings",
		[PA_LOSS_THROTTLED] = "times sampling was throttled",
		[PA_LOSS_COPIES] = "copies of stacks",
	};

	return kind < PA_LOSS_KINDS_ ? texts[kind] : "of a kind that this version does not know";
}

const char *rpt_stack_end_text(uint32_t end)
{
	static const char *const texts[PA_STACK_FIRST_ID] = {
		[PA_STACK_NONE] = "no user stack",
		[PA_STACK_COMPLETE] = "complete",
		[PA_STACK_FP_END] = "complete (frame pointers)",
		[PA_STACK_TRUNCATED] = "truncated: too deep",
		[PA_STACK_FP_LOST] = "broken: no frame pointers",
		[PA_STACK_NO_TABLE] = "broken: no unwind table",
		[PA_STACK_NO_RULE] = "broken: no unwind rule",
		[PA_STACK_BAD_MEMORY] = "broken: stack not readable",
		[PA_STACK_NOT_TAKEN] = "not taken: thinned",
		[PA_STACK_LOST] = "lost",
		[PA_STACK_KERNEL] = "complete (kernel)",
		[PA_STACK_UNKNOWN_END] = "end not known",
	};

	return end < PA_STACK_FIRST_ID && texts[end] ? texts[end] : "end not known";
}

static void count_ends(uint64_t *by_end, const struct rpt_model *m, const struct rpt_groups *groups)
{
	size_t i;

	for (i = 0; i < groups->count; i++) {
		const struct rpt_group *g = &groups->items[i];
		uint64_t n = g->count;

		rpt_add_saturated(&n, g->thinned_count);
		rpt_add_saturated(&by_end[rpt_stacks_end(&m->stacks, g->site.ustack)], n);
	}
}

/* --- frames without names --- */

struct finder {
	struct rpt_coverage *cov;
	const struct rpt_code *c;
	struct pa_htab index;
	size_t cap;
	uint32_t *by_location; /* entry of each location, plus 1; 0 = it has a name */
	uint32_t *stamps; /* by entry: the last group that it was counted for */
};

static bool equal(const void *ctx, uint32_t value, const void *key)
{
	const struct rpt_unresolved *a = &((const struct rpt_coverage *)ctx)->unresolved[value];
	const struct rpt_location *l = key;

	return a->module == l->module && a->reason == l->reason;
}

static void find_unresolved(struct finder *f)
{
	struct rpt_coverage *cov = f->cov;
	uint64_t hash;
	uint32_t i, entry;

	for (i = 1; i < f->c->location_count; i++) {
		const struct rpt_location *l = &f->c->locations[i];

		if (!l->reason)
			continue;
		hash = pa_hash_u64((uint64_t)l->module << 8 | l->reason);
		if (!pa_htab_get(&f->index, hash, equal, cov, l, &entry)) {
			entry = (uint32_t)cov->unresolved_count;
			rpt_xgrow(&cov->unresolved, &f->cap, cov->unresolved_count + 1,
				  sizeof(*cov->unresolved));
			cov->unresolved[cov->unresolved_count++] =
				(struct rpt_unresolved){.module = l->module, .reason = l->reason};
			rpt_xcheck(pa_htab_add(&f->index, hash, entry));
		}
		cov->unresolved[entry].addresses++;
		f->by_location[i] = entry + 1;
	}
}

static void count_unresolved(struct finder *f, const struct rpt_groups *groups,
			     const uint32_t *calls, uint32_t first_stamp)
{
	struct rpt_unresolved *u;
	uint32_t at, entry;
	uint64_t n;
	size_t i;

	for (i = 0; i < groups->count; i++) {
		n = groups->items[i].count;
		rpt_add_saturated(&n, groups->items[i].thinned_count);
		for (at = calls[i]; at; at = f->c->calls[at].parent) {
			entry = f->by_location[f->c->calls[at].location];
			if (!entry)
				continue;
			u = &f->cov->unresolved[entry - 1];
			if (at == calls[i])
				rpt_add_saturated(&u->innermost, n);
			if (f->stamps[entry - 1] == first_stamp + i + 1)
				continue;
			f->stamps[entry - 1] = first_stamp + (uint32_t)i + 1;
			rpt_add_saturated(&u->samples, n);
		}
	}
}

static int compare(const void *a, const void *b)
{
	const struct rpt_unresolved *x = a, *y = b;

	if (x->samples != y->samples)
		return x->samples > y->samples ? -1 : 1;
	if (x->module != y->module)
		return x->module < y->module ? -1 : 1;
	return x->reason < y->reason ? -1 : x->reason > y->reason;
}

static void analyse_unresolved(struct rpt_coverage *cov, const struct rpt_model *m,
			       const struct rpt_code *c)
{
	struct finder f = {.cov = cov, .c = c};
	size_t i, kept = 0;

	f.by_location = rpt_xcalloc(c->location_count, sizeof(*f.by_location));
	pa_htab_init(&f.index);
	find_unresolved(&f);
	f.stamps = rpt_xcalloc(cov->unresolved_count, sizeof(*f.stamps));
	count_unresolved(&f, &m->samples, c->sample_calls, 0);
	count_unresolved(&f, &m->blocks, c->block_calls, (uint32_t)m->samples.count);
	/* A filter may have left nothing of a module. */
	for (i = 0; i < cov->unresolved_count; i++)
		if (cov->unresolved[i].samples)
			cov->unresolved[kept++] = cov->unresolved[i];
	cov->unresolved_count = kept;
	if (cov->unresolved_count)
		qsort(cov->unresolved, cov->unresolved_count, sizeof(*cov->unresolved), compare);
	pa_htab_fini(&f.index);
	free(f.by_location);
	free(f.stamps);
}

/* --- samples and losses --- */

/*
 * The rate that sampling reached: idle CPUs give no samples, so it is only known where their idle
 * time is.
 */
static void find_rate(struct rpt_coverage *cov, const struct rpt_model *m)
{
	uint64_t busy_ns = 0, samples = 0;
	size_t i, k;

	for (i = 0; i < m->trace_count; i++) {
		const struct rpt_trace *t = &m->traces[i];

		cov->asked_hz = PA_MAX(cov->asked_hz, (double)t->rate_hz);
		for (k = 0; k < t->cpu_count; k++) {
			cov->samples += t->cpu[k].samples;
			if (!t->cpu[k].has_sum || !(t->modes & PA_MODE_ALL))
				continue;
			busy_ns += t->cpu[k].observed_ns - t->cpu[k].idle_ns;
			samples += t->cpu[k].samples;
		}
	}
	if (busy_ns)
		cov->rate_hz = 1e9 * (double)samples / (double)busy_ns;
}

void rpt_coverage_analyse(struct rpt_coverage *cov, const struct rpt_model *m,
			  const struct rpt_code *c)
{
	size_t i, k;

	*cov = (struct rpt_coverage){0};
	find_rate(cov, m);
	count_ends(cov->stacks_by_end, m, &m->samples);
	count_ends(cov->blocks_by_end, m, &m->blocks);
	analyse_unresolved(cov, m, c);
	for (i = 0; i < m->trace_count; i++) {
		const struct rpt_trace *t = &m->traces[i];

		cov->incomplete |= !t->ended || t->segments_cut || t->gap_ns;
		for (k = 0; k < t->loss_count; k++)
			if (t->losses[k].kind != PA_LOSS_THROTTLED)
				rpt_add_saturated(&cov->lost, t->losses[k].count);
		for (k = 0; k < RPT_PROBLEM_KINDS_; k++)
			rpt_add_saturated(&cov->problems, t->problems[k]);
	}
}

void rpt_coverage_fini(struct rpt_coverage *cov)
{
	free(cov->unresolved);
}
