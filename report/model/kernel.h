/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel's ranges and symbols, as the recorded host gave them. */
#ifndef RPT_KERNEL_H
#define RPT_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rpt_kernel_symbol {
	uint64_t start;
	uint64_t length_bytes; /* 0 = not known: only start itself is covered */
	uint32_t name; /* string */
	uint32_t module; /* string: kernel module, 0 = the kernel */
};

struct rpt_kernel_range {
	uint64_t start;
	uint64_t end;
	uint32_t module; /* index in the session's modules */
};

struct rpt_kernel {
	struct rpt_kernel_symbol *symbols; /* owned; sorted once rpt_kernel_sort() was called */
	size_t symbol_count;
	size_t symbol_cap;
	struct rpt_kernel_range *ranges;
	size_t range_count;
	size_t range_cap;
	uint64_t hidden; /* symbols that came with address 0: kptr_restrict */
};

void rpt_kernel_fini(struct rpt_kernel *k);
void rpt_kernel_add_symbol(struct rpt_kernel *k, const struct rpt_kernel_symbol *symbol);
void rpt_kernel_add_range(struct rpt_kernel *k, const struct rpt_kernel_range *range);
/* To be called once all is added, before the look-ups. */
void rpt_kernel_sort(struct rpt_kernel *k);
/* NULL when no symbol (no range) covers the address. */
const struct rpt_kernel_symbol *rpt_kernel_find_symbol(const struct rpt_kernel *k,
						       uint64_t address);
const struct rpt_kernel_range *rpt_kernel_find_range(const struct rpt_kernel *k, uint64_t address);

#endif
