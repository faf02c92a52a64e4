// SPDX-License-Identifier: GPL-2.0-or-later
/* Reading the head of a line table, in the forms of DWARF 2 to 4 and of 5. */
#include "report/symbols/dw_line_header.h"

#include <dwarf.h>

#include "format/util/err.h"
#include "report/symbols/dw_form.h"
#include "report/xmem.h"

#define MAX_FORMATS 16

static void add_directory(struct rpt_dw_lines *t, const char *name)
{
	rpt_xgrow(&t->directories, &t->directory_cap, t->directory_count + 1, sizeof(const char *));
	t->directories[t->directory_count++] = name;
}

static void add_source(struct rpt_dw_lines *t, const char *name, uint64_t directory)
{
	rpt_xgrow(&t->sources, &t->source_cap, t->source_count + 1, sizeof(*t->sources));
	t->sources[t->source_count++] =
		(struct rpt_dw_source){.name = name, .directory = directory};
}

static const char *read_string(struct pa_cursor *c, const struct rpt_dw_unit *u)
{
	static const struct rpt_dw_attr inline_string = {.form = DW_FORM_string,
							 .size = RPT_DW_SIZE_VARIABLE};
	struct rpt_dw_value v;

	rpt_dw_read_value(c, u, &inline_string, &v);
	return pa_cursor_error(c) ? "" : v.text;
}

/* Lists that end with an empty name. Directory 0 is that of the compilation, and files begin at 1. */
static void read_old_tables(struct pa_cursor *c, struct rpt_dw_lines *t,
			    const struct rpt_dw_unit *u)
{
	const char *name;

	add_directory(t, u->directory);
	while (*(name = read_string(c, u)))
		add_directory(t, name);
	add_source(t, NULL, 0);
	while (*(name = read_string(c, u))) {
		uint64_t directory = pa_cursor_varint(c);

		pa_cursor_varint(c); /* time of change */
		pa_cursor_varint(c); /* size */
		add_source(t, name, directory);
	}
}

struct formats {
	struct rpt_dw_attr items[MAX_FORMATS]; /* names are DW_LNCT_* */
	uint8_t count;
};

static void read_formats(struct pa_cursor *c, struct formats *formats)
{
	uint8_t i;

	formats->count = pa_cursor_u8(c);
	if (formats->count > MAX_FORMATS) {
		pa_cursor_fail(c, PA_E_LIMIT);
		formats->count = 0;
	}
	for (i = 0; i < formats->count; i++) {
		uint64_t name = pa_cursor_varint(c), form = pa_cursor_varint(c);

		formats->items[i] = (struct rpt_dw_attr){
			.name = (uint16_t)PA_MIN(name, (uint64_t)UINT16_MAX),
			.form = (uint16_t)PA_MIN(form, (uint64_t)UINT16_MAX),
			.size = (int16_t)rpt_dw_form_size(
				(uint16_t)PA_MIN(form, (uint64_t)UINT16_MAX)),
		};
	}
}

/* One directory or file. */
static struct rpt_dw_source read_entry(struct pa_cursor *c, const struct rpt_dw_unit *u,
				       const struct formats *formats)
{
	struct rpt_dw_source source = {0};
	struct rpt_dw_value v;
	uint8_t i;

	for (i = 0; i < formats->count; i++) {
		rpt_dw_read_value(c, u, &formats->items[i], &v);
		if (formats->items[i].name == DW_LNCT_path)
			source.name = pa_cursor_error(c) ? NULL : rpt_dw_get_string(u, &v);
		else if (formats->items[i].name == DW_LNCT_directory_index)
			source.directory = v.number;
	}
	return source;
}

/* How many entries follow. Each takes a byte at least, so that a count larger than that is a lie. */
static uint64_t read_count(struct pa_cursor *c)
{
	uint64_t count = pa_cursor_varint(c);

	if (count > pa_cursor_left(c))
		pa_cursor_fail(c, PA_E_CORRUPT);
	return count;
}

static void read_new_tables(struct pa_cursor *c, struct rpt_dw_lines *t,
			    const struct rpt_dw_unit *u)
{
	struct formats formats;
	uint64_t count;

	read_formats(c, &formats);
	for (count = read_count(c); count > 0 && !pa_cursor_error(c); count--)
		add_directory(t, read_entry(c, u, &formats).name);
	read_formats(c, &formats);
	for (count = read_count(c); count > 0 && !pa_cursor_error(c); count--) {
		struct rpt_dw_source source = read_entry(c, u, &formats);

		add_source(t, source.name, source.directory);
	}
}

/* What follows the version, up to the tables. */
static void read_parameters(struct pa_cursor *c, struct rpt_dw_line_header *h, uint16_t version)
{
	h->min_instruction_bytes = pa_cursor_u8(c);
	h->max_operations = version >= 4 ? pa_cursor_u8(c) : 1;
	pa_cursor_u8(c); /* whether rows are statements to begin with */
	h->line_base = (int8_t)pa_cursor_u8(c);
	h->line_range = pa_cursor_u8(c);
	h->opcode_base = pa_cursor_u8(c);
	if (h->line_range == 0 || h->opcode_base == 0 || h->max_operations == 0) {
		pa_cursor_fail(c, PA_E_CORRUPT);
		return;
	}
	h->opcode_lengths = pa_cursor_bytes(c, h->opcode_base - 1);
}

bool rpt_dw_line_header_read(struct rpt_dw_lines *t, const struct rpt_dw_unit *u,
			     struct rpt_dw_line_header *h)
{
	/* The table's offsets may be of another size than the unit's. */
	struct rpt_dw_unit reader = *u;
	struct rpt_bytes section = u->file->line;
	struct pa_cursor c;
	uint64_t length, header_bytes;

	pa_cursor_init(&c, section.data, section.len);
	c.pos = t->offset;
	length = rpt_dw_read_length(&c, &h->offset_bytes);
	c = pa_cursor_sub(&c, length);
	t->version = pa_cursor_u16(&c);
	if (t->version < 2 || t->version > 5)
		return false;
	h->address_bytes = u->address_bytes;
	if (t->version >= 5) {
		h->address_bytes = pa_cursor_u8(&c);
		pa_cursor_u8(&c); /* segment selectors: none on our targets */
	}
	header_bytes = rpt_dw_read_uint(&c, h->offset_bytes);
	if (pa_cursor_error(&c) || header_bytes > pa_cursor_left(&c))
		return false;
	h->program = c;
	pa_cursor_bytes(&h->program, header_bytes);
	c.len = c.pos + header_bytes;
	reader.offset_bytes = h->offset_bytes;
	reader.address_bytes = h->address_bytes;
	read_parameters(&c, h, t->version);
	if (t->version >= 5)
		read_new_tables(&c, t, &reader);
	else
		read_old_tables(&c, t, &reader);
	return !pa_cursor_error(&c);
}
