// SPDX-License-Identifier: GPL-2.0-or-later
/* Stacks of addresses to stacks of locations. */
#include "report/analyse/locate.h"

#include <stdlib.h>

#include "report/xmem.h"

/* The call that a node of a stack became. Kernel frames hang below user frames: there, scope is the
 * call that they hang below; in user stacks it is the image. */
struct memo {
	uint32_t scope;
	uint32_t node;
	uint32_t kernel;
	uint32_t call;
};

struct locator {
	struct rpt_model *m;
	struct rpt_code *c;
	uint32_t marker_module, unmapped_module, jit_module, kernel_module;
	struct memo *memos;
	size_t memo_count, memo_cap;
	struct pa_htab memo_index;
	uint32_t nodes[PA_MAX_STACK_DEPTH]; /* of the stack at hand, innermost first */
};

const char *rpt_marker_text(enum rpt_marker marker)
{
	static const char *const texts[RPT_MARKERS_] = {
		[RPT_MARKER_NONE] = "",
		[RPT_MARKER_TRUNCATED] = "[truncated]",
		[RPT_MARKER_INCOMPLETE] = "[incomplete]",
		[RPT_MARKER_NOT_TAKEN] = "[stack not taken]",
		[RPT_MARKER_LOST] = "[stack lost]",
		[RPT_MARKER_NO_USER] = "[no user stack]",
		[RPT_MARKER_UNRECORDED] = "[not recorded]",
	};

	return marker < RPT_MARKERS_ ? texts[marker] : "";
}

/* What stands at the outer end of a stack that ended like this. */
static enum rpt_marker marker_of_end(enum pa_stack_end end)
{
	static const uint8_t markers[PA_STACK_FIRST_ID] = {
		[PA_STACK_TRUNCATED] = RPT_MARKER_TRUNCATED,
		[PA_STACK_FP_LOST] = RPT_MARKER_INCOMPLETE,
		[PA_STACK_NO_TABLE] = RPT_MARKER_INCOMPLETE,
		[PA_STACK_NO_RULE] = RPT_MARKER_INCOMPLETE,
		[PA_STACK_BAD_MEMORY] = RPT_MARKER_INCOMPLETE,
		[PA_STACK_NOT_TAKEN] = RPT_MARKER_NOT_TAKEN,
		[PA_STACK_LOST] = RPT_MARKER_LOST,
	};

	return end < PA_STACK_FIRST_ID ? markers[end] : RPT_MARKER_NONE;
}

static uint32_t add_marker(struct locator *l, uint32_t parent, enum rpt_marker marker)
{
	if (marker == RPT_MARKER_NONE)
		return parent;
	return rpt_code_call(l->c, parent, rpt_code_location(l->c, l->marker_module, marker, 0));
}

static uint32_t locate_kernel(struct locator *l, uint64_t address)
{
	const struct rpt_kernel_range *range = rpt_kernel_find_range(&l->m->kernel, address);
	const struct rpt_kernel_symbol *symbol = rpt_kernel_find_symbol(&l->m->kernel, address);
	uint32_t module = l->kernel_module;

	if (range) {
		module = range->module;
	} else if (symbol && symbol->module) {
		struct rpt_module wanted = {.kind = RPT_MODULE_KERNEL, .path = symbol->module};

		module = rpt_modules_add(&l->m->modules, &l->m->strings, &wanted);
	}
	return rpt_code_location(l->c, module, address, 0);
}

static uint32_t locate_user(struct locator *l, uint32_t image, uint64_t address)
{
	const struct rpt_mapping *mapping = rpt_image_find(&l->m->processes, image, address);
	struct rpt_module *module = mapping ? &l->m->modules.items[mapping->module] : NULL;
	uint32_t jit;

	if (module && rpt_module_is_file(module)) {
		struct rpt_module_range range = {
			.first = mapping->offset,
			.base = mapping->start - mapping->offset,
			.image = image,
		};

		/* A range whose end lies beyond the last offset there is is nonsense, but harmless. */
		if (!pa_add_ok(mapping->offset, mapping->end - mapping->start, &range.end))
			range.end = UINT64_MAX;
		rpt_module_note_range(module, &range);
		return rpt_code_location(l->c, mapping->module,
					 address - mapping->start + mapping->offset, 0);
	}
	jit = rpt_image_find_jit(&l->m->processes, image, address);
	if (jit)
		return rpt_code_location(l->c, l->jit_module, address, jit);
	return rpt_code_location(l->c, mapping ? mapping->module : l->unmapped_module, address, 0);
}

static bool memo_equal(const void *ctx, uint32_t value, const void *key)
{
	const struct memo *a = &((const struct locator *)ctx)->memos[value], *b = key;

	return a->scope == b->scope && a->node == b->node && a->kernel == b->kernel;
}

static uint64_t memo_hash(const struct memo *memo)
{
	return pa_hash_u64(((uint64_t)memo->scope << 32 | memo->node) + memo->kernel);
}

static bool find_memo(const struct locator *l, struct memo *memo)
{
	uint32_t i;

	if (!pa_htab_get(&l->memo_index, memo_hash(memo), memo_equal, l, memo, &i))
		return false;
	memo->call = l->memos[i].call;
	return true;
}

static void add_memo(struct locator *l, const struct memo *memo)
{
	rpt_xgrow(&l->memos, &l->memo_cap, l->memo_count + 1, sizeof(*l->memos));
	l->memos[l->memo_count] = *memo;
	rpt_xcheck(pa_htab_add(&l->memo_index, memo_hash(memo), (uint32_t)l->memo_count++));
}

/*
 * The calls of one stack, below base. Only the innermost address is where the program was; those of
 * callers are where they will go on, one byte behind the call that is shown.
 */
static uint32_t walk(struct locator *l, uint32_t innermost, uint32_t base, uint32_t image,
		     bool kernel)
{
	struct memo memo = {.scope = kernel ? base : image, .kernel = kernel};
	const struct rpt_stack_node *nodes = l->m->stacks.nodes;
	uint32_t node = innermost, depth = 0, call;

	for (; node >= PA_STACK_FIRST_ID; node = nodes[node].parent) {
		memo.node = node;
		if (node != innermost && find_memo(l, &memo))
			break;
		l->nodes[depth++] = node;
	}
	if (node < PA_STACK_FIRST_ID)
		memo.call = add_marker(l, base, marker_of_end(node));
	call = memo.call;
	while (depth-- > 0) {
		uint64_t address = nodes[l->nodes[depth]].address;

		if (depth && address)
			address--;
		call = rpt_code_call(l->c, call,
				     kernel ? locate_kernel(l, address) :
					      locate_user(l, image, address));
		if (!depth)
			break;
		memo.node = l->nodes[depth];
		memo.call = call;
		add_memo(l, &memo);
	}
	return call;
}

static uint32_t locate_site(struct locator *l, const struct rpt_site *site)
{
	const struct rpt_processes *p = &l->m->processes;
	enum rpt_marker marker = marker_of_end(site->ustack);
	uint32_t call = 0;

	if (site->ustack >= PA_STACK_FIRST_ID)
		call = walk(l, site->ustack, 0, site->image, false);
	else if (marker != RPT_MARKER_NONE)
		call = add_marker(l, 0, marker);
	else if (!rpt_process_is_kernel(&p->processes[p->threads[site->thread].process]))
		call = add_marker(l, 0, RPT_MARKER_NO_USER);
	if (site->kstack >= PA_STACK_FIRST_ID)
		return walk(l, site->kstack, call, 0, true);
	/* Where neither stack was taken, one marker says it. */
	if (site->kstack != site->ustack)
		call = add_marker(l, call, marker_of_end(site->kstack));
	return call ? call : add_marker(l, 0, RPT_MARKER_LOST);
}

/* Where the wakers were, for those intervals of which that is known. */
static uint32_t *locate_wakers(struct locator *l, const struct rpt_groups *groups)
{
	uint32_t *calls = rpt_xcalloc(groups->count, sizeof(*calls));
	size_t i;

	for (i = 0; i < groups->count; i++) {
		const struct rpt_site *site = &groups->items[i].site;

		if (site->waker_ustack || site->waker_kstack)
			calls[i] = locate_site(l, &(struct rpt_site){
							  .thread = site->waker,
							  .image = site->waker_image,
							  .ustack = site->waker_ustack,
							  .kstack = site->waker_kstack,
						  });
	}
	return calls;
}

static uint32_t *locate_tasks(struct locator *l, const struct rpt_model *m)
{
	uint32_t *calls = rpt_xcalloc(m->task_count, sizeof(*calls));
	size_t i;

	for (i = 0; i < m->task_count; i++) {
		const struct rpt_task *t = &m->tasks[i];
		struct rpt_site site = {
			.thread = t->thread,
			.image = rpt_image_at(&m->processes,
					      m->processes.threads[t->thread].process, t->when),
			.ustack = t->ustack,
			.kstack = t->kstack,
		};

		if (t->ustack || t->kstack)
			calls[i] = locate_site(l, &site);
	}
	return calls;
}

static uint32_t *locate_groups(struct locator *l, const struct rpt_groups *groups)
{
	uint32_t *calls = rpt_xcalloc(groups->count, sizeof(*calls));
	size_t i;

	for (i = 0; i < groups->count; i++)
		calls[i] = locate_site(l, &groups->items[i].site);
	return calls;
}

static uint32_t add_module(struct rpt_model *m, uint32_t kind, const char *path)
{
	struct rpt_module module = {.kind = kind, .path = rpt_strings_add(&m->strings, path)};

	if (kind == RPT_MODULE_KERNEL && m->trace_count)
		rpt_trace_name_kernel(&m->traces[0], &module);
	return rpt_modules_add(&m->modules, &m->strings, &module);
}

static struct locator *new_locator(struct rpt_model *m, struct rpt_code *c)
{
	struct locator *l = rpt_xcalloc(1, sizeof(*l));

	l->m = m;
	l->c = c;
	l->marker_module = add_module(m, RPT_MODULE_MARKER, "");
	l->unmapped_module = add_module(m, RPT_MODULE_UNMAPPED, "[unmapped]");
	l->jit_module = add_module(m, RPT_MODULE_JIT, "[jit]");
	l->kernel_module = add_module(m, RPT_MODULE_KERNEL, RPT_KERNEL_PATH);
	return l;
}

void rpt_locate(struct rpt_model *m, struct rpt_code *c)
{
	struct locator *l = new_locator(m, c);

	rpt_kernel_sort(&m->kernel);
	c->sample_calls = locate_groups(l, &m->samples);
	c->block_calls = locate_groups(l, &m->blocks);
	c->waker_calls = locate_wakers(l, &m->blocks);
	c->task_calls = locate_tasks(l, m);
	pa_htab_fini(&l->memo_index);
	free(l->memos);
	free(l);
}

uint32_t rpt_locate_address(struct rpt_model *m, struct rpt_code *c, uint32_t image,
			    uint64_t address)
{
	struct locator *l = new_locator(m, c);
	uint32_t location =
		address >> 63 ? locate_kernel(l, address) : locate_user(l, image, address);

	free(l);
	return location;
}
