// SPDX-License-Identifier: GPL-2.0-or-later
/* Waits and slices of threads against the rules for threads of their names. */
#include "report/analyse/expect.h"

#include <stdlib.h>
#include <string.h>

#include "report/analyse/syscalls.h"
#include "report/analyse/waits.h"
#include "report/xmem.h"

#define IS_NORMAL 1u /* of a function, by a rule */
#define IS_NEVER 2u
#define IS_KNOWN 4u

struct rpt_expecter {
	const struct rpt_rules *rules;
	const struct rpt_model *m;
	const struct rpt_code *c;
	uint8_t **functions; /* by rule, made when it is used: IS_* by function */
};

struct rpt_expecter *rpt_expecter_new(const struct rpt_rules *rules, const struct rpt_model *m,
				      const struct rpt_code *c)
{
	struct rpt_expecter *e = rpt_xcalloc(1, sizeof(*e));

	e->rules = rules;
	e->m = m;
	e->c = c;
	e->functions = rpt_xcalloc(rules->thread_count, sizeof(*e->functions));
	return e;
}

void rpt_expecter_free(struct rpt_expecter *e)
{
	size_t i;

	if (!e)
		return;
	for (i = 0; i < e->rules->thread_count; i++)
		free(e->functions[i]);
	free(e->functions);
	free(e);
}

static uint8_t *marks_of(struct rpt_expecter *e, const struct rpt_thread_rule *rule)
{
	uint8_t **marks = &e->functions[rule - e->rules->threads];

	if (!*marks)
		*marks = rpt_xcalloc(e->c->function_count, sizeof(**marks));
	return *marks;
}

static uint8_t mark_of(const struct rpt_expecter *e, uint8_t *marks,
		       const struct rpt_thread_rule *rule, uint32_t function)
{
	const struct rpt_function *f = &e->c->functions[function];
	const char *name = rpt_text(e->m, f->name);

	if (marks[function])
		return marks[function];
	marks[function] = IS_KNOWN;
	if (!f->unnamed && rule->functions && rpt_matches_any(rule->functions, name))
		marks[function] |= IS_NORMAL;
	if (!f->unnamed && rule->never && rpt_matches_any(rule->never, name))
		marks[function] |= IS_NEVER;
	return marks[function];
}

/* What the functions of a stack say together. */
static uint8_t marks_of_stack(struct rpt_expecter *e, const struct rpt_thread_rule *rule,
			      uint32_t call)
{
	uint8_t *marks = marks_of(e, rule), all = 0;
	uint32_t i;

	for (; call; call = e->c->calls[call].parent) {
		const struct rpt_location *l = &e->c->locations[e->c->calls[call].location];

		for (i = 0; i < l->line_count; i++)
			all |= mark_of(e, marks, rule, e->c->lines[l->first_line + i].function);
	}
	return all;
}

/* A pattern of calls fits "ioctl(KVM_RUN)" as well by "ioctl" alone. */
static bool fits_call(const char *patterns, const char *name)
{
	const char *end = name ? strchr(name, '(') : NULL;
	bool fits;
	char *bare;

	if (!patterns || !name)
		return false;
	if (rpt_matches_any(patterns, name))
		return true;
	if (!end)
		return false;
	bare = rpt_xstrndup(name, (size_t)(end - name));
	fits = rpt_matches_any(patterns, bare);
	free(bare);
	return fits;
}

/* NOLINTNEXTLINE(readability-function-size): a wait is all of these */
enum rpt_breach_kind rpt_expecter_judge(struct rpt_expecter *e, uint32_t thread, uint32_t comm,
					uint32_t call, const char *syscall, uint32_t class,
					const struct rpt_thread_rule **rule)
{
	const struct rpt_processes *p = &e->m->processes;
	uint32_t process = rpt_process_name(p, p->threads[thread].process);
	const struct rpt_thread_rule *r =
		rpt_rules_thread(e->rules, rpt_text(e->m, comm), rpt_text(e->m, process));
	uint8_t marks;

	*rule = r;
	if (!r)
		return RPT_BREACH_NONE;
	marks = marks_of_stack(e, r, call);
	if ((marks & IS_NEVER) || fits_call(r->never, syscall))
		return RPT_BREACH_NEVER;
	if (!r->calls && !r->functions && !r->classes)
		return RPT_BREACH_NONE;
	if ((marks & IS_NORMAL) || fits_call(r->calls, syscall) || (r->classes & 1u << class))
		return RPT_BREACH_NONE;
	return RPT_BREACH_BLOCKED;
}

const char *rpt_expect_call_name(const struct rpt_model *m, uint32_t process, uint32_t syscall,
				 uint32_t class)
{
	const struct rpt_trace *t = &m->traces[m->processes.processes[process].trace];
	const char *name = rpt_syscall_name(rpt_text(m, t->arch), syscall);

	/* Of what an ioctl is about only this is told by its stack. */
	if (name && strcmp(name, "ioctl") == 0 &&
	    strcmp(rpt_wait_classes[class].name, "virtual CPU") == 0)
		return "ioctl(KVM_RUN)";
	return name;
}

/* --- all waits of a recording --- */

struct finder {
	struct rpt_breaches *b;
	struct rpt_expecter *e;
	const struct rpt_model *m;
	const struct rpt_code *c;
	struct pa_htab index;
};

static bool equal(const void *ctx, uint32_t value, const void *key)
{
	const struct rpt_breach *a = &((const struct rpt_breaches *)ctx)->items[value], *b = key;

	return a->kind == b->kind && a->thread == b->thread && a->comm == b->comm &&
	       a->class == b->class && a->blocked_in == b->blocked_in;
}

static struct rpt_breach *get_breach(struct finder *f, const struct rpt_breach *wanted)
{
	uint64_t hash = pa_hash_u64((uint64_t)wanted->thread << 32 | wanted->comm);
	struct rpt_breaches *b = f->b;
	uint32_t i;

	hash = pa_hash_u64(hash ^ (uintptr_t)wanted->blocked_in ^ (uint64_t)wanted->kind << 40 ^
			   (uint64_t)wanted->class << 48);
	if (!pa_htab_get(&f->index, hash, equal, b, wanted, &i)) {
		i = (uint32_t)b->count;
		rpt_xgrow(&b->items, &b->cap, b->count + 1, sizeof(*b->items));
		b->items[b->count++] = *wanted;
		rpt_xcheck(pa_htab_add(&f->index, hash, i));
	}
	return &b->items[i];
}

/* Whether there is anything to go by: a marker alone says that there is not. */
static bool is_known(const struct finder *f, const struct rpt_row *row, const char *syscall)
{
	uint32_t call;

	for (call = row->call; call; call = f->c->calls[call].parent)
		if (f->m->modules.items[f->c->locations[f->c->calls[call].location].module].kind !=
		    RPT_MODULE_MARKER)
			return true;
	return syscall != NULL;
}

static bool is_blocked(uint32_t state)
{
	return state == PA_STATE_SLEEP || state == PA_STATE_DISK;
}

static void look_at_row(struct finder *f, const struct rpt_row *row)
{
	const char *syscall = rpt_expect_call_name(f->m, row->process, row->syscall, row->class);
	struct rpt_breach wanted =
				  {
					  .thread = row->thread,
					  .comm = row->comm,
					  .class = row->class,
					  .blocked_in = syscall ? syscall :
								  rpt_wait_classes[row->class].name,
				  },
			  *b;

	if (!is_blocked(row->state))
		return;
	wanted.kind = rpt_expecter_judge(f->e, row->thread, row->comm, row->call, syscall,
					 row->class, &wanted.rule);
	if (!wanted.rule)
		return;
	if (wanted.kind == RPT_BREACH_BLOCKED && !is_known(f, row, syscall)) {
		rpt_add_saturated(&f->b->unjudged_ns, row->value);
		return;
	}
	if (wanted.kind == RPT_BREACH_NONE && wanted.rule->period_ns &&
	    row->max_ns > wanted.rule->period_ns)
		wanted.kind = RPT_BREACH_PERIOD;
	if (wanted.kind == RPT_BREACH_NONE)
		return;
	b = get_breach(f, &wanted);
	rpt_add_saturated(&b->value, row->value);
	rpt_add_saturated(&b->count, row->count);
	b->open_count += row->open_count;
	b->max_ns = PA_MAX(b->max_ns, row->max_ns);
	if (row->value > b->call_ns) {
		b->call = row->call;
		b->call_ns = row->value;
	}
}

static void look_at_thread(struct finder *f, uint32_t thread)
{
	const struct rpt_processes *p = &f->m->processes;
	const struct pa_histogram *slices =
		&rpt_thread_stats(&p->threads[thread])->hist[PA_HIST_SLICE];
	uint32_t comm = rpt_thread_name(p, thread);
	uint32_t process = rpt_process_name(p, p->threads[thread].process);
	const struct rpt_thread_rule *rule =
		rpt_rules_thread(f->e->rules, rpt_text(f->m, comm), rpt_text(f->m, process));
	struct rpt_breach wanted = {
		.kind = RPT_BREACH_SLICE,
		.thread = thread,
		.comm = comm,
		.value = slices->max_ns,
		.max_ns = slices->max_ns,
		.count = 1,
		.time_ns = slices->max_time_ns,
	};

	if (!rule)
		return;
	f->b->threads++;
	if (!rule->slice_ns || !slices->count || slices->max_ns <= rule->slice_ns)
		return;
	wanted.rule = rule;
	*get_breach(f, &wanted) = wanted;
}

static int compare(const void *a, const void *b)
{
	const struct rpt_breach *x = a, *y = b;

	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	if (x->value != y->value)
		return x->value > y->value ? -1 : 1;
	if (x->thread != y->thread)
		return x->thread < y->thread ? -1 : 1;
	if (x->class != y->class)
		return x->class < y->class ? -1 : 1;
	return x->blocked_in && y->blocked_in ? strcmp(x->blocked_in, y->blocked_in) : 0;
}

void rpt_breaches_find(struct rpt_breaches *b, const struct rpt_rules *rules,
		       const struct rpt_profile *offcpu, const struct rpt_model *m,
		       const struct rpt_code *c)
{
	struct finder f = {.b = b, .m = m, .c = c};
	size_t i;

	*b = (struct rpt_breaches){0};
	if (!rules->thread_count)
		return;
	f.e = rpt_expecter_new(rules, m, c);
	pa_htab_init(&f.index);
	for (i = 0; i < offcpu->row_count; i++)
		look_at_row(&f, &offcpu->rows[i]);
	for (i = 1; i < m->processes.thread_count; i++)
		look_at_thread(&f, (uint32_t)i);
	if (b->count)
		qsort(b->items, b->count, sizeof(*b->items), compare);
	pa_htab_fini(&f.index);
	rpt_expecter_free(f.e);
}

void rpt_breaches_fini(struct rpt_breaches *b)
{
	free(b->items);
}
