// SPDX-License-Identifier: GPL-2.0-or-later
/* How addresses got their names, step by step, for people. */
#include "report/output/text.h"
#include "report/symbols/symbols.h"

static void add_hex(struct rpt_page *p, uint64_t number)
{
	pa_buf_addf(&p->out, "0x%llx", (unsigned long long)number);
}

static void add_address(struct rpt_page *p, const struct rpt_explained *item)
{
	const struct rpt_model *m = &p->s->model;
	const struct rpt_mapping *mapping = &item->mapping;
	uint64_t since;

	rpt_page_label(p, "address");
	add_hex(p, item->address);
	if (!item->image) {
		pa_buf_add_str(&p->out, item->address >> 63 ? " in the kernel\n" :
							      " in no mapping of any process\n");
		return;
	}
	pa_buf_add_str(&p->out, " in ");
	rpt_page_process(p, m->processes.images[item->image].process);
	since = m->processes.images[item->image].start.time_ns;
	if (since) {
		pa_buf_add_str(&p->out, ", from ");
		rpt_add_duration(&p->out, since - PA_MIN(since, m->traces[0].start_ns));
		pa_buf_add_str(&p->out, " on");
	}
	pa_buf_add_char(&p->out, '\n');
	if (mapping->end == 0)
		return;
	rpt_page_label(p, "mapping");
	add_hex(p, mapping->start);
	pa_buf_add_char(&p->out, '-');
	add_hex(p, mapping->end);
	pa_buf_add_str(&p->out, " at offset ");
	add_hex(p, mapping->offset);
	pa_buf_add_char(&p->out, '\n');
}

static void add_module(struct rpt_page *p, const struct rpt_location *l)
{
	const struct rpt_model *m = &p->s->model;
	const struct rpt_module *module = &m->modules.items[l->module];

	rpt_page_label(p, "module");
	rpt_add_text(&p->out, rpt_text(m, module->path), 0);
	if (module->build_id_bytes) {
		pa_buf_add_str(&p->out, ", build ID ");
		rpt_add_build_id(&p->out, module->build_id, module->build_id_bytes);
	} else if (rpt_module_is_file(module)) {
		pa_buf_add_str(&p->out, ", no build ID");
	}
	if (module->flags & PA_MODULE_DELETED)
		pa_buf_add_str(&p->out, ", deleted");
	if (module->image)
		pa_buf_add_str(&p->out, ", its content is in the trace");
	pa_buf_add_char(&p->out, '\n');
	if (!rpt_module_is_file(module))
		return;
	rpt_page_label(p, "offset");
	add_hex(p, l->address);
	pa_buf_add_str(&p->out, " in the file\n");
}

static void add_places(struct rpt_page *p, const struct rpt_module_names *names)
{
	const char *label = "looked at";
	size_t i;

	for (i = 0; i < names->place_count; i++) {
		const struct rpt_place *place = &names->places[i];

		rpt_page_label(p, label);
		label = "";
		rpt_add_text(&p->out, place->path, 0);
		pa_buf_addf(&p->out, " for %s: %s", rpt_place_role_text(place->role),
			    rpt_place_result_text(place->result));
		if (place->result == RPT_PLACE_OTHER_ID) {
			pa_buf_add_str(&p->out, ", ");
			rpt_add_build_id(&p->out, place->build_id, place->build_id_bytes);
		}
		pa_buf_add_char(&p->out, '\n');
	}
	if (names->place_count == 0 && names->file) {
		rpt_page_label(p, "packed");
		pa_buf_add_str(&p->out, "the trace brings the names along, as they were found in ");
		rpt_add_text(&p->out, names->file, 0);
		pa_buf_add_char(&p->out, '\n');
	}
}

static void add_origin(struct rpt_page *p, const struct rpt_location_origin *where)
{
	const struct rpt_origin *o = where->origin;

	if (!o)
		return;
	rpt_page_label(p, "in the file");
	add_hex(p, where->vaddr);
	pa_buf_addf(&p->out, ", section %s\n", o->section && *o->section ? o->section : "none");
	rpt_page_label(p, "symbol");
	if (o->symbol) {
		rpt_add_text(&p->out, o->symbol, 0);
		pa_buf_add_str(&p->out, ", which covers ");
		add_hex(p, o->symbol_start);
		pa_buf_add_char(&p->out, '-');
		add_hex(p, o->symbol_end);
		pa_buf_add_char(&p->out, '\n');
	} else {
		pa_buf_add_str(&p->out, "none covers it\n");
	}
	rpt_page_label(p, "unit");
	if (o->unit) {
		rpt_add_text(&p->out, *o->unit ? o->unit : "without a name", 0);
		pa_buf_addf(&p->out, ", DWARF %u, at ", o->unit_version);
		add_hex(p, o->unit_offset);
		pa_buf_add_str(&p->out, " of .debug_info\n");
	} else {
		pa_buf_add_str(&p->out, "no debug information has it\n");
	}
}

static void add_lines(struct rpt_page *p, const struct rpt_location *l)
{
	const struct rpt_code *c = &p->s->code;
	uint32_t i;

	for (i = 0; i < l->line_count; i++) {
		const struct rpt_line *line = &c->lines[l->first_line + i];
		const struct rpt_function *f = &c->functions[line->function];

		rpt_page_label(p, i ? "inlined in" : l->reason ? "shown as" : "function");
		rpt_add_text(&p->out, rpt_text(&p->s->model, f->name), 0);
		if (f->file) {
			pa_buf_add_str(&p->out, "  ");
			rpt_add_text(&p->out, rpt_text(&p->s->model, f->file), 0);
			pa_buf_addf(&p->out, ":%u", line->line);
		}
		pa_buf_add_char(&p->out, '\n');
	}
	if (!l->reason)
		return;
	rpt_page_label(p, "since");
	pa_buf_add_str(&p->out, c->reason_texts[l->reason]);
	pa_buf_add_char(&p->out, '\n');
}

static void add_item(struct rpt_page *p, const struct rpt_explained *item)
{
	const struct rpt_code *c = &p->s->code;
	const struct rpt_location *l = &c->locations[item->location];

	if (item->address || item->image)
		add_address(p, item);
	add_module(p, l);
	add_places(p, &c->module_names[l->module]);
	if (c->origins)
		add_origin(p, &c->origins[item->location]);
	add_lines(p, l);
	rpt_page_label(p, "stacks");
	pa_buf_addf(&p->out, "%llu, %llu of them innermost\n", (unsigned long long)item->samples,
		    (unsigned long long)item->innermost);
}

static int write_explain(const struct rpt_session *s, const struct rpt_output_options *options,
			 FILE *out)
{
	struct rpt_page p = {.s = s, .options = options};
	size_t i;

	pa_buf_init(&p.out);
	for (i = 0; i < s->explain.count && i < options->top; i++) {
		if (i)
			pa_buf_add_char(&p.out, '\n');
		add_item(&p, &s->explain.items[i]);
	}
	if (i < s->explain.count)
		pa_buf_addf(&p.out, "\nand %zu more addresses (--top)\n", s->explain.count - i);
	return rpt_output_put(&p.out, out);
}

const struct rpt_output rpt_out_explain = {
	.name = "explain",
	.help = "how an address got its name",
	.write = write_explain,
};
