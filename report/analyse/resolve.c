// SPDX-License-Identifier: GPL-2.0-or-later
/* Names for locations. */
#include "report/analyse/resolve.h"

#include <inttypes.h>
#include <stdlib.h>

#include "format/cli/log.h"
#include "format/util/buf.h"
#include "report/analyse/locate.h"
#include "report/xmem.h"

struct resolver {
	struct rpt_model *m;
	struct rpt_code *c;
	struct rpt_symbolizer *symbolizer;
	int *numbers; /* by module: the symbolizer's number plus 1; 0 = not asked, -1 = not to be asked */
	struct rpt_symbol_query *queries;
	uint32_t *query_locations;
	size_t query_count, query_cap, query_location_cap;
	struct pa_buf name;
};

/* The symbolizer's number of a module, or -1 when there is nothing to look into. */
static int get_number(struct resolver *r, uint32_t index)
{
	const struct rpt_module *module = &r->m->modules.items[index];
	struct rpt_module_desc desc = {
		.source = module->image ? RPT_SRC_IMAGE : RPT_SRC_FILE,
		.path = rpt_text(r->m, module->path),
		.build_id = module->build_id,
		.build_id_bytes = module->build_id_bytes,
		.image = module->image,
		.image_bytes = module->image_bytes,
	};

	if (r->numbers[index])
		return r->numbers[index] - 1;
	/* The vdso of the reporting host would be another one. */
	if (!rpt_module_is_file(module) || (module->kind == PA_MODULE_VDSO && !module->image))
		return -1;
	r->numbers[index] = rpt_symbolizer_add(r->symbolizer, &desc) + 1;
	rpt_xcheck(r->numbers[index] - 1);
	return r->numbers[index] - 1;
}

static void add_query(struct resolver *r, uint32_t location, int number)
{
	rpt_xgrow(&r->queries, &r->query_cap, r->query_count + 1, sizeof(*r->queries));
	rpt_xgrow(&r->query_locations, &r->query_location_cap, r->query_count + 1,
		  sizeof(*r->query_locations));
	r->query_locations[r->query_count] = location;
	r->queries[r->query_count++] = (struct rpt_symbol_query){
		.module = number,
		.file_offset = r->c->locations[location].address,
	};
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
	int number = get_number(r, l->module);

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

static bool show_progress(void *ctx, const char *module, size_t done, size_t total)
{
	(void)ctx;
	if (done < total)
		pa_status("symbols: %zu of %zu modules, %s", done, total, module ? module : "");
	else
		pa_status("%s", "");
	return false;
}

static void ask_symbolizer(struct resolver *r)
{
	size_t i;

	if (r->query_count == 0)
		return;
	rpt_xcheck(rpt_symbolizer_resolve(r->symbolizer, r->queries, r->query_count, show_progress,
					  NULL));
	for (i = 0; i < r->query_count; i++) {
		const struct rpt_resolution *result = &r->queries[i].result;

		if (result->reason == RPT_SYM_OK && result->frame_count)
			take_frames(r, r->query_locations[i], result);
		else
			set_unnamed(r, r->query_locations[i], result->reason);
	}
}

/* What each module's names came from. */
static void take_states(struct resolver *r)
{
	struct rpt_code *c = r->c;
	size_t count = r->m->modules.count, i;
	struct rpt_module_state state;

	c->module_files = rpt_xcalloc(count, sizeof(*c->module_files));
	c->module_messages = rpt_xcalloc(count, sizeof(*c->module_messages));
	c->module_has_lines = rpt_xcalloc(count, sizeof(*c->module_has_lines));
	for (i = 0; i < count; i++) {
		if (!r->numbers[i])
			continue;
		rpt_symbolizer_get_module(r->symbolizer, r->numbers[i] - 1, &state);
		c->module_files[i] = state.debug_file ? state.debug_file : state.file;
		/* That no file was found stands with the frames that have no name. */
		if (state.reason != RPT_SYM_NO_FILE && state.reason != RPT_SYM_NO_BUILD_ID)
			c->module_messages[i] = state.message;
		c->module_has_lines[i] = state.has_lines;
	}
}

void rpt_resolve(struct rpt_model *m, struct rpt_code *c, struct rpt_symbolizer *symbolizer)
{
	struct resolver r = {.m = m, .c = c, .symbolizer = symbolizer};
	uint32_t i;

	pa_buf_init(&r.name);
	r.numbers = rpt_xcalloc(m->modules.count, sizeof(*r.numbers));
	for (i = 1; i < c->location_count; i++)
		start_location(&r, i);
	ask_symbolizer(&r);
	take_states(&r);
	c->reason_count = RPT_SYM_REASONS_;
	c->reason_texts = rpt_xcalloc(c->reason_count, sizeof(*c->reason_texts));
	for (i = 0; i < RPT_SYM_REASONS_; i++)
		c->reason_texts[i] = rpt_symbol_reason_text((enum rpt_symbol_reason)i);
	pa_buf_fini(&r.name);
	free(r.numbers);
	free(r.queries);
	free(r.query_locations);
}
