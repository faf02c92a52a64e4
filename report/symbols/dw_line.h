/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Line tables: from addresses to files and lines, and from numbers of files to their paths. */
#ifndef RPT_DW_LINE_H
#define RPT_DW_LINE_H

#include "report/symbols/dw_unit.h"

struct rpt_dw_row {
	uint64_t address;
	uint32_t file;
	uint32_t line;
};

/* Consecutive rows; the last one is the first address behind them. */
struct rpt_dw_sequence {
	size_t first;
	size_t count;
};

struct rpt_dw_source {
	const char *name; /* borrowed from the sections, or NULL */
	uint64_t directory; /* number */
	const char *path; /* in the file's arena; NULL until asked for */
};

struct rpt_dw_lines {
	uint64_t offset; /* of the table in .debug_line */
	uint16_t version;
	const char *directory; /* of compilation; or NULL */
	const char **directories; /* owned */
	size_t directory_count;
	size_t directory_cap;
	struct rpt_dw_source *sources; /* owned */
	size_t source_count;
	size_t source_cap;
	struct rpt_dw_row *rows; /* owned */
	size_t row_count;
	size_t row_cap;
	struct rpt_dw_sequence *sequences; /* owned */
	size_t sequence_count;
	size_t sequence_cap;
	struct rpt_ranges index; /* values are places in sequences */
};

/* The table of a unit, which is no split one, read when first asked for; NULL when it has none. */
struct rpt_dw_lines *rpt_dw_unit_get_lines(struct rpt_dw_unit *u, const struct rpt_elf *code);
void rpt_dw_lines_free(struct rpt_dw_lines *t);
/* The row that an address belongs to, or NULL. */
const struct rpt_dw_row *rpt_dw_lines_find(const struct rpt_dw_lines *t, uint64_t vaddr);
/* Path of a file by its number in the table, or NULL; lives as long as the table's file. */
const char *rpt_dw_lines_get_path(struct rpt_dw_lines *t, struct rpt_arena *arena, uint32_t file);

#endif
