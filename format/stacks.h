/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The writer's tree of stack nodes: (parent, address) to a node id. */
#ifndef PA_STACKS_H
#define PA_STACKS_H

#include "format/util/htab.h"

#define PA_STACKS_RECENT 16384u /* a power of 2 */

struct pa_stacks {
	struct pa_htab table; /* to the index of a node: its id less PA_STACK_FIRST_ID */
	uint32_t *parents; /* owned, count of them */
	uint64_t *addresses; /* owned, count of them */
	size_t count;
	size_t parents_cap;
	size_t addresses_cap;
	uint32_t recent
		[PA_STACKS_RECENT]; /* innermost nodes of stacks, by hash of the stack; 0 = none */
};

void pa_stacks_fini(struct pa_stacks *s);
/*
 * The innermost node of a stack that was remembered, or 0. It saves the walk through the tree for
 * most samples, since hot stacks come again and again.
 */
uint32_t pa_stacks_recall(const struct pa_stacks *s, uint32_t parent, const uint64_t *frames,
			  size_t count);
void pa_stacks_remember(struct pa_stacks *s, uint32_t parent, const uint64_t *frames, size_t count,
			uint32_t id);
/* The child of node parent at an address, or 0 when there is none. */
uint32_t pa_stacks_find(const struct pa_stacks *s, uint32_t parent, uint64_t address);
/* Adds a child that is known not to be there. Sets *id; 0, -ENOMEM or PA_E_LIMIT. */
int pa_stacks_add(struct pa_stacks *s, uint32_t parent, uint64_t address, uint32_t *id);
/* Takes back the nodes that were added last, so that count are left. */
void pa_stacks_cut(struct pa_stacks *s, size_t count);
/* Number of nodes from id to its root, both included; 0 for what is no node. */
size_t pa_stacks_depth(const struct pa_stacks *s, uint32_t id);
uint64_t pa_stacks_memory_bytes(const struct pa_stacks *s);

#endif
