/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Every place that was looked at for the files of a module, and what came of it. */
#ifndef RPT_TRAIL_H
#define RPT_TRAIL_H

#include "report/symbols/elf.h"
#include "report/symbols/symbols.h"

struct rpt_trail {
	struct rpt_place *places; /* owned, and their paths */
	size_t count;
	size_t cap;
};

void rpt_trail_fini(struct rpt_trail *t);
/* Does nothing where t is NULL. path is copied; id is what was found there, or NULL. */
void rpt_trail_add(struct rpt_trail *t, enum rpt_place_role role, const char *path,
		   enum rpt_place_result result, const struct rpt_build_id *id);

#endif
