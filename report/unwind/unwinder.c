// SPDX-License-Identifier: GPL-2.0-or-later
/* Walks copied user stacks. */
#include "report/unwind/unwinder.h"

#include <stdlib.h>
#include <string.h>

#include "report/symbols/search.h"
#include "report/unwind/cfi.h"
#include "report/xmem.h"

#define MAX_FRAMES 512

struct rpt_unwinder {
	struct rpt_search *search;
	/* By index of the module. */
	struct opened {
		bool tried;
		struct rpt_cfi *cfi; /* NULL = no file was found */
	} * modules;
	size_t module_count, module_cap;
};

/* A walk in progress. */
struct walk {
	struct rpt_unwinder *unwinder;
	const struct rpt_model *model;
	const struct rpt_machine *machine;
	uint32_t image;
	struct rpt_frame_memory memory;
	struct rpt_frame_regs regs;
	uint64_t frames[MAX_FRAMES]; /* innermost first */
	size_t count;
};

struct rpt_unwinder *rpt_unwinder_new(const struct rpt_symbol_options *options)
{
	struct rpt_unwinder *u = rpt_xcalloc(1, sizeof(*u));

	u->search = rpt_search_new(options);
	return u;
}

void rpt_unwinder_free(struct rpt_unwinder *u)
{
	size_t i;

	if (!u)
		return;
	for (i = 0; i < u->module_count; i++)
		rpt_cfi_free(u->modules[i].cfi);
	free(u->modules);
	rpt_search_free(u->search);
	free(u);
}

/* --- files --- */

static struct rpt_elf *open_module(struct rpt_unwinder *u, const struct rpt_model *m,
				   const struct rpt_module *module)
{
	struct rpt_wanted wanted = {.path = rpt_text(m, module->path)};
	enum rpt_symbol_reason reason;
	struct rpt_build_id other;

	if (module->image)
		return rpt_elf_open_image(wanted.path, module->image, module->image_bytes);
	if (!rpt_module_is_file(module) || module->kind == PA_MODULE_VDSO)
		return NULL;
	wanted.id.len = module->build_id_bytes;
	memcpy(wanted.id.data, module->build_id, module->build_id_bytes);
	return rpt_search_code(u->search, &wanted, &reason, &other);
}

static struct rpt_cfi *get_cfi(struct rpt_unwinder *u, const struct rpt_model *m, uint32_t index)
{
	const struct rpt_module *module = &m->modules.items[index];
	struct rpt_elf *elf;

	if (index >= u->module_count) {
		rpt_xgrow(&u->modules, &u->module_cap, m->modules.count, sizeof(*u->modules));
		memset(u->modules + u->module_count, 0,
		       (m->modules.count - u->module_count) * sizeof(*u->modules));
		u->module_count = m->modules.count;
	}
	if (u->modules[index].tried)
		return u->modules[index].cfi;
	/* The vdso's image may still come. */
	u->modules[index].tried = module->kind != PA_MODULE_VDSO || module->image;
	elf = open_module(u, m, module);
	if (elf)
		u->modules[index].cfi = rpt_cfi_new(elf);
	return u->modules[index].cfi;
}

/* --- the walk --- */

/* How a stack ends where memory was not copied: above the copy, or somewhere else. */
static enum pa_stack_end end_of_memory(const struct walk *w, uint64_t address)
{
	const struct rpt_frame_memory *m = &w->memory;

	/* The last page may have been cut off by a page's end. */
	if (m->bytes > PA_MAX_STACK_COPY_BYTES - 4096 && address >= m->start)
		return PA_STACK_TRUNCATED;
	return PA_STACK_BAD_MEMORY;
}

/* One step by frame pointer: 0, or how the stack ends here. */
static enum pa_stack_end step_by_fp(struct walk *w)
{
	const struct rpt_machine *machine = w->machine;
	struct rpt_frame_regs caller = {.known = 0};
	uint64_t fp, sp = 0, next, ra;

	rpt_frame_get(&w->regs, machine->sp, &sp);
	if (!rpt_frame_get(&w->regs, machine->fp, &fp))
		return PA_STACK_FP_LOST;
	if (fp == 0)
		return PA_STACK_FP_END;
	if (fp & 7 || fp < sp)
		return PA_STACK_FP_LOST;
	if (!rpt_frame_read(&w->memory, fp, &next) || !rpt_frame_read(&w->memory, fp + 8, &ra))
		return end_of_memory(w, fp);
	ra &= machine->address_mask;
	if (ra == 0)
		return next == 0 ? PA_STACK_FP_END : PA_STACK_FP_LOST;
	rpt_frame_set(&caller, machine->pc, ra);
	rpt_frame_set(&caller, machine->sp, fp + 16);
	/* A chain that does not grow is broken; this frame's caller still is what it says. */
	if (next == 0 || next > fp)
		rpt_frame_set(&caller, machine->fp, next);
	w->regs = caller;
	return PA_STACK_NONE;
}

/* By frame pointer where there is nothing better, whose reason it is if that fails. */
static enum pa_stack_end step_without(struct walk *w, enum pa_stack_end reason)
{
	enum pa_stack_end end = step_by_fp(w);

	return end == PA_STACK_FP_LOST || end == PA_STACK_BAD_MEMORY ? reason : end;
}

/* From a frame to its caller: PA_STACK_NONE, or how the stack ends here. */
static enum pa_stack_end step(struct walk *w, uint64_t pc)
{
	uint64_t address = pc - !w->regs.exact, bad = 0;
	const struct rpt_mapping *mapping = rpt_image_find(&w->model->processes, w->image, address);
	struct rpt_cfi *cfi;

	if (!mapping) {
		/* Not code: the step that led here went astray. */
		w->count -= w->count > 1;
		return PA_STACK_FP_LOST;
	}
	cfi = get_cfi(w->unwinder, w->model, mapping->module);
	if (!cfi)
		return step_without(w, PA_STACK_NO_TABLE);
	switch (rpt_cfi_step(cfi, w->machine, address - mapping->start + mapping->offset,
			     &w->memory, &w->regs, &bad)) {
	case RPT_CFI_STEPPED:
		return rpt_frame_get(&w->regs, w->machine->pc, &pc) && pc ? PA_STACK_NONE :
									    PA_STACK_FP_END;
	case RPT_CFI_ROOT:
		return PA_STACK_COMPLETE;
	case RPT_CFI_MEMORY:
		return end_of_memory(w, bad);
	case RPT_CFI_LOST:
		return PA_STACK_FP_LOST;
	case RPT_CFI_NO_RULE:
		break;
	}
	return step_without(w, PA_STACK_NO_RULE);
}

static enum pa_stack_end walk(struct walk *w)
{
	enum pa_stack_end end = PA_STACK_NONE;
	uint64_t pc;

	while (end == PA_STACK_NONE && rpt_frame_get(&w->regs, w->machine->pc, &pc)) {
		if (w->count == MAX_FRAMES)
			return PA_STACK_TRUNCATED;
		w->frames[w->count++] = pc;
		end = step(w, pc);
	}
	return end == PA_STACK_NONE ? PA_STACK_UNKNOWN_END : end;
}

uint32_t rpt_unwinder_walk(struct rpt_unwinder *u, struct rpt_model *m,
			   const struct pa_stack_copy *copy, const char *architecture,
			   uint32_t image)
{
	struct walk w = {
		.unwinder = u,
		.model = m,
		.machine = rpt_machine_get(architecture),
		.image = image,
		.memory = {copy->start, copy->data.data, copy->data.len},
		.regs.exact = true,
	};
	uint32_t node, next, i;

	if (!w.machine || copy->registers.count != w.machine->pc + 1)
		return PA_STACK_UNKNOWN_END;
	for (i = 0; i < copy->registers.count; i++)
		rpt_frame_set(&w.regs, i, copy->registers.items[i]);
	node = walk(&w);
	for (; w.count; w.count--) {
		next = rpt_stacks_intern(&m->stacks, node, w.frames[w.count - 1]);
		if (!next)
			break;
		node = next;
	}
	return node;
}
