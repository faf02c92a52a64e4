/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the parts of the search share: the options, and the trees that --symbols names. */
#ifndef RPT_SEARCH_TREE_H
#define RPT_SEARCH_TREE_H

#include <pthread.h>

#include "report/symbols/symbols.h"
#include "report/symbols/tree.h"

struct rpt_search {
	const struct rpt_symbol_options *options;
	pthread_mutex_t lock; /* guards the scan */
	bool scanned;
	struct rpt_tree tree; /* of all symbol_dirs; not changed after the scan */
	struct rpt_debuginfod *debuginfod; /* borrowed, or NULL */
	bool modules_scanned;
	struct rpt_tree modules; /* of the kernel, as they are installed; likewise */
};

/* The scan takes a while in a large tree, and is often not needed: it waits for the first who asks. */
const struct rpt_tree *rpt_search_get_tree(struct rpt_search *s);

#endif
