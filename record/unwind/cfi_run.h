/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs the unwind program of an FDE and gives its rows. Only what a stack walk needs is kept: the CFA,
 * and the rules of the return address, the frame pointer, the stack pointer and rbx.
 */
#ifndef REC_UNWIND_CFI_RUN_H
#define REC_UNWIND_CFI_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "record/unwind/cfi.h"

enum rec_rule_kind {
	REC_RULE_NONE = 0, /* nothing was said: unchanged, by the psABIs */
	REC_RULE_UNDEFINED,
	REC_RULE_SAME,
	REC_RULE_OFFSET, /* at CFA + value */
	REC_RULE_VAL_OFFSET, /* is CFA + value */
	REC_RULE_REGISTER, /* is register reg, + value (which only a CFA has) */
	REC_RULE_EXPR, /* at the address that an expression gives */
	REC_RULE_VAL_EXPR, /* is what an expression gives */
};

struct rec_rule {
	enum rec_rule_kind kind;
	uint32_t reg;
	int64_t value;
	const uint8_t *expr; /* borrowed from the file */
	size_t expr_len;
};

enum rec_column { REC_COLUMN_RA, REC_COLUMN_FP, REC_COLUMN_SP, REC_COLUMN_RBX, REC_COLUMNS };

struct rec_row {
	struct rec_rule cfa; /* NONE, REGISTER or VAL_EXPR */
	struct rec_rule columns[REC_COLUMNS];
};

#define REC_REMEMBER_DEPTH 16
#define REC_NO_CIE UINT32_MAX

/* The machine; what one run leaves in it serves the next. */
struct rec_cfi_machine {
	const struct rec_cfi *cfi;
	uint32_t arch;
	uint64_t budget; /* instructions that may still be run: input can ask for quadratic work */
	uint32_t initial_cie; /* the CIE that initial stands for */
	int initial_error;
	struct rec_row initial; /* what a CIE's own instructions leave */
	/* Called for each row: it holds from addr on. error is 0, or PA_E_*: there is no rule from here. */
	int (*emit)(void *ctx, uint64_t addr, const struct rec_row *row, int error);
	void *ctx;
};

/*
 * Emits the rows of an FDE, the first at its start. Rows that equal their predecessor in what is kept
 * are emitted too. 0, PA_E_LIMIT when the budget is used up, or what emit returned, which ends the run.
 */
int rec_cfi_run(struct rec_cfi_machine *m, const struct rec_fde *fde);

#endif
