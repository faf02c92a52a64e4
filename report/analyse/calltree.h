/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * All stacks as one tree of functions, the outermost at the root: what flame graphs and collapsed stacks
 * are made of. Inlined functions have nodes of their own; code of one function that is called at
 * different places by the same caller is one node.
 */
#ifndef RPT_CALLTREE_H
#define RPT_CALLTREE_H

#include <stddef.h>
#include <stdint.h>

#include "report/model/code.h"

struct rpt_callnode {
	uint32_t parent; /* comes before it; 0 = it is a root */
	uint32_t function; /* the first of its name and module */
	uint32_t location; /* one that leads here, for what is to be known of the code */
};

struct rpt_calltree {
	struct rpt_callnode *nodes; /* owned; [0] is none */
	size_t count, cap;
	uint32_t *leaf; /* owned; by call of the code: its innermost node; 0 of none */
	struct pa_htab index;
};

void rpt_calltree_init(struct rpt_calltree *t, const struct rpt_code *c);
void rpt_calltree_fini(struct rpt_calltree *t);

#endif
