/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The unwind information of one file, by libdw. */
#ifndef RPT_CFI_H
#define RPT_CFI_H

#include "report/unwind/expr.h"
#include "report/unwind/frame.h"

struct rpt_cfi;
struct rpt_elf;

/* Takes the file; never NULL. */
struct rpt_cfi *rpt_cfi_new(struct rpt_elf *elf);
void rpt_cfi_free(struct rpt_cfi *c);

enum rpt_cfi_result {
	RPT_CFI_STEPPED, /* the registers are the caller's */
	RPT_CFI_ROOT, /* this is the outermost frame */
	RPT_CFI_NO_RULE, /* nothing covers the address, or nothing that is understood */
	RPT_CFI_LOST, /* a register is needed that is not known, or the stack does not grow */
	RPT_CFI_MEMORY, /* memory is needed that was not copied */
};
/*
 * One step to the caller, from a frame whose code (for callers: of the call) lies at offset in the file.
 * The registers are unchanged unless it is RPT_CFI_STEPPED; bad_address is set with RPT_CFI_MEMORY.
 */
enum rpt_cfi_result rpt_cfi_step(struct rpt_cfi *c, const struct rpt_machine *machine,
				 uint64_t offset, const struct rpt_frame_memory *memory,
				 struct rpt_frame_regs *regs, uint64_t *bad_address);

#endif
