// SPDX-License-Identifier: GPL-2.0-or-later
/* Which functions of two sessions are the same. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "format/util/buf.h"
#include "format/util/htab.h"
#include "report/analyse/diff.h"
#include "report/xmem.h"

/* --- names --- */

/* Length of a suffix that a compiler added, at the end of name; 0 = there is none. */
static size_t suffix_len(const char *name, size_t len)
{
	static const char *const suffixes[] = {
		".isra", ".part", ".constprop", ".cold", ".lto_priv", ".llvm", ".localalias",
	};
	size_t digits = len, i, n;

	while (digits && isdigit((unsigned char)name[digits - 1]))
		digits--;
	/* ".isra.0", or ".cold" without a number. */
	if (digits < len && digits && name[digits - 1] == '.')
		digits--;
	else
		digits = len;
	for (i = 0; i < PA_ARRAY_LEN(suffixes); i++) {
		n = strlen(suffixes[i]);
		if (digits > n && memcmp(name + digits - n, suffixes[i], n) == 0)
			return len - digits + n;
	}
	/* A number alone tells static functions of C apart; elsewhere it is part of the name. */
	for (i = 0; i < digits; i++)
		if (!isalnum((unsigned char)name[i]) && name[i] != '_')
			return 0;
	return digits ? len - digits : 0;
}

void rpt_diff_add_name(struct pa_buf *out, const char *name)
{
	size_t len = strlen(name), n;
	const char *clone;

	/* As demanglers show it; there may be several. */
	clone = strstr(name, " [clone .");
	if (clone)
		len = (size_t)(clone - name);
	while ((n = suffix_len(name, len)) > 0)
		len -= n;
	pa_buf_add(out, name, len);
}

/* --- items --- */

struct joiner {
	struct rpt_diff_join *j;
	struct pa_htab index; /* items by key */
	char **keys; /* by item */
	size_t key_cap;
};

/* A name, and in how many modules of each side it is. */
struct name_use {
	char *name;
	uint32_t module[2];
	bool several;
};

struct uses {
	struct name_use *items;
	size_t count, cap;
	struct pa_htab index;
};

static bool use_equal(const void *ctx, uint32_t value, const void *key)
{
	return strcmp(((const struct uses *)ctx)->items[value].name, key) == 0;
}

static struct name_use *find_use(struct uses *u, const char *name)
{
	uint64_t hash = pa_hash_bytes(name, strlen(name), 0);
	uint32_t i;

	if (pa_htab_get(&u->index, hash, use_equal, u, name, &i))
		return &u->items[i];
	rpt_xgrow(&u->items, &u->cap, u->count + 1, sizeof(*u->items));
	u->items[u->count] = (struct name_use){.name = rpt_xstrdup(name)};
	rpt_xcheck(pa_htab_add(&u->index, hash, (uint32_t)u->count));
	return &u->items[u->count++];
}

static void note_uses(struct uses *u, const struct rpt_diff_side *side, int which)
{
	struct pa_buf name;
	uint32_t i;

	pa_buf_init(&name);
	for (i = 1; i < side->c->function_count; i++) {
		const struct rpt_function *f = &side->c->functions[i];
		struct name_use *use;

		pa_buf_reset(&name);
		rpt_diff_add_name(&name, rpt_text(side->m, f->name));
		use = find_use(u, pa_buf_str(&name));
		use->several |= use->module[which] && use->module[which] != f->module;
		use->module[which] = f->module;
	}
	pa_buf_fini(&name);
}

/* The module's name up to the version: "libc.so.6" is "libc.so". */
static void add_stem(struct pa_buf *out, const char *module)
{
	const char *so = strstr(module, ".so");

	pa_buf_add(out, module, so ? (size_t)(so - module) + 3 : strlen(module));
}

/*
 * What makes a function the same on both sides: its name, and the module's where several have one of that
 * name. What has no name is the same only at the same place in the same file.
 */
static void add_key(struct pa_buf *key, struct uses *uses, const struct rpt_diff_side *side,
		    const struct rpt_function *f)
{
	const struct rpt_module *module = &side->m->modules.items[f->module];
	size_t i;

	if (f->unnamed) {
		pa_buf_add_str(key, "?");
		for (i = 0; i < module->build_id_bytes; i++)
			pa_buf_addf(key, "%02x", module->build_id[i]);
		if (!module->build_id_bytes)
			pa_buf_add_str(key, rpt_text(side->m, module->path));
		pa_buf_addf(key, "?%s", rpt_text(side->m, f->name));
		return;
	}
	rpt_diff_add_name(key, rpt_text(side->m, f->name));
	if (find_use(uses, pa_buf_str(key))->several) {
		pa_buf_add_str(key, "\n");
		add_stem(key, rpt_text(side->m, module->name));
	}
}

static bool key_equal(const void *ctx, uint32_t value, const void *key)
{
	return strcmp(((const struct joiner *)ctx)->keys[value], key) == 0;
}

static uint32_t find_item(struct joiner *jn, const struct rpt_diff_side *side,
			  const struct rpt_function *f, const char *key)
{
	uint64_t hash = pa_hash_bytes(key, strlen(key), 0);
	struct rpt_diff_join *j = jn->j;
	struct pa_buf name;
	uint32_t i;

	if (pa_htab_get(&jn->index, hash, key_equal, jn, key, &i))
		return i;
	rpt_xgrow(&j->items, &j->cap, j->count + 1, sizeof(*j->items));
	rpt_xgrow(&jn->keys, &jn->key_cap, j->count + 1, sizeof(*jn->keys));
	pa_buf_init(&name);
	if (f->unnamed)
		pa_buf_add_str(&name, rpt_text(side->m, f->name));
	else
		rpt_diff_add_name(&name, rpt_text(side->m, f->name));
	j->items[j->count] = (struct rpt_diff_item){
		.name = rpt_xstrdup(pa_buf_str(&name)),
		.module = f->unnamed ? NULL :
				       rpt_text(side->m, side->m->modules.items[f->module].name),
	};
	pa_buf_fini(&name);
	jn->keys[j->count] = rpt_xstrdup(key);
	rpt_xcheck(pa_htab_add(&jn->index, hash, (uint32_t)j->count));
	return (uint32_t)j->count++;
}

static uint32_t *join_side(struct joiner *jn, struct uses *uses, const struct rpt_diff_side *side)
{
	uint32_t *items = rpt_xcalloc(side->c->function_count, sizeof(*items)), i;
	struct pa_buf key;

	pa_buf_init(&key);
	for (i = 1; i < side->c->function_count; i++) {
		const struct rpt_function *f = &side->c->functions[i];

		pa_buf_reset(&key);
		add_key(&key, uses, side, f);
		rpt_xcheck(pa_buf_error(&key));
		items[i] = find_item(jn, side, f, pa_buf_str(&key));
	}
	pa_buf_fini(&key);
	return items;
}

void rpt_diff_join_init(struct rpt_diff_join *j, const struct rpt_diff_side *before,
			const struct rpt_diff_side *after)
{
	struct joiner jn = {.j = j};
	struct uses uses = {0};
	size_t i;

	*j = (struct rpt_diff_join){0};
	pa_htab_init(&jn.index);
	pa_htab_init(&uses.index);
	note_uses(&uses, before, 0);
	note_uses(&uses, after, 1);
	j->of_before = join_side(&jn, &uses, before);
	j->of_after = join_side(&jn, &uses, after);
	for (i = 0; i < j->count; i++)
		free(jn.keys[i]);
	for (i = 0; i < uses.count; i++)
		free(uses.items[i].name);
	free(jn.keys);
	free(uses.items);
	pa_htab_fini(&uses.index);
	pa_htab_fini(&jn.index);
}

void rpt_diff_join_fini(struct rpt_diff_join *j)
{
	size_t i;

	for (i = 0; i < j->count; i++)
		free(j->items[i].name);
	free(j->items);
	free(j->of_before);
	free(j->of_after);
}
