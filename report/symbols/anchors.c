// SPDX-License-Identifier: GPL-2.0-or-later
/* Symbols of a running kernel, found again in its file. */
#include "report/symbols/anchors.h"

#include <stdlib.h>
#include <string.h>

#include "report/xmem.h"

/* How far a part of the file was moved. There are several when recordings of several boots are read. */
struct rpt_bias {
	uint64_t part; /* the end of a section, or 0 for a file that was linked */
	uint64_t bias;
};

static int compare_names(const void *a, const void *b, void *ctx)
{
	const struct rpt_symtab *t = ctx;
	const struct rpt_symbol *x = &t->symbols[*(const uint32_t *)a];
	const struct rpt_symbol *y = &t->symbols[*(const uint32_t *)b];
	int r = strcmp(x->name, y->name);

	if (r)
		return r;
	return x->start < y->start ? -1 : x->start > y->start;
}

void rpt_anchors_init(struct rpt_anchors *a, const struct rpt_symtab *symtab, bool linked)
{
	size_t i;

	*a = (struct rpt_anchors){.symtab = symtab, .linked = linked};
	a->by_name = rpt_xcalloc(symtab->count, sizeof(*a->by_name));
	for (i = 0; i < symtab->count; i++)
		a->by_name[i] = (uint32_t)i;
	if (symtab->count)
		qsort_r(a->by_name, symtab->count, sizeof(*a->by_name), compare_names,
			(void *)(uintptr_t)symtab);
}

void rpt_anchors_fini(struct rpt_anchors *a)
{
	free(a->by_name);
	free(a->biases);
	*a = (struct rpt_anchors){0};
}

static const struct rpt_symbol *get(const struct rpt_anchors *a, size_t i)
{
	return &a->symtab->symbols[a->by_name[i]];
}

/* The first of those with this name; count is 0 when there is none. */
static size_t find_name(const struct rpt_anchors *a, const char *name, size_t *count)
{
	size_t lo = 0, hi = a->symtab->count, end;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (strcmp(get(a, mid)->name, name) < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	for (end = lo; end < a->symtab->count && strcmp(get(a, end)->name, name) == 0; end++)
		;
	*count = end - lo;
	return lo;
}

static struct rpt_bias bias_of(const struct rpt_anchors *a, const struct rpt_symbol *symbol,
			       uint64_t start)
{
	return (struct rpt_bias){a->linked ? 0 : symbol->limit, start - symbol->start};
}

static bool is_known(const struct rpt_anchors *a, struct rpt_bias bias)
{
	size_t i;

	for (i = 0; i < a->bias_count; i++)
		if (a->biases[i].part == bias.part && a->biases[i].bias == bias.bias)
			return true;
	return false;
}

void rpt_anchors_note(struct rpt_anchors *a, const char *name, uint64_t start)
{
	size_t count, first = find_name(a, name, &count);
	struct rpt_bias bias;

	/* The same symbol may stand in two tables. */
	if (!count || get(a, first)->start != get(a, first + count - 1)->start)
		return;
	bias = bias_of(a, get(a, first), start);
	if (is_known(a, bias))
		return;
	rpt_xgrow(&a->biases, &a->bias_cap, a->bias_count + 1, sizeof(*a->biases));
	a->biases[a->bias_count++] = bias;
}

/* Of the symbols with this name, the one that others agree with. */
static const struct rpt_symbol *choose(const struct rpt_anchors *a, const char *name,
				       uint64_t start)
{
	size_t count, first = find_name(a, name, &count), i;
	const struct rpt_symbol *found = NULL;

	if (count && get(a, first)->start == get(a, first + count - 1)->start)
		return get(a, first);
	for (i = first; i < first + count; i++) {
		if (!is_known(a, bias_of(a, get(a, i), start)))
			continue;
		if (found && found->start != get(a, i)->start)
			return NULL;
		found = get(a, i);
	}
	return found;
}

bool rpt_anchors_find(const struct rpt_anchors *a, const char *name, uint64_t start,
		      uint64_t address, uint64_t *vaddr)
{
	const struct rpt_symbol *symbol = name ? choose(a, name, start) : NULL;

	if (symbol) {
		*vaddr = symbol->start + (address - start);
		return address - start < symbol->limit - symbol->start;
	}
	if (!a->linked || a->bias_count != 1)
		return false;
	*vaddr = address - a->biases[0].bias;
	return true;
}
