/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The few kinds of DWARF expressions that unwind information uses in earnest. */
#ifndef REC_UNWIND_EXPR_H
#define REC_UNWIND_EXPR_H

#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bpf/unwind_table.h"

/* Register + offset, as a location; false when the number does not fit. */
bool rec_loc_from_register(uint32_t arch, uint32_t reg, int64_t offset, struct ev_unwind_loc *loc);

/*
 * An expression that comes down to a register plus a constant, or to the word at such an address plus
 * a constant. False for all others.
 */
bool rec_expr_loc(uint32_t arch, const uint8_t *expr, size_t len, struct ev_unwind_loc *loc);

/*
 * The expression that linkers write for x86-64 procedure linkage tables:
 * sp + offset + ((ip & 15) >= threshold) * 8.
 */
bool rec_expr_plt(const uint8_t *expr, size_t len, int64_t *offset, uint8_t *threshold);

#endif
