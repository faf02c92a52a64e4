// SPDX-License-Identifier: GPL-2.0-or-later
/* Changes the ids of a record's strings and stacks, so that records of several traces fit into one. */
#include "format/pa-format.h"

#include <string.h>

#include "format/fields.h"
#include "format/util/err.h"

/* Which of the two tables a field refers to, if any, and with which id on they are real ones. */
static uint64_t first_id(const struct pa_record *r, const struct pa_field *f, bool *is_string)
{
	bool is_id = strcmp(f->name, "id") == 0;

	*is_string = f->kind == PA_FIELD_STR || (r->id == PA_REC_STRING && is_id);
	if (*is_string)
		return 1;
	if (strcmp(f->name, "ustack") == 0 || strcmp(f->name, "kstack") == 0 ||
	    strcmp(f->name, "waker_ustack") == 0 || strcmp(f->name, "waker_kstack") == 0 ||
	    (r->id == PA_REC_STACK && (is_id || strcmp(f->name, "parent") == 0)) ||
	    (r->id == PA_REC_STACK_COPY && (is_id || strcmp(f->name, "walked") == 0)))
		return PA_STACK_FIRST_ID;
	return UINT64_MAX;
}

int pa_record_shift_ids(struct pa_record *record, uint32_t strings, uint32_t stacks)
{
	const struct pa_record_type *type = pa_record_type_get(record->id);
	uint32_t i;

	for (i = 0; type && i < type->count; i++) {
		const struct pa_field *f = &type->fields[i];
		bool is_string;
		uint64_t first = first_id(record, f, &is_string), id;

		if (first == UINT64_MAX)
			continue;
		id = pa_field_number(record, f);
		if (id >= first &&
		    (id > UINT32_MAX ||
		     !pa_field_set_number(record, f, id + (is_string ? strings : stacks))))
			return PA_E_LIMIT;
	}
	return 0;
}

int pa_record_map_strings(struct pa_record *record, pa_map_string_fn *map, void *ctx)
{
	const struct pa_record_type *type = pa_record_type_get(record->id);
	uint32_t i, *id;
	int err;

	for (i = 0; type && i < type->count; i++) {
		if (type->fields[i].kind != PA_FIELD_STR)
			continue;
		id = pa_field_at_mut(record, &type->fields[i]);
		err = *id ? map(ctx, id) : 0;
		if (err < 0)
			return err;
	}
	return 0;
}
