// SPDX-License-Identifier: GPL-2.0-or-later
/* Copies a trace while it is loaded, and adds the names to it. */
#include "report/pack.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "report/session.h"
#include "report/symbols/symbols.h"
#include "report/walked.h"
#include "report/xmem.h"

struct rpt_pack {
	struct rpt_session *session;
	struct pa_writer *w;
	struct pa_reader *r; /* of the record at hand */
	struct rpt_walked walked;
	struct rpt_idmap modules; /* from the session's to those of the trace */
	uint32_t stack_base, stack_top; /* added to ids of stacks; greatest that was written */
	int error; /* the writer's, sticky */
	bool has_session;
	bool has_end;
	struct pa_record end; /* the last record of the copy, too */
	uint32_t *function_ids; /* owned; by the session's functions */
	uint32_t function_count;
	struct rpt_pack_stats stats;
};

/* --- the copy --- */

static int map_string(void *ctx, uint32_t *id)
{
	struct rpt_pack *p = ctx;
	size_t len;
	const char *text = pa_reader_string(p->r, *id, &len);

	return pa_writer_string(p->w, text ? text : "", text ? len : 0, id);
}

static int write_end(struct rpt_pack *p)
{
	if (!p->has_end)
		return 0;
	p->has_end = false;
	return pa_writer_add(p->w, &p->end);
}

static void note_stack(struct rpt_pack *p, uint64_t last)
{
	p->stack_top = PA_MAX(p->stack_top, (uint32_t)last);
}

/* Notes what the copy has to know. False when the record is not to be in it. */
static bool prepare(struct rpt_pack *p, struct pa_record *r, int *err)
{
	uint32_t module;

	switch (r->id) {
	case PA_REC_STRING: /* written anew where they are used, as are names */
	case PA_REC_FUNCTION:
	case PA_REC_LOCATION:
	case PA_REC_NAMES:
		return false;
	case PA_REC_SESSION:
		*err = write_end(p);
		if (p->has_session && p->stack_top)
			p->stack_base = p->stack_top + 1 - PA_STACK_FIRST_ID;
		p->has_session = true;
		return true;
	case PA_REC_MODULE:
		module = rpt_idmap_get(&p->session->load->modules, r->module.id);
		if (module)
			rpt_idmap_add(&p->modules, module, r->module.id);
		return true;
	default:
		return true;
	}
}

static int copy_record(struct rpt_pack *p, const struct pa_record *record)
{
	struct pa_record r = *record;
	int err = 0;

	if (!prepare(p, &r, &err) || err < 0)
		return err;
	if (r.id == PA_REC_STACK_COPY) {
		if (!rpt_walked_replace(&p->walked, p->session->load, &r, p->stack_base))
			return 0;
	} else {
		err = pa_record_shift_ids(&r, 0, p->stack_base);
		rpt_walked_map_record(&p->walked, &r);
		if (r.id == PA_REC_STACK)
			note_stack(p, r.stack.id + r.stack.frames.count - 1);
	}
	if (!err)
		err = pa_record_map_strings(&r, map_string, p);
	if (!err && r.id == PA_REC_END) {
		err = write_end(p);
		p->end = r;
		p->has_end = true;
		return err;
	}
	return err ? err : pa_writer_add(p->w, &r);
}

static int copy(void *ctx, struct pa_reader *reader, const struct pa_record *record)
{
	struct rpt_pack *p = ctx;

	p->r = reader;
	p->error = copy_record(p, record);
	return p->error;
}

struct rpt_pack *rpt_pack_new(struct rpt_session *session, pa_sink_fn *sink, void *ctx)
{
	struct rpt_pack *p = rpt_xcalloc(1, sizeof(*p));

	p->session = session;
	p->w = pa_writer_new(sink, ctx, &(struct pa_writer_options){.level = 9});
	rpt_xcheck(p->w ? 0 : -ENOMEM);
	rpt_walked_init(&p->walked);
	rpt_idmap_init(&p->modules);
	rpt_load_set_tap(session->load, copy, p);
	return p;
}

void rpt_pack_free(struct rpt_pack *p)
{
	if (!p)
		return;
	pa_writer_free(p->w);
	rpt_walked_fini(&p->walked);
	rpt_idmap_fini(&p->modules);
	free(p->function_ids);
	free(p);
}

/* --- the names --- */

static int put_text(struct rpt_pack *p, uint32_t *id, const char *text)
{
	return pa_writer_string(p->w, text ? text : "", text ? strlen(text) : 0, id);
}

/* The name is left out where anybody can get it from the linkage name. */
static const char *get_own_name(const char *name, const char *linkage_name)
{
	char *demangled = *linkage_name ? rpt_demangle(linkage_name) : NULL;
	bool same = demangled && strcmp(demangled, name) == 0;

	free(demangled);
	return same ? "" : name;
}

static int add_function(struct rpt_pack *p, uint32_t function)
{
	const struct rpt_function *f = &p->session->code.functions[function];
	const struct rpt_model *m = &p->session->model;
	struct pa_record r = {.id = PA_REC_FUNCTION};
	const char *linkage_name = rpt_text(m, f->linkage_name);
	int err;

	if (p->function_ids[function])
		return 0;
	p->function_ids[function] = ++p->function_count;
	r.function.id = p->function_count;
	r.function.start_line = f->start_line;
	err = put_text(p, &r.function.linkage_name, linkage_name);
	err = err ? err :
		    put_text(p, &r.function.name, get_own_name(rpt_text(m, f->name), linkage_name));
	err = err ? err : put_text(p, &r.function.file, rpt_text(m, f->file));
	return err ? err : pa_writer_add(p->w, &r);
}

static int add_location(struct rpt_pack *p, const struct rpt_location *l, uint32_t module,
			uint64_t *items)
{
	struct pa_record r = {.id = PA_REC_LOCATION};
	uint32_t i;
	int err;

	r.location.module = module;
	r.location.address = l->address;
	r.location.reason = l->reason;
	for (i = 0; !l->reason && i < PA_MIN(l->line_count, PA_MAX_LIST / 2); i++) {
		const struct rpt_line *line = &p->session->code.lines[l->first_line + i];

		err = add_function(p, line->function);
		if (err)
			return err;
		items[2 * i] = p->function_ids[line->function];
		items[2 * i + 1] = line->line;
	}
	r.location.lines = (struct pa_list){items, 2 * i};
	p->stats.addresses++;
	p->stats.named += !l->reason;
	return pa_writer_add(p->w, &r);
}

static int add_module(struct rpt_pack *p, uint32_t index, uint32_t module)
{
	const struct rpt_module_names *names = &p->session->code.module_names[index];
	struct pa_record r = {.id = PA_REC_NAMES};
	int err;

	r.names.module = module;
	r.names.flags = names->flags;
	r.names.reason = names->reason;
	err = put_text(p, &r.names.file, names->file);
	err = err ? err : put_text(p, &r.names.message, names->message);
	return err ? err : pa_writer_add(p->w, &r);
}

struct entry {
	uint32_t module; /* of the trace; 0 = the kernel */
	uint32_t index; /* of the session */
	const struct rpt_location *location;
};

static int compare(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	if (x->module != y->module)
		return x->module < y->module ? -1 : 1;
	return x->location->address < y->location->address ?
		       -1 :
		       x->location->address > y->location->address;
}

/* What the trace does not say by itself: code in files, and kernel code with a source file. */
static bool is_packed(const struct rpt_pack *p, const struct rpt_location *l, struct entry *entry)
{
	const struct rpt_code *c = &p->session->code;
	const struct rpt_module *module = &p->session->model.modules.items[l->module];

	*entry = (struct entry){.index = l->module, .location = l};
	if (module->kind == RPT_MODULE_KERNEL)
		return !l->reason && c->functions[c->lines[l->first_line].function].file;
	entry->module = rpt_idmap_get(&p->modules, l->module);
	return entry->module && rpt_module_is_file(module);
}

static int add_names(struct rpt_pack *p, struct entry *entries)
{
	const struct rpt_code *c = &p->session->code;
	uint64_t *items = rpt_xcalloc(PA_MAX_LIST, sizeof(*items));
	size_t count = 0, i;
	int err = 0;

	for (i = 1; i < c->location_count; i++)
		count += is_packed(p, &c->locations[i], &entries[count]);
	qsort(entries, count, sizeof(*entries), compare);
	for (i = 0; i < count && !err; i++) {
		if (i == 0 || entries[i].module != entries[i - 1].module)
			err = add_module(p, entries[i].index, entries[i].module);
		err = err ? err : add_location(p, entries[i].location, entries[i].module, items);
	}
	free(items);
	return err;
}

int rpt_pack_finish(struct rpt_pack *p)
{
	const struct rpt_code *c = &p->session->code;
	struct entry *entries = rpt_xcalloc(c->location_count, sizeof(*entries));
	int err;

	if (p->error)
		return p->error;
	p->function_ids = rpt_xcalloc(c->function_count, sizeof(*p->function_ids));
	err = add_names(p, entries);
	free(entries);
	err = err ? err : write_end(p);
	return err ? err : pa_writer_flush(p->w);
}

int rpt_pack_get_error(const struct rpt_pack *p)
{
	return p->error;
}

void rpt_pack_get_stats(const struct rpt_pack *p, struct rpt_pack_stats *stats)
{
	*stats = p->stats;
}
