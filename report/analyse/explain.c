// SPDX-License-Identifier: GPL-2.0-or-later
/* Finds what is to be explained, and where it was seen. */
#include "report/analyse/explain.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "report/analyse/locate.h"
#include "report/xmem.h"

static struct rpt_explained *add(struct rpt_explain *e, uint32_t location)
{
	size_t i;

	for (i = 0; i < e->count; i++)
		if (e->items[i].location == location)
			return &e->items[i];
	rpt_xgrow(&e->items, &e->cap, e->count + 1, sizeof(*e->items));
	e->items[e->count] = (struct rpt_explained){.location = location};
	return &e->items[e->count++];
}

static bool parse_number(const char *text, uint64_t *number)
{
	char *end;

	errno = 0;
	*number = strtoull(text, &end, 0);
	return *text >= '0' && *text <= '9' && *end == '\0' && errno == 0;
}

/* Where an address lies in each image that has something there; else, as what is in no mapping. */
static void add_address(struct rpt_explain *e, struct rpt_model *m, struct rpt_code *c,
			uint64_t address)
{
	const struct rpt_processes *p = &m->processes;
	struct rpt_explained *item;
	bool found = false;
	uint32_t image;

	if (address >= 1ull << 63) {
		add(e, rpt_locate_address(m, c, 0, address))->address = address;
		return;
	}
	for (image = 1; image < p->image_count; image++) {
		const struct rpt_mapping *mapping = rpt_image_find(p, image, address);

		if (!mapping && !rpt_image_find_jit(p, image, address))
			continue;
		found = true;
		item = add(e, rpt_locate_address(m, c, image, address));
		if (item->image)
			continue;
		item->image = image;
		item->address = address;
		if (mapping)
			item->mapping = *mapping;
	}
	if (!found && p->image_count > 1)
		add(e, rpt_locate_address(m, c, 1, address))->address = address;
}

/* MODULE+OFFSET, where the module is named as in reports, or by its path. */
static void add_offset(struct rpt_explain *e, struct rpt_model *m, struct rpt_code *c,
		       const char *what)
{
	const char *plus = strrchr(what, '+');
	size_t count = m->modules.count, i;
	uint64_t offset;
	char *name;

	if (!plus || !parse_number(plus + 1, &offset))
		return;
	name = rpt_xstrndup(what, (size_t)(plus - what));
	for (i = 1; i < count; i++) {
		const struct rpt_module *module = &m->modules.items[i];

		if (strcmp(rpt_text(m, module->name), name) != 0 &&
		    strcmp(rpt_text(m, module->path), name) != 0)
			continue;
		if (module->kind == RPT_MODULE_KERNEL)
			add(e, rpt_code_location(c, (uint32_t)i, module->start + offset, 0));
		else if (rpt_module_is_file(module))
			add(e, rpt_code_location(c, (uint32_t)i, offset, 0));
	}
	free(name);
}

void rpt_explain_begin(struct rpt_explain *e, const char *what, struct rpt_model *m,
		       struct rpt_code *c)
{
	uint64_t address;

	if (parse_number(what, &address))
		add_address(e, m, c, address);
	else
		add_offset(e, m, c, what);
}

static void add_function(struct rpt_explain *e, const char *name, const struct rpt_model *m,
			 const struct rpt_code *c)
{
	uint32_t i, k;

	for (i = 1; i < c->location_count; i++) {
		const struct rpt_location *l = &c->locations[i];

		for (k = 0; k < l->line_count; k++) {
			const struct rpt_function *f =
				&c->functions[c->lines[l->first_line + k].function];

			if (f->unnamed || (strcmp(rpt_text(m, f->name), name) != 0 &&
					   strcmp(rpt_text(m, f->linkage_name), name) != 0))
				continue;
			add(e, i);
			break;
		}
	}
}

static void count(struct rpt_explain *e, const struct rpt_code *c, const struct rpt_groups *groups,
		  const uint32_t *calls, const uint32_t *items, uint64_t first_stamp)
{
	size_t i;

	for (i = 0; i < groups->count; i++) {
		uint64_t n = groups->items[i].count;
		uint32_t at, item;

		rpt_add_saturated(&n, groups->items[i].thinned_count);
		for (at = calls[i]; at; at = c->calls[at].parent) {
			item = items[c->calls[at].location];
			if (!item)
				continue;
			if (at == calls[i])
				rpt_add_saturated(&e->items[item - 1].innermost, n);
			/* It may be in a stack more than once. */
			if (e->items[item - 1].stamp == first_stamp + i + 1)
				continue;
			e->items[item - 1].stamp = first_stamp + i + 1;
			rpt_add_saturated(&e->items[item - 1].samples, n);
		}
	}
}

/* Where the code was seen, which the module's ranges keep of its first time. */
static void find_place(struct rpt_explained *item, const struct rpt_model *m,
		       const struct rpt_code *c)
{
	const struct rpt_location *l = &c->locations[item->location];
	const struct rpt_module *module = &m->modules.items[l->module];
	const struct rpt_mapping *mapping;
	size_t i;

	if (module->kind == RPT_MODULE_KERNEL)
		item->address = l->address;
	for (i = 0; i < module->range_count && !item->image; i++) {
		const struct rpt_module_range *r = &module->ranges[i];

		if (l->address < r->first || l->address >= r->end)
			continue;
		item->image = r->image;
		item->address = r->base + l->address;
		mapping = rpt_image_find(&m->processes, r->image, item->address);
		if (mapping)
			item->mapping = *mapping;
	}
}

static int compare(const void *a, const void *b)
{
	const struct rpt_explained *x = a, *y = b;

	if (x->samples != y->samples)
		return x->samples > y->samples ? -1 : 1;
	return x->location < y->location ? -1 : x->location > y->location;
}

void rpt_explain_finish(struct rpt_explain *e, const char *what, const struct rpt_model *m,
			const struct rpt_code *c)
{
	uint32_t *items = rpt_xcalloc(c->location_count, sizeof(*items));
	size_t i;

	if (e->count == 0)
		add_function(e, what, m, c);
	for (i = 0; i < e->count; i++)
		items[e->items[i].location] = (uint32_t)i + 1;
	count(e, c, &m->samples, c->sample_calls, items, 0);
	count(e, c, &m->blocks, c->block_calls, items, m->samples.count);
	for (i = 0; i < e->count; i++)
		find_place(&e->items[i], m, c);
	if (e->count)
		qsort(e->items, e->count, sizeof(*e->items), compare);
	free(items);
}

void rpt_explain_fini(struct rpt_explain *e)
{
	free(e->items);
	*e = (struct rpt_explain){0};
}
