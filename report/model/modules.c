// SPDX-License-Identifier: GPL-2.0-or-later
/* The modules of a session: what identifies them, and what they are called. */
#include "report/model/modules.h"

#include <stdlib.h>
#include <string.h>

#include "format/util/buf.h"
#include "report/xmem.h"

void rpt_modules_init(struct rpt_modules *m)
{
	*m = (struct rpt_modules){0};
	pa_htab_init(&m->index);
	rpt_xgrow(&m->items, &m->cap, 1, sizeof(*m->items));
	m->items[m->count++] = (struct rpt_module){.kind = RPT_MODULE_UNMAPPED};
}

void rpt_modules_fini(struct rpt_modules *m)
{
	size_t i;

	for (i = 0; i < m->count; i++) {
		free(m->items[i].image);
		free(m->items[i].ranges);
	}
	free(m->items);
	pa_htab_fini(&m->index);
}

bool rpt_module_is_file(const struct rpt_module *module)
{
	if (module->kind == PA_MODULE_FILE || module->kind == PA_MODULE_VDSO)
		return true;
	/* A program that was started from memory can be found by its build ID as any other. */
	return module->kind == PA_MODULE_MEMFD && module->build_id_bytes;
}

/* Two modules without build ID are the same file only if device and inode agree as well. */
static bool equal(const void *ctx, uint32_t value, const void *key)
{
	const struct rpt_modules *m = ctx;
	const struct rpt_module *a = &m->items[value], *b = key;

	if (a->kind != b->kind || a->path != b->path || a->build_id_bytes != b->build_id_bytes)
		return false;
	if (a->build_id_bytes || !rpt_module_is_file(a))
		return memcmp(a->build_id, b->build_id, a->build_id_bytes) == 0;
	return a->device == b->device && a->inode == b->inode;
}

static const char deleted[] = " (deleted)";

/* What the path gives away, for traces by recorders that don't sort it out. */
static const struct {
	const char *prefix;
	uint32_t kind;
} special_paths[] = {
	{"[vdso]", PA_MODULE_VDSO},       {"//anon", PA_MODULE_ANON},
	{"[anon", PA_MODULE_ANON},        {"[heap]", PA_MODULE_ANON},
	{"[stack", PA_MODULE_ANON},       {"/memfd:", PA_MODULE_MEMFD},
	{"memfd:", PA_MODULE_MEMFD},      {"/anon_hugepage", PA_MODULE_ANON},
	{"/dev/zero", PA_MODULE_SPECIAL}, {"/SYSV", PA_MODULE_SPECIAL},
	{"[", PA_MODULE_SPECIAL},
};

static void classify(struct rpt_module *module, const char *path)
{
	size_t i;

	if (module->kind != PA_MODULE_FILE)
		return;
	for (i = 0; i < PA_ARRAY_LEN(special_paths); i++) {
		if (strncmp(path, special_paths[i].prefix, strlen(special_paths[i].prefix)) == 0) {
			module->kind = special_paths[i].kind;
			return;
		}
	}
	if (!*path && !module->build_id_bytes)
		module->kind = PA_MODULE_ANON;
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

/* The short name: base name of a file, everything else in single brackets. */
static void add_name(struct pa_buf *out, const struct rpt_module *module, const char *path)
{
	if (module->kind == PA_MODULE_FILE) {
		pa_buf_add_str(out, *path ? base_name(path) : "[no path]");
		return;
	}
	if (module->kind == RPT_MODULE_MARKER)
		return;
	if (*path == '[') {
		pa_buf_add_str(out, strcmp(path, "[kernel.kallsyms]") ? path : "[kernel]");
		return;
	}
	if (module->kind == PA_MODULE_VDSO)
		path = "vdso";
	else if (module->kind == PA_MODULE_ANON)
		path = "anon";
	else if (module->kind == PA_MODULE_MEMFD)
		path = base_name(path);
	else if (module->kind == PA_MODULE_SPECIAL && !*path)
		path = "special";
	pa_buf_addf(out, "[%s]", path);
}

static void set_path(struct rpt_module *module, struct rpt_strings *strings)
{
	const char *path = rpt_strings_get(strings, module->path);
	size_t len = strlen(path), tail = sizeof(deleted) - 1;
	struct pa_buf name;

	if (len > tail && strcmp(path + len - tail, deleted) == 0) {
		module->flags |= PA_MODULE_DELETED;
		module->path = rpt_strings_intern(strings, path, len - tail);
		path = rpt_strings_get(strings, module->path);
	}
	classify(module, path);
	if (module->name)
		return;
	pa_buf_init(&name);
	add_name(&name, module, path);
	rpt_xcheck(pa_buf_error(&name));
	module->name = rpt_strings_add(strings, pa_buf_str(&name));
	pa_buf_fini(&name);
	/* Memory without a file is the same thing whatever the kernel called it. */
	if (module->kind == PA_MODULE_ANON || module->kind == PA_MODULE_MEMFD ||
	    module->kind == PA_MODULE_SPECIAL)
		module->path = module->name;
}

uint32_t rpt_modules_add(struct rpt_modules *m, struct rpt_strings *strings,
			 const struct rpt_module *wanted)
{
	struct rpt_module module = *wanted;
	uint64_t hash;
	uint32_t id;

	set_path(&module, strings);
	hash = pa_hash_bytes(module.build_id, module.build_id_bytes, module.path);
	if (pa_htab_get(&m->index, hash, equal, m, &module, &id)) {
		m->items[id].flags |= module.flags;
		return id;
	}
	id = (uint32_t)m->count;
	rpt_xgrow(&m->items, &m->cap, m->count + 1, sizeof(*m->items));
	m->items[m->count++] = module;
	rpt_xcheck(pa_htab_add(&m->index, hash, id));
	return id;
}

/* One piece with range: they overlap, or one goes on where the other ends, in memory as in the file. */
static bool joins(const struct rpt_module_range *a, const struct rpt_module_range *b)
{
	if (a->first < b->end && b->first < a->end)
		return true;
	return a->first <= b->end && b->first <= a->end && a->base == b->base &&
	       a->image == b->image;
}

void rpt_module_note_range(struct rpt_module *module, const struct rpt_module_range *range)
{
	struct rpt_module_range all = *range;
	size_t i, kept = 0, at;

	for (i = 0; i < module->range_count; i++) {
		struct rpt_module_range *old = &module->ranges[i];

		if (!joins(old, &all)) {
			module->ranges[kept++] = *old;
			continue;
		}
		all.base = old->base;
		all.image = old->image;
		all.first = PA_MIN(all.first, old->first);
		all.end = PA_MAX(all.end, old->end);
	}
	module->range_count = kept;
	rpt_xgrow(&module->ranges, &module->range_cap, kept + 1, sizeof(*module->ranges));
	for (at = kept; at > 0 && module->ranges[at - 1].first > all.first; at--)
		module->ranges[at] = module->ranges[at - 1];
	module->ranges[at] = all;
	module->range_count++;
}
