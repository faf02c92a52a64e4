// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Open-addressing hash table with linear probing; deletion shifts back, so there are no tombstones.
 */
#include "format/util/htab.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define MIN_CAPACITY 64

void pa_htab_init(struct pa_htab *t)
{
	*t = (struct pa_htab){0};
}

void pa_htab_fini(struct pa_htab *t)
{
	free(t->slots);
	*t = (struct pa_htab){0};
}

/* splitmix64's finalizer (public domain, Vigna). */
uint64_t pa_hash_u64(uint64_t v)
{
	v += 0x9e3779b97f4a7c15ull;
	v = (v ^ (v >> 30)) * 0xbf58476d1ce4e5b9ull;
	v = (v ^ (v >> 27)) * 0x94d049bb133111ebull;
	return v ^ (v >> 31);
}

uint64_t pa_hash_bytes(const void *data, size_t len, uint64_t seed)
{
	const uint8_t *p = data;
	uint64_t h = pa_hash_u64(seed ^ len), word;

	for (; len >= 8; p += 8, len -= 8) {
		memcpy(&word, p, 8);
		h = pa_hash_u64(h ^ word);
	}
	if (len) {
		word = 0;
		memcpy(&word, p, len);
		h = pa_hash_u64(h ^ word);
	}
	return h;
}

/* The home slot comes from the low bits and the tag from the high ones; the tag also finds the home
 * again when the table grows or shifts, so both are taken from the 32 bits that are stored. */
static size_t home(const struct pa_htab *t, uint32_t tag)
{
	return (size_t)(tag * 0x9e3779b1u) & t->mask;
}

static void place(struct pa_htab *t, struct pa_htab_slot slot)
{
	size_t i = home(t, slot.hash);

	while (t->slots[i].value)
		i = (i + 1) & t->mask;
	t->slots[i] = slot;
}

static int grow(struct pa_htab *t)
{
	struct pa_htab bigger = {.count = t->count};
	size_t capacity = t->slots ? (t->mask + 1) * 2 : MIN_CAPACITY, i;

	bigger.slots = calloc(capacity, sizeof(*bigger.slots));
	if (!bigger.slots)
		return -ENOMEM;
	bigger.mask = capacity - 1;
	for (i = 0; t->slots && i <= t->mask; i++)
		if (t->slots[i].value)
			place(&bigger, t->slots[i]);
	free(t->slots);
	*t = bigger;
	return 0;
}

static bool find(const struct pa_htab *t, uint64_t hash, pa_htab_equal_fn *equal, const void *ctx,
		 const void *key, size_t *slot)
{
	uint32_t tag = (uint32_t)(hash >> 32);
	size_t i;

	if (!t->slots)
		return false;
	for (i = home(t, tag); t->slots[i].value; i = (i + 1) & t->mask) {
		if (t->slots[i].hash == tag && equal(ctx, t->slots[i].value - 1, key)) {
			*slot = i;
			return true;
		}
	}
	return false;
}

bool pa_htab_get(const struct pa_htab *t, uint64_t hash, pa_htab_equal_fn *equal, const void *ctx,
		 const void *key, uint32_t *value)
{
	size_t i;

	if (!find(t, hash, equal, ctx, key, &i))
		return false;
	*value = t->slots[i].value - 1;
	return true;
}

void pa_htab_expect(const struct pa_htab *t, uint64_t hash)
{
	if (t->slots)
		__builtin_prefetch(&t->slots[home(t, (uint32_t)(hash >> 32))]);
}

bool pa_htab_peek(const struct pa_htab *t, uint64_t hash, uint32_t *value)
{
	const struct pa_htab_slot *slot =
		t->slots ? &t->slots[home(t, (uint32_t)(hash >> 32))] : NULL;

	if (!slot || !slot->value)
		return false;
	*value = slot->value - 1;
	return true;
}

int pa_htab_add(struct pa_htab *t, uint64_t hash, uint32_t value)
{
	struct pa_htab_slot slot = {.hash = (uint32_t)(hash >> 32), .value = value + 1};
	int err;

	if (!t->slots || (t->count + 1) * 4 > (t->mask + 1) * 3) {
		err = grow(t);
		if (err < 0)
			return err;
	}
	place(t, slot);
	t->count++;
	return 0;
}

bool pa_htab_del(struct pa_htab *t, uint64_t hash, pa_htab_equal_fn *equal, const void *ctx,
		 const void *key)
{
	size_t hole, i;

	if (!find(t, hash, equal, ctx, key, &hole))
		return false;
	/* Move back whatever would no longer be reached across the hole. */
	for (i = (hole + 1) & t->mask; t->slots[i].value; i = (i + 1) & t->mask) {
		size_t wanted = home(t, t->slots[i].hash);

		if (((i - wanted) & t->mask) >= ((i - hole) & t->mask)) {
			t->slots[hole] = t->slots[i];
			hole = i;
		}
	}
	t->slots[hole] = (struct pa_htab_slot){0};
	t->count--;
	return true;
}

uint64_t pa_htab_memory_bytes(const struct pa_htab *t)
{
	return t->slots ? (t->mask + 1) * sizeof(*t->slots) : 0;
}
