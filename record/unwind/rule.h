/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From a row of call frame information to a rule of the table. */
#ifndef REC_UNWIND_RULE_H
#define REC_UNWIND_RULE_H

#include <stdbool.h>

#include "record/unwind/builder.h"
#include "record/unwind/cfi_run.h"

struct rec_rule_source {
	uint32_t arch; /* enum ev_unwind_arch */
	const struct rec_cie *cie;
	bool fp_unsaid; /* no rule for the frame pointer means nothing, where it else means unchanged */
};

/* Where rbx is, as a table that tracks it says. */
uint16_t rec_rule_rbx(const struct rec_row *row);

/*
 * The rule for a row; what has no short form goes to the builder's side table. A row that cannot be
 * expressed becomes a rule of kind NONE that says why, and is counted. 0, PA_E_LIMIT or -ENOMEM.
 */
int rec_rule_make(struct rec_builder *b, const struct rec_rule_source *from,
		  const struct rec_row *row, uint32_t *rule);

#endif
