// SPDX-License-Identifier: GPL-2.0-or-later
/* A profile's rows, spread over slices of time. */
#include "report/analyse/slices.h"

#include <stdlib.h>

#include "report/xmem.h"

/* So many slices at most: a trace may claim any length. */
#define MAX_SLICES (1u << 22)

void rpt_slices_init(struct rpt_slices *s, const struct rpt_model *m, uint64_t slice_ns)
{
	size_t i;

	*s = (struct rpt_slices){.slice_ns = slice_ns};
	s->first = rpt_xcalloc(m->trace_count + 1, sizeof(*s->first));
	for (i = 0; i < m->trace_count; i++) {
		const struct rpt_trace *t = &m->traces[i];
		uint64_t span_ns = t->end_ns > t->start_ns ? t->end_ns - t->start_ns : 0;
		uint64_t n = span_ns / slice_ns + (span_ns % slice_ns != 0);

		s->first[i] = s->count;
		s->count += (size_t)PA_MIN(PA_MAX(n, 1u), MAX_SLICES);
	}
	s->first[i] = s->count;
	s->count = PA_MAX(s->count, 1u);
}

void rpt_slices_fini(struct rpt_slices *s)
{
	free(s->first);
}

/* What was given out of a row so far, of what its points add up to. */
struct progress {
	uint64_t value, count;
};

struct spreader {
	const struct rpt_slices *s; /* NULL: points are not spread */
	const struct rpt_model *m;
	const struct rpt_profile *p;
	const struct rpt_groups *groups;
	uint32_t *rows; /* by group: its row plus 1, 0 = it has none */
	struct progress *progress; /* by row */
	rpt_slice_fn *use;
	void *ctx;
};

static uint64_t scale(uint64_t value, uint64_t numerator, uint64_t denominator)
{
	unsigned __int128 product = (unsigned __int128)value * numerator;

	return denominator ? (uint64_t)(product / denominator) : 0;
}

/* The next part of total, of all that the points have: the difference of two rounded sums, so that
 * nothing is lost. */
static uint64_t take(uint64_t *seen, uint64_t amount, uint64_t all, uint64_t total)
{
	uint64_t before = scale(*seen, total, all);

	*seen = PA_MIN(all - *seen, amount) + *seen;
	return scale(*seen, total, all) - before;
}

/* Gives out a part of a point that lasts amount of its value. */
static void give(struct spreader *sp, const struct rpt_point *point, size_t slice, uint64_t amount,
		 uint64_t count)
{
	const struct rpt_group *g = &sp->groups->items[point->group];
	uint32_t index = sp->rows[point->group] - 1;
	const struct rpt_row *row = &sp->p->rows[index];
	struct progress *at = &sp->progress[index];
	struct rpt_slice_part part = {.slice = slice, .row = index};
	uint64_t counted = take(&at->count, count, g->count, row->count);

	part.count = counted;
	part.value = g->weight ? take(&at->value, amount, g->weight, row->value) :
				 scale(row->value, counted, row->count);
	if (part.value || part.count)
		sp->use(sp->ctx, &part);
}

static void spread(struct spreader *sp, const struct rpt_point *point)
{
	const struct rpt_processes *p = &sp->m->processes;
	uint32_t thread = sp->groups->items[point->group].site.thread;
	uint32_t trace = p->processes[p->threads[thread].process].trace;
	uint64_t start_ns = sp->m->traces[trace].start_ns, slice_ns = sp->s->slice_ns;
	uint64_t at = point->time_ns > start_ns ? point->time_ns - start_ns : 0;
	size_t first = sp->s->first[trace], last = sp->s->first[trace + 1] - 1, slice;
	uint64_t left = point->value, room, count = point->count;

	/* A sum is of what came before. */
	if (point->flags & RPT_POINT_SUM && at)
		at--;
	slice = first + (size_t)PA_MIN(at / slice_ns, (uint64_t)(last - first));
	if (!sp->p->offcpu || point->flags & RPT_POINT_SUM) {
		give(sp, point, slice, left, count);
		return;
	}
	room = slice_ns - at % slice_ns;
	while (slice < last && left > room) {
		give(sp, point, slice++, room, count);
		left -= room;
		count = 0;
		room = slice_ns;
	}
	give(sp, point, slice, left, count);
}

static void for_each(const struct rpt_slices *s, const struct rpt_model *m,
		     const struct rpt_profile *p, rpt_slice_fn *use, void *ctx)
{
	const struct rpt_points *points = p->offcpu ? &m->block_points : &m->sample_points;
	struct spreader sp = {
		.s = s,
		.m = m,
		.p = p,
		.groups = p->offcpu ? &m->blocks : &m->samples,
		.progress = rpt_xcalloc(p->row_count, sizeof(*sp.progress)),
		.use = use,
		.ctx = ctx,
	};
	size_t i;

	sp.rows = rpt_xcalloc(sp.groups->count, sizeof(*sp.rows));
	for (i = 0; i < p->row_count; i++)
		if (p->rows[i].group != RPT_NO_GROUP)
			sp.rows[p->rows[i].group] = (uint32_t)i + 1;
	for (i = 0; i < points->count; i++) {
		const struct rpt_point *point = &points->items[i];

		if (!sp.rows[point->group])
			continue;
		if (s)
			spread(&sp, point);
		else
			give(&sp, point, i, point->value, point->count);
	}
	free(sp.rows);
	free(sp.progress);
}

void rpt_slices_for_each(const struct rpt_slices *s, const struct rpt_model *m,
			 const struct rpt_profile *p, rpt_slice_fn *use, void *ctx)
{
	for_each(s, m, p, use, ctx);
}

void rpt_points_for_each(const struct rpt_model *m, const struct rpt_profile *p, rpt_slice_fn *use,
			 void *ctx)
{
	for_each(NULL, m, p, use, ctx);
}

struct summer {
	const struct rpt_slices *s;
	const uint32_t *keys;
	uint64_t *sums;
};

static void add_part(void *ctx, const struct rpt_slice_part *part)
{
	struct summer *summer = ctx;
	uint32_t key = summer->keys[part->row];

	if (key != UINT32_MAX)
		rpt_add_saturated(&summer->sums[key * summer->s->count + part->slice], part->value);
}

uint64_t *rpt_slices_sum(const struct rpt_slices *s, const struct rpt_model *m,
			 const struct rpt_profile *p, const uint32_t *keys, size_t key_count)
{
	struct summer summer = {.s = s, .keys = keys};

	summer.sums = rpt_xcalloc(key_count * s->count, sizeof(*summer.sums));
	rpt_slices_for_each(s, m, p, add_part, &summer);
	return summer.sums;
}
