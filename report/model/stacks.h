/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * All stacks of a session as one tree of addresses, from the outermost frame inwards. Nodes are
 * interned: equal stacks are one node, whichever trace they come from. As in the trace, numbers below
 * PA_STACK_FIRST_ID are no nodes but say how a stack ended (enum pa_stack_end).
 */
#ifndef RPT_STACKS_H
#define RPT_STACKS_H

#include <stddef.h>
#include <stdint.h>

#include "format/pa-format.h"
#include "format/util/htab.h"

struct rpt_stack_node {
	uint64_t address;
	uint32_t parent; /* the caller's node, or an end kind */
	uint16_t depth; /* frames from here to the outermost, this one included */
	uint8_t end; /* enum pa_stack_end of the whole stack */
};

struct rpt_stacks {
	struct rpt_stack_node *nodes; /* owned; those below PA_STACK_FIRST_ID are placeholders */
	size_t count;
	size_t cap;
	struct pa_htab index;
};

void rpt_stacks_init(struct rpt_stacks *s);
void rpt_stacks_fini(struct rpt_stacks *s);
/* The node for address called by parent, which is a node or an end kind. 0 when the stack would be
 * deeper than PA_MAX_STACK_DEPTH. */
uint32_t rpt_stacks_intern(struct rpt_stacks *s, uint32_t parent, uint64_t address);
/* How the stack with this innermost node (or end kind) ended. */
enum pa_stack_end rpt_stacks_end(const struct rpt_stacks *s, uint32_t node);

#endif
