// SPDX-License-Identifier: GPL-2.0-or-later
/* Handlers of the names in packed traces. */
#include "report/load.h"

void rpt_load_function_record(struct rpt_load *l, const struct pa_record *record)
{
	const struct pa_function *r = &record->function;
	struct rpt_packed_function function = {
		.linkage_name = rpt_load_string(l, r->linkage_name),
		.name = rpt_load_string(l, r->name),
		.file = rpt_load_string(l, r->file),
		.start_line = r->start_line,
	};

	if (r->id == 0 || (!function.linkage_name && !function.name)) {
		rpt_load_problem(l, RPT_PROBLEM_VALUE);
		return;
	}
	if (rpt_idmap_get(&l->functions, r->id)) {
		rpt_load_problem(l, RPT_PROBLEM_TWICE);
		return;
	}
	rpt_idmap_add(&l->functions, r->id, rpt_packed_add_function(&l->m->packed, &function));
}

/* Whether all lines are pairs of a known function and a line. */
static bool are_lines(const struct rpt_load *l, const struct pa_list *lines)
{
	uint32_t i;

	for (i = 0; i + 1 < lines->count; i += 2)
		if (!rpt_idmap_get(&l->functions, lines->items[i]) ||
		    lines->items[i + 1] > UINT32_MAX)
			return false;
	return lines->count % 2 == 0;
}

/* False when the id of a module is neither that of one nor 0, for the kernel. */
static bool get_module(struct rpt_load *l, uint32_t id, uint32_t *module)
{
	*module = id ? rpt_load_module(l, id) : 0;
	return *module || !id;
}

void rpt_load_location_record(struct rpt_load *l, const struct pa_record *record)
{
	const struct pa_location *r = &record->location;
	struct rpt_packed_location location = {
		.address = r->address,
		.line_count = r->lines.count / 2,
		.reason = r->reason < PA_NO_NAME_KINDS_ ? (uint8_t)r->reason : PA_NO_NAME_NO_SYMBOL,
	};
	uint32_t i;

	if (!get_module(l, r->module, &location.module))
		return;
	if (!are_lines(l, &r->lines) || (!location.line_count && !location.reason)) {
		rpt_load_problem(l, RPT_PROBLEM_VALUE);
		return;
	}
	for (i = 0; i < r->lines.count; i += 2)
		rpt_packed_add_line(&l->m->packed, rpt_idmap_get(&l->functions, r->lines.items[i]),
				    (uint32_t)r->lines.items[i + 1]);
	rpt_packed_add_location(&l->m->packed, &location);
}

void rpt_load_names_record(struct rpt_load *l, const struct pa_record *record)
{
	const struct pa_names *r = &record->names;
	struct rpt_packed_module module = {
		.flags = r->flags,
		.file = rpt_load_string(l, r->file),
		.message = rpt_load_string(l, r->message),
		.reason = r->reason < PA_NO_NAME_KINDS_ ? (uint8_t)r->reason : PA_NO_NAME_NO_FILE,
	};

	if (get_module(l, r->module, &module.module))
		rpt_packed_add_module(&l->m->packed, &module);
}
