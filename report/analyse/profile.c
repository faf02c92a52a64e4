// SPDX-License-Identifier: GPL-2.0-or-later
/* Sums of a profile's rows by function, process, thread, state and class. */
#include "report/analyse/profile.h"

#include <stdlib.h>
#include <string.h>

#include "report/analyse/waits.h"
#include "report/xmem.h"

double rpt_percent(uint64_t value, uint64_t total)
{
	return total ? 100.0 * (double)value / (double)total : 0.0;
}

void rpt_profile_fini(struct rpt_profile *p)
{
	free(p->rows);
	free(p->functions);
	free(p->by_total);
	free(p->processes.items);
	free(p->threads.items);
	free(p->states.items);
	free(p->classes.items);
}

/* --- by function --- */

struct sums {
	struct rpt_profile *p;
	const struct rpt_model *m;
	const struct rpt_code *c;
	struct rpt_function_value *by_function; /* one for each function of the code */
	uint32_t *stamps; /* by function: the last call whose stack it was counted in */
};

/* Rows that share a stack are counted together. */
static void add_stack(struct sums *s, uint32_t call, const struct rpt_share *share)
{
	const struct rpt_code *c = s->c;
	bool innermost = true;
	uint32_t at, i;

	for (at = call; at; at = c->calls[at].parent) {
		const struct rpt_location *l = &c->locations[c->calls[at].location];

		for (i = 0; i < l->line_count; i++, innermost = false) {
			uint32_t f = c->lines[l->first_line + i].function;
			struct rpt_function_value *v;

			f = c->functions[f].same_name;
			v = &s->by_function[f];
			if (innermost) {
				rpt_add_saturated(&v->self, share->value);
				rpt_add_saturated(&v->self_count, share->count);
			}
			if (s->stamps[f] == call)
				continue;
			s->stamps[f] = call;
			rpt_add_saturated(&v->total, share->value);
			rpt_add_saturated(&v->total_count, share->count);
		}
	}
}

static int compare_u64(uint64_t a, uint64_t b)
{
	return a > b ? -1 : a < b;
}

static int compare_names(const struct sums *s, uint32_t a, uint32_t b)
{
	const struct rpt_function *x = &s->c->functions[a], *y = &s->c->functions[b];
	int r = strcmp(rpt_text(s->m, x->name), rpt_text(s->m, y->name));

	return r ? r : a < b ? -1 : a > b;
}

static int compare_self(const void *a, const void *b, void *ctx)
{
	const struct rpt_function_value *x = a, *y = b;
	int r = compare_u64(x->self, y->self);

	r = r ? r : compare_u64(x->total, y->total);
	return r ? r : compare_names(ctx, x->function, y->function);
}

static int compare_total(const void *a, const void *b, void *ctx)
{
	const struct sums *s = ctx;
	const struct rpt_function_value *x = &s->p->functions[*(const uint32_t *)a];
	const struct rpt_function_value *y = &s->p->functions[*(const uint32_t *)b];
	int r = compare_u64(x->total, y->total);

	r = r ? r : compare_u64(x->self, y->self);
	return r ? r : compare_names(ctx, x->function, y->function);
}

static void sort_functions(struct sums *s)
{
	struct rpt_profile *p = s->p;
	size_t i, n = 0;

	for (i = 0; i < s->c->function_count; i++) {
		s->by_function[i].function = (uint32_t)i;
		if (s->by_function[i].total_count || s->by_function[i].total)
			s->by_function[n++] = s->by_function[i];
	}
	p->functions = rpt_xrealloc(s->by_function, n, sizeof(*p->functions));
	p->function_count = n;
	p->by_total = rpt_xcalloc(n, sizeof(*p->by_total));
	for (i = 0; i < n; i++)
		p->by_total[i] = (uint32_t)i;
	qsort_r(p->functions, n, sizeof(*p->functions), compare_self, s);
	qsort_r(p->by_total, n, sizeof(*p->by_total), compare_total, s);
}

static void sum_functions(struct sums *s)
{
	struct rpt_share *by_call = rpt_xcalloc(s->c->call_count, sizeof(*by_call));
	size_t i;

	s->by_function = rpt_xcalloc(s->c->function_count, sizeof(*s->by_function));
	s->stamps = rpt_xcalloc(s->c->function_count, sizeof(*s->stamps));
	for (i = 0; i < s->p->row_count; i++) {
		const struct rpt_row *row = &s->p->rows[i];

		rpt_add_saturated(&by_call[row->call].value, row->value);
		rpt_add_saturated(&by_call[row->call].count, row->count);
	}
	for (i = 1; i < s->c->call_count; i++)
		if (by_call[i].count || by_call[i].value)
			add_stack(s, (uint32_t)i, &by_call[i]);
	free(by_call);
	sort_functions(s);
	free(s->stamps);
}

/* --- by whatever else a row has --- */

static int compare_share(const void *a, const void *b)
{
	const struct rpt_share *x = a, *y = b;
	int r = compare_u64(x->value, y->value);

	r = r ? r : compare_u64(x->count, y->count);
	return r ? r : x->id < y->id ? -1 : x->id > y->id;
}

typedef uint32_t row_key_fn(const struct rpt_row *row);

static uint32_t row_process(const struct rpt_row *row)
{
	return row->process;
}

static uint32_t row_thread(const struct rpt_row *row)
{
	return row->thread;
}

static uint32_t row_state(const struct rpt_row *row)
{
	return PA_MIN(row->state, (uint32_t)RPT_STATE_UNKNOWN);
}

static uint32_t row_class(const struct rpt_row *row)
{
	return row->class;
}

/* Shares of the keys 0 to key_count - 1; those without a row are left out. */
static void sum_shares(const struct rpt_profile *p, struct rpt_shares *into, row_key_fn *key,
		       size_t key_count)
{
	struct rpt_share *items = rpt_xcalloc(key_count, sizeof(*items)), *s;
	size_t i;

	for (i = 0; i < p->row_count; i++) {
		s = &items[key(&p->rows[i])];
		rpt_add_saturated(&s->value, p->rows[i].value);
		rpt_add_saturated(&s->count, p->rows[i].count);
		s->open_count += p->rows[i].open_count;
		s->max_ns = PA_MAX(s->max_ns, p->rows[i].max_ns);
	}
	for (i = 0; i < key_count; i++) {
		items[i].id = (uint32_t)i;
		if (items[i].count || items[i].value)
			items[into->count++] = items[i];
	}
	qsort(items, into->count, sizeof(*items), compare_share);
	into->items = items;
}

void rpt_profile_sum(struct rpt_profile *p, const struct rpt_model *m, const struct rpt_code *c)
{
	struct sums s = {.p = p, .m = m, .c = c};

	sum_functions(&s);
	sum_shares(p, &p->processes, row_process, m->processes.process_count);
	sum_shares(p, &p->threads, row_thread, m->processes.thread_count);
	if (!p->offcpu)
		return;
	sum_shares(p, &p->states, row_state, RPT_STATE_UNKNOWN + 1);
	sum_shares(p, &p->classes, row_class, rpt_wait_class_count);
}

void rpt_profile_of_process(struct rpt_profile *p, const struct rpt_profile *all, uint32_t process,
			    const struct rpt_model *m, const struct rpt_code *c)
{
	size_t i;

	*p = (struct rpt_profile){
		.offcpu = all->offcpu,
		.by_time = all->by_time,
		.estimated_time = all->estimated_time,
	};
	for (i = 0; i < all->row_count; i++)
		if (all->rows[i].process == process)
			rpt_profile_add_row(p, &all->rows[i]);
	rpt_profile_sum(p, m, c);
}
