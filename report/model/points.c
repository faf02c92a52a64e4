// SPDX-License-Identifier: GPL-2.0-or-later
/* Single samples and intervals in the order of time. */
#include "report/model/points.h"

#include <stdlib.h>

#include "report/xmem.h"

void rpt_points_fini(struct rpt_points *p)
{
	free(p->items);
}

void rpt_points_add(struct rpt_points *p, const struct rpt_point *point)
{
	rpt_xgrow(&p->items, &p->cap, p->count + 1, sizeof(*p->items));
	p->items[p->count++] = *point;
}

/* A total order: what is equal in all of these is the same. */
static int compare(const void *a, const void *b)
{
	const struct rpt_point *x = a, *y = b;

	if (x->time_ns != y->time_ns)
		return x->time_ns < y->time_ns ? -1 : 1;
	if (x->group != y->group)
		return x->group < y->group ? -1 : 1;
	if (x->cpu != y->cpu)
		return x->cpu < y->cpu ? -1 : 1;
	if (x->value != y->value)
		return x->value < y->value ? -1 : 1;
	if (x->count != y->count)
		return x->count < y->count ? -1 : 1;
	return x->flags < y->flags ? -1 : x->flags > y->flags;
}

void rpt_points_finish_trace(struct rpt_points *p)
{
	if (p->count > p->sorted)
		qsort(p->items + p->sorted, p->count - p->sorted, sizeof(*p->items), compare);
	p->sorted = p->count;
}
