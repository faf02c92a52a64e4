/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The one index over addresses: nested or overlapping ranges are collected, flattened once into disjoint
 * ones, and then searched. Where ranges overlap, the innermost answers: the one that begins last, of
 * these the shorter, of equal ones the one with the greater value.
 */
#ifndef RPT_RANGES_H
#define RPT_RANGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rpt_range {
	uint64_t start;
	uint64_t end; /* exclusive */
	uint32_t value;
};

struct rpt_ranges {
	struct rpt_range *items; /* owned */
	size_t count;
	size_t cap;
};

void rpt_ranges_fini(struct rpt_ranges *r);
/* Empty ranges and those that end before they begin are left out. */
void rpt_ranges_add(struct rpt_ranges *r, uint64_t start, uint64_t end, uint32_t value);
/* To be called once, after the last addition and before the first search. */
void rpt_ranges_flatten(struct rpt_ranges *r);
/* True with *value set when a range covers the address. */
bool rpt_ranges_find(const struct rpt_ranges *r, uint64_t address, uint32_t *value);

#endif
