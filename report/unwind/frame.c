// SPDX-License-Identifier: GPL-2.0-or-later
/* Registers and memory of copied stacks. */
#include "report/unwind/frame.h"

#include <elf.h>
#include <string.h>

const struct rpt_machine *rpt_machine_get(const char *name)
{
	static const struct rpt_machine x86_64 = {
		.elf_machine = EM_X86_64,
		.pc = 16,
		.sp = 7,
		.fp = 6,
		.link = -1,
		.address_mask = UINT64_MAX,
	};
	static const struct rpt_machine aarch64 = {
		.elf_machine = EM_AARCH64,
		.pc = 32,
		.sp = 31,
		.fp = 29,
		.link = 30,
		.address_mask = 0x0000ffffffffffff,
	};

	if (strcmp(name, "x86_64") == 0)
		return &x86_64;
	return strcmp(name, "aarch64") == 0 ? &aarch64 : NULL;
}

bool rpt_frame_read(const struct rpt_frame_memory *m, uint64_t address, uint64_t *word)
{
	uint64_t at = address - m->start;

	if (m->bytes < sizeof(*word) || at > m->bytes - sizeof(*word))
		return false;
	memcpy(word, m->data + at, sizeof(*word));
	return true;
}

bool rpt_frame_get(const struct rpt_frame_regs *r, uint64_t number, uint64_t *value)
{
	if (number >= RPT_MACHINE_REGS || !(r->known >> number & 1))
		return false;
	*value = r->values[number];
	return true;
}

void rpt_frame_set(struct rpt_frame_regs *r, uint32_t number, uint64_t value)
{
	r->values[number] = value;
	r->known |= 1ull << number;
}
