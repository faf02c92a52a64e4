// SPDX-License-Identifier: GPL-2.0-or-later
/* The writer's tree of stack nodes. */
#include "format/stacks.h"

#include <stdlib.h>

#include "format/pa-format.h"
#include "format/util/err.h"
#include "format/util/mem.h"

struct node_key {
	uint64_t address;
	uint32_t parent;
};

void pa_stacks_fini(struct pa_stacks *s)
{
	pa_htab_fini(&s->table);
	free(s->parents);
	free(s->addresses);
	*s = (struct pa_stacks){0};
}

static size_t recent_slot(uint32_t parent, const uint64_t *frames, size_t count)
{
	uint64_t hash = pa_hash_bytes(frames, count * sizeof(*frames), parent);

	return (size_t)(hash & (PA_STACKS_RECENT - 1));
}

uint32_t pa_stacks_recall(const struct pa_stacks *s, uint32_t parent, const uint64_t *frames,
			  size_t count)
{
	uint32_t id = s->recent[recent_slot(parent, frames, count)], node = id;

	/* Another stack may have the same hash; and nodes may have been taken back. */
	for (; count > 0; count--) {
		uint32_t index = node - PA_STACK_FIRST_ID;

		if (node < PA_STACK_FIRST_ID || index >= s->count ||
		    s->addresses[index] != frames[count - 1])
			return 0;
		node = s->parents[index];
	}
	return node == parent ? id : 0;
}

void pa_stacks_remember(struct pa_stacks *s, uint32_t parent, const uint64_t *frames, size_t count,
			uint32_t id)
{
	s->recent[recent_slot(parent, frames, count)] = id;
}

static uint64_t key_hash(uint32_t parent, uint64_t address)
{
	return pa_hash_u64(address ^ ((uint64_t)parent << 40) ^ parent);
}

static bool key_equal(const void *ctx, uint32_t index, const void *key)
{
	const struct pa_stacks *s = ctx;
	const struct node_key *want = key;

	return s->addresses[index] == want->address && s->parents[index] == want->parent;
}

uint32_t pa_stacks_find(const struct pa_stacks *s, uint32_t parent, uint64_t address)
{
	struct node_key key = {address, parent};
	uint32_t index;

	if (!pa_htab_get(&s->table, key_hash(parent, address), key_equal, s, &key, &index))
		return 0;
	return index + PA_STACK_FIRST_ID;
}

int pa_stacks_add(struct pa_stacks *s, uint32_t parent, uint64_t address, uint32_t *id)
{
	uint32_t index = (uint32_t)s->count;
	int err;

	if (s->count > PA_MAX_STACK_ID - PA_STACK_FIRST_ID)
		return PA_E_LIMIT;
	err = pa_grow(&s->parents, &s->parents_cap, s->count + 1, sizeof(*s->parents));
	if (err == 0)
		err = pa_grow(&s->addresses, &s->addresses_cap, s->count + 1,
			      sizeof(*s->addresses));
	if (err == 0)
		err = pa_htab_add(&s->table, key_hash(parent, address), index);
	if (err < 0)
		return err;
	s->parents[index] = parent;
	s->addresses[index] = address;
	s->count++;
	*id = index + PA_STACK_FIRST_ID;
	return 0;
}

void pa_stacks_cut(struct pa_stacks *s, size_t count)
{
	while (s->count > count) {
		size_t last = s->count - 1;
		struct node_key key = {s->addresses[last], s->parents[last]};

		pa_htab_del(&s->table, key_hash(key.parent, key.address), key_equal, s, &key);
		s->count = last;
	}
}

size_t pa_stacks_depth(const struct pa_stacks *s, uint32_t id)
{
	size_t depth = 0;

	while (id >= PA_STACK_FIRST_ID && id - PA_STACK_FIRST_ID < s->count) {
		id = s->parents[id - PA_STACK_FIRST_ID];
		depth++;
	}
	return depth;
}

uint64_t pa_stacks_memory_bytes(const struct pa_stacks *s)
{
	return s->parents_cap * sizeof(*s->parents) + s->addresses_cap * sizeof(*s->addresses) +
	       pa_htab_memory_bytes(&s->table);
}
