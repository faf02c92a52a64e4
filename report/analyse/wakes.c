// SPDX-License-Identifier: GPL-2.0-or-later
/* Off-CPU intervals by pairs of threads. */
#include "report/analyse/wakes.h"

#include <stdlib.h>

#include "report/xmem.h"

static bool equal(const void *ctx, uint32_t value, const void *key)
{
	const struct rpt_wake *a = &((const struct rpt_wakes *)ctx)->items[value], *b = key;

	return a->waker == b->waker && a->woken == b->woken;
}

static struct rpt_wake *get_wake(struct rpt_wakes *wakes, struct pa_htab *index,
				 const struct rpt_row *row)
{
	struct rpt_wake wanted = {.waker = row->waker, .woken = row->thread};
	uint64_t hash = pa_hash_u64((uint64_t)row->waker << 32 | row->thread);
	uint32_t i;

	if (!pa_htab_get(index, hash, equal, wakes, &wanted, &i)) {
		i = (uint32_t)wakes->count;
		rpt_xgrow(&wakes->items, &wakes->cap, wakes->count + 1, sizeof(*wakes->items));
		wakes->items[wakes->count++] = wanted;
		rpt_xcheck(pa_htab_add(index, hash, i));
	}
	return &wakes->items[i];
}

static int compare(const void *a, const void *b)
{
	const struct rpt_wake *x = a, *y = b;

	if (x->value != y->value)
		return x->value > y->value ? -1 : 1;
	if (x->waker != y->waker)
		return x->waker < y->waker ? -1 : 1;
	return x->woken < y->woken ? -1 : x->woken > y->woken;
}

void rpt_wakes_find(struct rpt_wakes *wakes, const struct rpt_profile *offcpu)
{
	struct pa_htab index;
	struct rpt_wake *w;
	size_t i;

	*wakes = (struct rpt_wakes){0};
	pa_htab_init(&index);
	for (i = 0; i < offcpu->row_count; i++) {
		const struct rpt_row *row = &offcpu->rows[i];

		if (!row->waker) {
			rpt_add_saturated(&wakes->unknown_ns, row->value);
			continue;
		}
		if (row->waker == RPT_WAKER_INTERRUPT)
			rpt_add_saturated(&wakes->interrupt_ns, row->value);
		w = get_wake(wakes, &index, row);
		rpt_add_saturated(&w->value, row->value);
		rpt_add_saturated(&w->count, row->count);
		w->max_ns = PA_MAX(w->max_ns, row->max_ns);
		if (row->value >= w->stack_ns) {
			w->stack_ns = row->value;
			w->waker_call = row->waker_call;
			w->woken_call = row->call;
		}
	}
	if (wakes->count)
		qsort(wakes->items, wakes->count, sizeof(*wakes->items), compare);
	pa_htab_fini(&index);
}

void rpt_wakes_fini(struct rpt_wakes *wakes)
{
	free(wakes->items);
}
