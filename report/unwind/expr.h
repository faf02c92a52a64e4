/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Evaluates the DWARF expressions of unwind information, as far as compilers and libraries use them. */
#ifndef RPT_EXPR_H
#define RPT_EXPR_H

#include <elfutils/libdw.h>

#include "report/unwind/frame.h"

enum rpt_expr_result {
	RPT_EXPR_OK,
	RPT_EXPR_UNSUPPORTED, /* an operation that is not known, or a malformed expression */
	RPT_EXPR_REGISTER, /* it needs a register whose value is not known */
	RPT_EXPR_MEMORY, /* it needs memory that was not copied */
};

struct rpt_expr_context {
	const struct rpt_frame_regs *regs;
	const struct rpt_frame_memory *memory;
	uint64_t cfa; /* for DW_OP_call_frame_cfa */
	uint64_t bad_address; /* set with RPT_EXPR_MEMORY */
};

/* The number that a DWARF expression computes. */
enum rpt_expr_result rpt_expr_value(struct rpt_expr_context *ctx, const Dwarf_Op *ops, size_t count,
				    uint64_t *value);
/* What is at the place that a location description names. */
enum rpt_expr_result rpt_expr_content(struct rpt_expr_context *ctx, const Dwarf_Op *ops,
				      size_t count, uint64_t *value);

#endif
