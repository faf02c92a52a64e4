// SPDX-License-Identifier: GPL-2.0-or-later
/* The kernel's ranges and symbols, looked up by address. */
#include "report/model/kernel.h"

#include <stdlib.h>

#include "report/xmem.h"

void rpt_kernel_fini(struct rpt_kernel *k)
{
	free(k->symbols);
	free(k->ranges);
}

void rpt_kernel_add_symbol(struct rpt_kernel *k, const struct rpt_kernel_symbol *symbol)
{
	if (symbol->start == 0) {
		k->hidden++;
		return;
	}
	rpt_xgrow(&k->symbols, &k->symbol_cap, k->symbol_count + 1, sizeof(*k->symbols));
	k->symbols[k->symbol_count++] = *symbol;
}

void rpt_kernel_add_range(struct rpt_kernel *k, const struct rpt_kernel_range *range)
{
	if (range->start == 0)
		return;
	rpt_xgrow(&k->ranges, &k->range_cap, k->range_count + 1, sizeof(*k->ranges));
	k->ranges[k->range_count++] = *range;
}

static int by_start(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

/* Among symbols of one address the last is found: the longest, then the one that was named first. */
static int compare_symbols(const void *a, const void *b)
{
	const struct rpt_kernel_symbol *x = a, *y = b;
	int r = by_start(x->start, y->start);

	r = r ? r : by_start(x->length_bytes, y->length_bytes);
	return r ? r : by_start(y->name, x->name);
}

static int compare_ranges(const void *a, const void *b)
{
	const struct rpt_kernel_range *x = a, *y = b;
	int r = by_start(x->start, y->start);

	return r ? r : by_start(y->end, x->end);
}

void rpt_kernel_sort(struct rpt_kernel *k)
{
	if (k->symbol_count)
		qsort(k->symbols, k->symbol_count, sizeof(*k->symbols), compare_symbols);
	if (k->range_count)
		qsort(k->ranges, k->range_count, sizeof(*k->ranges), compare_ranges);
}

const struct rpt_kernel_symbol *rpt_kernel_find_symbol(const struct rpt_kernel *k, uint64_t address)
{
	size_t lo = 0, hi = k->symbol_count, mid;
	const struct rpt_kernel_symbol *s;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (k->symbols[mid].start <= address)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (lo == 0)
		return NULL;
	s = &k->symbols[lo - 1];
	return address == s->start || address - s->start < s->length_bytes ? s : NULL;
}

const struct rpt_kernel_range *rpt_kernel_find_range(const struct rpt_kernel *k, uint64_t address)
{
	const struct rpt_kernel_range *best = NULL, *r;
	size_t i;

	/* A module's range may lie within a wider one; the narrowest that holds the address is right. */
	for (i = 0; i < k->range_count && k->ranges[i].start <= address; i++) {
		r = &k->ranges[i];
		if (address < r->end && (!best || r->end - r->start < best->end - best->start))
			best = r;
	}
	return best;
}
