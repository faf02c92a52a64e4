// SPDX-License-Identifier: GPL-2.0-or-later
/* Strings by id, in chunks that never move. */
#include "format/strings.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "format/pa-format.h"
#include "format/util/err.h"
#include "format/util/mem.h"

#define CHUNK_BYTES (64u << 10)

struct pa_string_chunk {
	struct pa_string_chunk *next;
	size_t used;
	size_t cap;
	char data[];
};

struct text_key {
	const char *text;
	uint32_t len;
};

void pa_strings_fini(struct pa_strings *s)
{
	struct pa_string_chunk *chunk = s->chunks, *next;

	for (; chunk; chunk = next) {
		next = chunk->next;
		free(chunk);
	}
	free(s->entries);
	pa_htab_fini(&s->table);
	*s = (struct pa_strings){0};
}

/*
 * Room for len bytes in the newest chunk; a new one when there is none. Unused until it is taken.
 */
static char *chunk_reserve(struct pa_strings *s, size_t len)
{
	struct pa_string_chunk *chunk = s->chunks;
	size_t cap = PA_MAX(len, (size_t)CHUNK_BYTES);

	if (chunk && chunk->cap - chunk->used >= len)
		return chunk->data + chunk->used;
	chunk = malloc(sizeof(*chunk) + cap);
	if (!chunk)
		return NULL;
	chunk->next = s->chunks;
	chunk->used = 0;
	chunk->cap = cap;
	s->chunks = chunk;
	s->chunk_bytes += sizeof(*chunk) + cap;
	return chunk->data;
}

static int add(struct pa_strings *s, uint64_t hash, uint32_t id, const struct text_key *key)
{
	char *text;
	int err;

	if (s->count >= PA_MAX_STRINGS || s->chunk_bytes > PA_MAX_STRINGS_BYTES)
		return PA_E_LIMIT;
	text = chunk_reserve(s, (size_t)key->len + 1);
	if (!text)
		return -ENOMEM;
	err = pa_grow(&s->entries, &s->cap, s->count + 1, sizeof(*s->entries));
	if (err == 0)
		err = pa_htab_add(&s->table, hash, (uint32_t)s->count);
	if (err < 0)
		return err;
	if (key->len)
		memcpy(text, key->text, key->len);
	text[key->len] = 0;
	s->chunks->used += (size_t)key->len + 1;
	s->entries[s->count++] = (struct pa_string_entry){text, key->len, id};
	return 0;
}

static uint64_t text_hash(const char *text, uint32_t len)
{
	return pa_hash_bytes(text, len, 0);
}

static bool text_equal(const void *ctx, uint32_t index, const void *key)
{
	const struct pa_strings *s = ctx;
	const struct text_key *want = key;
	const struct pa_string_entry *entry = &s->entries[index];

	return entry->len == want->len &&
	       (want->len == 0 || memcmp(entry->text, want->text, want->len) == 0);
}

int pa_strings_intern(struct pa_strings *s, const char *text, uint32_t len, uint32_t *id,
		      bool *added)
{
	struct text_key key = {text, len};
	uint64_t hash = text_hash(text, len);
	uint32_t index;
	int err;

	*added = false;
	if (pa_htab_get(&s->table, hash, text_equal, s, &key, &index)) {
		*id = s->entries[index].id;
		return 0;
	}
	err = add(s, hash, (uint32_t)s->count + 1, &key);
	if (err < 0)
		return err;
	*id = (uint32_t)s->count;
	*added = true;
	return 0;
}

void pa_strings_drop_last(struct pa_strings *s)
{
	const struct pa_string_entry *last = &s->entries[s->count - 1];
	struct text_key key = {last->text, last->len};

	pa_htab_del(&s->table, text_hash(key.text, key.len), text_equal, s, &key);
	s->count--;
	s->chunks->used -= (size_t)key.len + 1;
}

/*
 * Salted with an address that differs at each run, so that no trace can be made whose ids collide.
 */
static uint64_t id_hash(const struct pa_strings *s, uint32_t id)
{
	return pa_hash_u64(id ^ (uint64_t)(uintptr_t)s);
}

static bool id_equal(const void *ctx, uint32_t index, const void *key)
{
	const struct pa_strings *s = ctx;

	return s->entries[index].id == *(const uint32_t *)key;
}

const struct pa_string_entry *pa_strings_get(const struct pa_strings *s, uint32_t id)
{
	uint32_t index;

	if (!pa_htab_get(&s->table, id_hash(s, id), id_equal, s, &id, &index))
		return NULL;
	return &s->entries[index];
}

int pa_strings_define(struct pa_strings *s, uint32_t id, const char *text, uint32_t len)
{
	struct text_key key = {text, len};
	const struct pa_string_entry *old = pa_strings_get(s, id);

	if (old)
		return text_equal(s, (uint32_t)(old - s->entries), &key) ? 0 : PA_E_CORRUPT;
	return add(s, id_hash(s, id), id, &key);
}

uint64_t pa_strings_memory_bytes(const struct pa_strings *s)
{
	return s->chunk_bytes + s->cap * sizeof(*s->entries) + pa_htab_memory_bytes(&s->table);
}
