// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Descriptors of all record types, expanded from records.def, and generic access to their fields.
 */
#include "format/fields.h"

#include <string.h>

#include "format/util/mem.h"

/* clang-format off */
#define FIELD(kind_, field) \
	{.name = #field, .kind = PA_FIELD_##kind_, .offset = offsetof(struct_type, field)},
#define U32(name, doc) FIELD(U32, name)
#define U64(name, doc) FIELD(U64, name)
#define D64(name, doc) FIELD(D64, name)
#define STR(name, doc) FIELD(STR, name)
#define BYTES(name, doc) FIELD(BYTES, name)
#define ADDRS(name, doc) FIELD(ADDRS, name)
#define VALS(name, doc) FIELD(VALS, name)
#define PA_RECORD(id_, NAME, name_, doc) \
	case id_: { \
		_Static_assert((id_) < PA_REC_IDS_, "raise PA_REC_IDS_"); \
		typedef struct pa_##name_ struct_type; \
		static const struct pa_field fields[] = {
#define PA_END(name_) \
		}; \
		static const struct pa_record_type type = { \
			.name = #name_, .fields = fields, .count = PA_ARRAY_LEN(fields)}; \
		_Static_assert(PA_ARRAY_LEN(fields) <= PA_MAX_FIELDS, "raise PA_MAX_FIELDS"); \
		return &type; \
	}
/* clang-format on */

const struct pa_record_type *pa_record_type_get(uint32_t id)
{
	switch (id) {
#include "format/records.def"
	default:
		return NULL;
	}
}

const struct pa_record_type *pa_record_type_find(const char *name, size_t len, uint32_t *id)
{
	uint32_t i;

	for (i = 0; i < PA_REC_IDS_; i++) {
		const struct pa_record_type *type = pa_record_type_get(i);

		if (type && strlen(type->name) == len && memcmp(type->name, name, len) == 0) {
			*id = i;
			return type;
		}
	}
	return NULL;
}

const char *pa_record_name(uint32_t id)
{
	const struct pa_record_type *type = pa_record_type_get(id);

	return type ? type->name : NULL;
}

uint64_t pa_field_number(const struct pa_record *r, const struct pa_field *f)
{
	const void *p = pa_field_at(r, f);

	if (f->kind == PA_FIELD_U32 || f->kind == PA_FIELD_STR)
		return *(const uint32_t *)p;
	return *(const uint64_t *)p;
}

bool pa_field_is_zero(const struct pa_record *r, const struct pa_field *f)
{
	switch (f->kind) {
	case PA_FIELD_BYTES:
		return ((const struct pa_bytes *)pa_field_at(r, f))->len == 0;
	case PA_FIELD_ADDRS:
	case PA_FIELD_VALS:
		return ((const struct pa_list *)pa_field_at(r, f))->count == 0;
	default:
		return pa_field_number(r, f) == 0;
	}
}

static bool bytes_equal(const struct pa_bytes *a, const struct pa_bytes *b)
{
	return a->len == b->len && (a->len == 0 || memcmp(a->data, b->data, a->len) == 0);
}

static bool list_equal(const struct pa_list *a, const struct pa_list *b)
{
	return a->count == b->count &&
	       (a->count == 0 || memcmp(a->items, b->items, a->count * sizeof(*a->items)) == 0);
}

static bool field_equal(const struct pa_record *a, const struct pa_record *b,
			const struct pa_field *f)
{
	switch (f->kind) {
	case PA_FIELD_BYTES:
		return bytes_equal(pa_field_at(a, f), pa_field_at(b, f));
	case PA_FIELD_ADDRS:
	case PA_FIELD_VALS:
		return list_equal(pa_field_at(a, f), pa_field_at(b, f));
	default:
		return pa_field_number(a, f) == pa_field_number(b, f);
	}
}

bool pa_record_equal(const struct pa_record *a, const struct pa_record *b)
{
	const struct pa_record_type *type = pa_record_type_get(a->id);
	uint32_t i;

	if (!type || a->id != b->id)
		return false;
	for (i = 0; i < type->count; i++)
		if (!field_equal(a, b, &type->fields[i]))
			return false;
	return true;
}
