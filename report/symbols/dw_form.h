/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Values of DWARF attributes in all their forms. */
#ifndef RPT_DW_FORM_H
#define RPT_DW_FORM_H

#include "report/symbols/dw_unit.h"

enum rpt_dw_size { RPT_DW_SIZE_VARIABLE = -1, RPT_DW_SIZE_ADDRESS = -2, RPT_DW_SIZE_OFFSET = -3 };
/* Bytes that a value takes in any unit, or one of the above. */
int rpt_dw_form_size(uint16_t form);

/* A place in a file's .debug_info. */
struct rpt_dw_die {
	struct rpt_dw_unit *unit;
	uint64_t offset;
};

/* Signed LEB128. */
int64_t rpt_dw_read_sleb(struct pa_cursor *c);
/* An unsigned number of 1 to 4 or 8 bytes; other sizes set the cursor's error. */
uint64_t rpt_dw_read_uint(struct pa_cursor *c, unsigned bytes);
/* Length of a unit or table that follows: 32 bits, or an escape and 64 bits. */
uint64_t rpt_dw_read_length(struct pa_cursor *c, uint8_t *offset_bytes);
/* Reads a value of an entry in unit; errors are the cursor's. */
void rpt_dw_read_value(struct pa_cursor *c, const struct rpt_dw_unit *unit,
		       const struct rpt_dw_attr *attr, struct rpt_dw_value *value);
/* Passes over one value, or all values of an entry. */
void rpt_dw_skip_value(struct pa_cursor *c, const struct rpt_dw_unit *unit,
		       const struct rpt_dw_attr *attr);
void rpt_dw_skip_values(struct pa_cursor *c, const struct rpt_dw_unit *unit,
			const struct rpt_dw_abbrev *abbrev);

/* What a value means. NULL or false: it is absent, of another kind, or points nowhere. */
const char *rpt_dw_get_string(const struct rpt_dw_unit *unit, const struct rpt_dw_value *value);
bool rpt_dw_get_address(const struct rpt_dw_unit *unit, const struct rpt_dw_value *value,
			uint64_t *address);
/* Entry index of the address table that the unit uses. */
bool rpt_dw_get_indexed_address(const struct rpt_dw_unit *unit, uint64_t index, uint64_t *address);
bool rpt_dw_get_reference(const struct rpt_dw_unit *unit, const struct rpt_dw_value *value,
			  struct rpt_dw_die *die);

#endif
