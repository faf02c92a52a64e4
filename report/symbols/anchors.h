/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From addresses of a running kernel to those of its file. Where it was loaded is not known: the kernel at
 * a random place, each section of a module wherever there was room. But the recorded host says which
 * symbol an address is in and where that begins, and the file has the same symbol. A name that several
 * symbols of the file have counts only where the other symbols leave but one of them.
 */
#ifndef RPT_ANCHORS_H
#define RPT_ANCHORS_H

#include "report/symbols/symtab.h"

struct rpt_anchors {
	const struct rpt_symtab *symtab;
	uint32_t *by_name; /* owned; places in the table, by name */
	bool linked; /* all of it moved as one */
	struct rpt_bias *biases; /* owned; what was found out */
	size_t bias_count, bias_cap;
};

/* The table was finished, and has to live on. */
void rpt_anchors_init(struct rpt_anchors *a, const struct rpt_symtab *symtab, bool linked);
void rpt_anchors_fini(struct rpt_anchors *a);
/* Takes note that the host has a symbol of this name at start; all are to be noted before any search. */
void rpt_anchors_note(struct rpt_anchors *a, const char *name, uint64_t start);
/* name is NULL when the host knows no symbol there. False when it cannot be told for sure. */
bool rpt_anchors_find(const struct rpt_anchors *a, const char *name, uint64_t start,
		      uint64_t address, uint64_t *vaddr);

#endif
