// SPDX-License-Identifier: GPL-2.0-or-later
/* Running line number programs. */
#include "report/symbols/dw_line.h"

#include <stdlib.h>

#include <dwarf.h>

#include "format/util/buf.h"
#include "format/util/err.h"
#include "report/symbols/dw_form.h"
#include "report/symbols/dw_line_header.h"
#include "report/xmem.h"

struct machine {
	const struct rpt_dw_line_header *h;
	struct rpt_dw_lines *t;
	const struct rpt_elf *code;
	struct pa_cursor c;
	uint64_t address;
	uint64_t operation; /* within the instruction */
	uint64_t file;
	uint64_t line;
	size_t first; /* row of the sequence */
	bool in_order; /* addresses of the sequence never fell */
};

void rpt_dw_lines_free(struct rpt_dw_lines *t)
{
	if (!t)
		return;
	free(t->directories);
	free(t->sources);
	free(t->rows);
	free(t->sequences);
	rpt_ranges_fini(&t->index);
	free(t);
}

static void start_sequence(struct machine *m)
{
	m->address = 0;
	m->operation = 0;
	m->file = 1;
	m->line = 1;
	m->first = m->t->row_count;
	m->in_order = true;
}

static void add_row(struct machine *m)
{
	struct rpt_dw_lines *t = m->t;
	struct rpt_dw_row row = {
		.address = m->address,
		.file = (uint32_t)PA_MIN(m->file, (uint64_t)UINT32_MAX),
		.line = (uint32_t)PA_MIN(m->line, (uint64_t)UINT32_MAX),
	};

	if (t->row_count > m->first) {
		struct rpt_dw_row *last = &t->rows[t->row_count - 1];

		if (row.address < last->address)
			m->in_order = false;
		/* The last of several rows for an address is the one that counts. */
		if (row.address == last->address) {
			*last = row;
			return;
		}
	}
	rpt_xgrow(&t->rows, &t->row_cap, t->row_count + 1, sizeof(*t->rows));
	t->rows[t->row_count++] = row;
}

/* Keeps the rows if they are about code that is there, and can be searched. */
static void end_sequence(struct machine *m)
{
	struct rpt_dw_lines *t = m->t;
	size_t count;

	add_row(m);
	count = t->row_count - m->first;
	if (count >= 2 && m->in_order && rpt_elf_is_code(m->code, t->rows[m->first].address) &&
	    t->sequence_count < UINT32_MAX) {
		rpt_ranges_add(&t->index, t->rows[m->first].address,
			       t->rows[t->row_count - 1].address, (uint32_t)t->sequence_count);
		rpt_xgrow(&t->sequences, &t->sequence_cap, t->sequence_count + 1,
			  sizeof(*t->sequences));
		t->sequences[t->sequence_count++] = (struct rpt_dw_sequence){m->first, count};
	} else {
		t->row_count = m->first;
	}
	start_sequence(m);
}

static void advance(struct machine *m, uint64_t operations)
{
	uint64_t total = m->operation + operations;

	m->address += total / m->h->max_operations * m->h->min_instruction_bytes;
	m->operation = total % m->h->max_operations;
}

static void run_extended(struct machine *m)
{
	struct pa_cursor c = pa_cursor_sub(&m->c, pa_cursor_varint(&m->c));

	switch (pa_cursor_u8(&c)) {
	case DW_LNE_end_sequence:
		end_sequence(m);
		break;
	case DW_LNE_set_address:
		m->address = rpt_dw_read_uint(&c, (unsigned)PA_MIN(pa_cursor_left(&c), (size_t)9));
		m->operation = 0;
		break;
	default:
		break;
	}
}

static void run_standard(struct machine *m, uint8_t opcode)
{
	uint8_t operands;

	switch (opcode) {
	case DW_LNS_copy:
		add_row(m);
		break;
	case DW_LNS_advance_pc:
		advance(m, pa_cursor_varint(&m->c));
		break;
	case DW_LNS_advance_line:
		m->line += (uint64_t)rpt_dw_read_sleb(&m->c);
		break;
	case DW_LNS_set_file:
		m->file = pa_cursor_varint(&m->c);
		break;
	case DW_LNS_const_add_pc:
		advance(m, (uint64_t)(255 - m->h->opcode_base) / m->h->line_range);
		break;
	case DW_LNS_fixed_advance_pc:
		m->address += pa_cursor_u16(&m->c);
		m->operation = 0;
		break;
	default:
		/* Nothing that is of interest here, or not known yet: the head says how long it is. */
		for (operands = m->h->opcode_lengths[opcode - 1]; operands > 0; operands--)
			pa_cursor_varint(&m->c);
	}
}

static void run_special(struct machine *m, uint8_t opcode)
{
	uint8_t adjusted = (uint8_t)(opcode - m->h->opcode_base);

	advance(m, adjusted / m->h->line_range);
	m->line += (uint64_t)(int64_t)(m->h->line_base + adjusted % m->h->line_range);
	add_row(m);
}

static void run(struct rpt_dw_lines *t, const struct rpt_dw_line_header *h,
		const struct rpt_elf *code)
{
	struct machine m = {.h = h, .t = t, .code = code, .c = h->program};

	start_sequence(&m);
	while (pa_cursor_left(&m.c) > 0) {
		uint8_t opcode = pa_cursor_u8(&m.c);

		if (opcode >= h->opcode_base)
			run_special(&m, opcode);
		else if (opcode == 0)
			run_extended(&m);
		else
			run_standard(&m, opcode);
	}
	/* What has no end says nothing. */
	t->row_count = m.first;
}

static bool equal(const void *ctx, uint32_t value, const void *key)
{
	return ((const struct rpt_dw_file *)ctx)->lines[value]->offset == *(const uint64_t *)key;
}

struct rpt_dw_lines *rpt_dw_unit_get_lines(struct rpt_dw_unit *u, const struct rpt_elf *code)
{
	struct rpt_dw_file *f = u->file;
	struct rpt_dw_line_header h = {0};
	uint64_t hash = pa_hash_u64(u->line_offset);
	struct rpt_dw_lines *t;
	uint32_t value;

	if (u->lines || !u->has_lines || u->line_offset >= f->line.len)
		return u->lines;
	if (pa_htab_get(&f->lines_index, hash, equal, f, &u->line_offset, &value)) {
		u->lines = f->lines[value];
		return u->lines;
	}
	t = rpt_xcalloc(1, sizeof(*t));
	t->offset = u->line_offset;
	t->directory = u->directory;
	if (rpt_dw_line_header_read(t, u, &h) && h.program.len <= f->line_budget) {
		f->line_budget -= h.program.len;
		run(t, &h, code);
	}
	rpt_ranges_flatten(&t->index);
	rpt_xgrow(&f->lines, &f->lines_cap, f->lines_count + 1, sizeof(struct rpt_dw_lines *));
	rpt_xcheck(pa_htab_add(&f->lines_index, hash, (uint32_t)f->lines_count));
	f->lines[f->lines_count++] = t;
	u->lines = t;
	return t;
}

const struct rpt_dw_row *rpt_dw_lines_find(const struct rpt_dw_lines *t, uint64_t vaddr)
{
	const struct rpt_dw_row *rows;
	size_t low = 0, high;
	uint32_t value;

	if (!rpt_ranges_find(&t->index, vaddr, &value))
		return NULL;
	rows = t->rows + t->sequences[value].first;
	high = t->sequences[value].count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (rows[middle].address <= vaddr)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? &rows[low - 1] : NULL;
}

/* DIRECTORY/NAME, with the directory of compilation in front when that is not absolute. */
static const char *join(const struct rpt_dw_lines *t, struct rpt_arena *arena,
			const char *directory, const char *name)
{
	const char *path;
	struct pa_buf b;

	if (!directory)
		directory = t->directory;
	pa_buf_init(&b);
	if (name[0] != '/' && directory) {
		if (directory[0] != '/' && t->directory && directory != t->directory)
			pa_buf_addf(&b, "%s/", t->directory);
		pa_buf_addf(&b, "%s/", directory);
	}
	pa_buf_add_str(&b, name);
	rpt_xcheck(pa_buf_error(&b));
	path = rpt_arena_intern(arena, pa_buf_str(&b));
	pa_buf_fini(&b);
	return path;
}

const char *rpt_dw_lines_get_path(struct rpt_dw_lines *t, struct rpt_arena *arena, uint32_t file)
{
	struct rpt_dw_source *source;

	if (file >= t->source_count || !t->sources[file].name)
		return NULL;
	source = &t->sources[file];
	if (!source->path)
		source->path = join(t, arena,
				    source->directory < t->directory_count ?
					    t->directories[source->directory] :
					    NULL,
				    source->name);
	return source->path;
}
