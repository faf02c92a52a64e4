// SPDX-License-Identifier: GPL-2.0-or-later
/* The on-CPU stacks that contribute most to a verdict. */
#include <stdlib.h>
#include <string.h>

#include "report/analyse/verdicts.h"
#include "report/xmem.h"

/* Place of a counter among those that samples carry; -1 = it is not there. */
static int sampled_counter(const struct rpt_model *m, const char *name)
{
	size_t i;

	for (i = 0; name && i < m->sampled_count; i++)
		if (strcmp(rpt_text(m, m->counters[m->sampled[i]].name), name) == 0)
			return (int)i;
	return -1;
}

static bool is_evidence(const struct rpt_verdict *v, uint32_t thread)
{
	size_t i;

	for (i = 0; i < v->evidence_count; i++)
		if (v->evidence[i].thread == thread)
			return true;
	return false;
}

struct part {
	uint32_t call;
	uint64_t amount;
};

static int compare_calls(const void *a, const void *b)
{
	const struct part *x = a, *y = b;

	return x->call < y->call ? -1 : x->call > y->call;
}

static int compare_amounts(const void *a, const void *b)
{
	const struct part *x = a, *y = b;

	if (x->amount != y->amount)
		return x->amount > y->amount ? -1 : 1;
	return compare_calls(a, b);
}

/* One part for each stack. */
static size_t merge(struct part *parts, size_t count)
{
	size_t i, n = 0;

	qsort(parts, count, sizeof(*parts), compare_calls);
	for (i = 0; i < count; i++) {
		if (n && parts[n - 1].call == parts[i].call)
			rpt_add_saturated(&parts[n - 1].amount, parts[i].amount);
		else
			parts[n++] = parts[i];
	}
	qsort(parts, n, sizeof(*parts), compare_amounts);
	return n;
}

void rpt_verdict_basis_init(struct rpt_verdict_basis *basis)
{
	const struct rpt_profile *p = basis->oncpu;
	size_t processes = basis->m->processes.process_count, i;

	basis->rows = rpt_xcalloc(p->row_count, sizeof(*basis->rows));
	basis->first = rpt_xcalloc(processes + 2, sizeof(*basis->first));
	for (i = 0; i < p->row_count; i++)
		basis->first[p->rows[i].process + 2]++;
	for (i = 1; i < processes + 2; i++)
		basis->first[i] += basis->first[i - 1];
	for (i = 0; i < p->row_count; i++)
		basis->rows[basis->first[p->rows[i].process + 1]++] = (uint32_t)i;
}

void rpt_verdict_basis_fini(struct rpt_verdict_basis *basis)
{
	free(basis->rows);
	free(basis->first);
}

void rpt_verdict_find_stacks(struct rpt_verdict *v, const struct rpt_verdict_basis *basis,
			     uint32_t process)
{
	const struct rpt_profile *p = basis->oncpu;
	int counter = v->entry->stacks == RPT_STACKS_BY_COUNTER ?
			      sampled_counter(basis->m, v->entry->stack_counter) :
			      -1;
	size_t from = process ? basis->first[process] : 0, i, n = 0;
	size_t to = process ? basis->first[process + 1] : p->row_count;
	struct part *parts;
	uint64_t total = 0;

	if (v->judgement != RPT_WATCH && v->judgement != RPT_INVESTIGATE)
		return;
	parts = rpt_xcalloc(to - from, sizeof(*parts));
	for (i = from; i < to; i++) {
		const struct rpt_row *row = &p->rows[basis->rows[i]];
		struct part part = {row->call, row->value};

		if (v->entry->stacks == RPT_STACKS_OF_EVIDENCE && !is_evidence(v, row->thread))
			continue;
		if (counter >= 0)
			part.amount = row->counters ? row->counters[counter] : 0;
		rpt_add_saturated(&total, part.amount);
		if (part.amount)
			parts[n++] = part;
	}
	n = merge(parts, n);
	for (i = 0; i < n && i < RPT_EVIDENCE_STACKS; i++)
		v->stacks[v->stack_count++] = (struct rpt_stack_evidence){
			parts[i].call, parts[i].amount, rpt_percent(parts[i].amount, total)};
	v->stacks_name = counter >= 0 ? v->entry->stack_counter :
			 p->by_time   ? "CPU time" :
					"samples";
	free(parts);
}
