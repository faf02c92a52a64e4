/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Allocation that ends the program when there is no memory: the reporter owns nothing but its process,
 * so there is nothing to save. Sizes are checked for overflow. The caller frees with free().
 */
#ifndef RPT_XMEM_H
#define RPT_XMEM_H

#include <stddef.h>

#include "format/util/mem.h"

void *rpt_xmalloc(size_t bytes) __attribute__((malloc, returns_nonnull));
/* count * bytes, zeroed. */
void *rpt_xcalloc(size_t count, size_t bytes) __attribute__((malloc, returns_nonnull));
/* Resizes to count * bytes; the old block is gone. */
void *rpt_xrealloc(void *old, size_t count, size_t bytes) __attribute__((returns_nonnull));
char *rpt_xstrdup(const char *text) __attribute__((malloc, returns_nonnull));
/* At most len bytes of text, terminated. */
char *rpt_xstrndup(const char *text, size_t len) __attribute__((malloc, returns_nonnull));
/* pa_grow() that cannot fail. */
void rpt_xgrow(void *items, size_t *cap, size_t need, size_t item_bytes);
/* Ends the program when err is negative: for calls whose only failure is a lack of memory. */
void rpt_xcheck(int err);

#endif
