// SPDX-License-Identifier: GPL-2.0-or-later
/* Scanning a directory for ELF files. */
#include "report/symbols/tree.h"

#include <fts.h>
#include <stdlib.h>
#include <string.h>

#include "report/symbols/decompress.h"
#include "report/xmem.h"

void rpt_tree_fini(struct rpt_tree *t)
{
	size_t i;

	for (i = 0; i < t->count; i++)
		free(t->files[i].path);
	free(t->files);
	*t = (struct rpt_tree){0};
}

static bool has_suffix(const char *path, const char *suffix)
{
	size_t len = strlen(path), suffix_len = strlen(suffix);

	return len > suffix_len && strcmp(path + len - suffix_len, suffix) == 0;
}

static void add_file(struct rpt_tree *t, const char *path)
{
	struct rpt_build_id id;

	if (!rpt_elf_read_build_id(path, &id) && !has_suffix(path, ".dwo") &&
	    !has_suffix(path, ".dwp") && !rpt_is_packed(path))
		return;
	rpt_xgrow(&t->files, &t->cap, t->count + 1, sizeof(*t->files));
	t->files[t->count++] = (struct rpt_tree_file){rpt_xstrdup(path), id};
}

static void add_module(struct rpt_tree *t, const char *path)
{
	size_t stem = rpt_packed_stem(path), suffix = strlen(".ko");

	if (stem < suffix || strncmp(path + stem - suffix, ".ko", suffix) != 0)
		return;
	rpt_xgrow(&t->files, &t->cap, t->count + 1, sizeof(*t->files));
	t->files[t->count++] = (struct rpt_tree_file){.path = rpt_xstrdup(path)};
}

/* The same order on every host, whatever the file system gives. */
static int compare(const FTSENT **a, const FTSENT **b)
{
	return strcmp((*a)->fts_name, (*b)->fts_name);
}

static void scan(struct rpt_tree *t, const char *root,
		 void (*add)(struct rpt_tree *t, const char *path))
{
	char *roots[] = {rpt_xstrdup(root), NULL};
	FTS *fts = fts_open(roots, FTS_PHYSICAL | FTS_COMFOLLOW | FTS_NOCHDIR, compare);
	FTSENT *entry;

	while (fts && (entry = fts_read(fts))) {
		if (entry->fts_info == FTS_F || entry->fts_info == FTS_SL)
			add(t, entry->fts_accpath);
	}
	if (fts)
		fts_close(fts);
	free(roots[0]);
}

void rpt_tree_scan(struct rpt_tree *t, const char *root)
{
	scan(t, root, add_file);
}

void rpt_tree_scan_modules(struct rpt_tree *t, const char *root)
{
	scan(t, root, add_module);
}
