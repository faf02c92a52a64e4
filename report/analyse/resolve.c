// SPDX-License-Identifier: GPL-2.0-or-later
/* Names for locations. */
#include "report/analyse/resolve.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/cli/log.h"
#include "format/util/buf.h"
#include "report/analyse/locate.h"
#include "report/analyse/unpack.h"
#include "report/xmem.h"

#define NO_QUERY SIZE_MAX

/* A location that is named once the symbolizer has answered. */
struct deferred {
	uint32_t location;
	size_t query; /* or NO_QUERY, when packed traces say all there is */
};

struct resolver {
	struct rpt_model *m;
	struct rpt_code *c;
	struct rpt_symbolizer *symbolizer;
	struct rpt_unpacker unpacker;
	int *numbers; /* by module: the symbolizer's number plus 1; 0 = not asked, -1 = not to be asked */
	struct rpt_symbol_query *queries;
	size_t query_count, query_cap;
	struct deferred *deferred;
	size_t deferred_count, deferred_cap;
	struct pa_buf name;
};

/* Adds a module to the symbolizer; returns its number. */
static int add_module(struct resolver *r, const struct rpt_module *module)
{
	struct rpt_map_range *maps = rpt_xcalloc(module->range_count, sizeof(*maps));
	struct rpt_module_desc desc = {
		.source = module->kind == RPT_MODULE_KERNEL ? RPT_SRC_KERNEL :
			  module->image                     ? RPT_SRC_IMAGE :
							      RPT_SRC_FILE,
		.path = rpt_text(r->m, module->path),
		.build_id = module->build_id,
		.build_id_bytes = module->build_id_bytes,
		.image = module->image,
		.image_bytes = module->image_bytes,
		.maps = maps,
		.map_count = module->range_count,
	};
	int number;
	size_t i;

	for (i = 0; i < module->range_count; i++)
		maps[i] = (struct rpt_map_range){module->ranges[i].first,
						 module->ranges[i].end - module->ranges[i].first};
	number = rpt_symbolizer_add(r->symbolizer, &desc);
	rpt_xcheck(number);
	free(maps);
	return number;
}

/* The symbolizer's number of a module, or -1 when there is nothing to look into. */
static int get_number(struct resolver *r, uint32_t index)
{
	const struct rpt_module *module = &r->m->modules.items[index];

	if (r->numbers[index])
		return r->numbers[index] - 1;
	/* The kernel's names are in the trace; a file that is surely the right one has more. */
	if (module->kind == RPT_MODULE_KERNEL && module->build_id_bytes) {
		r->numbers[index] = add_module(r, module) + 1;
		return r->numbers[index] - 1;
	}
	/* The vdso of the reporting host would be another one. */
	if (!rpt_module_is_file(module) || (module->kind == PA_MODULE_VDSO && !module->image))
		return -1;
	r->numbers[index] = add_module(r, module) + 1;
	return r->numbers[index] - 1;
}

static void defer(struct resolver *r, uint32_t location, size_t query)
{
	rpt_xgrow(&r->deferred, &r->deferred_cap, r->deferred_count + 1, sizeof(*r->deferred));
	r->deferred[r->deferred_count++] = (struct deferred){location, query};
}

static void add_query(struct resolver *r, uint32_t location, int number)
{
	const struct rpt_location *l = &r->c->locations[location];
	const struct rpt_kernel_symbol *symbol;
	struct rpt_symbol_query *q;

	rpt_xgrow(&r->queries, &r->query_cap, r->query_count + 1, sizeof(*r->queries));
	defer(r, location, r->query_count);
	q = &r->queries[r->query_count++];
	*q = (struct rpt_symbol_query){.module = number, .file_offset = l->address};
	if (r->m->modules.items[l->module].kind != RPT_MODULE_KERNEL)
		return;
	symbol = rpt_kernel_find_symbol(&r->m->kernel, l->address);
	if (!symbol)
		return;
	q->symbol = rpt_text(r->m, symbol->name);
	q->symbol_start = symbol->start;
}

static void set_name(struct resolver *r, uint32_t location, const char *name, bool unnamed)
{
	struct rpt_function f = {
		.name = rpt_strings_add(&r->m->strings, name),
		.module = r->c->locations[location].module,
		.unnamed = unnamed,
	};

	f.linkage_name = unnamed ? 0 : f.name;
	rpt_code_add_line(r->c, location, rpt_code_function(r->c, &f), 0);
}

/* "module+0xoffset", or the module's name alone where offsets in it mean nothing. */
static void set_unnamed(struct resolver *r, uint32_t location, enum rpt_symbol_reason reason)
{
	struct rpt_location *l = &r->c->locations[location];
	const struct rpt_module *module = &r->m->modules.items[l->module];
	uint64_t offset = l->address;

	l->reason = (uint8_t)reason;
	pa_buf_reset(&r->name);
	pa_buf_add_str(&r->name, rpt_text(r->m, module->name));
	if (module->kind == RPT_MODULE_KERNEL)
		offset -= module->start;
	if (rpt_module_is_file(module) || module->kind == RPT_MODULE_KERNEL)
		pa_buf_addf(&r->name, "+0x%" PRIx64, offset);
	rpt_xcheck(pa_buf_error(&r->name));
	set_name(r, location, pa_buf_str(&r->name), true);
}

static void resolve_kernel(struct resolver *r, uint32_t location)
{
	const struct rpt_kernel *k = &r->m->kernel;
	const struct rpt_kernel_symbol *symbol =
		rpt_kernel_find_symbol(k, r->c->locations[location].address);

	if (symbol)
		set_name(r, location, rpt_text(r->m, symbol->name), false);
	else
		set_unnamed(r, location,
			    k->symbol_count ? RPT_SYM_NO_SYMBOL : RPT_SYM_KERNEL_HIDDEN);
}

/* Names a location without the symbolizer, or queues a query. */
static void start_location(struct resolver *r, uint32_t location)
{
	const struct rpt_location *l = &r->c->locations[location];
	const struct rpt_packed_location *packed = rpt_unpacker_find(&r->unpacker, location);
	int number;

	if (packed && rpt_unpacker_is_final(&r->unpacker, packed)) {
		defer(r, location, NO_QUERY);
		return;
	}
	number = get_number(r, l->module);
	if (number >= 0) {
		add_query(r, location, number);
		return;
	}
	switch (r->m->modules.items[l->module].kind) {
	case RPT_MODULE_MARKER:
		set_name(r, location, rpt_marker_text((enum rpt_marker)l->address), false);
		break;
	case RPT_MODULE_JIT:
		set_name(r, location, rpt_text(r->m, l->jit), false);
		break;
	case RPT_MODULE_KERNEL:
		resolve_kernel(r, location);
		break;
	case RPT_MODULE_UNMAPPED:
		set_unnamed(r, location, RPT_SYM_NO_MAPPING);
		break;
	case PA_MODULE_VDSO:
		set_unnamed(r, location, RPT_SYM_NO_FILE);
		break;
	default:
		set_unnamed(r, location, RPT_SYM_ANON);
	}
}

static void take_frames(struct resolver *r, uint32_t location, const struct rpt_resolution *result)
{
	size_t i;

	for (i = 0; i < result->frame_count; i++) {
		const struct rpt_frame *frame = &result->frames[i];
		struct rpt_function f = {
			.name = rpt_strings_add(&r->m->strings, frame->function),
			.linkage_name = rpt_strings_add(&r->m->strings, frame->linkage_name),
			.file = rpt_strings_add(&r->m->strings, frame->file),
			.module = r->c->locations[location].module,
			.start_line = frame->start_line,
		};

		rpt_code_add_line(r->c, location, rpt_code_function(r->c, &f), frame->line);
	}
}

static bool has_line(const struct rpt_resolution *result)
{
	size_t i;

	for (i = 0; i < result->frame_count; i++)
		if (result->frames[i].line)
			return true;
	return false;
}

/* Of what a file says about a location and what packed traces say, the file's has to be better. */
static void choose(struct resolver *r, uint32_t location, const struct rpt_resolution *result)
{
	const struct rpt_packed_location *packed = rpt_unpacker_find(&r->unpacker, location);
	enum rpt_symbol_reason reason = result->reason;

	if (packed && packed->line_count && !has_line(result)) {
		rpt_unpacker_take(&r->unpacker, location, packed);
	} else if (result->frame_count) {
		take_frames(r, location, result);
	} else if (r->m->modules.items[r->c->locations[location].module].kind ==
		   RPT_MODULE_KERNEL) {
		resolve_kernel(r, location);
	} else {
		/* On the host that packed the trace, the file may have been there. */
		if (packed && reason != RPT_SYM_NO_SYMBOL && reason != RPT_SYM_OUTSIDE)
			reason = (enum rpt_symbol_reason)packed->reason;
		set_unnamed(r, location, reason);
	}
}

/* A status is one short line, whatever the trace calls its modules. */
static bool show_progress(void *ctx, const char *module, size_t done, size_t total)
{
	const char *slash = strrchr(module, '/');
	char name[40];
	size_t i;

	(void)ctx;
	snprintf(name, sizeof(name), "%s", slash ? slash + 1 : module);
	for (i = 0; name[i]; i++)
		if (name[i] < ' ' || name[i] > '~')
			name[i] = '?';
	if (done < total)
		pa_status("symbols: %zu of %zu modules done, %s", done, total, name);
	return false;
}

/* What there is to say of the search as a whole. */
static void conclude(const struct resolver *r)
{
	const char *message = rpt_symbolizer_get_message(r->symbolizer);
	size_t missed = 0, i;

	pa_status("%s", "");
	if (message)
		pa_warn("--debuginfod: %s", message);
	for (i = 0; i < r->query_count; i++)
		missed += r->queries[i].result.reason == RPT_SYM_INTERRUPTED;
	if (missed)
		pa_warn("interrupted: %zu of %zu addresses were not looked up", missed,
			r->query_count);
}

static void name_deferred(struct resolver *r)
{
	static const struct rpt_resolution nothing = {.reason = RPT_SYM_NO_FILE};
	size_t i;

	rpt_xcheck(rpt_symbolizer_resolve(r->symbolizer, r->queries, r->query_count, show_progress,
					  NULL));
	conclude(r);
	if (r->unpacker.options->keep_trail)
		r->c->origins = rpt_xcalloc(r->c->location_count, sizeof(*r->c->origins));
	for (i = 0; i < r->deferred_count; i++) {
		const struct deferred *d = &r->deferred[i];
		const struct rpt_resolution *result =
			d->query == NO_QUERY ? &nothing : &r->queries[d->query].result;

		choose(r, d->location, result);
		if (r->c->origins)
			r->c->origins[d->location] =
				(struct rpt_location_origin){result->vaddr, result->origin};
	}
}

/* Where a module's names came from, by what the symbolizer says. */
static void take_state(const struct resolver *r, int number, bool is_kernel,
		       struct rpt_module_names *names)
{
	struct rpt_module_state state;

	rpt_symbolizer_get_module(r->symbolizer, number, &state);
	names->places = state.places;
	names->place_count = state.place_count;
	/* The kernel without a file has nothing to say: its names are in the trace. */
	if (!state.file && is_kernel)
		return;
	names->file = state.debug_file ? state.debug_file : state.file;
	names->reason = (uint8_t)state.reason;
	/* That no file was found stands with the frames that have no name. */
	if ((state.reason != RPT_SYM_NO_FILE && state.reason != RPT_SYM_NO_BUILD_ID) ||
	    state.refused)
		names->message = state.message;
	names->flags = (state.has_functions ? PA_NAMES_FUNCTIONS : 0) |
		       (state.has_lines ? PA_NAMES_LINES : 0) |
		       (state.has_inlines ? PA_NAMES_INLINES : 0);
}

static void take_packed_state(const struct resolver *r, const struct rpt_packed_module *packed,
			      struct rpt_module_names *names)
{
	/* A file that was found here has said more than what was packed, or as much. */
	if (names->flags & ~packed->flags)
		return;
	names->flags = packed->flags;
	names->reason = packed->reason;
	names->file = NULL;
	names->message = NULL;
	if (packed->file)
		names->file = rpt_text(r->m, packed->file);
	if (packed->message)
		names->message = rpt_text(r->m, packed->message);
}

static void take_states(struct resolver *r)
{
	struct rpt_code *c = r->c;
	size_t count = r->m->modules.count, i;

	c->module_names = rpt_xcalloc(count, sizeof(*c->module_names));
	for (i = 0; i < count; i++) {
		const struct rpt_packed_module *packed =
			i ? rpt_packed_find_module(&r->m->packed, (uint32_t)i) : NULL;

		if (r->numbers[i])
			take_state(r, r->numbers[i] - 1,
				   r->m->modules.items[i].kind == RPT_MODULE_KERNEL,
				   &c->module_names[i]);
		if (packed)
			take_packed_state(r, packed, &c->module_names[i]);
	}
}

void rpt_resolve(struct rpt_model *m, struct rpt_code *c, struct rpt_symbolizer *symbolizer,
		 const struct rpt_symbol_options *options)
{
	struct resolver r = {.m = m, .c = c, .symbolizer = symbolizer};
	uint32_t i;

	pa_buf_init(&r.name);
	rpt_unpacker_init(&r.unpacker, m, c, options);
	r.numbers = rpt_xcalloc(m->modules.count, sizeof(*r.numbers));
	for (i = 1; i < c->location_count; i++)
		start_location(&r, i);
	name_deferred(&r);
	take_states(&r);
	c->reason_count = RPT_SYM_REASONS_;
	c->reason_texts = rpt_xcalloc(c->reason_count, sizeof(*c->reason_texts));
	for (i = 0; i < RPT_SYM_REASONS_; i++)
		c->reason_texts[i] = rpt_symbol_reason_text((enum rpt_symbol_reason)i);
	pa_buf_fini(&r.name);
	rpt_unpacker_fini(&r.unpacker);
	free(r.numbers);
	free(r.queries);
	free(r.deferred);
}
