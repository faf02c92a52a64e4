/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which function, and which calls inlined into it, the addresses of one unit belong to. */
#ifndef RPT_DW_SCOPE_H
#define RPT_DW_SCOPE_H

#include "report/symbols/dw_form.h"

#define RPT_DW_NO_SCOPE UINT32_MAX

struct rpt_dw_scope {
	uint64_t die; /* offset of its entry */
	uint32_t parent; /* scope that it is inlined into, or RPT_DW_NO_SCOPE */
	uint32_t call_file; /* in the unit's line table */
	uint32_t call_line;
	bool inlined;
};

struct rpt_dw_scopes {
	struct rpt_dw_scope *items; /* owned; parents before children */
	size_t count;
	size_t cap;
	struct rpt_ranges index; /* of addresses; values are places in items */
};

/* The unit's scopes, read when first asked for. code says which addresses can be. Never NULL. */
const struct rpt_dw_scopes *rpt_dw_unit_get_scopes(struct rpt_dw_unit *u,
						   const struct rpt_elf *code);
void rpt_dw_scopes_free(struct rpt_dw_scopes *s);

/* How a function is called and where it is declared; found by following what its entry refers to. */
struct rpt_dw_name {
	const char *name;
	const char *linkage_name;
	uint32_t line;
	bool alternate_missing; /* it is in a file that was not found */
};
void rpt_dw_get_name(struct rpt_dw_die die, struct rpt_dw_name *name);

#endif
