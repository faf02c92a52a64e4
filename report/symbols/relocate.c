// SPDX-License-Identifier: GPL-2.0-or-later
/* Addresses for what was not linked. */
#include "report/symbols/relocate.h"

#include <stdlib.h>
#include <string.h>

#include "format/util/mem.h"
#include "report/xmem.h"

/* Not 0: there, debug information has the code that the linker left out. */
#define FIRST_ADDRESS 0x100000
#define MAX_ALIGN ((uint64_t)1 << 20)

/* Every section that is loaded has its place, in their order, with room between them. */
static void place_sections(struct rpt_elf *e)
{
	uint64_t next = FIRST_ADDRESS, end;
	size_t i;

	for (i = 1; i < e->section_count; i++) {
		GElf_Shdr *h = &e->sections[i].header;
		uint64_t align = PA_MIN(PA_MAX(h->sh_addralign, (uint64_t)16), MAX_ALIGN);

		if (!(h->sh_flags & SHF_ALLOC))
			continue;
		next = (next + align - 1) / align * align;
		if (!pa_add_ok(next, h->sh_size, &end) || end > UINT64_MAX / 2)
			return;
		h->sh_addr = next;
		next = end + 16;
		if (h->sh_flags & SHF_EXECINSTR)
			rpt_ranges_add(&e->code, h->sh_addr, end, 0);
	}
	rpt_ranges_flatten(&e->code);
}

/* How many bytes a relocation of this type fills in: 0 = it is not one that debug information has. */
static size_t get_width(uint16_t machine, uint64_t type)
{
	switch (machine) {
	case EM_X86_64:
		return type == R_X86_64_64 || type == R_X86_64_DTPOFF64 ? 8 :
		       type == R_X86_64_32 || type == R_X86_64_32S      ? 4 :
									  0;
	case EM_AARCH64:
		return type == R_AARCH64_ABS64 ? 8 : type == R_AARCH64_ABS32 ? 4 : 0;
	default:
		return 0;
	}
}

struct target {
	const struct rpt_elf *e;
	Elf_Data *symbols;
	uint8_t *data;
	size_t bytes;
	bool big_endian;
};

static uint64_t get_symbol_address(const struct target *t, size_t index)
{
	const struct rpt_elf *e = t->e;
	GElf_Sym sym;

	if (!gelf_getsym(t->symbols, (int)index, &sym))
		return 0;
	if (sym.st_shndx == SHN_UNDEF || sym.st_shndx >= e->section_count)
		return sym.st_value;
	return sym.st_value + e->sections[sym.st_shndx].header.sh_addr;
}

static void apply(const struct target *t, const GElf_Rela *rela)
{
	size_t width = get_width(t->e->header.e_machine, GELF_R_TYPE(rela->r_info)), i;
	uint64_t value;

	if (!width || rela->r_offset > t->bytes || t->bytes - rela->r_offset < width)
		return;
	value = get_symbol_address(t, GELF_R_SYM(rela->r_info)) + (uint64_t)rela->r_addend;
	for (i = 0; i < width; i++)
		t->data[rela->r_offset + (t->big_endian ? width - 1 - i : i)] =
			(uint8_t)(value >> 8 * i);
}

/* The content of a section with its relocations applied replaces what is in the file. */
static void relocate(struct rpt_elf *e, struct rpt_section *section,
		     const struct rpt_section *table)
{
	struct rpt_bytes bytes = rpt_section_read(section);
	Elf_Data *relas = elf_getdata(table->scn, NULL);
	struct target t = {.e = e,
			   .bytes = bytes.len,
			   .big_endian = e->header.e_ident[EI_DATA] == ELFDATA2MSB};
	const struct rpt_section *symbols;
	GElf_Rela rela;
	int i;

	if (!bytes.len || !relas || table->header.sh_link >= e->section_count)
		return;
	symbols = &e->sections[table->header.sh_link];
	if (!symbols->scn || symbols->header.sh_type != SHT_SYMTAB)
		return;
	t.symbols = elf_getdata(symbols->scn, NULL);
	if (!t.symbols)
		return;
	if (!section->inflated) {
		section->inflated = rpt_xmalloc(bytes.len);
		memcpy(section->inflated, bytes.data, bytes.len);
		section->inflated_bytes = bytes.len;
	}
	t.data = section->inflated;
	for (i = 0; gelf_getrela(relas, i, &rela); i++)
		apply(&t, &rela);
}

/* What is read of debug information; locations of variables, for one, are not. */
static bool is_of_use(const char *name)
{
	return strncmp(name, ".debug_", 7) == 0 && strncmp(name, ".debug_loc", 10) != 0 &&
	       strcmp(name, ".debug_frame") != 0;
}

void rpt_elf_lay_out(struct rpt_elf *e)
{
	size_t i;

	if (e->header.e_type != ET_REL)
		return;
	place_sections(e);
	for (i = 1; i < e->section_count; i++) {
		const struct rpt_section *table = &e->sections[i];
		size_t target = table->header.sh_info;

		if (table->header.sh_type != SHT_RELA || !table->scn || target == 0 ||
		    target >= e->section_count || !is_of_use(e->sections[target].name))
			continue;
		relocate(e, &e->sections[target], table);
	}
}
