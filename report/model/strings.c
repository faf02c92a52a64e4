// SPDX-License-Identifier: GPL-2.0-or-later
/* Interned text. */
#include "report/model/strings.h"

#include <stdlib.h>
#include <string.h>

#include "report/xmem.h"

struct key {
	const char *text;
	size_t len;
};

static bool equal(const void *ctx, uint32_t value, const void *key)
{
	const struct rpt_strings *s = ctx;
	const struct key *k = key;

	return strncmp(s->items[value], k->text, k->len) == 0 && !s->items[value][k->len];
}

void rpt_strings_init(struct rpt_strings *s)
{
	*s = (struct rpt_strings){0};
	pa_htab_init(&s->index);
	rpt_xgrow(&s->items, &s->cap, 1, sizeof(*s->items));
	s->items[s->count++] = rpt_xstrdup("");
}

void rpt_strings_fini(struct rpt_strings *s)
{
	size_t i;

	for (i = 0; i < s->count; i++)
		free(s->items[i]);
	free(s->items);
	pa_htab_fini(&s->index);
}

uint32_t rpt_strings_intern(struct rpt_strings *s, const char *text, size_t len)
{
	struct key key = {text, text ? strnlen(text, len) : 0};
	uint64_t hash;
	uint32_t id;

	if (key.len == 0)
		return 0;
	hash = pa_hash_bytes(key.text, key.len, 0);
	if (pa_htab_get(&s->index, hash, equal, s, &key, &id))
		return id;
	id = (uint32_t)s->count;
	rpt_xgrow(&s->items, &s->cap, s->count + 1, sizeof(*s->items));
	s->items[s->count++] = rpt_xstrndup(key.text, key.len);
	rpt_xcheck(pa_htab_add(&s->index, hash, id));
	return id;
}

uint32_t rpt_strings_add(struct rpt_strings *s, const char *text)
{
	return rpt_strings_intern(s, text, text ? strlen(text) : 0);
}

const char *rpt_strings_get(const struct rpt_strings *s, uint32_t id)
{
	return id < s->count ? s->items[id] : "";
}
