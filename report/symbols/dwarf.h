/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions, inlined calls and lines from DWARF 2 to 5. What covers which address is read once for the
 * whole file; the functions and lines of a unit only when an address in it is asked for.
 */
#ifndef RPT_DWARF_H
#define RPT_DWARF_H

#include "report/symbols/search.h"

struct rpt_dwarf;

struct rpt_dwarf_frame {
	const char *name; /* DW_AT_name, or NULL */
	const char *linkage_name; /* or NULL */
	const char *file; /* of line; or NULL */
	uint32_t line; /* of the address, or of the call to the frame before; 0 = unknown */
	uint32_t start_line; /* 0 = unknown */
	bool inlined;
};

/* What is at one address. Strings are borrowed from the rpt_dwarf. */
struct rpt_dwarf_answer {
	struct rpt_dwarf_frame *frames; /* owned; innermost first */
	size_t count; /* 0: no function covers the address */
	size_t cap;
	const char *file; /* of the address itself; or NULL */
	uint32_t line;
	/* The unit that has answered. */
	const char *unit; /* its source file, or NULL */
	uint64_t unit_offset;
	uint16_t unit_version; /* 0 = no unit has the address */
};

/* NULL when the file has no DWARF. e must stay open; search finds the files that e refers to, and trail
 * gets where it looked, or is NULL. */
struct rpt_dwarf *rpt_dwarf_new(const struct rpt_elf *e, struct rpt_search *search,
				struct rpt_trail *trail);
void rpt_dwarf_free(struct rpt_dwarf *d);
/* True when at least one unit has functions, respectively lines. */
bool rpt_dwarf_has_functions(const struct rpt_dwarf *d);
bool rpt_dwarf_has_lines(const struct rpt_dwarf *d);
/* Answers for an address; answer is reused from call to call, and its frames are freed by the caller. */
void rpt_dwarf_find(struct rpt_dwarf *d, uint64_t vaddr, struct rpt_dwarf_answer *answer);
/* What could not be found or read on the way, one sentence, or NULL; borrowed. */
const char *rpt_dwarf_get_message(const struct rpt_dwarf *d);

#endif
