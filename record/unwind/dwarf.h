/* SPDX-License-Identifier: GPL-2.0-or-later */
/* DWARF's ways to write numbers: signed LEB128, words by size, and encoded pointers. */
#ifndef REC_UNWIND_DWARF_H
#define REC_UNWIND_DWARF_H

#include <stdint.h>

#include "format/util/cursor.h"

/* Pointer encodings (DW_EH_PE_*): the lower half is the format, the upper what it is added to. */
#define REC_PE_ABSPTR 0x00
#define REC_PE_ULEB128 0x01
#define REC_PE_UDATA2 0x02
#define REC_PE_UDATA4 0x03
#define REC_PE_UDATA8 0x04
#define REC_PE_SLEB128 0x09
#define REC_PE_SDATA2 0x0a
#define REC_PE_SDATA4 0x0b
#define REC_PE_SDATA8 0x0c
#define REC_PE_FORMAT 0x0f
#define REC_PE_PCREL 0x10
#define REC_PE_APPLICATION 0x70
#define REC_PE_INDIRECT 0x80

/* More bits than 64, or more bytes than ten, are PA_E_CORRUPT. */
int64_t rec_dwarf_sleb(struct pa_cursor *c);

/* A value in the format of an encoding, by itself; an unknown format is PA_E_UNSUPPORTED. */
uint64_t rec_dwarf_value(struct pa_cursor *c, uint8_t encoding);

/*
 * An encoded pointer that is absolute or relative to itself; vaddr is that of the cursor's first byte.
 * Other bases and indirect pointers are PA_E_UNSUPPORTED.
 */
uint64_t rec_dwarf_pointer(struct pa_cursor *c, uint8_t encoding, uint64_t vaddr);

#endif
