// SPDX-License-Identifier: GPL-2.0-or-later
/* Decoding of DWARF's numbers. */
#include "record/unwind/dwarf.h"

#include "format/util/err.h"

int64_t rec_dwarf_sleb(struct pa_cursor *c)
{
	uint64_t v = 0;
	unsigned shift;

	for (shift = 0; shift < 70; shift += 7) {
		uint8_t byte = pa_cursor_u8(c);

		if (pa_cursor_error(c))
			return 0;
		/* The tenth byte has one bit to give; the others repeat it. */
		if (shift == 63 && byte != 0 && byte != 0x7f)
			break;
		v |= (uint64_t)(byte & 0x7f) << shift;
		if (byte & 0x80)
			continue;
		if (byte & 0x40 && shift < 57)
			v |= ~(uint64_t)0 << (shift + 7);
		return (int64_t)v;
	}
	pa_cursor_fail(c, PA_E_CORRUPT);
	return 0;
}

uint64_t rec_dwarf_value(struct pa_cursor *c, uint8_t encoding)
{
	switch (encoding & REC_PE_FORMAT) {
	case REC_PE_ABSPTR:
	case REC_PE_UDATA8:
	case REC_PE_SDATA8:
		return pa_cursor_u64(c);
	case REC_PE_ULEB128:
		return pa_cursor_varint(c);
	case REC_PE_SLEB128:
		return (uint64_t)rec_dwarf_sleb(c);
	case REC_PE_UDATA2:
		return pa_cursor_u16(c);
	case REC_PE_UDATA4:
		return pa_cursor_u32(c);
	case REC_PE_SDATA2:
		return (uint64_t)(int16_t)pa_cursor_u16(c);
	case REC_PE_SDATA4:
		return (uint64_t)(int32_t)pa_cursor_u32(c);
	default:
		pa_cursor_fail(c, PA_E_UNSUPPORTED);
		return 0;
	}
}

uint64_t rec_dwarf_pointer(struct pa_cursor *c, uint8_t encoding, uint64_t vaddr)
{
	uint64_t here = vaddr + c->pos;
	uint64_t v = rec_dwarf_value(c, encoding);

	if (encoding & REC_PE_INDIRECT)
		pa_cursor_fail(c, PA_E_UNSUPPORTED);
	if ((encoding & REC_PE_APPLICATION) == REC_PE_PCREL)
		return v + here;
	if ((encoding & REC_PE_APPLICATION) != 0)
		pa_cursor_fail(c, PA_E_UNSUPPORTED);
	return v;
}
