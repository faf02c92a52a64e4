// SPDX-License-Identifier: GPL-2.0-or-later
/* Copy-on-write tables of address ranges: an array of chunks, each an array of ranges. */
#include "report/model/mappings.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "report/xmem.h"

#define CHUNK_ITEMS 64

struct chunk {
	uint32_t refs; /* tables that point to it */
	uint32_t count; /* never 0 */
	struct rpt_mapping items[CHUNK_ITEMS];
};

struct rpt_maps {
	uint32_t refs;
	struct chunk **chunks;
	size_t count;
	size_t cap;
};

/* A place in a table; chunk == count is the end. */
struct place {
	size_t chunk;
	uint32_t item;
};

struct rpt_maps *rpt_maps_new(void)
{
	struct rpt_maps *m = rpt_xcalloc(1, sizeof(*m));

	m->refs = 1;
	return m;
}

struct rpt_maps *rpt_maps_ref(struct rpt_maps *m)
{
	m->refs++;
	return m;
}

static void chunk_unref(struct chunk *c)
{
	if (--c->refs == 0)
		free(c);
}

void rpt_maps_unref(struct rpt_maps *m)
{
	size_t i;

	if (!m || --m->refs)
		return;
	for (i = 0; i < m->count; i++)
		chunk_unref(m->chunks[i]);
	free(m->chunks);
	free(m);
}

bool rpt_maps_empty(const struct rpt_maps *m)
{
	return m->count == 0;
}

/* The first mapping that ends behind address. */
static struct place find_place(const struct rpt_maps *m, uint64_t address)
{
	size_t lo = 0, hi = m->count, mid;
	struct place p = {0, 0};

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (m->chunks[mid]->items[m->chunks[mid]->count - 1].end <= address)
			lo = mid + 1;
		else
			hi = mid;
	}
	p.chunk = lo;
	if (lo == m->count)
		return p;
	for (lo = 0, hi = m->chunks[p.chunk]->count; lo < hi;) {
		mid = lo + (hi - lo) / 2;
		if (m->chunks[p.chunk]->items[mid].end <= address)
			lo = mid + 1;
		else
			hi = mid;
	}
	p.item = (uint32_t)lo;
	return p;
}

static const struct rpt_mapping *at(const struct rpt_maps *m, struct place p)
{
	return p.chunk < m->count ? &m->chunks[p.chunk]->items[p.item] : NULL;
}

static struct place next(const struct rpt_maps *m, struct place p)
{
	if (++p.item == m->chunks[p.chunk]->count) {
		p.item = 0;
		p.chunk++;
	}
	return p;
}

const struct rpt_mapping *rpt_maps_find(const struct rpt_maps *m, uint64_t address)
{
	const struct rpt_mapping *found = at(m, find_place(m, address));

	return found && found->start <= address ? found : NULL;
}

bool rpt_maps_overlaps(const struct rpt_maps *m, uint64_t start, uint64_t end)
{
	const struct rpt_mapping *found = at(m, find_place(m, start));

	return found && found->start < end;
}

enum rpt_maps_change rpt_maps_compare(const struct rpt_maps *m, const struct rpt_mapping *mapping)
{
	uint64_t covered = mapping->start;
	struct place p = find_place(m, mapping->start);
	const struct rpt_mapping *old;

	for (; (old = at(m, p)) && old->start < mapping->end; p = next(m, p)) {
		if (old->module != mapping->module)
			return RPT_MAPS_REPLACES;
		if (!old->named_by_address &&
		    old->start - old->offset != mapping->start - mapping->offset)
			return RPT_MAPS_REPLACES;
		if (old->start <= covered)
			covered = old->end;
	}
	return covered >= mapping->end ? RPT_MAPS_SAME : RPT_MAPS_ADDS;
}

/* Makes *m a table of its own that may be written to. */
static void own_table(struct rpt_maps **m)
{
	struct rpt_maps *old = *m, *copy;
	size_t i;

	if (old->refs == 1)
		return;
	copy = rpt_maps_new();
	rpt_xgrow(&copy->chunks, &copy->cap, old->count, sizeof(*copy->chunks));
	for (i = 0; i < old->count; i++) {
		copy->chunks[i] = old->chunks[i];
		copy->chunks[i]->refs++;
	}
	copy->count = old->count;
	rpt_maps_unref(old);
	*m = copy;
}

static struct chunk *own_chunk(struct rpt_maps *m, size_t index)
{
	struct chunk *old = m->chunks[index], *copy;

	if (old->refs == 1)
		return old;
	copy = rpt_xmalloc(sizeof(*copy));
	*copy = *old;
	copy->refs = 1;
	chunk_unref(old);
	m->chunks[index] = copy;
	return copy;
}

static struct chunk *insert_chunk(struct rpt_maps *m, size_t index)
{
	struct chunk *c = rpt_xcalloc(1, sizeof(*c));

	c->refs = 1;
	rpt_xgrow(&m->chunks, &m->cap, m->count + 1, sizeof(*m->chunks));
	memmove(m->chunks + index + 1, m->chunks + index, (m->count - index) * sizeof(*m->chunks));
	m->chunks[index] = c;
	m->count++;
	return c;
}

static void split_chunk(struct rpt_maps *m, size_t index)
{
	struct chunk *left = own_chunk(m, index), *right = insert_chunk(m, index + 1);

	right->count = left->count / 2;
	left->count -= right->count;
	memcpy(right->items, left->items + left->count, right->count * sizeof(*right->items));
}

/* Puts a mapping that overlaps none into a table that may be written to. */
static void insert(struct rpt_maps *m, const struct rpt_mapping *mapping)
{
	struct place p = find_place(m, mapping->start);
	struct chunk *c;

	if (p.chunk == m->count && m->count) {
		p.chunk--;
		p.item = m->chunks[p.chunk]->count;
	}
	if (m->count == 0) {
		c = insert_chunk(m, 0);
	} else {
		if (m->chunks[p.chunk]->count == CHUNK_ITEMS) {
			split_chunk(m, p.chunk);
			if (p.item > m->chunks[p.chunk]->count) {
				p.item -= m->chunks[p.chunk]->count;
				p.chunk++;
			}
		}
		c = own_chunk(m, p.chunk);
	}
	memmove(c->items + p.item + 1, c->items + p.item, (c->count - p.item) * sizeof(*c->items));
	c->items[p.item] = *mapping;
	c->count++;
}

static void delete (struct rpt_maps *m, struct place p)
{
	struct chunk *c = own_chunk(m, p.chunk);

	c->count--;
	memmove(c->items + p.item, c->items + p.item + 1, (c->count - p.item) * sizeof(*c->items));
	if (c->count)
		return;
	chunk_unref(c);
	m->count--;
	memmove(m->chunks + p.chunk, m->chunks + p.chunk + 1,
		(m->count - p.chunk) * sizeof(*m->chunks));
}

void rpt_maps_cut(struct rpt_maps **m, uint64_t start, uint64_t end)
{
	struct rpt_mapping *item, rest;
	struct place p;

	if (start >= end || !rpt_maps_overlaps(*m, start, end))
		return;
	own_table(m);
	while (rpt_maps_overlaps(*m, start, end)) {
		p = find_place(*m, start);
		item = &own_chunk(*m, p.chunk)->items[p.item];
		if (item->start >= start && item->end <= end) {
			delete (*m, p);
			continue;
		}
		rest = *item;
		rest.offset += end - rest.start;
		rest.start = end;
		if (item->start >= start) {
			*item = rest;
		} else {
			bool split = item->end > end;

			item->end = start;
			if (split)
				insert(*m, &rest);
		}
	}
}

void rpt_maps_set(struct rpt_maps **m, const struct rpt_mapping *mapping)
{
	rpt_maps_cut(m, mapping->start, mapping->end);
	own_table(m);
	insert(*m, mapping);
}
