// SPDX-License-Identifier: GPL-2.0-or-later
/* Decoding range lists: .debug_ranges and .debug_rnglists. */
#include "report/symbols/dw_ranges.h"

#include <dwarf.h>

#include "format/util/err.h"
#include "format/util/mem.h"

struct sink {
	const struct rpt_dw_unit *unit;
	const struct rpt_elf *code;
	struct rpt_ranges *out;
	uint32_t value;
	uint64_t base;
	bool any;
};

/* Whether one more entry of a list may be read. */
static bool spend(const struct sink *s)
{
	uint64_t *budget = &s->unit->file->range_budget;

	if (*budget == 0)
		return false;
	--*budget;
	return true;
}

static void add(struct sink *s, uint64_t start, uint64_t end)
{
	if (start >= end || !rpt_elf_is_code(s->code, start))
		return;
	rpt_ranges_add(s->out, start, end, s->value);
	s->any = true;
}

/* Pairs of addresses; the largest address as the first of a pair sets a new base. */
static void add_old_list(struct sink *s, uint64_t offset)
{
	const struct rpt_dw_unit *u = s->unit;
	const struct rpt_dw_unit *owner = u->skeleton ? u->skeleton : u;
	struct rpt_bytes section = owner->file->ranges;
	uint64_t escape = u->address_bytes == 4 ? UINT32_MAX : UINT64_MAX;
	struct pa_cursor c;

	if (u->skeleton && !pa_add_ok(offset, u->skeleton->ranges_base, &offset))
		return;
	if (offset >= section.len)
		return;
	pa_cursor_init(&c, section.data, section.len);
	c.pos = offset;
	while (spend(s)) {
		uint64_t start = rpt_dw_read_uint(&c, u->address_bytes);
		uint64_t end = rpt_dw_read_uint(&c, u->address_bytes);

		if (pa_cursor_error(&c) || (start == 0 && end == 0))
			return;
		if (start == escape)
			s->base = end;
		else
			add(s, s->base + start, s->base + end);
	}
}

static uint64_t read_indexed(struct sink *s, struct pa_cursor *c)
{
	uint64_t address = 0;

	if (!rpt_dw_get_indexed_address(s->unit, pa_cursor_varint(c), &address))
		pa_cursor_fail(c, PA_E_CORRUPT);
	return address;
}

/* One entry; false at the end of the list. */
static bool add_entry(struct sink *s, struct pa_cursor *c)
{
	unsigned bytes = s->unit->address_bytes;
	uint8_t kind = pa_cursor_u8(c);
	uint64_t start = 0, end = 0;

	switch (kind) {
	case DW_RLE_base_addressx:
		s->base = read_indexed(s, c);
		return true;
	case DW_RLE_base_address:
		s->base = rpt_dw_read_uint(c, bytes);
		return true;
	case DW_RLE_startx_endx:
		start = read_indexed(s, c);
		end = read_indexed(s, c);
		break;
	case DW_RLE_startx_length:
		start = read_indexed(s, c);
		end = start + pa_cursor_varint(c);
		break;
	case DW_RLE_offset_pair:
		start = s->base + pa_cursor_varint(c);
		end = s->base + pa_cursor_varint(c);
		break;
	case DW_RLE_start_end:
		start = rpt_dw_read_uint(c, bytes);
		end = rpt_dw_read_uint(c, bytes);
		break;
	case DW_RLE_start_length:
		start = rpt_dw_read_uint(c, bytes);
		end = start + pa_cursor_varint(c);
		break;
	default:
		return false;
	}
	if (!pa_cursor_error(c))
		add(s, start, end);
	return true;
}

static void add_list(struct sink *s, uint64_t offset)
{
	struct rpt_bytes section = s->unit->file->rnglists;
	struct pa_cursor c;

	if (offset >= section.len)
		return;
	pa_cursor_init(&c, section.data, section.len);
	c.pos = offset;
	while (spend(s) && add_entry(s, &c) && !pa_cursor_error(&c))
		;
}

/* Entry index of the table of offsets, which are counted from the table itself. */
static bool get_list_offset(const struct rpt_dw_unit *u, uint64_t index, uint64_t *offset)
{
	struct rpt_bytes section = u->file->rnglists;
	struct pa_cursor c;
	uint64_t at;

	if (!pa_mul_ok(index, (uint64_t)u->offset_bytes, &at) ||
	    !pa_add_ok(at, u->rnglists_base, &at) || at >= section.len)
		return false;
	pa_cursor_init(&c, section.data, section.len);
	c.pos = at;
	*offset = rpt_dw_read_uint(&c, u->offset_bytes);
	return !pa_cursor_error(&c) && pa_add_ok(*offset, u->rnglists_base, offset);
}

bool rpt_dw_add_ranges(const struct rpt_dw_unit *u, const struct rpt_dw_pc *pc,
		       const struct rpt_elf *code, struct rpt_ranges *out, uint32_t value)
{
	const struct rpt_dw_unit *owner = u->skeleton ? u->skeleton : u;
	struct sink s = {
		.unit = u, .code = code, .out = out, .value = value, .base = owner->low_pc};
	uint64_t low, high, offset = pc->ranges.number;

	if (pc->ranges.form == DW_FORM_rnglistx) {
		if (get_list_offset(u, offset, &offset))
			add_list(&s, offset);
	} else if (pc->ranges.form && u->version >= 5) {
		add_list(&s, offset);
	} else if (pc->ranges.form) {
		add_old_list(&s, offset);
	} else if (pc->high.form && rpt_dw_get_address(u, &pc->low, &low)) {
		/* The end is an address, or a length. */
		if (!rpt_dw_get_address(u, &pc->high, &high))
			high = low + pc->high.number;
		add(&s, low, high);
	}
	return s.any;
}
