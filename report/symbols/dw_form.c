// SPDX-License-Identifier: GPL-2.0-or-later
/* Decoding attribute values. */
#include "report/symbols/dw_form.h"

#include <string.h>

#include <dwarf.h>

#include "format/util/err.h"
#include "format/util/mem.h"

int rpt_dw_form_size(uint16_t form)
{
	switch (form) {
	case DW_FORM_flag_present:
	case DW_FORM_implicit_const:
		return 0;
	case DW_FORM_data1:
	case DW_FORM_flag:
	case DW_FORM_ref1:
	case DW_FORM_strx1:
	case DW_FORM_addrx1:
		return 1;
	case DW_FORM_data2:
	case DW_FORM_ref2:
	case DW_FORM_strx2:
	case DW_FORM_addrx2:
		return 2;
	case DW_FORM_strx3:
	case DW_FORM_addrx3:
		return 3;
	case DW_FORM_data4:
	case DW_FORM_ref4:
	case DW_FORM_ref_sup4:
	case DW_FORM_strx4:
	case DW_FORM_addrx4:
		return 4;
	case DW_FORM_data8:
	case DW_FORM_ref8:
	case DW_FORM_ref_sig8:
	case DW_FORM_ref_sup8:
		return 8;
	case DW_FORM_data16:
		return 16;
	case DW_FORM_addr:
		return RPT_DW_SIZE_ADDRESS;
	case DW_FORM_strp:
	case DW_FORM_line_strp:
	case DW_FORM_strp_sup:
	case DW_FORM_sec_offset:
	case DW_FORM_GNU_strp_alt:
	case DW_FORM_GNU_ref_alt:
		return RPT_DW_SIZE_OFFSET;
	default:
		return RPT_DW_SIZE_VARIABLE;
	}
}

int64_t rpt_dw_read_sleb(struct pa_cursor *c)
{
	uint64_t v = 0;
	unsigned shift = 0;
	uint8_t byte;

	do {
		byte = pa_cursor_u8(c);
		if (shift < 64)
			v |= (uint64_t)(byte & 0x7f) << shift;
		shift += 7;
	} while (byte & 0x80);
	if (shift < 64 && (byte & 0x40))
		v |= ~(uint64_t)0 << shift;
	return (int64_t)v;
}

uint64_t rpt_dw_read_uint(struct pa_cursor *c, unsigned bytes)
{
	switch (bytes) {
	case 1:
		return pa_cursor_u8(c);
	case 2:
		return pa_cursor_u16(c);
	case 3:
		return pa_cursor_u16(c) | (uint64_t)pa_cursor_u8(c) << 16;
	case 4:
		return pa_cursor_u32(c);
	case 8:
		return pa_cursor_u64(c);
	default:
		pa_cursor_fail(c, PA_E_CORRUPT);
		return 0;
	}
}

uint64_t rpt_dw_read_length(struct pa_cursor *c, uint8_t *offset_bytes)
{
	uint64_t length = pa_cursor_u32(c);

	*offset_bytes = 4;
	if (length == UINT32_MAX) {
		*offset_bytes = 8;
		length = pa_cursor_u64(c);
	} else if (length >= 0xfffffff0) {
		pa_cursor_fail(c, PA_E_CORRUPT);
	}
	return length;
}

static const char *read_string(struct pa_cursor *c)
{
	size_t left = pa_cursor_left(c);
	const uint8_t *end = left ? memchr(c->data + c->pos, 0, left) : NULL;

	if (!end) {
		pa_cursor_fail(c, PA_E_TRUNCATED);
		return NULL;
	}
	return (const char *)pa_cursor_bytes(c, (size_t)(end - (c->data + c->pos)) + 1);
}

static void skip_block(struct pa_cursor *c, uint64_t bytes)
{
	pa_cursor_bytes(c, bytes);
}

static void read_variable(struct pa_cursor *c, const struct rpt_dw_unit *unit,
			  struct rpt_dw_value *v)
{
	switch (v->form) {
	case DW_FORM_udata:
	case DW_FORM_strx:
	case DW_FORM_addrx:
	case DW_FORM_rnglistx:
	case DW_FORM_loclistx:
	case DW_FORM_GNU_addr_index:
	case DW_FORM_GNU_str_index:
	case DW_FORM_ref_udata:
		v->number = pa_cursor_varint(c);
		break;
	case DW_FORM_sdata:
		v->number = (uint64_t)rpt_dw_read_sleb(c);
		break;
	case DW_FORM_ref_addr:
		v->number = rpt_dw_read_uint(c, unit->version <= 2 ? unit->address_bytes :
								     unit->offset_bytes);
		break;
	case DW_FORM_string:
		v->text = read_string(c);
		break;
	case DW_FORM_exprloc:
	case DW_FORM_block:
		skip_block(c, pa_cursor_varint(c));
		break;
	case DW_FORM_block1:
		skip_block(c, pa_cursor_u8(c));
		break;
	case DW_FORM_block2:
		skip_block(c, pa_cursor_u16(c));
		break;
	case DW_FORM_block4:
		skip_block(c, pa_cursor_u32(c));
		break;
	default:
		pa_cursor_fail(c, PA_E_UNSUPPORTED);
	}
}

static bool is_unit_reference(uint16_t form)
{
	return form == DW_FORM_ref1 || form == DW_FORM_ref2 || form == DW_FORM_ref4 ||
	       form == DW_FORM_ref8 || form == DW_FORM_ref_udata;
}

void rpt_dw_read_value(struct pa_cursor *c, const struct rpt_dw_unit *unit,
		       const struct rpt_dw_attr *attr, struct rpt_dw_value *value)
{
	uint16_t form = attr->form;
	int size = attr->size;

	if (form == DW_FORM_indirect) {
		form = (uint16_t)pa_cursor_varint(c);
		size = rpt_dw_form_size(form);
	}
	*value = (struct rpt_dw_value){.form = form};
	if (form == DW_FORM_implicit_const)
		value->number = (uint64_t)attr->implicit;
	else if (form == DW_FORM_flag_present)
		value->number = 1;
	else if (size == RPT_DW_SIZE_VARIABLE)
		read_variable(c, unit, value);
	else if (size == RPT_DW_SIZE_ADDRESS)
		value->number = rpt_dw_read_uint(c, unit->address_bytes);
	else if (size == RPT_DW_SIZE_OFFSET)
		value->number = rpt_dw_read_uint(c, unit->offset_bytes);
	else if (size == 16)
		pa_cursor_bytes(c, 16);
	else
		value->number = rpt_dw_read_uint(c, (unsigned)size);
	if (is_unit_reference(form))
		value->number += unit->offset;
}

/* Bytes of a value of fixed size in a unit. */
static size_t get_fixed_bytes(const struct rpt_dw_unit *unit, int size)
{
	if (size == RPT_DW_SIZE_ADDRESS)
		return unit->address_bytes;
	return size == RPT_DW_SIZE_OFFSET ? unit->offset_bytes : (size_t)size;
}

void rpt_dw_skip_value(struct pa_cursor *c, const struct rpt_dw_unit *unit,
		       const struct rpt_dw_attr *attr)
{
	struct rpt_dw_value unused;

	if (attr->size == RPT_DW_SIZE_VARIABLE)
		rpt_dw_read_value(c, unit, attr, &unused);
	else
		pa_cursor_bytes(c, get_fixed_bytes(unit, attr->size));
}

void rpt_dw_skip_values(struct pa_cursor *c, const struct rpt_dw_unit *unit,
			const struct rpt_dw_abbrev *abbrev)
{
	const struct rpt_dw_attr *attr = unit->abbrevs->attrs + abbrev->first_attr;
	const struct rpt_dw_attr *end = attr + abbrev->attr_count;
	struct rpt_dw_value unused;
	size_t pending = 0; /* bytes of fixed sizes that are passed over in one step */

	for (; attr < end; attr++) {
		if (attr->size != RPT_DW_SIZE_VARIABLE) {
			pending += get_fixed_bytes(unit, attr->size);
			continue;
		}
		pa_cursor_bytes(c, pending);
		pending = 0;
		rpt_dw_read_value(c, unit, attr, &unused);
	}
	pa_cursor_bytes(c, pending);
}

/* A number of some bytes at an offset of a section, as tables of indexed values hold them. */
static bool read_entry(struct rpt_bytes section, uint64_t base, uint64_t index, unsigned bytes,
		       uint64_t *number)
{
	struct pa_cursor c;
	uint64_t at;

	if (!pa_mul_ok(index, (uint64_t)bytes, &at) || !pa_add_ok(at, base, &at) ||
	    at >= section.len)
		return false;
	pa_cursor_init(&c, section.data, section.len);
	c.pos = at;
	*number = rpt_dw_read_uint(&c, bytes);
	return !pa_cursor_error(&c);
}

const char *rpt_dw_get_string(const struct rpt_dw_unit *unit, const struct rpt_dw_value *value)
{
	const struct rpt_dw_file *file = unit->file;
	uint64_t offset;

	switch (value->form) {
	case DW_FORM_string:
		return value->text;
	case DW_FORM_strp:
		return rpt_bytes_string(file->str, value->number);
	case DW_FORM_line_strp:
		return rpt_bytes_string(file->line_str, value->number);
	case DW_FORM_strp_sup:
	case DW_FORM_GNU_strp_alt:
		return file->alternate ? rpt_bytes_string(file->alternate->str, value->number) :
					 NULL;
	case DW_FORM_strx:
	case DW_FORM_strx1:
	case DW_FORM_strx2:
	case DW_FORM_strx3:
	case DW_FORM_strx4:
	case DW_FORM_GNU_str_index:
		if (!read_entry(file->str_offsets, unit->str_offsets_base, value->number,
				unit->offset_bytes, &offset))
			return NULL;
		return rpt_bytes_string(file->str, offset);
	default:
		return NULL;
	}
}

bool rpt_dw_get_indexed_address(const struct rpt_dw_unit *unit, uint64_t index, uint64_t *address)
{
	const struct rpt_dw_unit *owner = unit->skeleton ? unit->skeleton : unit;

	return read_entry(owner->file->addr, owner->addr_base, index, owner->address_bytes,
			  address);
}

bool rpt_dw_get_address(const struct rpt_dw_unit *unit, const struct rpt_dw_value *value,
			uint64_t *address)
{
	switch (value->form) {
	case DW_FORM_addr:
		*address = value->number;
		return true;
	case DW_FORM_addrx:
	case DW_FORM_addrx1:
	case DW_FORM_addrx2:
	case DW_FORM_addrx3:
	case DW_FORM_addrx4:
	case DW_FORM_GNU_addr_index:
		return rpt_dw_get_indexed_address(unit, value->number, address);
	default:
		return false;
	}
}

bool rpt_dw_get_reference(const struct rpt_dw_unit *unit, const struct rpt_dw_value *value,
			  struct rpt_dw_die *die)
{
	struct rpt_dw_file *file = unit->file;

	switch (value->form) {
	case DW_FORM_ref1:
	case DW_FORM_ref2:
	case DW_FORM_ref4:
	case DW_FORM_ref8:
	case DW_FORM_ref_udata:
	case DW_FORM_ref_addr:
		break;
	case DW_FORM_GNU_ref_alt:
	case DW_FORM_ref_sup4:
	case DW_FORM_ref_sup8:
		file = file->alternate;
		break;
	default:
		return false;
	}
	die->offset = value->number;
	die->unit = file ? rpt_dw_file_find_unit(file, die->offset) : NULL;
	return die->unit != NULL;
}
