// SPDX-License-Identifier: GPL-2.0-or-later
/* Sums of off-CPU time by the place that waits. */
#include "report/analyse/sites.h"

#include <stdlib.h>
#include <string.h>

#include "report/analyse/expect.h"
#include "report/analyse/waits.h"
#include "report/xmem.h"

/* Kernel functions that every wait, or every system call, goes through. */
static const char plumbing[] =
	"__schedule schedule schedule_timeout* schedule_hrtimeout* schedule_preempt_disabled "
	"io_schedule* __traceiter_* bpf_* __bpf_* trace_* do_syscall_* x64_sys_call "
	"entry_SYSCALL_* el0_svc* el0t_64_sync* invoke_syscall* ret_from_fork* preempt_schedule* "
	"__x64_sys_* __arm64_sys_* __se_sys_* __do_sys_* try_to_wake_up* wake_up_q "
	"wake_up_process default_wake_function autoremove_wake_function __wake_up* "
	"__cond_resched kthread worker_thread rescuer_thread smpboot_thread_fn "
	"kthread_worker_fn irq_thread";

/* And functions of the C library that wait on behalf of others, or that begin a thread. */
static const char library[] =
	"futex_wait ___pthread_* __pthread_* pthread_* __libc_* __futex_abstimed_* __futex_lock_* __lll_lock_wait* lll_mutex_lock_* "
	"__internal_syscall* __syscall_cancel* syscall clock_nanosleep* __nanosleep start_thread "
	"clone clone3 __clone* _start __libc_start_*";

struct finder {
	struct rpt_wait_sites *sites;
	const struct rpt_model *m;
	const struct rpt_code *c;
	size_t cap;
	struct pa_htab index;
};

static bool equal(const void *ctx, uint32_t value, const void *key)
{
	const struct rpt_wait_site *a = &((const struct rpt_wait_sites *)ctx)->items[value];
	const struct rpt_wait_site *b = key;

	return a->user == b->user && a->kernel == b->kernel && a->class == b->class &&
	       a->syscall == b->syscall;
}

static void fill_site(const struct finder *f, struct rpt_wait_site *site, uint32_t call)
{
	const struct rpt_code *c = f->c;
	uint32_t innermost = 0;

	for (; call && !site->user; call = c->calls[call].parent) {
		const struct rpt_location *l = &c->locations[c->calls[call].location];
		uint32_t function = c->functions[c->lines[l->first_line].function].same_name;

		if (f->m->modules.items[l->module].kind == RPT_MODULE_KERNEL) {
			if (!site->kernel && !f->sites->plumbing[function])
				site->kernel = function;
			continue;
		}
		if (!innermost)
			innermost = function;
		if (!f->sites->library[function] &&
		    f->m->modules.items[l->module].kind != RPT_MODULE_MARKER)
			site->user = function;
	}
	if (!site->user)
		site->user = innermost;
}

static int compare(const void *a, const void *b)
{
	const struct rpt_wait_site *x = a, *y = b;

	if (x->value != y->value)
		return x->value > y->value ? -1 : 1;
	if (x->user != y->user)
		return x->user < y->user ? -1 : 1;
	if (x->kernel != y->kernel)
		return x->kernel < y->kernel ? -1 : 1;
	if (x->class != y->class)
		return x->class < y->class ? -1 : 1;
	if (!x->syscall || !y->syscall)
		return (x->syscall != NULL) - (y->syscall != NULL);
	return strcmp(x->syscall, y->syscall);
}

static void add_row(struct finder *f, const struct rpt_row *row)
{
	struct rpt_wait_sites *sites = f->sites;
	struct rpt_wait_site site = {.class = row->class}, *s;
	uint64_t hash;
	uint32_t i;

	fill_site(f, &site, row->call);
	site.syscall = rpt_expect_call_name(f->m, row->process, row->syscall, row->class);
	hash = pa_hash_u64(pa_hash_u64((uint64_t)site.user << 32 | site.kernel) ^ site.class);
	if (!pa_htab_get(&f->index, hash, equal, sites, &site, &i)) {
		i = (uint32_t)sites->count;
		rpt_xgrow(&sites->items, &f->cap, sites->count + 1, sizeof(*sites->items));
		sites->items[sites->count++] = site;
		rpt_xcheck(pa_htab_add(&f->index, hash, i));
	}
	s = &sites->items[i];
	rpt_add_saturated(&s->value, row->value);
	rpt_add_saturated(&s->count, row->count);
	s->open_count += row->open_count;
	s->max_ns = PA_MAX(s->max_ns, row->max_ns);
}

void rpt_wait_sites_find(struct rpt_wait_sites *sites, const struct rpt_profile *offcpu,
			 const struct rpt_model *m, const struct rpt_code *c)
{
	struct finder f = {.sites = sites, .m = m, .c = c};
	size_t i;

	*sites = (struct rpt_wait_sites){0};
	pa_htab_init(&f.index);
	sites->plumbing = rpt_xcalloc(c->function_count, sizeof(*sites->plumbing));
	sites->library = rpt_xcalloc(c->function_count, sizeof(*sites->library));
	for (i = 0; i < c->function_count; i++) {
		const char *name = rpt_text(m, c->functions[i].name);

		if (c->functions[i].unnamed)
			continue;
		sites->plumbing[i] = rpt_matches_any(plumbing, name);
		sites->library[i] = rpt_matches_any(library, name);
	}
	for (i = 0; i < offcpu->row_count; i++)
		add_row(&f, &offcpu->rows[i]);
	if (sites->count)
		qsort(sites->items, sites->count, sizeof(*sites->items), compare);
	pa_htab_fini(&f.index);
}

void rpt_wait_sites_fini(struct rpt_wait_sites *sites)
{
	free(sites->items);
	free(sites->plumbing);
	free(sites->library);
}
