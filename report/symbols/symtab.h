/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names of code from symbol tables. A symbol answers only for the bytes that it covers: those its size
 * says, or, when it has none (assembler code), those up to the next symbol or the end of its section.
 * Dynamic symbols without a size answer for their own address alone: in a stripped file nobody knows
 * what else follows.
 *
 * Of several symbols for the same bytes one is taken: global before weak before local, functions before
 * symbols without type, fewer leading underscores, shorter, then in alphabetical order.
 */
#ifndef RPT_SYMTAB_H
#define RPT_SYMTAB_H

#include "report/symbols/arena.h"
#include "report/symbols/elf.h"

struct rpt_symbol {
	uint64_t start;
	uint64_t end; /* exclusive; start when it is not known */
	uint64_t limit; /* end of its section */
	const char *name; /* borrowed from the file, or from the table's arena */
	uint32_t name_len;
	uint8_t rank; /* lower is preferred */
	bool sizeless; /* its end is a guess, or that of its first byte */
	bool open_ended; /* may cover up to the next symbol */
};

struct rpt_symtab {
	struct rpt_symbol *symbols; /* owned, sorted; the preferred of equal ones last */
	size_t count;
	size_t cap;
	struct rpt_ranges index; /* values are places in symbols */
	struct rpt_arena names; /* of made-up symbols */
};

void rpt_symtab_fini(struct rpt_symtab *t);
/* Adds the symbols of a file, which must stay open. */
void rpt_symtab_add_elf(struct rpt_symtab *t, const struct rpt_elf *e);
/* Adds "name@plt" for the stubs of the procedure linkage table. */
void rpt_symtab_add_plt(struct rpt_symtab *t, const struct rpt_elf *e);
/* Adds one symbol; name_len is filled in. */
void rpt_symtab_add(struct rpt_symtab *t, const struct rpt_symbol *symbol);
/* To be called once, after the last addition and before the first search. */
void rpt_symtab_finish(struct rpt_symtab *t);
/* The symbol that covers an address, or NULL. */
const struct rpt_symbol *rpt_symtab_find(const struct rpt_symtab *t, uint64_t vaddr);

#endif
