// SPDX-License-Identifier: GPL-2.0-or-later
/* From what packed traces say of locations to lines, under the options of this report. */
#include "report/analyse/unpack.h"

#include <stdlib.h>

#include "report/xmem.h"

void rpt_unpacker_init(struct rpt_unpacker *u, struct rpt_model *m, struct rpt_code *c,
		       const struct rpt_symbol_options *options)
{
	*u = (struct rpt_unpacker){.m = m, .c = c, .options = options};
	u->names = rpt_xcalloc(m->packed.function_count, sizeof(*u->names));
}

void rpt_unpacker_fini(struct rpt_unpacker *u)
{
	free(u->names);
}

/* The same address may be another function in the kernel of another trace: what the trace says holds. */
static const struct rpt_packed_location *find_kernel(const struct rpt_unpacker *u, uint64_t address)
{
	const struct rpt_packed_location *found = rpt_packed_find(&u->m->packed, 0, address);
	const struct rpt_kernel_symbol *symbol = rpt_kernel_find_symbol(&u->m->kernel, address);
	const struct rpt_packed_line *outermost;

	if (!found || !found->line_count || !symbol)
		return NULL;
	outermost = &u->m->packed.lines[found->first_line + found->line_count - 1];
	return u->m->packed.functions[outermost->function].linkage_name == symbol->name ? found :
											  NULL;
}

const struct rpt_packed_location *rpt_unpacker_find(const struct rpt_unpacker *u, uint32_t location)
{
	const struct rpt_location *l = &u->c->locations[location];
	const struct rpt_module *module = &u->m->modules.items[l->module];

	if (module->kind == RPT_MODULE_KERNEL)
		return find_kernel(u, l->address);
	return rpt_module_is_file(module) ? rpt_packed_find(&u->m->packed, l->module, l->address) :
					    NULL;
}

bool rpt_unpacker_is_final(const struct rpt_unpacker *u, const struct rpt_packed_location *packed)
{
	const struct rpt_packed_module *module =
		rpt_packed_find_module(&u->m->packed, packed->module);

	return packed->line_count &&
	       (!packed->module || (module && (module->flags & PA_NAMES_LINES)));
}

/* As the symbolizer would have named it under these options. */
static uint32_t get_name(struct rpt_unpacker *u, uint32_t function)
{
	const struct rpt_packed_function *f = &u->m->packed.functions[function];
	const char *linkage_name = rpt_text(u->m, f->linkage_name);
	char *text;

	if (u->names[function])
		return u->names[function];
	u->names[function] = f->name;
	if (!f->name || (u->options->no_demangle && rpt_is_mangled(linkage_name))) {
		text = u->options->no_demangle ? rpt_xstrdup(linkage_name) :
						 rpt_demangle(linkage_name);
		u->names[function] = text ? rpt_strings_add(&u->m->strings, text) : f->linkage_name;
		free(text);
	}
	return u->names[function];
}

/* What a line is in, and which file the line is in: two lines may be put together to one. */
static void add_line(struct rpt_unpacker *u, uint32_t location, const struct rpt_packed_line *where,
		     const struct rpt_packed_line *in)
{
	const struct rpt_packed_function *f = &u->m->packed.functions[in->function];
	struct rpt_function function = {
		.name = get_name(u, in->function),
		.linkage_name = f->linkage_name,
		.file = u->m->packed.functions[where->function].file,
		.module = u->c->locations[location].module,
		.start_line = f->start_line,
	};

	rpt_code_add_line(u->c, location, rpt_code_function(u->c, &function), where->line);
}

void rpt_unpacker_take(struct rpt_unpacker *u, uint32_t location,
		       const struct rpt_packed_location *packed)
{
	const struct rpt_packed_line *lines = &u->m->packed.lines[packed->first_line];
	uint32_t i;

	if (u->options->no_inlines) {
		add_line(u, location, &lines[0], &lines[packed->line_count - 1]);
		return;
	}
	for (i = 0; i < packed->line_count; i++)
		add_line(u, location, &lines[i], &lines[i]);
}
