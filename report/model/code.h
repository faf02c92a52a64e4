/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What addresses mean: functions, the locations (distinct code addresses) that lie in them, and all
 * stacks again as one tree, of locations. Locations are the same wherever a file is mapped, so equal
 * stacks of different processes are one node here.
 */
#ifndef RPT_CODE_H
#define RPT_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/util/htab.h"

struct rpt_function {
	uint32_t name; /* strings */
	uint32_t linkage_name;
	uint32_t file;
	uint32_t module;
	uint32_t start_line;
	uint32_t
		same_name; /* first function of this name and module, maybe itself: what tables sum up */
	bool unnamed; /* the name is made up from module and offset */
};

/* A function at a location, and the line in it. */
struct rpt_line {
	uint32_t function;
	uint32_t line; /* 0 = unknown */
};

struct rpt_location {
	uint32_t module; /* index in the session's modules */
	uint32_t jit; /* string: name that a JIT gave, 0 = none */
	uint64_t address; /* offset in the module's file, or the address itself where there is none;
			   * of callers, of the last byte of their call */
	uint32_t first_line; /* innermost inlined function first */
	uint32_t line_count; /* at least 1 once resolved */
	uint8_t reason; /* why it has no name, 0 = it has one; see rpt_code.reason_texts */
};

/* A frame of a stack: location, called from parent. */
struct rpt_call {
	uint32_t parent; /* the caller's, 0 = this is the outermost */
	uint32_t location;
};

struct rpt_origin;
struct rpt_place;

/* Where the names of a module came from. Strings are borrowed. */
struct rpt_module_names {
	const struct rpt_place *places; /* that were looked at, where that was asked for */
	size_t place_count;
	const char *file; /* NULL = there was none */
	const char *message; /* what there is to say about it; NULL = nothing */
	uint32_t flags; /* PA_NAMES_*: what is known where the file has it */
	uint8_t reason; /* why there was no file; as in rpt_location */
};

/* Where a location's name came from, as far as a file was asked. */
struct rpt_location_origin {
	uint64_t vaddr; /* address in the file's own terms */
	const struct rpt_origin *origin; /* borrowed; NULL = none */
};

struct rpt_code {
	struct rpt_function *functions; /* all owned; [0] of each is none */
	size_t function_count, function_cap;
	struct rpt_line *lines;
	size_t line_count, line_cap;
	struct rpt_location *locations;
	size_t location_count, location_cap;
	struct rpt_call *calls; /* a caller comes before what it calls */
	size_t call_count, call_cap;
	struct pa_htab function_index, name_index, location_index, call_index;
	/* Innermost call of each group of the model's samples and blocks; 0 = no frame at all. */
	uint32_t *sample_calls, *block_calls;
	uint32_t *task_calls; /* of each task of snapshots */
	uint32_t *waker_calls; /* of who ended the block; 0 = not taken */
	const char **reason_texts; /* owned array by rpt_location.reason */
	size_t reason_count;
	struct rpt_module_names *module_names; /* owned array by module */
	struct rpt_location_origin *origins; /* owned array by location; NULL = nobody asked */
};

void rpt_code_init(struct rpt_code *c);
void rpt_code_fini(struct rpt_code *c);

/* Each returns the index of an equal entry, which is added when it is new. */
uint32_t rpt_code_function(struct rpt_code *c, const struct rpt_function *wanted);
uint32_t rpt_code_location(struct rpt_code *c, uint32_t module, uint64_t address, uint32_t jit);
uint32_t rpt_code_call(struct rpt_code *c, uint32_t parent, uint32_t location);
/* Appends a line to the location that was given its first line last. */
void rpt_code_add_line(struct rpt_code *c, uint32_t location, uint32_t function, uint32_t line);

#endif
