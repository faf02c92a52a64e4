/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Interned text: equal strings have equal ids, over all traces of a session. */
#ifndef RPT_STRINGS_H
#define RPT_STRINGS_H

#include <stddef.h>
#include <stdint.h>

#include "format/util/htab.h"

struct rpt_strings {
	char **items; /* owned; [0] is "" */
	size_t count;
	size_t cap;
	struct pa_htab index;
};

void rpt_strings_init(struct rpt_strings *s);
void rpt_strings_fini(struct rpt_strings *s);
/* Id of text; 0 for "" and NULL. Text ends at len or at its first NUL. */
uint32_t rpt_strings_intern(struct rpt_strings *s, const char *text, size_t len);
uint32_t rpt_strings_add(struct rpt_strings *s, const char *text);
/* Borrowed for the life of the table; "" for ids that are not there. */
const char *rpt_strings_get(const struct rpt_strings *s, uint32_t id);

#endif
