// SPDX-License-Identifier: GPL-2.0-or-later
/* Locations, functions and mappings of a pprof file. */
#include "report/output/pprof_plan.h"

#include <stdlib.h>
#include <string.h>

#include "report/xmem.h"

/* Where a kernel is when the trace doesn't say: the upper half, on all machines there are. */
#define KERNEL_START 0xffff000000000000ull
/* Where files go whose own addresses are taken; no process has anything there. */
#define FREE_START 0x100000000000000ull
#define PAGE 0x10000ull

struct planner {
	struct rpt_pprof_plan *plan;
	const struct rpt_session *s;
	size_t cap;
	uint32_t *first; /* by module: id of its first mapping, 0 = none */
	uint64_t next_free;
};

static void mark_used(struct rpt_pprof_plan *plan, const struct rpt_session *s,
		      const struct rpt_profile *profile)
{
	const struct rpt_code *c = &s->code;
	bool *calls = rpt_xcalloc(c->call_count, sizeof(*calls));
	uint32_t at, k;
	size_t i;

	for (i = 0; i < profile->row_count; i++) {
		for (at = profile->rows[i].call; at && !calls[at]; at = c->calls[at].parent) {
			const struct rpt_location *l = &c->locations[c->calls[at].location];

			calls[at] = true;
			plan->locations[c->calls[at].location] = true;
			for (k = 0; k < l->line_count; k++)
				plan->functions[c->lines[l->first_line + k].function] = true;
		}
	}
	free(calls);
}

static bool is_taken(const struct rpt_pprof_plan *plan, uint64_t start, uint64_t limit)
{
	size_t i;

	for (i = 0; i < plan->mapping_count; i++)
		if (start < plan->mappings[i].limit && plan->mappings[i].start < limit)
			return true;
	return false;
}

static void add_mapping(struct planner *p, const struct rpt_pprof_mapping *mapping)
{
	struct rpt_pprof_plan *plan = p->plan;

	rpt_xgrow(&plan->mappings, &p->cap, plan->mapping_count + 1, sizeof(*plan->mappings));
	plan->mappings[plan->mapping_count++] = *mapping;
	if (!p->first[mapping->module])
		p->first[mapping->module] = (uint32_t)plan->mapping_count;
}

static void add_range(struct planner *p, uint32_t module, const struct rpt_module_range *range)
{
	struct rpt_pprof_mapping mapping = {.module = module, .offset = range->first};
	uint64_t bytes = range->end - range->first;

	mapping.start = range->base + range->first;
	if (!pa_add_ok(mapping.start, bytes, &mapping.limit) ||
	    is_taken(p->plan, mapping.start, mapping.limit)) {
		mapping.start = p->next_free + range->first % PAGE;
		if (!pa_add_ok(mapping.start, bytes, &mapping.limit))
			mapping.limit = UINT64_MAX;
		if (!pa_add_ok(mapping.limit, 2 * PAGE, &p->next_free))
			p->next_free = FREE_START;
		p->next_free &= ~(PAGE - 1);
	}
	add_mapping(p, &mapping);
}

static void add_module(struct planner *p, uint32_t index)
{
	const struct rpt_module *module = &p->s->model.modules.items[index];
	size_t i;

	if (p->first[index])
		return;
	if (module->kind == RPT_MODULE_KERNEL) {
		struct rpt_pprof_mapping kernel = {
			.module = index,
			.start = module->start ? module->start : KERNEL_START,
			.limit = module->end ? module->end : UINT64_MAX,
		};

		add_mapping(p, &kernel);
		return;
	}
	for (i = 0; rpt_module_is_file(module) && i < module->range_count; i++)
		add_range(p, index, &module->ranges[i]);
}

/* The program of the process that most of the profile is about: readers take the first mapping for it. */
static void add_main_binary(struct planner *p, const struct rpt_profile *profile,
			    const bool *modules)
{
	const struct rpt_model *m = &p->s->model;
	uint32_t exe, i;

	if (!profile->processes.count)
		return;
	exe = m->processes.processes[profile->processes.items[0].id].exe;
	for (i = 1; exe && i < m->modules.count; i++)
		if (modules[i] && m->modules.items[i].path == exe)
			add_module(p, i);
}

/* Modules with a location that is used, the main binary first. */
static void add_mappings(struct planner *p, const struct rpt_profile *profile)
{
	const struct rpt_code *c = &p->s->code;
	size_t count = p->s->model.modules.count;
	bool *modules = rpt_xcalloc(count, sizeof(*modules));
	uint32_t i;

	for (i = 1; i < c->location_count; i++)
		if (p->plan->locations[i])
			modules[c->locations[i].module] = true;
	add_main_binary(p, profile, modules);
	for (i = 1; i < count; i++)
		if (modules[i])
			add_module(p, i);
	free(modules);
}

static uint32_t find_mapping(const struct planner *p, const struct rpt_location *l)
{
	const struct rpt_pprof_plan *plan = p->plan;
	const struct rpt_pprof_mapping *m;
	uint32_t id = p->first[l->module];

	for (; id && id <= plan->mapping_count; id++) {
		m = &plan->mappings[id - 1];
		if (m->module != l->module)
			return 0;
		if (p->s->model.modules.items[l->module].kind == RPT_MODULE_KERNEL) {
			if (l->address >= m->start && l->address < m->limit)
				return id;
		} else if (l->address >= m->offset &&
			   l->address - m->offset < m->limit - m->start) {
			return id;
		}
	}
	return 0;
}

/* A mapping is said to have what all of its locations have. */
static void note_location(struct rpt_pprof_mapping *m, const struct rpt_code *c,
			  const struct rpt_location *l)
{
	const struct rpt_line *line = &c->lines[l->first_line];
	bool file = c->functions[line->function].file != 0;

	if (!m->used) {
		m->used = true;
		m->has_functions = m->has_filenames = m->has_line_numbers = true;
	}
	m->has_functions &= l->reason == 0;
	m->has_filenames &= file;
	m->has_line_numbers &= file && line->line != 0;
	m->has_inline_frames |= l->line_count > 1;
}

void rpt_pprof_plan_init(struct rpt_pprof_plan *plan, const struct rpt_session *s,
			 const struct rpt_profile *profile)
{
	const struct rpt_code *c = &s->code;
	struct planner p = {.plan = plan, .s = s, .next_free = FREE_START};
	uint32_t i;

	*plan = (struct rpt_pprof_plan){0};
	plan->locations = rpt_xcalloc(c->location_count, sizeof(*plan->locations));
	plan->functions = rpt_xcalloc(c->function_count, sizeof(*plan->functions));
	plan->mapping_of = rpt_xcalloc(c->location_count, sizeof(*plan->mapping_of));
	p.first = rpt_xcalloc(s->model.modules.count, sizeof(*p.first));
	mark_used(plan, s, profile);
	add_mappings(&p, profile);
	for (i = 1; i < c->location_count; i++) {
		if (!plan->locations[i])
			continue;
		plan->mapping_of[i] = find_mapping(&p, &c->locations[i]);
		if (plan->mapping_of[i])
			note_location(&plan->mappings[plan->mapping_of[i] - 1], c,
				      &c->locations[i]);
	}
	free(p.first);
}

void rpt_pprof_plan_fini(struct rpt_pprof_plan *plan)
{
	free(plan->mappings);
	free(plan->mapping_of);
	free(plan->locations);
	free(plan->functions);
}

uint64_t rpt_pprof_address(const struct rpt_pprof_plan *plan, const struct rpt_session *s,
			   uint32_t location)
{
	const struct rpt_location *l = &s->code.locations[location];
	const struct rpt_module *module = &s->model.modules.items[l->module];
	const struct rpt_pprof_mapping *m;

	if (module->kind == RPT_MODULE_MARKER)
		return 0;
	if (!plan->mapping_of[location] || module->kind == RPT_MODULE_KERNEL)
		return l->address;
	m = &plan->mappings[plan->mapping_of[location] - 1];
	return m->start + (l->address - m->offset);
}
