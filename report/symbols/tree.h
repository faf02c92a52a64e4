/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The ELF files below a directory, by build ID; or one single file. */
#ifndef RPT_TREE_H
#define RPT_TREE_H

#include "report/symbols/elf.h"

struct rpt_tree_file {
	char *path; /* owned */
	struct rpt_build_id
		id; /* none: a file of split DWARF, or a compressed one: looked for by name */
};

struct rpt_tree {
	struct rpt_tree_file *files; /* owned, in the order of their paths within a directory */
	size_t count;
	size_t cap;
};

void rpt_tree_fini(struct rpt_tree *t);
/* Adds everything below root, which may also be a file. Symbolic links to files are followed. */
void rpt_tree_scan(struct rpt_tree *t, const char *root);
/* Adds the modules of the kernel below root, without a look into them: their IDs are none. */
void rpt_tree_scan_modules(struct rpt_tree *t, const char *root);

#endif
