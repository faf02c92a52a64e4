// SPDX-License-Identifier: GPL-2.0-or-later
/* From an address to what DWARF says about it. */
#include "report/symbols/dwarf.h"

#include <stdlib.h>

#include <dwarf.h>

#include "format/util/buf.h"
#include "report/symbols/dw_line.h"
#include "report/symbols/dw_ranges.h"
#include "report/symbols/dw_scope.h"
#include "report/symbols/dw_split.h"
#include "report/xmem.h"

struct rpt_dwarf {
	struct rpt_search *search;
	const struct rpt_elf *elf;
	struct rpt_dw_file *file;
	struct rpt_dw_splits splits;
	struct rpt_ranges units; /* values are places in file->units */
	bool strays_added; /* units that do not say where their code is are in the index, too */
	bool has_functions;
	bool has_lines;
	struct pa_buf message;
};

/* Units that say which code is theirs. The others are left until an address is in none of these. */
static void index_units(struct rpt_dwarf *d)
{
	size_t i;

	for (i = 0; i < d->file->unit_count; i++) {
		struct rpt_dw_unit *u = &d->file->units[i];

		if (u->type == DW_UT_type || !rpt_dw_unit_load(u))
			continue;
		d->has_functions = d->has_functions || u->has_children || u->split_name;
		d->has_lines = d->has_lines || u->has_lines;
		rpt_dw_add_ranges(u, &u->pc, d->elf, &d->units, (uint32_t)i);
	}
	rpt_ranges_flatten(&d->units);
}

struct rpt_dwarf *rpt_dwarf_new(const struct rpt_elf *e, struct rpt_search *search,
				struct rpt_trail *trail)
{
	struct rpt_dw_file *file = rpt_dw_file_new(e, NULL, false);
	struct rpt_elf *alternate;
	struct rpt_dwarf *d;

	if (!file || file->unit_count == 0) {
		rpt_dw_file_free(file);
		return NULL;
	}
	d = rpt_xcalloc(1, sizeof(*d));
	d->search = search;
	d->elf = e;
	d->file = file;
	d->splits.trail = trail;
	pa_buf_init(&d->message);
	alternate = rpt_search_alternate(search, e, trail);
	if (alternate)
		file->alternate = rpt_dw_file_new(alternate, alternate, false);
	if (alternate && !file->alternate)
		rpt_elf_free(alternate);
	index_units(d);
	return d;
}

void rpt_dwarf_free(struct rpt_dwarf *d)
{
	if (!d)
		return;
	rpt_dw_splits_fini(&d->splits);
	rpt_ranges_fini(&d->units);
	rpt_dw_file_free(d->file);
	pa_buf_fini(&d->message);
	free(d);
}

bool rpt_dwarf_has_functions(const struct rpt_dwarf *d)
{
	return d->has_functions;
}

bool rpt_dwarf_has_lines(const struct rpt_dwarf *d)
{
	return d->has_lines;
}

const char *rpt_dwarf_get_message(const struct rpt_dwarf *d)
{
	return d->message.len ? pa_buf_str(&d->message) : NULL;
}

/* The unit that holds the functions: u itself, or its other half. */
static struct rpt_dw_unit *get_function_unit(struct rpt_dwarf *d, struct rpt_dw_unit *u)
{
	if (!u->split_name)
		return u;
	rpt_dw_splits_attach(&d->splits, d->search, u);
	return u->split ? u->split : u;
}

/* Brings the code of units that do not say where it is into the index, by their functions. */
static void add_strays(struct rpt_dwarf *d)
{
	size_t i, j;

	d->strays_added = true;
	for (i = 0; i < d->file->unit_count; i++) {
		struct rpt_dw_unit *u = &d->file->units[i];
		const struct rpt_dw_scopes *s;

		if (u->tag != DW_TAG_compile_unit || !u->loaded || u->broken || u->pc.ranges.form ||
		    u->pc.high.form)
			continue;
		s = rpt_dw_unit_get_scopes(get_function_unit(d, u), d->elf);
		for (j = 0; j < s->index.count; j++)
			rpt_ranges_add(&d->units, s->index.items[j].start, s->index.items[j].end,
				       (uint32_t)i);
	}
	rpt_ranges_flatten(&d->units);
}

static struct rpt_dw_unit *find_unit(struct rpt_dwarf *d, uint64_t vaddr)
{
	uint32_t i;

	if (rpt_ranges_find(&d->units, vaddr, &i))
		return &d->file->units[i];
	if (d->strays_added)
		return NULL;
	add_strays(d);
	return rpt_ranges_find(&d->units, vaddr, &i) ? &d->file->units[i] : NULL;
}

static struct rpt_dwarf_frame *add_frame(struct rpt_dwarf_answer *answer)
{
	rpt_xgrow(&answer->frames, &answer->cap, answer->count + 1, sizeof(*answer->frames));
	answer->frames[answer->count] = (struct rpt_dwarf_frame){0};
	return &answer->frames[answer->count++];
}

/* The functions at an address; lines are those of the unit, or NULL. */
static void add_frames(struct rpt_dwarf *d, struct rpt_dw_unit *u, struct rpt_dw_lines *lines,
		       uint64_t vaddr, struct rpt_dwarf_answer *answer)
{
	struct rpt_dw_unit *functions = get_function_unit(d, u);
	const struct rpt_dw_scopes *scopes = rpt_dw_unit_get_scopes(functions, d->elf);
	const char *file = answer->file;
	uint32_t line = answer->line, i;

	if (!rpt_ranges_find(&scopes->index, vaddr, &i))
		return;
	for (; i != RPT_DW_NO_SCOPE; i = scopes->items[i].parent) {
		const struct rpt_dw_scope *scope = &scopes->items[i];
		struct rpt_dwarf_frame *frame = add_frame(answer);
		struct rpt_dw_name name;

		rpt_dw_get_name((struct rpt_dw_die){functions, scope->die}, &name);
		*frame = (struct rpt_dwarf_frame){
			.name = name.name,
			.linkage_name = name.linkage_name,
			.file = file,
			.line = line,
			.start_line = name.line,
			.inlined = scope->inlined,
		};
		if (name.alternate_missing && !name.name && d->message.len == 0)
			pa_buf_addf(&d->message,
				    "'%s': names are in a supplementary file that was not found",
				    d->elf->path);
		file = lines ? rpt_dw_lines_get_path(lines, &u->file->arena, scope->call_file) :
			       NULL;
		line = scope->call_line;
	}
}

void rpt_dwarf_find(struct rpt_dwarf *d, uint64_t vaddr, struct rpt_dwarf_answer *answer)
{
	struct rpt_dw_unit *u = find_unit(d, vaddr);
	struct rpt_dw_lines *lines = u ? rpt_dw_unit_get_lines(u, d->elf) : NULL;
	const struct rpt_dw_row *row = lines ? rpt_dw_lines_find(lines, vaddr) : NULL;

	answer->count = 0;
	answer->file = NULL;
	answer->line = 0;
	answer->unit_version = 0;
	if (u) {
		answer->unit = u->name;
		answer->unit_offset = u->offset;
		answer->unit_version = u->version;
	}
	if (row) {
		answer->line = row->line;
		answer->file = rpt_dw_lines_get_path(lines, &u->file->arena, row->file);
	}
	if (u)
		add_frames(d, u, lines, vaddr, answer);
	if (d->splits.missing && d->message.len == 0)
		pa_buf_addf(&d->message, "'%s': split debug file '%s' was not found", d->elf->path,
			    d->splits.missing);
}
