// SPDX-License-Identifier: GPL-2.0-or-later
/* From file offsets in one module to frames. */
#include "report/symbols/module.h"

#include <stdlib.h>
#include <string.h>

#include "format/util/buf.h"
#include "report/symbols/anchors.h"
#include "report/symbols/dwarf.h"
#include "report/symbols/minidebug.h"
#include "report/symbols/names.h"
#include "report/symbols/relocate.h"
#include "report/symbols/symtab.h"
#include "report/xmem.h"

struct resolved {
	uint64_t offset;
	struct rpt_resolution result;
};

/* What is open while the module is worked on. */
struct files {
	struct rpt_elf *code;
	struct rpt_elf *debug; /* separate debug file, or NULL */
	struct rpt_elf *mini; /* MiniDebugInfo, or NULL */
	struct rpt_symtab symtab;
	struct rpt_dwarf *dwarf; /* NULL when there is none, or when nobody asked */
	struct rpt_dwarf_answer answer;
	struct rpt_anchors anchors; /* of the kernel and its modules */
};

struct rpt_symbol_module {
	struct rpt_module_desc desc; /* its path, build_id and maps are those below */
	char *path;
	struct rpt_map_range *maps; /* owned */
	struct rpt_wanted wanted;
	struct files files;
	struct rpt_names names;
	struct resolved *resolved; /* owned */
	size_t resolved_count;
	size_t resolved_cap;
	struct pa_htab resolved_index; /* by offset */
	bool debug_alone; /* there is a debug file, but not the file itself */
	struct rpt_trail trail;
	struct rpt_module_state state; /* strings are in names' arena */
	struct pa_buf message;
};

struct rpt_symbol_module *rpt_symbol_module_new(const struct rpt_module_desc *desc)
{
	struct rpt_symbol_module *m = calloc(1, sizeof(*m));
	size_t id_bytes = PA_MIN(desc->build_id_bytes, sizeof(m->wanted.id.data));

	if (!m)
		return NULL;
	m->desc = *desc;
	m->path = strdup(desc->path ? desc->path : "");
	m->maps = calloc(desc->map_count + 1, sizeof(*m->maps));
	if (!m->path || !m->maps) {
		rpt_symbol_module_free(m);
		return NULL;
	}
	if (desc->map_count)
		memcpy(m->maps, desc->maps, desc->map_count * sizeof(*m->maps));
	/* An ID that is too long is no ID of ours: it stays empty, and nothing will match. */
	if (id_bytes == desc->build_id_bytes && id_bytes) {
		memcpy(m->wanted.id.data, desc->build_id, id_bytes);
		m->wanted.id.len = id_bytes;
	}
	m->wanted.path = m->path;
	m->state.reason = RPT_SYM_OK;
	pa_buf_init(&m->message);
	return m;
}

void rpt_symbol_module_free(struct rpt_symbol_module *m)
{
	if (!m)
		return;
	rpt_names_fini(&m->names);
	rpt_trail_fini(&m->trail);
	pa_htab_fini(&m->resolved_index);
	pa_buf_fini(&m->message);
	free(m->resolved);
	free(m->path);
	free(m->maps);
	free(m);
}

const char *rpt_symbol_module_get_path(const struct rpt_symbol_module *m)
{
	return m->path;
}

void rpt_symbol_module_get_state(const struct rpt_symbol_module *m, struct rpt_module_state *state)
{
	*state = m->state;
	state->message = m->message.len ? pa_buf_str(&m->message) : NULL;
	state->places = m->trail.places;
	state->place_count = m->trail.count;
}

static void add_id(struct pa_buf *b, const struct rpt_build_id *id)
{
	size_t i;

	if (id->len == 0)
		pa_buf_add_str(b, "none");
	for (i = 0; i < id->len; i++)
		pa_buf_addf(b, "%02x", id->data[i]);
}

/* Why no file was used, for people. */
static void describe_failure(struct rpt_symbol_module *m, struct rpt_search *search,
			     const struct rpt_build_id *other_id)
{
	struct pa_buf *b = &m->message;
	struct rpt_build_id id;
	const char *namesake;

	pa_buf_reset(b);
	pa_buf_addf(b, "'%s'", m->path);
	if (m->state.reason == RPT_SYM_NO_BUILD_ID) {
		pa_buf_add_str(b, " has no build ID in the trace");
		return;
	}
	if (m->state.reason == RPT_SYM_UNREADABLE) {
		pa_buf_add_str(b, " could not be read as ELF");
		return;
	}
	pa_buf_add_str(b, ": no file with build ID ");
	add_id(b, &m->wanted.id);
	if (m->state.reason == RPT_SYM_MISMATCH) {
		pa_buf_add_str(b, " (the file there now has ");
		add_id(b, other_id);
		pa_buf_add_char(b, ')');
	}
	namesake = rpt_search_namesake(search, &m->wanted, &id);
	if (namesake) {
		m->state.refused = true;
		pa_buf_addf(b, " ('%s' has ", namesake);
		add_id(b, &id);
		pa_buf_add_char(b, ')');
	}
	if (m->debug_alone)
		pa_buf_add_str(b,
			       ", only a debug file, which does not say where in the file code is");
}

/* A debug file stands in for the file itself when the trace says where the code was in that. */
static struct rpt_elf *open_debug_alone(struct rpt_symbol_module *m, struct rpt_search *search)
{
	struct rpt_elf *e = rpt_search_debug(search, &m->wanted, NULL);
	bool placed = false;
	size_t i;

	m->debug_alone = e != NULL;
	for (i = 0; e && i < m->desc.map_count; i++)
		placed |= rpt_elf_place_code(e, m->maps[i].offset, m->maps[i].bytes);
	if (placed) {
		m->state.reason = RPT_SYM_OK;
		return e;
	}
	rpt_elf_free(e);
	return NULL;
}

static struct rpt_elf *open_code(struct rpt_symbol_module *m, struct rpt_search *search)
{
	struct rpt_build_id other_id = {.len = 0};
	struct rpt_elf *code;

	m->state.reason = RPT_SYM_OK;
	if (m->desc.image) {
		code = rpt_elf_open_image(m->path, m->desc.image, m->desc.image_bytes);
		if (!code)
			m->state.reason = RPT_SYM_UNREADABLE;
	} else if (m->desc.source == RPT_SRC_KERNEL) {
		code = rpt_search_kernel(search, &m->wanted);
		if (!code)
			m->state.reason = RPT_SYM_NO_FILE;
	} else {
		code = rpt_search_code(search, &m->wanted, &m->state.reason, &other_id);
	}
	if (!code && m->wanted.id.len > 0 && m->desc.source == RPT_SRC_FILE)
		code = open_debug_alone(m, search);
	if (!code)
		describe_failure(m, search, &other_id);
	else if (m->desc.source == RPT_SRC_KERNEL)
		rpt_elf_lay_out(code);
	return code;
}

/* The rest of what there is about the code: names first, then, unless it is not asked for, DWARF. */
static void open_more(struct rpt_symbol_module *m, struct rpt_search *search, bool no_dwarf)
{
	struct files *f = &m->files;

	if (!no_dwarf)
		f->dwarf = rpt_dwarf_new(f->code, search, m->wanted.trail);
	/* What describes the kernel is the debug file itself. */
	if (!f->dwarf && m->desc.source != RPT_SRC_KERNEL)
		f->debug = rpt_search_debug(search, &m->wanted, f->code);
	if (f->debug && !no_dwarf)
		f->dwarf = rpt_dwarf_new(f->debug, search, m->wanted.trail);
	rpt_symtab_add_elf(&f->symtab, f->code);
	if (m->desc.source != RPT_SRC_KERNEL)
		rpt_symtab_add_plt(&f->symtab, f->code);
	f->mini = rpt_minidebug_open(f->code);
	if (f->mini)
		rpt_symtab_add_elf(&f->symtab, f->mini);
	if (f->debug)
		rpt_symtab_add_elf(&f->symtab, f->debug);
	rpt_symtab_finish(&f->symtab);
}

static bool open_files(struct rpt_symbol_module *m, struct rpt_search *search, bool no_dwarf)
{
	struct files *f = &m->files;

	f->code = open_code(m, search);
	if (!f->code)
		return false;
	open_more(m, search, no_dwarf);
	m->state.file = rpt_names_keep(&m->names, f->code->path);
	if (f->debug)
		m->state.debug_file = rpt_names_keep(&m->names, f->debug->path);
	m->state.has_functions = f->symtab.count || (f->dwarf && rpt_dwarf_has_functions(f->dwarf));
	m->state.has_inlines = f->dwarf && rpt_dwarf_has_functions(f->dwarf);
	m->state.has_lines = f->dwarf && rpt_dwarf_has_lines(f->dwarf);
	return true;
}

static void close_files(struct files *f)
{
	rpt_anchors_fini(&f->anchors);
	rpt_dwarf_free(f->dwarf);
	rpt_symtab_fini(&f->symtab);
	rpt_elf_free(f->mini);
	rpt_elf_free(f->debug);
	rpt_elf_free(f->code);
	free(f->answer.frames);
	*f = (struct files){0};
}

static const struct rpt_origin *make_origin(struct rpt_symbol_module *m, uint64_t vaddr,
					    const struct rpt_symbol *symbol)
{
	struct rpt_origin *o = rpt_arena_alloc(&m->names.arena, sizeof(*o));
	const struct rpt_elf *e = m->files.code;
	const struct rpt_dwarf_answer *answer = &m->files.answer;
	size_t i;

	for (i = 1; i < e->section_count && !o->section; i++) {
		const GElf_Shdr *h = &e->sections[i].header;

		if ((h->sh_flags & SHF_ALLOC) && vaddr >= h->sh_addr &&
		    vaddr - h->sh_addr < h->sh_size)
			o->section = rpt_names_keep(&m->names, e->sections[i].name);
	}
	if (symbol) {
		o->symbol = rpt_names_keep(&m->names, symbol->name);
		o->symbol_start = symbol->start;
		o->symbol_end = symbol->end;
	}
	if (m->files.dwarf && answer->unit_version) {
		o->unit = rpt_names_keep(&m->names, answer->unit ? answer->unit : "");
		o->unit_offset = answer->unit_offset;
		o->unit_version = answer->unit_version;
	}
	return o;
}

static bool get_vaddr(const struct rpt_symbol_module *m, const struct rpt_symbol_query *q,
		      uint64_t *vaddr)
{
	const struct files *f = &m->files;

	if (m->desc.source != RPT_SRC_KERNEL)
		return rpt_elf_get_vaddr(f->code, q->file_offset, vaddr);
	return rpt_anchors_find(&f->anchors, q->symbol, q->symbol_start, q->file_offset, vaddr) &&
	       rpt_elf_is_code(f->code, *vaddr);
}

static void resolve_query(struct rpt_symbol_module *m, const struct rpt_symbol_query *q,
			  bool no_inlines, struct rpt_resolution *result)
{
	struct files *f = &m->files;
	const struct rpt_symbol *symbol;

	if (!get_vaddr(m, q, &result->vaddr)) {
		result->reason = RPT_SYM_OUTSIDE;
		return;
	}
	f->answer.count = 0;
	f->answer.file = NULL;
	f->answer.line = 0;
	f->answer.unit_version = 0;
	if (f->dwarf)
		rpt_dwarf_find(f->dwarf, result->vaddr, &f->answer);
	symbol = rpt_symtab_find(&f->symtab, result->vaddr);
	result->frame_count = rpt_names_make(&m->names, &f->answer, symbol ? symbol->name : NULL,
					     no_inlines, &result->frames);
	result->reason = result->frame_count ? RPT_SYM_OK : RPT_SYM_NO_SYMBOL;
	if (m->wanted.trail)
		result->origin = make_origin(m, result->vaddr, symbol);
}

/* What the host says of all addresses tells where the kernel was. */
static void note_anchors(struct rpt_symbol_module *m, struct rpt_symbol_query *const *queries,
			 size_t count)
{
	struct files *f = &m->files;
	size_t i;

	rpt_anchors_init(&f->anchors, &f->symtab, f->code->header.e_type != ET_REL);
	for (i = 0; i < count; i++)
		if (queries[i]->symbol)
			rpt_anchors_note(&f->anchors, queries[i]->symbol, queries[i]->symbol_start);
}

static bool equal(const void *ctx, uint32_t value, const void *key)
{
	return ((const struct rpt_symbol_module *)ctx)->resolved[value].offset ==
	       *(const uint64_t *)key;
}

static bool find_resolved(const struct rpt_symbol_module *m, uint64_t offset, uint32_t *index)
{
	return pa_htab_get(&m->resolved_index, pa_hash_u64(offset), equal, m, &offset, index);
}

static struct resolved *add_resolved(struct rpt_symbol_module *m, uint64_t offset)
{
	struct resolved *r;

	rpt_xgrow(&m->resolved, &m->resolved_cap, m->resolved_count + 1, sizeof(*m->resolved));
	rpt_xcheck(
		pa_htab_add(&m->resolved_index, pa_hash_u64(offset), (uint32_t)m->resolved_count));
	r = &m->resolved[m->resolved_count++];
	*r = (struct resolved){.offset = offset};
	return r;
}

void rpt_symbol_module_resolve(struct rpt_symbol_module *m, struct rpt_search *search,
			       const struct rpt_symbol_options *options,
			       struct rpt_symbol_query *const *queries, size_t count)
{
	bool opened = false;
	uint32_t index;
	size_t i;

	m->names.no_demangle = options->no_demangle;
	m->wanted.trail = options->keep_trail ? &m->trail : NULL;
	for (i = 0; i < count; i++) {
		struct resolved *r;

		if (options->interrupted && *options->interrupted)
			break;
		if (find_resolved(m, queries[i]->file_offset, &index)) {
			queries[i]->result = m->resolved[index].result;
			continue;
		}
		if (!opened && m->state.reason == RPT_SYM_OK) {
			if (open_files(m, search, options->no_lines) &&
			    m->desc.source == RPT_SRC_KERNEL)
				note_anchors(m, queries, count);
		}
		opened = true;
		r = add_resolved(m, queries[i]->file_offset);
		if (m->files.code)
			resolve_query(m, queries[i], options->no_inlines, &r->result);
		else
			r->result.reason = m->state.reason;
		queries[i]->result = r->result;
	}
	if (m->files.dwarf && m->message.len == 0 && rpt_dwarf_get_message(m->files.dwarf))
		pa_buf_add_str(&m->message, rpt_dwarf_get_message(m->files.dwarf));
	rpt_xcheck(pa_buf_error(&m->message));
	close_files(&m->files);
}
