/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The record types as data: one descriptor for each field of records.def. Encoder, decoder, text
 * form and comparison are loops over these; nothing else knows a record's fields.
 */
#ifndef PA_FIELDS_H
#define PA_FIELDS_H

#include "format/pa-format.h"

#define PA_MAX_FIELDS 20 /* of one record type */

enum pa_field_kind {
	PA_FIELD_U32,
	PA_FIELD_U64,
	PA_FIELD_D64,
	PA_FIELD_STR,
	PA_FIELD_BYTES,
	PA_FIELD_ADDRS,
	PA_FIELD_VALS,
};

struct pa_field {
	const char *name;
	enum pa_field_kind kind;
	size_t offset; /* in the record's own struct */
};

struct pa_record_type {
	const char *name;
	const struct pa_field *fields;
	uint32_t count;
};

/* Static storage; NULL for an id that this version does not know. */
const struct pa_record_type *pa_record_type_get(uint32_t id);
/* By name, as in the text form; sets *id. NULL when there is none. */
const struct pa_record_type *pa_record_type_find(const char *name, size_t len, uint32_t *id);

/* A field's place in a record; all structs of the union begin at the same address. */
static inline const void *pa_field_at(const struct pa_record *r, const struct pa_field *f)
{
	return (const char *)&r->string + f->offset;
}

static inline void *pa_field_at_mut(struct pa_record *r, const struct pa_field *f)
{
	return (char *)&r->string + f->offset;
}

/* Value of a U32, U64, D64 or STR field. */
uint64_t pa_field_number(const struct pa_record *r, const struct pa_field *f);
/* False when value does not fit into the field. */
static inline bool pa_field_set_number(struct pa_record *r, const struct pa_field *f,
				       uint64_t value)
{
	void *p = pa_field_at_mut(r, f);

	if (f->kind != PA_FIELD_U32 && f->kind != PA_FIELD_STR) {
		*(uint64_t *)p = value;
		return true;
	}
	if (value > UINT32_MAX)
		return false;
	*(uint32_t *)p = (uint32_t)value;
	return true;
}
/* True when the field is 0 or empty: what a reader assumes for a field that is not there. */
bool pa_field_is_zero(const struct pa_record *r, const struct pa_field *f);
/* True when both records have the same type and the same content. */
bool pa_record_equal(const struct pa_record *a, const struct pa_record *b);

/*
 * Holds a record against the limits of docs/format.md ("Limits"): lengths of its lists and bytes,
 * and ranges of ids. 0, or PA_E_LIMIT. What depends on other records, such as whether a parent
 * exists, is for the consumer to check.
 */
int pa_record_check(const struct pa_record *r);
/* The same but for lengths and string ids, which the decoder has checked on the way. */
int pa_record_check_ids(const struct pa_record *r);

#endif
