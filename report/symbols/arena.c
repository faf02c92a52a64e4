// SPDX-License-Identifier: GPL-2.0-or-later
/* Block-wise allocation, and strings that are kept once. */
#include "report/symbols/arena.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "report/xmem.h"

#define BLOCK_BYTES ((size_t)16 << 10)

struct rpt_arena_block {
	struct rpt_arena_block *next;
	size_t used;
	size_t cap;
	max_align_t data[];
};

void rpt_arena_fini(struct rpt_arena *a)
{
	while (a->blocks) {
		struct rpt_arena_block *block = a->blocks;

		a->blocks = block->next;
		free(block);
	}
	free(a->strings);
	pa_htab_fini(&a->string_index);
	*a = (struct rpt_arena){0};
}

void *rpt_arena_alloc(struct rpt_arena *a, size_t bytes)
{
	const size_t align = sizeof(max_align_t);
	struct rpt_arena_block *block = a->blocks;
	void *p;

	bytes = (bytes + align - 1) / align * align;
	if (!block || block->cap - block->used < bytes) {
		size_t cap = PA_MAX(bytes, BLOCK_BYTES);

		block = rpt_xcalloc(1, sizeof(*block) + cap);
		block->cap = cap;
		block->next = a->blocks;
		a->blocks = block;
	}
	p = (char *)block->data + block->used;
	block->used += bytes;
	return p;
}

static bool equal(const void *ctx, uint32_t value, const void *key)
{
	return strcmp(((const struct rpt_arena *)ctx)->strings[value], key) == 0;
}

const char *rpt_arena_intern(struct rpt_arena *a, const char *text)
{
	size_t len = strlen(text);
	uint64_t hash = pa_hash_bytes(text, len, 0);
	uint32_t value;
	char *copy;

	if (pa_htab_get(&a->string_index, hash, equal, a, text, &value))
		return a->strings[value];
	copy = rpt_arena_alloc(a, len + 1);
	memcpy(copy, text, len);
	rpt_xgrow(&a->strings, &a->string_cap, a->string_count + 1, sizeof(*a->strings));
	a->strings[a->string_count] = copy;
	rpt_xcheck(pa_htab_add(&a->string_index, hash, (uint32_t)a->string_count++));
	return copy;
}
