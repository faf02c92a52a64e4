// SPDX-License-Identifier: GPL-2.0-or-later
/* Names that packed traces bring along, found by module and address. */
#include "report/model/packed.h"

#include <stdlib.h>

#include "report/xmem.h"

void rpt_packed_init(struct rpt_packed *p)
{
	*p = (struct rpt_packed){.function_count = 1};
	rpt_xgrow(&p->functions, &p->function_cap, 1, sizeof(*p->functions));
	p->functions[0] = (struct rpt_packed_function){0};
	pa_htab_init(&p->location_index);
	pa_htab_init(&p->module_index);
}

void rpt_packed_fini(struct rpt_packed *p)
{
	free(p->functions);
	free(p->lines);
	free(p->locations);
	free(p->modules);
	pa_htab_fini(&p->location_index);
	pa_htab_fini(&p->module_index);
}

uint32_t rpt_packed_add_function(struct rpt_packed *p, const struct rpt_packed_function *function)
{
	rpt_xgrow(&p->functions, &p->function_cap, p->function_count + 1, sizeof(*p->functions));
	p->functions[p->function_count] = *function;
	return (uint32_t)p->function_count++;
}

void rpt_packed_add_line(struct rpt_packed *p, uint32_t function, uint32_t line)
{
	rpt_xgrow(&p->lines, &p->line_cap, p->line_count + 1, sizeof(*p->lines));
	p->lines[p->line_count++] = (struct rpt_packed_line){function, line};
}

static bool same_location(const void *ctx, uint32_t value, const void *key)
{
	const struct rpt_packed_location *a = &((const struct rpt_packed *)ctx)->locations[value];
	const struct rpt_packed_location *b = key;

	return a->module == b->module && a->address == b->address;
}

static bool find_location(const struct rpt_packed *p, const struct rpt_packed_location *wanted,
			  uint32_t *index)
{
	uint64_t hash = pa_hash_u64(pa_hash_u64(wanted->address) ^ wanted->module);

	return pa_htab_get(&p->location_index, hash, same_location, p, wanted, index);
}

void rpt_packed_add_location(struct rpt_packed *p, const struct rpt_packed_location *location)
{
	struct rpt_packed_location added = *location;
	uint32_t index;

	added.first_line = (uint32_t)p->line_count - added.line_count;
	if (find_location(p, location, &index)) {
		if (!p->locations[index].line_count)
			p->locations[index] = added;
		return;
	}
	rpt_xgrow(&p->locations, &p->location_cap, p->location_count + 1, sizeof(*p->locations));
	p->locations[p->location_count] = added;
	rpt_xcheck(pa_htab_add(&p->location_index,
			       pa_hash_u64(pa_hash_u64(added.address) ^ added.module),
			       (uint32_t)p->location_count++));
}

const struct rpt_packed_location *rpt_packed_find(const struct rpt_packed *p, uint32_t module,
						  uint64_t address)
{
	struct rpt_packed_location wanted = {.module = module, .address = address};
	uint32_t index;

	return p->location_count && find_location(p, &wanted, &index) ? &p->locations[index] : NULL;
}

static bool same_module(const void *ctx, uint32_t value, const void *key)
{
	return ((const struct rpt_packed *)ctx)->modules[value].module == *(const uint32_t *)key;
}

void rpt_packed_add_module(struct rpt_packed *p, const struct rpt_packed_module *module)
{
	if (rpt_packed_find_module(p, module->module))
		return;
	rpt_xgrow(&p->modules, &p->module_cap, p->module_count + 1, sizeof(*p->modules));
	p->modules[p->module_count] = *module;
	rpt_xcheck(pa_htab_add(&p->module_index, pa_hash_u64(module->module),
			       (uint32_t)p->module_count++));
}

const struct rpt_packed_module *rpt_packed_find_module(const struct rpt_packed *p, uint32_t module)
{
	uint32_t index;

	if (!pa_htab_get(&p->module_index, pa_hash_u64(module), same_module, p, &module, &index))
		return NULL;
	return &p->modules[index];
}
