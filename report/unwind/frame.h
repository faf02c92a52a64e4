/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A frame of a copied stack: what is known of its registers, and the memory that was copied with them. */
#ifndef RPT_FRAME_H
#define RPT_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* DWARF numbers of the registers that stacks are walked by. */
struct rpt_machine {
	uint32_t elf_machine; /* EM_* */
	uint32_t pc; /* the program counter: has the highest number */
	uint32_t sp, fp;
	int32_t link; /* where return addresses of leaf functions are; -1 = on the stack */
	uint64_t address_mask; /* of return addresses: what is above is a signature */
};
#define RPT_MACHINE_REGS 33
/* By the kernel's name for it, as in SESSION records; NULL when stacks of it cannot be walked. */
const struct rpt_machine *rpt_machine_get(const char *name);

struct rpt_frame_memory {
	uint64_t start; /* address of the first byte */
	const uint8_t *data;
	size_t bytes;
};
/* The word at an address; false when it was not copied. */
bool rpt_frame_read(const struct rpt_frame_memory *m, uint64_t address, uint64_t *word);

struct rpt_frame_regs {
	uint64_t known; /* by register: its value is that of this frame */
	uint64_t values[RPT_MACHINE_REGS];
	bool exact; /* the program counter is at the next instruction, not behind a call */
};
bool rpt_frame_get(const struct rpt_frame_regs *r, uint64_t number, uint64_t *value);
void rpt_frame_set(struct rpt_frame_regs *r, uint32_t number, uint64_t value);

#endif
