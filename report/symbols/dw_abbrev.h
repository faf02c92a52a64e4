/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Abbreviation tables of DWARF: which attributes the entries of a unit have, and in which form. */
#ifndef RPT_DW_ABBREV_H
#define RPT_DW_ABBREV_H

#include <stdbool.h>
#include <stdint.h>

#include "format/util/cursor.h"
#include "format/util/htab.h"

struct rpt_dw_attr {
	uint16_t name; /* DW_AT_* */
	uint16_t form; /* DW_FORM_* */
	int16_t size; /* what rpt_dw_form_size() says of the form */
	int64_t implicit; /* the value itself, for DW_FORM_implicit_const */
};

struct rpt_dw_abbrev {
	uint64_t code;
	uint32_t tag; /* DW_TAG_* */
	uint32_t first_attr;
	uint32_t attr_count;
	bool has_children;
};

/* Read as far as was needed. */
struct rpt_dw_abbrevs {
	struct pa_cursor rest; /* what was not read yet; also the section's borrowed bytes */
	uint64_t *budget; /* entries that all tables of the file may still read; borrowed */
	bool complete;
	struct rpt_dw_abbrev *items; /* owned */
	size_t count;
	size_t cap;
	struct rpt_dw_attr *attrs; /* owned, of all items */
	size_t attr_count;
	size_t attr_cap;
	struct pa_htab index; /* of those whose code is not their place + 1 */
};

/* A table that begins at the start of section's rest. */
void rpt_dw_abbrevs_init(struct rpt_dw_abbrevs *t, const struct pa_cursor *section,
			 uint64_t *budget);
void rpt_dw_abbrevs_fini(struct rpt_dw_abbrevs *t);
/* The abbreviation with a code, or NULL. Valid until the next call. */
const struct rpt_dw_abbrev *rpt_dw_abbrevs_find(struct rpt_dw_abbrevs *t, uint64_t code);

#endif
