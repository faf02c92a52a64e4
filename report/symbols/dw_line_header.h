/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The head of a line table: parameters of its program, directories and files. */
#ifndef RPT_DW_LINE_HEADER_H
#define RPT_DW_LINE_HEADER_H

#include "format/util/cursor.h"
#include "report/symbols/dw_line.h"

struct rpt_dw_line_header {
	uint8_t offset_bytes;
	uint8_t address_bytes;
	uint8_t min_instruction_bytes;
	uint8_t max_operations; /* of an instruction; at least 1 */
	int8_t line_base;
	uint8_t line_range;
	uint8_t opcode_base; /* first special opcode */
	const uint8_t *opcode_lengths; /* opcode_base - 1 of them; borrowed */
	struct pa_cursor program; /* what follows the head */
};

/* Reads the head at the table's offset; adds directories and files to it. False when it is broken. */
bool rpt_dw_line_header_read(struct rpt_dw_lines *t, const struct rpt_dw_unit *u,
			     struct rpt_dw_line_header *h);

#endif
