// SPDX-License-Identifier: GPL-2.0-or-later
/* DWARF sections and unit headers. */
#include "report/symbols/dw_unit.h"

#include <stdlib.h>

#include <dwarf.h>

#include "format/util/err.h"
#include "report/symbols/dw_form.h"
#include "report/symbols/dw_line.h"
#include "report/symbols/dw_scope.h"
#include "report/xmem.h"

static struct rpt_bytes read_section(const struct rpt_elf *elf, bool is_split, const char *name)
{
	char split_name[64];

	if (!is_split)
		return rpt_elf_read_section(elf, name);
	snprintf(split_name, sizeof(split_name), "%s.dwo", name);
	return rpt_elf_read_section(elf, split_name);
}

static void read_header(struct pa_cursor *c, struct rpt_dw_unit *u)
{
	u->version = pa_cursor_u16(c);
	if (u->version < 2 || u->version > 5) {
		u->broken = true;
		return;
	}
	if (u->version == 5) {
		u->type = pa_cursor_u8(c);
		u->address_bytes = pa_cursor_u8(c);
		u->abbrev_offset = rpt_dw_read_uint(c, u->offset_bytes);
		if (u->type == DW_UT_skeleton || u->type == DW_UT_split_compile)
			u->id = pa_cursor_u64(c);
		if (u->type == DW_UT_type || u->type == DW_UT_split_type)
			pa_cursor_bytes(c, 8 + (size_t)u->offset_bytes);
	} else {
		u->type = DW_UT_compile;
		u->abbrev_offset = rpt_dw_read_uint(c, u->offset_bytes);
		u->address_bytes = pa_cursor_u8(c);
	}
	u->first_die = c->pos;
	if (u->address_bytes != 4 && u->address_bytes != 8)
		u->broken = true;
}

/* A unit whose content makes no sense is passed over by its length; without a length nothing follows. */
static void read_units(struct rpt_dw_file *f)
{
	struct pa_cursor c, inner;

	pa_cursor_init(&c, f->info.data, f->info.len);
	while (pa_cursor_left(&c) > 0 && f->unit_count < UINT32_MAX / 2) {
		struct rpt_dw_unit u = {.file = f, .offset = c.pos};
		uint64_t length = rpt_dw_read_length(&c, &u.offset_bytes);

		if (pa_cursor_error(&c) || length > pa_cursor_left(&c))
			break;
		u.end = c.pos + length;
		inner = c;
		inner.len = u.end;
		read_header(&inner, &u);
		if (pa_cursor_error(&inner))
			u.broken = true;
		/* Tables of split files begin with a header that nothing points behind. */
		if (f->is_split && u.version >= 5) {
			u.str_offsets_base = u.offset_bytes == 8 ? 16 : 8;
			u.rnglists_base = u.offset_bytes == 8 ? 20 : 12;
		}
		rpt_xgrow(&f->units, &f->unit_cap, f->unit_count + 1, sizeof(*f->units));
		f->units[f->unit_count++] = u;
		c.pos = u.end;
	}
}

struct rpt_dw_file *rpt_dw_file_new(const struct rpt_elf *elf, struct rpt_elf *owned, bool is_split)
{
	struct rpt_dw_file *f;

	/* Only targets with this byte order are recorded. */
	if (elf->header.e_ident[EI_DATA] != ELFDATA2LSB)
		return NULL;
	f = rpt_xcalloc(1, sizeof(*f));
	f->elf = elf;
	f->is_split = is_split;
	f->str = read_section(elf, is_split, ".debug_str");
	f->info = read_section(elf, is_split, ".debug_info");
	if (!f->str.data && !f->info.data) {
		free(f);
		return NULL;
	}
	f->owned = owned;
	f->abbrev = read_section(elf, is_split, ".debug_abbrev");
	f->str_offsets = read_section(elf, is_split, ".debug_str_offsets");
	f->rnglists = read_section(elf, is_split, ".debug_rnglists");
	if (!is_split) {
		f->line = read_section(elf, false, ".debug_line");
		f->line_str = read_section(elf, false, ".debug_line_str");
		f->ranges = read_section(elf, false, ".debug_ranges");
		f->addr = read_section(elf, false, ".debug_addr");
	} else {
		f->package_index = rpt_elf_read_section(elf, ".debug_cu_index");
	}
	f->abbrev_budget = PA_MIN(2 * (uint64_t)f->abbrev.len, (uint64_t)UINT32_MAX / 2);
	f->range_budget = 16 * ((uint64_t)f->info.len + f->ranges.len + f->rnglists.len);
	f->line_budget = 4 * (uint64_t)f->line.len;
	read_units(f);
	return f;
}

void rpt_dw_file_free(struct rpt_dw_file *f)
{
	size_t i;

	if (!f)
		return;
	for (i = 0; i < f->unit_count; i++)
		rpt_dw_scopes_free(f->units[i].scopes);
	for (i = 0; i < f->abbrevs_count; i++) {
		rpt_dw_abbrevs_fini(f->abbrevs[i]);
		free(f->abbrevs[i]);
	}
	for (i = 0; i < f->lines_count; i++)
		rpt_dw_lines_free(f->lines[i]);
	free(f->units);
	free(f->abbrevs);
	free(f->abbrev_offsets);
	pa_htab_fini(&f->abbrevs_index);
	free(f->lines);
	pa_htab_fini(&f->lines_index);
	rpt_arena_fini(&f->arena);
	rpt_dw_file_free(f->alternate);
	rpt_elf_free(f->owned);
	free(f);
}

struct rpt_dw_unit *rpt_dw_file_find_unit(struct rpt_dw_file *f, uint64_t offset)
{
	size_t low = 0, high = f->unit_count;
	struct rpt_dw_unit *u;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (f->units[middle].offset <= offset)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == 0)
		return NULL;
	u = &f->units[low - 1];
	if (offset < u->first_die || offset >= u->end || !rpt_dw_unit_load(u))
		return NULL;
	return u;
}

struct pa_cursor rpt_dw_unit_cursor(const struct rpt_dw_unit *u, uint64_t offset)
{
	struct pa_cursor c;

	pa_cursor_init(&c, u->file->info.data, u->end);
	c.pos = offset;
	return c;
}

static bool equal(const void *ctx, uint32_t value, const void *key)
{
	return ((const struct rpt_dw_file *)ctx)->abbrev_offsets[value] == *(const uint64_t *)key;
}

/* The table at an offset; units may share one. */
static struct rpt_dw_abbrevs *get_abbrevs(struct rpt_dw_file *f, uint64_t offset)
{
	struct rpt_dw_abbrevs *t;
	struct pa_cursor c;
	uint32_t value;

	if (offset >= f->abbrev.len)
		return NULL;
	if (pa_htab_get(&f->abbrevs_index, pa_hash_u64(offset), equal, f, &offset, &value))
		return f->abbrevs[value];
	rpt_xgrow(&f->abbrevs, &f->abbrevs_cap, f->abbrevs_count + 1,
		  sizeof(struct rpt_dw_abbrevs *));
	rpt_xgrow(&f->abbrev_offsets, &f->abbrev_offsets_cap, f->abbrevs_count + 1,
		  sizeof(*f->abbrev_offsets));
	pa_cursor_init(&c, f->abbrev.data, f->abbrev.len);
	c.pos = offset;
	t = rpt_xmalloc(sizeof(*t));
	rpt_dw_abbrevs_init(t, &c, &f->abbrev_budget);
	f->abbrev_offsets[f->abbrevs_count] = offset;
	rpt_xcheck(pa_htab_add(&f->abbrevs_index, pa_hash_u64(offset), (uint32_t)f->abbrevs_count));
	f->abbrevs[f->abbrevs_count++] = t;
	return t;
}

/* What is said in an attribute of the unit's own entry, but cannot be looked up before all are read. */
struct pending {
	struct rpt_dw_value directory, name, split_name;
};

static void take_attr(struct rpt_dw_unit *u, uint16_t name, const struct rpt_dw_value *v,
		      struct pending *pending)
{
	switch (name) {
	case DW_AT_low_pc:
		u->pc.low = *v;
		break;
	case DW_AT_high_pc:
		u->pc.high = *v;
		break;
	case DW_AT_ranges:
		u->pc.ranges = *v;
		break;
	case DW_AT_stmt_list:
		u->line_offset = v->number;
		u->has_lines = true;
		break;
	case DW_AT_comp_dir:
		pending->directory = *v;
		break;
	case DW_AT_name:
		pending->name = *v;
		break;
	case DW_AT_dwo_name:
	case DW_AT_GNU_dwo_name:
		pending->split_name = *v;
		break;
	case DW_AT_GNU_dwo_id:
		u->id = v->number;
		break;
	case DW_AT_addr_base:
	case DW_AT_GNU_addr_base:
		u->addr_base = v->number;
		break;
	case DW_AT_str_offsets_base:
		u->str_offsets_base = v->number;
		break;
	case DW_AT_rnglists_base:
		u->rnglists_base = v->number;
		break;
	case DW_AT_GNU_ranges_base:
		u->ranges_base = v->number;
		break;
	default:
		break;
	}
}

bool rpt_dw_unit_load(struct rpt_dw_unit *u)
{
	struct pa_cursor c = rpt_dw_unit_cursor(u, u->first_die);
	const struct rpt_dw_abbrev *a;
	struct pending pending = {0};
	struct rpt_dw_value v;
	uint32_t i;

	if (u->loaded || u->broken)
		return !u->broken;
	u->loaded = true;
	u->broken = true;
	u->abbrevs = get_abbrevs(u->file, u->abbrev_offset);
	a = u->abbrevs ? rpt_dw_abbrevs_find(u->abbrevs, pa_cursor_varint(&c)) : NULL;
	if (!a)
		return false;
	u->tag = a->tag;
	u->has_children = a->has_children;
	for (i = 0; i < a->attr_count; i++) {
		const struct rpt_dw_attr *attr = &u->abbrevs->attrs[a->first_attr + i];

		rpt_dw_read_value(&c, u, attr, &v);
		take_attr(u, attr->name, &v, &pending);
	}
	if (pa_cursor_error(&c))
		return false;
	u->broken = false;
	rpt_dw_get_address(u, &u->pc.low, &u->low_pc);
	u->directory = rpt_dw_get_string(u, &pending.directory);
	u->name = rpt_dw_get_string(u, &pending.name);
	u->split_name = rpt_dw_get_string(u, &pending.split_name);
	return true;
}
