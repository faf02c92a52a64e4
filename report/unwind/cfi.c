// SPDX-License-Identifier: GPL-2.0-or-later
/* Unwinding by .eh_frame and .debug_frame. */
#include "report/unwind/cfi.h"

#include <stdlib.h>

#include "report/symbols/elf.h"
#include "report/xmem.h"

struct rpt_cfi {
	struct rpt_elf *elf;
	Dwarf *dwarf; /* for .debug_frame; NULL when there is none */
	Dwarf_CFI *eh; /* the caller's to end */
	Dwarf_CFI *debug; /* dwarf's */
};

struct rpt_cfi *rpt_cfi_new(struct rpt_elf *elf)
{
	struct rpt_cfi *c = rpt_xcalloc(1, sizeof(*c));

	c->elf = elf;
	c->eh = dwarf_getcfi_elf(elf->elf);
	if (rpt_elf_find_section(elf, ".debug_frame") || rpt_elf_find_section(elf, ".zdebug_frame"))
		c->dwarf = dwarf_begin_elf(elf->elf, DWARF_C_READ, NULL);
	if (c->dwarf)
		c->debug = dwarf_getcfi(c->dwarf);
	return c;
}

void rpt_cfi_free(struct rpt_cfi *c)
{
	if (!c)
		return;
	if (c->eh)
		dwarf_cfi_end(c->eh);
	if (c->dwarf)
		dwarf_end(c->dwarf);
	rpt_elf_free(c->elf);
	free(c);
}

/* The state at an address, to be freed; NULL when nothing covers it. */
static Dwarf_Frame *find_frame(struct rpt_cfi *c, uint64_t vaddr)
{
	Dwarf_Frame *frame = NULL;

	if (c->eh && dwarf_cfi_addrframe(c->eh, vaddr, &frame) == 0)
		return frame;
	if (c->debug && dwarf_cfi_addrframe(c->debug, vaddr, &frame) == 0)
		return frame;
	return NULL;
}

static enum rpt_cfi_result result_of(enum rpt_expr_result result)
{
	switch (result) {
	case RPT_EXPR_OK:
		return RPT_CFI_STEPPED;
	case RPT_EXPR_REGISTER:
		return RPT_CFI_LOST;
	case RPT_EXPR_MEMORY:
		return RPT_CFI_MEMORY;
	default:
		return RPT_CFI_NO_RULE;
	}
}

/* The caller's registers that can be known. What cannot be read is not known: most callers do without. */
static void take_registers(Dwarf_Frame *frame, const struct rpt_machine *machine,
			   struct rpt_expr_context *ctx, struct rpt_frame_regs *caller)
{
	Dwarf_Op memory[3], *ops;
	uint64_t value;
	size_t count;
	uint32_t i;

	for (i = 0; i < machine->pc; i++) {
		if (dwarf_frame_register(frame, (int)i, memory, &ops, &count) != 0)
			continue;
		if (count == 0 && ops == NULL) {
			if (rpt_frame_get(ctx->regs, i, &value))
				rpt_frame_set(caller, i, value);
		} else if (count && rpt_expr_content(ctx, ops, count, &value) == RPT_EXPR_OK) {
			rpt_frame_set(caller, i, value);
		}
	}
	rpt_frame_set(caller, machine->sp, ctx->cfa);
}

static enum rpt_cfi_result take_return_address(Dwarf_Frame *frame, int number,
					       struct rpt_expr_context *ctx, uint64_t *address)
{
	Dwarf_Op memory[3], *ops;
	size_t count;

	if (dwarf_frame_register(frame, number, memory, &ops, &count) != 0)
		return RPT_CFI_NO_RULE;
	if (count == 0 && ops == memory)
		return RPT_CFI_ROOT;
	if (count == 0)
		return rpt_frame_get(ctx->regs, (uint64_t)number, address) ? RPT_CFI_STEPPED :
									     RPT_CFI_NO_RULE;
	return result_of(rpt_expr_content(ctx, ops, count, address));
}

static enum rpt_cfi_result step(Dwarf_Frame *frame, const struct rpt_machine *machine,
				struct rpt_expr_context *ctx, struct rpt_frame_regs *caller)
{
	bool is_signal = false;
	enum rpt_cfi_result result;
	int number = dwarf_frame_info(frame, NULL, NULL, &is_signal);
	uint64_t sp, address = 0;
	size_t count = 0;
	Dwarf_Op *ops;

	if (number < 0 || dwarf_frame_cfa(frame, &ops, &count) != 0 || count == 0)
		return RPT_CFI_NO_RULE;
	result = result_of(rpt_expr_value(ctx, ops, count, &ctx->cfa));
	if (result == RPT_CFI_STEPPED)
		result = take_return_address(frame, number, ctx, &address);
	if (result != RPT_CFI_STEPPED)
		return result;
	/* Signal handlers may have a stack of their own. All else grows, but for the innermost frame where
	 * return addresses are not on the stack. */
	if (!is_signal && rpt_frame_get(ctx->regs, machine->sp, &sp) &&
	    (ctx->cfa < sp || (ctx->cfa == sp && (machine->link < 0 || !ctx->regs->exact))))
		return RPT_CFI_LOST;
	take_registers(frame, machine, ctx, caller);
	rpt_frame_set(caller, machine->pc, address & machine->address_mask);
	caller->exact = is_signal;
	return RPT_CFI_STEPPED;
}

enum rpt_cfi_result rpt_cfi_step(struct rpt_cfi *c, const struct rpt_machine *machine,
				 uint64_t offset, const struct rpt_frame_memory *memory,
				 struct rpt_frame_regs *regs, uint64_t *bad_address)
{
	struct rpt_expr_context ctx = {.regs = regs, .memory = memory};
	struct rpt_frame_regs caller = {.known = 0};
	enum rpt_cfi_result result;
	Dwarf_Frame *frame;
	uint64_t vaddr;

	if (c->elf->header.e_machine != machine->elf_machine ||
	    !rpt_elf_get_vaddr(c->elf, offset, &vaddr))
		return RPT_CFI_NO_RULE;
	frame = find_frame(c, vaddr);
	if (!frame)
		return RPT_CFI_NO_RULE;
	result = step(frame, machine, &ctx, &caller);
	free(frame);
	*bad_address = ctx.bad_address;
	if (result == RPT_CFI_STEPPED)
		*regs = caller;
	return result;
}
