// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Names for the stubs of the procedure linkage table. A stub has no symbol, but it jumps through a slot
 * of the global offset table, and the relocation of that slot names the function.
 */
#include "report/symbols/symtab.h"

#include <stdlib.h>
#include <string.h>

#include "format/util/buf.h"
#include "report/xmem.h"

#define STUB_STEP 8 /* stubs begin at multiples of it */
#define STUB_BYTES 16 /* the longest, where no other stub follows */

struct slot {
	uint64_t address;
	const char *name; /* borrowed from the file */
};

struct slots {
	struct slot *items; /* owned, sorted */
	size_t count;
	size_t cap;
	const char **by_order; /* owned; names of .rela.plt in its order, NULL = none */
	size_t order_count;
	size_t order_cap;
};

static const char *get_symbol_name(const struct rpt_elf *e, size_t table, size_t index)
{
	Elf_Data *data;
	GElf_Sym sym;
	size_t strings;

	if (table == 0 || table >= e->section_count || !e->sections[table].scn)
		return NULL;
	data = elf_getdata(e->sections[table].scn, NULL);
	strings = e->sections[table].header.sh_link;
	if (!data || index > INT32_MAX || !gelf_getsym(data, (int)index, &sym) ||
	    strings >= e->section_count)
		return NULL;
	return rpt_bytes_string(rpt_section_read(&e->sections[strings]), sym.st_name);
}

/* The name of the function that a relocation is for, or NULL. */
static const char *get_slot_name(const struct rpt_elf *e, size_t table, const GElf_Rela *rela)
{
	const char *name;

	switch (GELF_R_TYPE(rela->r_info)) {
	case R_X86_64_JUMP_SLOT:
	case R_X86_64_GLOB_DAT:
	case R_AARCH64_JUMP_SLOT:
	case R_AARCH64_GLOB_DAT:
		name = get_symbol_name(e, table, GELF_R_SYM(rela->r_info));
		return name && *name ? name : NULL;
	default:
		return NULL;
	}
}

/* The slots that one relocation section fills with addresses of functions. */
static void read_slots(const struct rpt_elf *e, const struct rpt_section *section,
		       struct slots *slots)
{
	Elf_Data *data = section->scn ? elf_getdata(section->scn, NULL) : NULL;
	bool is_plt = strstr(section->name, ".plt");
	GElf_Rela rela;
	int i;

	for (i = 0; data && gelf_getrela(data, i, &rela); i++) {
		const char *name = get_slot_name(e, section->header.sh_link, &rela);

		if (is_plt) {
			rpt_xgrow(&slots->by_order, &slots->order_cap, slots->order_count + 1,
				  sizeof(const char *));
			slots->by_order[slots->order_count++] = name;
		}
		if (!name)
			continue;
		rpt_xgrow(&slots->items, &slots->cap, slots->count + 1, sizeof(*slots->items));
		slots->items[slots->count++] = (struct slot){rela.r_offset, name};
	}
}

static int compare_slots(const void *a, const void *b)
{
	const struct slot *x = a, *y = b;

	return x->address < y->address ? -1 : x->address > y->address;
}

static const char *find_slot(const struct slots *slots, uint64_t address)
{
	struct slot key = {.address = address};
	const struct slot *found = NULL;

	if (slots->count)
		found = bsearch(&key, slots->items, slots->count, sizeof(key), compare_slots);
	return found ? found->name : NULL;
}

static uint32_t get_u32(const uint8_t *p)
{
	return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

/* [endbr64] [bnd] jmp *disp(%rip), or with lazy binding and endbr64: push $order; jmp. */
static const char *decode_x86_64(const struct slots *slots, struct rpt_bytes code, uint64_t at)
{
	static const uint8_t endbr64[] = {0xf3, 0x0f, 0x1e, 0xfa};
	const uint8_t *p = code.data, *end = code.data + code.len;
	bool marked = end - p >= 4 && memcmp(p, endbr64, 4) == 0;

	if (marked)
		p += 4;
	if (marked && end - p >= 5 && p[0] == 0x68)
		return get_u32(p + 1) < slots->order_count ? slots->by_order[get_u32(p + 1)] : NULL;
	if (p < end && p[0] == 0xf2)
		p++;
	if (end - p < 6 || p[0] != 0xff || p[1] != 0x25)
		return NULL;
	return find_slot(slots, at + (uint64_t)(p + 6 - code.data) +
					(uint64_t)(int64_t)(int32_t)get_u32(p + 2));
}

/* [bti c]; adrp x16, page; ldr x17, [x16, offset]. */
static const char *decode_aarch64(const struct slots *slots, struct rpt_bytes code, uint64_t at)
{
	size_t skip = code.len >= 4 && get_u32(code.data) == 0xd503245f ? 4 : 0;
	uint32_t adrp, ldr;
	int64_t pages;

	if (code.len < skip + 8)
		return NULL;
	adrp = get_u32(code.data + skip);
	ldr = get_u32(code.data + skip + 4);
	if ((adrp & 0x9f00001f) != 0x90000010 || (ldr & 0xffc003ff) != 0xf9400211)
		return NULL;
	pages = (int64_t)((adrp >> 5 & 0x7ffff) << 2 | (adrp >> 29 & 3));
	if (pages & 0x100000)
		pages -= 0x200000;
	return find_slot(slots, ((at + skip) & ~(uint64_t)0xfff) + ((uint64_t)pages << 12) +
					((ldr >> 10 & 0xfff) << 3));
}

static void add_stub(struct rpt_symtab *t, const struct rpt_symbol *range, const char *name)
{
	struct rpt_symbol symbol = *range;
	struct pa_buf text;

	pa_buf_init(&text);
	pa_buf_addf(&text, "%s@plt", name);
	rpt_xcheck(pa_buf_error(&text));
	symbol.name = rpt_arena_intern(&t->names, pa_buf_str(&text));
	pa_buf_fini(&text);
	rpt_symtab_add(t, &symbol);
}

/* Every place of the section where a stub could begin; a stub ends where the next one begins. */
static void add_stubs(struct rpt_symtab *t, const struct rpt_elf *e, struct rpt_section *section,
		      const struct slots *slots)
{
	struct rpt_bytes code = rpt_section_read(section);
	uint64_t base = section->header.sh_addr;
	const char *pending = NULL;
	struct rpt_symbol range = {0};
	size_t at;

	for (at = 0; at < code.len; at += STUB_STEP) {
		struct rpt_bytes rest = {code.data + at, code.len - at};
		const char *name = e->header.e_machine == EM_X86_64 ?
					   decode_x86_64(slots, rest, base + at) :
					   decode_aarch64(slots, rest, base + at);

		if (!name)
			continue;
		if (pending) {
			range.end = PA_MIN(range.end, base + at);
			add_stub(t, &range, pending);
		}
		range.start = base + at;
		range.end = range.start + PA_MIN(rest.len, (size_t)STUB_BYTES);
		range.limit = range.end;
		pending = name;
	}
	if (pending)
		add_stub(t, &range, pending);
}

void rpt_symtab_add_plt(struct rpt_symtab *t, const struct rpt_elf *e)
{
	struct slots slots = {0};
	size_t i;

	if (e->header.e_machine != EM_X86_64 && e->header.e_machine != EM_AARCH64)
		return;
	for (i = 1; i < e->section_count; i++) {
		const GElf_Shdr *header = &e->sections[i].header;

		/* Others are not for the dynamic linker; kernels have hundreds of megabytes of them. */
		if (header->sh_type == SHT_RELA && (header->sh_flags & SHF_ALLOC))
			read_slots(e, &e->sections[i], &slots);
	}
	if (slots.count)
		qsort(slots.items, slots.count, sizeof(*slots.items), compare_slots);
	for (i = 1; i < e->section_count; i++) {
		if (strncmp(e->sections[i].name, ".plt", 4) == 0 &&
		    (e->sections[i].header.sh_flags & SHF_EXECINSTR))
			add_stubs(t, e, &e->sections[i], &slots);
	}
	free(slots.items);
	free(slots.by_order);
}
