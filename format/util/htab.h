/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The one hash table: open addressing from a 64-bit hash to a uint32_t value (an index into the
 * caller's array, or an id). The table does not store keys: the caller compares, through a
 * callback, the entry that a value stands for with the key that is looked up.
 */
#ifndef PA_HTAB_H
#define PA_HTAB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pa_htab_slot {
	uint32_t hash; /* the upper half of the hash, to skip most comparisons */
	uint32_t value; /* value + 1; 0 = empty */
};

struct pa_htab {
	struct pa_htab_slot *slots; /* owned */
	size_t mask; /* capacity - 1, or 0 when nothing is allocated */
	size_t count;
};

/* True when the entry that value stands for equals key. */
typedef bool pa_htab_equal_fn(const void *ctx, uint32_t value, const void *key);

void pa_htab_init(struct pa_htab *t);
void pa_htab_fini(struct pa_htab *t);
/* Finds key; true with *value set, or false. */
bool pa_htab_get(const struct pa_htab *t, uint64_t hash, pa_htab_equal_fn *equal, const void *ctx,
		 const void *key, uint32_t *value);
/* Gets the memory where hash is looked up first under way, for a pa_htab_get() soon. */
void pa_htab_expect(const struct pa_htab *t, uint64_t hash);
/* The first value that pa_htab_get() would look at; false when there is none. */
bool pa_htab_peek(const struct pa_htab *t, uint64_t hash, uint32_t *value);
/* Adds a value that is known not to be there. value must be below UINT32_MAX. 0 or -ENOMEM. */
int pa_htab_add(struct pa_htab *t, uint64_t hash, uint32_t value);
/* Removes an entry; true when it was there. */
bool pa_htab_del(struct pa_htab *t, uint64_t hash, pa_htab_equal_fn *equal, const void *ctx,
		 const void *key);
uint64_t pa_htab_memory_bytes(const struct pa_htab *t);

/* A good 64-bit mix of one word, and a hash of bytes. Not for use across machines. */
uint64_t pa_hash_u64(uint64_t v);
uint64_t pa_hash_bytes(const void *data, size_t len, uint64_t seed);

#endif
