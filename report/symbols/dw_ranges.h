/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The address ranges that low_pc, high_pc and ranges attributes describe. */
#ifndef RPT_DW_RANGES_H
#define RPT_DW_RANGES_H

#include "report/symbols/dw_form.h"
#include "report/symbols/ranges.h"

/*
 * Adds the ranges of pc, an entry of unit u, with a value. Those that do not begin in the executable
 * parts of code are left out: they describe what the linker threw away. True when any was added.
 */
bool rpt_dw_add_ranges(const struct rpt_dw_unit *u, const struct rpt_dw_pc *pc,
		       const struct rpt_elf *code, struct rpt_ranges *out, uint32_t value);

#endif
