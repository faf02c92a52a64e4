/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names that a packed trace brings along: what its locations are, by module and address. The first that
 * is read about an address holds, unless it is without a name and a later one is not.
 */
#ifndef RPT_PACKED_H
#define RPT_PACKED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/util/htab.h"

struct rpt_packed_function {
	uint32_t linkage_name; /* strings */
	uint32_t name; /* 0 = what linkage_name demangles to */
	uint32_t file;
	uint32_t start_line;
};

struct rpt_packed_line {
	uint32_t function;
	uint32_t line;
};

struct rpt_packed_location {
	uint32_t module; /* index in the session's modules; 0 = the kernel */
	uint64_t address; /* as in rpt_location */
	uint32_t first_line; /* innermost first */
	uint32_t line_count; /* 0 = it has no name */
	uint8_t reason; /* enum pa_no_name */
};

struct rpt_packed_module {
	uint32_t module; /* as in rpt_packed_location */
	uint32_t flags; /* PA_NAMES_* */
	uint32_t file; /* strings */
	uint32_t message;
	uint8_t reason;
};

struct rpt_packed {
	struct rpt_packed_function *functions; /* all owned; [0] is none */
	size_t function_count, function_cap;
	struct rpt_packed_line *lines;
	size_t line_count, line_cap;
	struct rpt_packed_location *locations;
	size_t location_count, location_cap;
	struct rpt_packed_module *modules;
	size_t module_count, module_cap;
	struct pa_htab location_index, module_index;
};

void rpt_packed_init(struct rpt_packed *p);
void rpt_packed_fini(struct rpt_packed *p);

/* Returns its index. */
uint32_t rpt_packed_add_function(struct rpt_packed *p, const struct rpt_packed_function *function);
/* The lines are those that were added last, line_count of them. */
void rpt_packed_add_location(struct rpt_packed *p, const struct rpt_packed_location *location);
void rpt_packed_add_line(struct rpt_packed *p, uint32_t function, uint32_t line);
void rpt_packed_add_module(struct rpt_packed *p, const struct rpt_packed_module *module);
/* NULL when nothing is known. */
const struct rpt_packed_location *rpt_packed_find(const struct rpt_packed *p, uint32_t module,
						  uint64_t address);
const struct rpt_packed_module *rpt_packed_find_module(const struct rpt_packed *p, uint32_t module);

#endif
