// SPDX-License-Identifier: GPL-2.0-or-later
/* Finding the other half of split units. */
#include "report/symbols/dw_split.h"

#include <stdlib.h>

#include <dwarf.h>

#include "format/util/cleanup.h"
#include "report/xmem.h"

/* Kinds of columns in the index of a package; the numbers changed with DWARF 5. */
enum { SECT_INFO = 1, SECT_ABBREV = 3, SECT_STR_OFFSETS = 6, SECT_RNGLISTS = 8 };
#define MAX_COLUMNS 16

void rpt_dw_splits_fini(struct rpt_dw_splits *s)
{
	size_t i;

	for (i = 0; i < s->count; i++)
		rpt_dw_file_free(s->files[i]);
	free(s->files);
	*s = (struct rpt_dw_splits){0};
}

static struct rpt_dw_unit *find_unit_at(struct rpt_dw_file *f, uint64_t offset)
{
	size_t low = 0, high = f->unit_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (f->units[middle].offset < offset)
			low = middle + 1;
		else
			high = middle;
	}
	return low < f->unit_count && f->units[low].offset == offset ? &f->units[low] : NULL;
}

/* Where a unit's parts of the package's other sections begin. */
static void place_unit(struct rpt_dw_file *f, const uint32_t *columns, const uint32_t *offsets,
		       uint32_t count)
{
	struct rpt_dw_unit *u = NULL;
	uint32_t i;

	for (i = 0; i < count; i++) {
		if (columns[i] == SECT_INFO)
			u = find_unit_at(f, offsets[i]);
	}
	for (i = 0; u && i < count; i++) {
		if (columns[i] == SECT_ABBREV)
			u->abbrev_offset += offsets[i];
		else if (columns[i] == SECT_STR_OFFSETS)
			u->str_offsets_base += offsets[i];
		else if (columns[i] == SECT_RNGLISTS && u->version >= 5)
			u->rnglists_base += offsets[i];
	}
}

/*
 * The index of a package: a hash table that is not needed here, since units are few and carry their ids
 * themselves, then a row of offsets for each unit.
 */
static void read_package_index(struct rpt_dw_file *f)
{
	uint32_t columns[MAX_COLUMNS], offsets[MAX_COLUMNS], count, units, slots, i, unit;
	struct pa_cursor c;

	pa_cursor_init(&c, f->package_index.data, f->package_index.len);
	pa_cursor_u32(&c); /* version: both that exist have the same layout */
	count = pa_cursor_u32(&c);
	units = pa_cursor_u32(&c);
	slots = pa_cursor_u32(&c);
	pa_cursor_bytes(&c, (size_t)slots * 12);
	if (count > MAX_COLUMNS)
		return;
	for (i = 0; i < count; i++)
		columns[i] = pa_cursor_u32(&c);
	for (unit = 0; unit < units && !pa_cursor_error(&c); unit++) {
		for (i = 0; i < count; i++)
			offsets[i] = pa_cursor_u32(&c);
		if (!pa_cursor_error(&c))
			place_unit(f, columns, offsets, count);
	}
}

static struct rpt_dw_unit *find_unit(struct rpt_dw_file *f, uint64_t id)
{
	size_t i;

	for (i = 0; i < f->unit_count; i++) {
		struct rpt_dw_unit *u = &f->units[i];

		/* Before version 5 the id is an attribute. */
		if (u->type != DW_UT_split_type && rpt_dw_unit_load(u) && u->id == id)
			return u;
	}
	return NULL;
}

struct taking {
	struct rpt_dw_splits *splits;
	uint64_t id;
	struct rpt_dw_unit *found;
};

/* Keeps a file if the unit that is looked for is in it. */
static bool take(void *ctx, struct rpt_elf *candidate)
{
	struct taking *taking = ctx;
	struct rpt_dw_splits *s = taking->splits;
	struct rpt_dw_file *f = rpt_dw_file_new(candidate, candidate, true);

	if (!f)
		return false;
	read_package_index(f);
	taking->found = find_unit(f, taking->id);
	if (!taking->found) {
		/* The caller still owns the file. */
		f->owned = NULL;
		rpt_dw_file_free(f);
		return false;
	}
	rpt_xgrow(&s->files, &s->cap, s->count + 1, sizeof(struct rpt_dw_file *));
	s->files[s->count++] = f;
	return true;
}

static struct rpt_dw_unit *find(struct rpt_dw_splits *s, struct rpt_search *search,
				const struct rpt_dw_unit *skeleton)
{
	struct rpt_split_wanted wanted = {.owner = skeleton->file->elf, .trail = s->trail};
	struct taking taking = {.splits = s, .id = skeleton->id};
	size_t i;

	for (i = 0; i < s->count; i++) {
		taking.found = find_unit(s->files[i], skeleton->id);
		if (taking.found)
			return taking.found;
	}
	if (!s->packages_tried && rpt_search_split(search, &wanted, take, &taking))
		return taking.found;
	s->packages_tried = true;
	wanted.directory = skeleton->directory;
	wanted.name = skeleton->split_name;
	rpt_search_split(search, &wanted, take, &taking);
	return taking.found;
}

void rpt_dw_splits_attach(struct rpt_dw_splits *s, struct rpt_search *search,
			  struct rpt_dw_unit *skeleton)
{
	if (skeleton->split_tried)
		return;
	skeleton->split_tried = true;
	skeleton->split = find(s, search, skeleton);
	if (skeleton->split)
		skeleton->split->skeleton = skeleton;
	else if (!s->missing)
		s->missing = skeleton->split_name;
}
