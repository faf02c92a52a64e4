// SPDX-License-Identifier: GPL-2.0-or-later
/* Encoding and decoding of records, driven by their descriptors. */
#include "format/codec.h"

#include <errno.h>
#include <string.h>

#include "format/util/err.h"
#include "format/util/mem.h"

static void encode_list(struct pa_buf *out, const struct pa_list *list, bool differences,
			uint64_t *last)
{
	uint32_t i;

	pa_buf_add_varint(out, list->count);
	for (i = 0; i < list->count; i++) {
		if (!differences) {
			pa_buf_add_varint(out, list->items[i]);
			continue;
		}
		pa_buf_add_zigzag(out, (int64_t)(list->items[i] - *last));
		*last = list->items[i];
	}
}

static void encode_field(struct pa_buf *out, const struct pa_record *r, const struct pa_field *f,
			 uint64_t *last)
{
	const struct pa_bytes *bytes;
	uint64_t value;

	switch (f->kind) {
	case PA_FIELD_U32:
	case PA_FIELD_U64:
	case PA_FIELD_STR:
		pa_buf_add_varint(out, pa_field_number(r, f));
		break;
	case PA_FIELD_D64:
		value = pa_field_number(r, f);
		pa_buf_add_zigzag(out, (int64_t)(value - *last));
		*last = value;
		break;
	case PA_FIELD_BYTES:
		bytes = pa_field_at(r, f);
		pa_buf_add_varint(out, bytes->len);
		pa_buf_add(out, bytes->data, bytes->len);
		break;
	case PA_FIELD_ADDRS:
	case PA_FIELD_VALS:
		encode_list(out, pa_field_at(r, f), f->kind == PA_FIELD_ADDRS, last);
		break;
	}
}

/* Fields up to the last one that is not empty: a reader assumes 0 for those behind. A difference is
 * always written, since leaving it out would say 0 and not "as before". */
static uint32_t fields_to_write(const struct pa_record *r, const struct pa_record_type *type)
{
	uint32_t n = type->count;

	while (n > 0 && type->fields[n - 1].kind != PA_FIELD_D64 &&
	       pa_field_is_zero(r, &type->fields[n - 1]))
		n--;
	return n;
}

int pa_encode(struct pa_buf *out, struct pa_buf *body, struct pa_delta *d,
	      const struct pa_record *r)
{
	const struct pa_record_type *type = pa_record_type_get(r->id);
	uint64_t last[PA_MAX_FIELDS];
	size_t start = out->len;
	uint32_t i, n;
	int err = pa_record_check(r);

	if (err < 0)
		return err;
	memcpy(last, d->last[r->id], sizeof(last));
	pa_buf_reset(body);
	n = fields_to_write(r, type);
	for (i = 0; i < n; i++)
		encode_field(body, r, &type->fields[i], &last[i]);
	pa_buf_add_varint(out, r->id);
	pa_buf_add_varint(out, body->len);
	pa_buf_add(out, body->data, body->len);
	if (pa_buf_error(body) || pa_buf_error(out)) {
		pa_buf_truncate(out, start);
		return -ENOMEM;
	}
	memcpy(d->last[r->id], last, sizeof(last));
	return 0;
}

/* used: elements of items that the record's earlier lists hold. */
static int decode_list(struct pa_cursor *c, struct pa_items *items, size_t used,
		       struct pa_list *list, uint64_t *differences)
{
	uint64_t count = pa_cursor_varint(c), i;
	int err;

	if (count > PA_MAX_LIST)
		return PA_E_LIMIT;
	/* Each element takes a byte at least: memory only for what can be there. */
	if (count > pa_cursor_left(c))
		return PA_E_TRUNCATED;
	err = pa_grow(&items->items, &items->cap, used + count, sizeof(*items->items));
	if (err < 0)
		return err;
	for (i = 0; i < count; i++) {
		uint64_t *item = &items->items[used + i];

		if (differences)
			*item = *differences += (uint64_t)pa_cursor_zigzag(c);
		else
			*item = pa_cursor_varint(c);
	}
	list->count = (uint32_t)count;
	return pa_cursor_error(c);
}

static int decode_bytes(struct pa_cursor *c, struct pa_bytes *bytes)
{
	uint64_t len = pa_cursor_varint(c);

	if (len > PA_MAX_BYTES_FIELD)
		return PA_E_LIMIT;
	bytes->data = pa_cursor_bytes(c, len);
	bytes->len = (uint32_t)len;
	return pa_cursor_error(c);
}

static int decode_field(struct pa_cursor *c, struct pa_record *r, const struct pa_field *f,
			uint64_t *last)
{
	uint64_t value;

	if (f->kind == PA_FIELD_BYTES)
		return decode_bytes(c, pa_field_at_mut(r, f));
	if (f->kind == PA_FIELD_D64)
		value = *last += (uint64_t)pa_cursor_zigzag(c);
	else
		value = pa_cursor_varint(c);
	if (f->kind == PA_FIELD_STR && value > PA_MAX_STRINGS)
		return PA_E_LIMIT;
	if (!pa_field_set_number(r, f, value))
		return PA_E_CORRUPT;
	return pa_cursor_error(c);
}

static bool is_list(const struct pa_field *f)
{
	return f->kind == PA_FIELD_ADDRS || f->kind == PA_FIELD_VALS;
}

/* Once no element is added any more, and the array does not move. */
static void place_lists(struct pa_record *r, const struct pa_record_type *type,
			const struct pa_items *items)
{
	size_t used = 0;
	uint32_t i;

	for (i = 0; i < type->count; i++) {
		struct pa_list *list = pa_field_at_mut(r, &type->fields[i]);

		if (!is_list(&type->fields[i]) || list->count == 0)
			continue;
		list->items = items->items + used;
		used += list->count;
	}
}

int pa_decode(struct pa_cursor *body, struct pa_delta *d, struct pa_items *items,
	      struct pa_record *r)
{
	const struct pa_record_type *type = pa_record_type_get(r->id);
	size_t used = 0;
	uint32_t i;
	int err;

	if (!type)
		return PA_E_UNSUPPORTED;
	memset(&r->string, 0, sizeof(*r) - offsetof(struct pa_record, string));
	for (i = 0; i < type->count && pa_cursor_left(body); i++) {
		const struct pa_field *f = &type->fields[i];
		uint64_t *last = &d->last[r->id][i];

		if (is_list(f)) {
			struct pa_list *list = pa_field_at_mut(r, f);

			err = decode_list(body, items, used, list,
					  f->kind == PA_FIELD_ADDRS ? last : NULL);
			used += list->count;
		} else {
			err = decode_field(body, r, f, last);
		}
		if (err < 0)
			return err;
	}
	if (used)
		place_lists(r, type, items);
	return pa_record_check_ids(r);
}
