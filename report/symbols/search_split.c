// SPDX-License-Identifier: GPL-2.0-or-later
/* Candidates for files of split DWARF. */
#include "report/symbols/search.h"

#include <string.h>

#include "format/util/buf.h"
#include "report/symbols/search_tree.h"
#include "report/xmem.h"

struct split_attempt {
	const struct rpt_split_wanted *wanted;
	rpt_take_fn *take;
	void *ctx;
	struct pa_buf path;
};

static bool offer_path(const struct split_attempt *a, const char *path)
{
	struct rpt_elf *e = rpt_elf_open(path);
	enum rpt_place_result result = RPT_PLACE_ABSENT;

	if (e)
		result = a->take(a->ctx, e) ? RPT_PLACE_USED : RPT_PLACE_OTHER_UNIT;
	rpt_trail_add(a->wanted->trail, RPT_PLACE_SPLIT, path, result, NULL);
	if (result == RPT_PLACE_USED)
		return true;
	rpt_elf_free(e);
	return false;
}

static bool offer_buf(struct split_attempt *a)
{
	rpt_xcheck(pa_buf_error(&a->path));
	return offer_path(a, pa_buf_str(&a->path));
}

/* Beside the file that it belongs to; in the same directory, whatever directory name has. */
static bool offer_beside(struct split_attempt *a, const char *name)
{
	const char *path = a->wanted->owner->path, *slash = strrchr(path, '/');

	/* What came from a trace is in no directory. */
	if (!slash)
		return false;
	pa_buf_reset(&a->path);
	pa_buf_add(&a->path, path, (size_t)(slash - path) + 1);
	pa_buf_add_str(&a->path, name);
	return offer_buf(a);
}

static bool offer_compiled(struct split_attempt *a, const char *root)
{
	pa_buf_reset(&a->path);
	pa_buf_add_str(&a->path, root);
	if (a->wanted->name[0] != '/' && a->wanted->directory)
		pa_buf_addf(&a->path, "%s/", a->wanted->directory);
	pa_buf_add_str(&a->path, a->wanted->name);
	return offer_buf(a);
}

static const char *get_basename(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* Files of split DWARF in the trees: one by its name, or all packages when name is NULL. */
static bool offer_tree(struct rpt_search *s, const struct split_attempt *a, const char *name)
{
	const struct rpt_tree *tree = rpt_search_get_tree(s);
	size_t i;

	for (i = 0; i < tree->count; i++) {
		const char *path = tree->files[i].path, *dot = strrchr(path, '.');

		if (tree->files[i].id.len > 0 || !dot)
			continue;
		if (name ? strcmp(get_basename(path), name) != 0 : strcmp(dot, ".dwp") != 0)
			continue;
		if (offer_path(a, path))
			return true;
	}
	return false;
}

static bool offer_package(struct split_attempt *a)
{
	const char *path = a->wanted->owner->path;
	size_t len = strlen(path), suffix = strlen(".debug");

	if (!strchr(path, '/'))
		return false;
	pa_buf_reset(&a->path);
	pa_buf_addf(&a->path, "%s.dwp", path);
	if (offer_buf(a))
		return true;
	if (len <= suffix || strcmp(path + len - suffix, ".debug") != 0)
		return false;
	pa_buf_reset(&a->path);
	pa_buf_add(&a->path, path, len - suffix);
	pa_buf_add_str(&a->path, ".dwp");
	return offer_buf(a);
}

static bool offer_single(struct split_attempt *a, const struct rpt_symbol_options *o)
{
	if (!o->no_host_files &&
	    ((o->sysroot && offer_compiled(a, o->sysroot)) || offer_compiled(a, "")))
		return true;
	return (a->wanted->name[0] != '/' && offer_beside(a, a->wanted->name)) ||
	       offer_beside(a, get_basename(a->wanted->name));
}

bool rpt_search_split(struct rpt_search *s, const struct rpt_split_wanted *wanted,
		      rpt_take_fn *take, void *ctx)
{
	struct split_attempt a = {.wanted = wanted, .take = take, .ctx = ctx};
	const char *name = wanted->name ? get_basename(wanted->name) : NULL;
	bool found;

	pa_buf_init(&a.path);
	found = name ? offer_single(&a, s->options) : offer_package(&a);
	if (!found && s->options->symbol_dir_count > 0)
		found = offer_tree(s, &a, name);
	pa_buf_fini(&a.path);
	return found;
}
