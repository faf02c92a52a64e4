// SPDX-License-Identifier: GPL-2.0-or-later
/* Symbol tables to an index by address. */
#include "report/symbols/symtab.h"

#include <stdlib.h>
#include <string.h>

#include "report/xmem.h"

/* Longer names are none; in a file of overlapping ones, each would cost the time of the longest. */
#define MAX_NAME ((size_t)64 << 10)

void rpt_symtab_fini(struct rpt_symtab *t)
{
	free(t->symbols);
	rpt_ranges_fini(&t->index);
	rpt_arena_fini(&t->names);
	*t = (struct rpt_symtab){0};
}

void rpt_symtab_add(struct rpt_symtab *t, const struct rpt_symbol *symbol)
{
	size_t len = strnlen(symbol->name, MAX_NAME);

	if (len == MAX_NAME)
		return;
	rpt_xgrow(&t->symbols, &t->cap, t->count + 1, sizeof(*t->symbols));
	t->symbols[t->count] = *symbol;
	t->symbols[t->count++].name_len = (uint32_t)len;
}

/* $x, $d, $a, $t, and these with ".anything": marks for disassemblers, no functions. */
static bool is_mapping_symbol(const char *name)
{
	return name[0] == '$' && name[1] && strchr("xdat", name[1]) &&
	       (name[2] == '\0' || name[2] == '.');
}

static uint8_t get_rank(unsigned char info)
{
	uint8_t rank = GELF_ST_TYPE(info) == STT_NOTYPE ? 1 : 0;

	switch (GELF_ST_BIND(info)) {
	case STB_LOCAL:
		return rank + 4;
	case STB_WEAK:
		return rank + 2;
	default:
		return rank;
	}
}

static bool is_code_symbol(const GElf_Sym *sym, const char *name)
{
	switch (GELF_ST_TYPE(sym->st_info)) {
	case STT_FUNC:
	case STT_GNU_IFUNC:
		return name[0] != '\0';
	case STT_NOTYPE:
		return name[0] != '\0' && !is_mapping_symbol(name);
	default:
		return false;
	}
}

/* The section that the symbol's address is in, when that holds code. */
static const GElf_Shdr *get_code_section(const struct rpt_elf *e, GElf_Sym *sym, size_t extended)
{
	size_t index = sym->st_shndx == SHN_XINDEX ? extended : sym->st_shndx;
	const GElf_Shdr *header;

	if (sym->st_shndx >= SHN_LORESERVE && sym->st_shndx != SHN_XINDEX)
		return NULL;
	if (index == SHN_UNDEF || index >= e->section_count)
		return NULL;
	header = &e->sections[index].header;
	/* Where nothing was linked, values count from the beginning of the section. */
	if (e->header.e_type == ET_REL)
		sym->st_value += header->sh_addr;
	if (!(header->sh_flags & SHF_EXECINSTR) || !(header->sh_flags & SHF_ALLOC))
		return NULL;
	if (sym->st_value < header->sh_addr || sym->st_value - header->sh_addr >= header->sh_size)
		return NULL;
	return header;
}

static void add_symbol(struct rpt_symtab *t, const GElf_Sym *sym, const char *name,
		       const GElf_Shdr *section, bool dynamic)
{
	uint64_t room = section->sh_addr + section->sh_size - sym->st_value;
	struct rpt_symbol symbol = {
		.start = sym->st_value,
		.end = sym->st_value + PA_MIN(sym->st_size, room),
		.limit = sym->st_value + room,
		.name = name,
		.rank = get_rank(sym->st_info),
		.sizeless = sym->st_size == 0,
		.open_ended = sym->st_size == 0 && !dynamic,
	};

	if (sym->st_size == 0 && dynamic)
		symbol.end = symbol.start + 1;
	rpt_symtab_add(t, &symbol);
}

/* The table of section numbers that do not fit into a symbol; NULL when there is none. */
static Elf_Data *get_extended_indices(const struct rpt_elf *e, size_t table)
{
	size_t i;

	for (i = 1; i < e->section_count; i++) {
		const struct rpt_section *s = &e->sections[i];

		if (s->header.sh_type == SHT_SYMTAB_SHNDX && s->header.sh_link == table && s->scn)
			return elf_getdata(s->scn, NULL);
	}
	return NULL;
}

static void add_table(struct rpt_symtab *t, const struct rpt_elf *e, size_t table)
{
	const struct rpt_section *section = &e->sections[table];
	Elf_Data *data = section->scn ? elf_getdata(section->scn, NULL) : NULL;
	Elf_Data *extended = get_extended_indices(e, table);
	bool dynamic = section->header.sh_type == SHT_DYNSYM;
	struct rpt_bytes strings = {0};
	GElf_Sym sym;
	Elf32_Word index = 0;
	int i;

	if (section->header.sh_link < e->section_count)
		strings = rpt_section_read(&e->sections[section->header.sh_link]);
	for (i = 1; data && gelf_getsymshndx(data, extended, i, &sym, &index); i++) {
		const GElf_Shdr *code = get_code_section(e, &sym, index);
		const char *name = code ? rpt_bytes_string(strings, sym.st_name) : NULL;

		if (name && is_code_symbol(&sym, name))
			add_symbol(t, &sym, name, code, dynamic);
	}
}

void rpt_symtab_add_elf(struct rpt_symtab *t, const struct rpt_elf *e)
{
	size_t i;

	for (i = 1; i < e->section_count; i++) {
		uint32_t type = e->sections[i].header.sh_type;

		if (type == SHT_SYMTAB || type == SHT_DYNSYM)
			add_table(t, e, i);
	}
}

/* By address; of equal ones the preferred last. */
static int compare(const void *a, const void *b)
{
	const struct rpt_symbol *x = a, *y = b;
	size_t x_marks, y_marks;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	if (x->rank != y->rank)
		return x->rank > y->rank ? -1 : 1;
	if (x->name == y->name)
		return 0;
	x_marks = strspn(x->name, "_");
	y_marks = strspn(y->name, "_");
	if (x_marks != y_marks)
		return x_marks > y_marks ? -1 : 1;
	if (x->name_len != y->name_len)
		return x->name_len > y->name_len ? -1 : 1;
	return -strcmp(x->name, y->name);
}

/*
 * Gives symbols without a size what is left between their neighbours. A label within a function that has
 * a size is a part of that function, and gets nothing.
 */
static void close_open_ended(struct rpt_symtab *t)
{
	uint64_t covered = 0; /* up to here by symbols with a size */
	size_t i, next;

	for (i = 0; i < t->count; i = next) {
		struct rpt_symbol *first = &t->symbols[i];
		uint64_t end = first->limit;

		for (next = i; next < t->count && t->symbols[next].start == first->start; next++) {
			if (!t->symbols[next].sizeless)
				covered = PA_MAX(covered, t->symbols[next].end);
		}
		if (next < t->count)
			end = PA_MIN(end, t->symbols[next].start);
		for (; first < &t->symbols[next]; first++) {
			if (first->open_ended && covered <= first->start)
				first->end = end;
		}
	}
}

void rpt_symtab_finish(struct rpt_symtab *t)
{
	size_t i;

	if (t->count)
		qsort(t->symbols, t->count, sizeof(*t->symbols), compare);
	close_open_ended(t);
	for (i = 0; i < t->count; i++)
		rpt_ranges_add(&t->index, t->symbols[i].start, t->symbols[i].end, (uint32_t)i);
	rpt_ranges_flatten(&t->index);
}

const struct rpt_symbol *rpt_symtab_find(const struct rpt_symtab *t, uint64_t vaddr)
{
	uint32_t i;

	return rpt_ranges_find(&t->index, vaddr, &i) ? &t->symbols[i] : NULL;
}
