/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The sections of one file with DWARF, and the units in it. */
#ifndef RPT_DW_UNIT_H
#define RPT_DW_UNIT_H

#include "report/symbols/arena.h"
#include "report/symbols/dw_abbrev.h"
#include "report/symbols/elf.h"

struct rpt_dw_file;
struct rpt_dw_lines;
struct rpt_dw_scopes;

struct rpt_dw_value {
	uint16_t form; /* DW_FORM_*; 0 = the attribute is not there */
	uint64_t number; /* as stored; references within a unit are from the start of the section */
	const char *text; /* DW_FORM_string only */
};

/* Which code an entry is about, as its attributes say it. */
struct rpt_dw_pc {
	struct rpt_dw_value low, high, ranges;
};

struct rpt_dw_unit {
	struct rpt_dw_file *file;
	uint64_t offset; /* in .debug_info, of the unit's header */
	uint64_t first_die;
	uint64_t end;
	uint64_t abbrev_offset;
	uint64_t id; /* of split DWARF, in the header or as an attribute */
	uint16_t version;
	uint8_t type; /* DW_UT_*; DW_UT_compile before version 5 */
	uint8_t address_bytes;
	uint8_t offset_bytes;
	bool loaded; /* what follows was read from the unit's own entry */
	bool broken;
	bool has_children;
	bool has_lines;
	uint32_t tag;
	struct rpt_dw_pc pc;
	struct rpt_dw_abbrevs *abbrevs; /* borrowed from the file */
	uint64_t addr_base, str_offsets_base, rnglists_base, ranges_base;
	uint64_t low_pc; /* base address for ranges; 0 when there is none */
	uint64_t line_offset;
	const char *directory; /* of compilation; or NULL */
	const char *name; /* of the source file; or NULL */
	const char *split_name; /* name of the .dwo file when this is a skeleton; or NULL */
	struct rpt_dw_unit
		*skeleton; /* the unit in the main file that this split unit belongs to */
	struct rpt_dw_unit
		*split; /* the other way round; NULL when it was not found or not looked for */
	bool split_tried;
	struct rpt_dw_lines *lines; /* borrowed from the file; NULL until asked for */
	struct rpt_dw_scopes *scopes; /* owned; NULL until asked for */
};

struct rpt_dw_file {
	const struct rpt_elf *elf; /* borrowed */
	struct rpt_elf *owned; /* the same, where this file owns it; or NULL */
	bool is_split; /* sections have the names of .dwo files */
	struct rpt_bytes info, abbrev, str, line_str, str_offsets, line, ranges, rnglists, addr;
	struct rpt_bytes package_index; /* .debug_cu_index; only in packages of split files */
	struct rpt_dw_unit *units; /* owned, by offset */
	size_t unit_count;
	size_t unit_cap;
	struct rpt_dw_abbrevs **abbrevs; /* owned, found by the offset */
	uint64_t *abbrev_offsets;
	size_t abbrevs_count;
	size_t abbrevs_cap;
	size_t abbrev_offsets_cap;
	struct pa_htab abbrevs_index;
	struct rpt_dw_lines **lines; /* owned */
	size_t lines_count;
	size_t lines_cap;
	struct pa_htab lines_index; /* by offset */
	struct rpt_arena arena; /* of paths */
	/*
	 * How much may still be read of what entries can refer to more than once. A file that needs more
	 * was made to cost time.
	 */
	uint64_t abbrev_budget; /* abbreviations */
	uint64_t range_budget; /* entries of range lists */
	uint64_t line_budget; /* bytes of line tables */
	struct rpt_dw_file *alternate; /* owned; what dwz moved out of this file; or NULL */
};

/* NULL when there is no DWARF in it; there may be names alone, and no unit. With owned the ELF file is
 * freed together with the result. */
struct rpt_dw_file *rpt_dw_file_new(const struct rpt_elf *elf, struct rpt_elf *owned,
				    bool is_split);
void rpt_dw_file_free(struct rpt_dw_file *f);
/* The unit that an offset of .debug_info is in, with its own entry read; or NULL. */
struct rpt_dw_unit *rpt_dw_file_find_unit(struct rpt_dw_file *f, uint64_t offset);
/* Reads the unit's own entry when that was not done yet; false when it is broken. */
bool rpt_dw_unit_load(struct rpt_dw_unit *u);
/* A cursor over .debug_info that ends with the unit and stands at offset. */
struct pa_cursor rpt_dw_unit_cursor(const struct rpt_dw_unit *u, uint64_t offset);

#endif
