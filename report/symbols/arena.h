/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Memory that is given out piece by piece and freed as a whole: strings and frames of a module. */
#ifndef RPT_ARENA_H
#define RPT_ARENA_H

#include <stddef.h>
#include <stdint.h>

#include "format/util/htab.h"

struct rpt_arena_block;

struct rpt_arena {
	struct rpt_arena_block *blocks;
	const char **strings; /* owned array, of the interned strings */
	size_t string_count;
	size_t string_cap;
	struct pa_htab string_index;
};

void rpt_arena_fini(struct rpt_arena *a);
/* Zeroed, aligned for any type. */
void *rpt_arena_alloc(struct rpt_arena *a, size_t bytes) __attribute__((returns_nonnull));
/* A copy of text; the same pointer for the same text. */
const char *rpt_arena_intern(struct rpt_arena *a, const char *text)
	__attribute__((returns_nonnull));

#endif
