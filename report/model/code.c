// SPDX-License-Identifier: GPL-2.0-or-later
/* Functions, locations and calls, each of them once. */
#include "report/model/code.h"

#include <stdlib.h>

#include "report/xmem.h"

void rpt_code_init(struct rpt_code *c)
{
	*c = (struct rpt_code){
		.function_count = 1,
		.line_count = 1,
		.location_count = 1,
		.call_count = 1,
	};
	rpt_xgrow(&c->functions, &c->function_cap, 1, sizeof(*c->functions));
	rpt_xgrow(&c->lines, &c->line_cap, 1, sizeof(*c->lines));
	rpt_xgrow(&c->locations, &c->location_cap, 1, sizeof(*c->locations));
	rpt_xgrow(&c->calls, &c->call_cap, 1, sizeof(*c->calls));
	c->functions[0] = (struct rpt_function){0};
	c->lines[0] = (struct rpt_line){0};
	c->locations[0] = (struct rpt_location){0};
	c->calls[0] = (struct rpt_call){0};
	pa_htab_init(&c->function_index);
	pa_htab_init(&c->name_index);
	pa_htab_init(&c->location_index);
	pa_htab_init(&c->call_index);
}

void rpt_code_fini(struct rpt_code *c)
{
	free(c->functions);
	free(c->lines);
	free(c->locations);
	free(c->calls);
	free(c->sample_calls);
	free(c->block_calls);
	free(c->waker_calls);
	free(c->task_calls);
	free(c->reason_texts);
	free(c->module_names);
	free(c->origins);
	pa_htab_fini(&c->function_index);
	pa_htab_fini(&c->name_index);
	pa_htab_fini(&c->location_index);
	pa_htab_fini(&c->call_index);
}

static bool same_name(const void *ctx, uint32_t value, const void *key)
{
	const struct rpt_function *a = &((const struct rpt_code *)ctx)->functions[value], *b = key;

	return a->name == b->name && a->module == b->module;
}

static bool same_function(const void *ctx, uint32_t value, const void *key)
{
	const struct rpt_function *a = &((const struct rpt_code *)ctx)->functions[value], *b = key;

	return same_name(ctx, value, key) && a->file == b->file &&
	       a->linkage_name == b->linkage_name && a->start_line == b->start_line;
}

uint32_t rpt_code_function(struct rpt_code *c, const struct rpt_function *wanted)
{
	uint64_t name_hash = pa_hash_u64((uint64_t)wanted->module << 32 | wanted->name);
	uint64_t hash = pa_hash_u64(name_hash ^ wanted->file);
	struct rpt_function *f;
	uint32_t id;

	if (pa_htab_get(&c->function_index, hash, same_function, c, wanted, &id))
		return id;
	id = (uint32_t)c->function_count;
	rpt_xgrow(&c->functions, &c->function_cap, c->function_count + 1, sizeof(*c->functions));
	f = &c->functions[c->function_count++];
	*f = *wanted;
	rpt_xcheck(pa_htab_add(&c->function_index, hash, id));
	if (!pa_htab_get(&c->name_index, name_hash, same_name, c, wanted, &f->same_name)) {
		f->same_name = id;
		rpt_xcheck(pa_htab_add(&c->name_index, name_hash, id));
	}
	return id;
}

static bool same_location(const void *ctx, uint32_t value, const void *key)
{
	const struct rpt_location *a = &((const struct rpt_code *)ctx)->locations[value], *b = key;

	return a->module == b->module && a->address == b->address && a->jit == b->jit;
}

uint32_t rpt_code_location(struct rpt_code *c, uint32_t module, uint64_t address, uint32_t jit)
{
	struct rpt_location wanted = {.module = module, .address = address, .jit = jit};
	uint64_t hash = pa_hash_u64(pa_hash_u64(address) ^ ((uint64_t)module << 32 | jit));
	uint32_t id;

	if (pa_htab_get(&c->location_index, hash, same_location, c, &wanted, &id))
		return id;
	id = (uint32_t)c->location_count;
	rpt_xgrow(&c->locations, &c->location_cap, c->location_count + 1, sizeof(*c->locations));
	c->locations[c->location_count++] = wanted;
	rpt_xcheck(pa_htab_add(&c->location_index, hash, id));
	return id;
}

static bool same_call(const void *ctx, uint32_t value, const void *key)
{
	const struct rpt_call *a = &((const struct rpt_code *)ctx)->calls[value], *b = key;

	return a->parent == b->parent && a->location == b->location;
}

uint32_t rpt_code_call(struct rpt_code *c, uint32_t parent, uint32_t location)
{
	struct rpt_call wanted = {parent, location};
	uint64_t hash = pa_hash_u64((uint64_t)parent << 32 | location);
	uint32_t id;

	if (pa_htab_get(&c->call_index, hash, same_call, c, &wanted, &id))
		return id;
	id = (uint32_t)c->call_count;
	rpt_xgrow(&c->calls, &c->call_cap, c->call_count + 1, sizeof(*c->calls));
	c->calls[c->call_count++] = wanted;
	rpt_xcheck(pa_htab_add(&c->call_index, hash, id));
	return id;
}

void rpt_code_add_line(struct rpt_code *c, uint32_t location, uint32_t function, uint32_t line)
{
	struct rpt_location *l = &c->locations[location];

	if (!l->line_count)
		l->first_line = (uint32_t)c->line_count;
	rpt_xgrow(&c->lines, &c->line_cap, c->line_count + 1, sizeof(*c->lines));
	c->lines[c->line_count++] = (struct rpt_line){function, line};
	l->line_count++;
}
