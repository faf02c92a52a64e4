/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The address ranges of a process, sorted and without overlap. Tables are shared between processes and
 * between images of a process and copied when written, chunk by chunk, so that a fork costs nothing
 * and a new mapping in the child little, however many there are.
 */
#ifndef RPT_MAPPINGS_H
#define RPT_MAPPINGS_H

#include <stdbool.h>
#include <stdint.h>

struct rpt_mapping {
	uint64_t start;
	uint64_t end; /* first address behind it */
	uint64_t offset; /* of start in the file */
	uint32_t module; /* index in the session's modules */
	bool named_by_address; /* no file: parts of it are the same wherever it starts */
};

struct rpt_maps;

/* Both return a reference that the caller owns; drop it with rpt_maps_unref(). */
struct rpt_maps *rpt_maps_new(void);
struct rpt_maps *rpt_maps_ref(struct rpt_maps *m);
void rpt_maps_unref(struct rpt_maps *m);

/* The mapping that holds address; NULL when there is none. Borrowed until the next change. */
const struct rpt_mapping *rpt_maps_find(const struct rpt_maps *m, uint64_t address);

enum rpt_maps_change {
	RPT_MAPS_SAME, /* all of it is mapped already, to the same content */
	RPT_MAPS_ADDS, /* nothing that is mapped changes */
	RPT_MAPS_REPLACES, /* something else is mapped in that range */
};
/* What rpt_maps_set() of this mapping would do. */
enum rpt_maps_change rpt_maps_compare(const struct rpt_maps *m, const struct rpt_mapping *mapping);

/* Maps it, in place of whatever was in its range. *m may become another table. */
void rpt_maps_set(struct rpt_maps **m, const struct rpt_mapping *mapping);
/* True when anything is mapped in [start, end). */
bool rpt_maps_overlaps(const struct rpt_maps *m, uint64_t start, uint64_t end);
/* Unmaps [start, end). *m may become another table. */
void rpt_maps_cut(struct rpt_maps **m, uint64_t start, uint64_t end);
bool rpt_maps_empty(const struct rpt_maps *m);

#endif
