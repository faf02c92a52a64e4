/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The frames that are shown for an address: what DWARF and the symbol table say, put together. */
#ifndef RPT_NAMES_H
#define RPT_NAMES_H

#include "report/symbols/arena.h"
#include "report/symbols/dwarf.h"

struct rpt_names {
	struct rpt_arena arena; /* of everything that is given out */
	struct rpt_demangled *demangled; /* owned; each name is demangled once */
	size_t demangled_count;
	size_t demangled_cap;
	struct pa_htab demangled_index; /* by pointer of the interned name */
	bool no_demangle;
};

void rpt_names_fini(struct rpt_names *n);
/* A copy that lives as long as n. */
const char *rpt_names_keep(struct rpt_names *n, const char *text);
/*
 * Makes frames, which live as long as n, and returns how many. symbol is the symbol table's name for the
 * address, or NULL; it stands in for a function that DWARF does not know or does not name. Frames for
 * which neither has a name are left out: 0 means that there is no name at all.
 */
size_t rpt_names_make(struct rpt_names *n, const struct rpt_dwarf_answer *answer,
		      const char *symbol, bool no_inlines, const struct rpt_frame **frames);

#endif
