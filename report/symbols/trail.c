// SPDX-License-Identifier: GPL-2.0-or-later
/* The places that were looked at. */
#include "report/symbols/trail.h"

#include <stdlib.h>
#include <string.h>

#include "report/xmem.h"

void rpt_trail_fini(struct rpt_trail *t)
{
	size_t i;

	for (i = 0; i < t->count; i++)
		free((char *)(uintptr_t)t->places[i].path);
	free(t->places);
	*t = (struct rpt_trail){0};
}

void rpt_trail_add(struct rpt_trail *t, enum rpt_place_role role, const char *path,
		   enum rpt_place_result result, const struct rpt_build_id *id)
{
	struct rpt_place *p;

	if (!t)
		return;
	rpt_xgrow(&t->places, &t->cap, t->count + 1, sizeof(*t->places));
	p = &t->places[t->count++];
	*p = (struct rpt_place){.path = rpt_xstrdup(path), .role = role, .result = result};
	if (!id)
		return;
	memcpy(p->build_id, id->data, id->len);
	p->build_id_bytes = id->len;
}

const char *rpt_place_role_text(enum rpt_place_role role)
{
	static const char *const texts[RPT_PLACE_ROLES_] = {
		[RPT_PLACE_CODE] = "code",
		[RPT_PLACE_DEBUG] = "debug information",
		[RPT_PLACE_ALTERNATE] = "supplementary file",
		[RPT_PLACE_SPLIT] = "split debug information",
	};

	return texts[role];
}

const char *rpt_place_result_text(enum rpt_place_result result)
{
	static const char *const texts[RPT_PLACE_RESULTS_] = {
		[RPT_PLACE_USED] = "used",
		[RPT_PLACE_ABSENT] = "no such file",
		[RPT_PLACE_NO_ELF] = "no ELF file",
		[RPT_PLACE_OTHER_ID] = "has another build ID",
		[RPT_PLACE_LACKS] = "has nothing of that",
		[RPT_PLACE_OTHER_CRC] = "has no build ID, and another CRC than .gnu_debuglink says",
		[RPT_PLACE_OTHER_UNIT] = "does not have the unit",
	};

	return texts[result];
}
