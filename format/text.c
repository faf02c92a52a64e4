// SPDX-License-Identifier: GPL-2.0-or-later
/* The text form of records: record to line. */
#include "format/pa-format.h"

#include <inttypes.h>
#include <string.h>

#include "format/fields.h"
#include "format/util/buf.h"
#include "format/util/utf8.h"

static const char *escape_of(char c)
{
	switch (c) {
	case '"':
		return "\\\"";
	case '\\':
		return "\\\\";
	case '\n':
		return "\\n";
	case '\t':
		return "\\t";
	default:
		return NULL;
	}
}

/* Control characters would act on the terminal; U+0080 to U+009F are such too. */
static bool is_printable(const char *text, size_t char_len)
{
	uint8_t first = (uint8_t)text[0], second = char_len > 1 ? (uint8_t)text[1] : 0;

	if (char_len == 1)
		return first >= 0x20 && first != 0x7f;
	return char_len > 1 && !(first == 0xc2 && second < 0xa0);
}

static void add_quoted(struct pa_buf *out, const char *text, size_t len)
{
	size_t i, n;

	pa_buf_add_char(out, '"');
	for (i = 0; i < len; i += n) {
		const char *escape = escape_of(text[i]);

		n = pa_utf8_char_len(text + i, len - i);
		if (escape) {
			pa_buf_add_str(out, escape);
		} else if (is_printable(text + i, n)) {
			pa_buf_add(out, text + i, n);
		} else {
			pa_buf_addf(out, "\\x%02x", (unsigned)(uint8_t)text[i]);
			n = 1;
		}
	}
	pa_buf_add_char(out, '"');
}

static void add_string(struct pa_buf *out, const struct pa_reader *r, uint32_t id)
{
	size_t len;
	const char *text = pa_reader_string(r, id, &len);

	if (text)
		add_quoted(out, text, len);
	else
		pa_buf_addf(out, "#%" PRIu32, id);
}

static void add_bytes(struct pa_buf *out, const struct pa_bytes *bytes)
{
	uint32_t i;

	pa_buf_add_char(out, '<');
	for (i = 0; i < bytes->len; i++)
		pa_buf_addf(out, "%02x", bytes->data[i]);
	pa_buf_add_char(out, '>');
}

static void add_list(struct pa_buf *out, const struct pa_list *list, bool hex)
{
	uint32_t i;

	pa_buf_add_char(out, '[');
	for (i = 0; i < list->count; i++)
		pa_buf_addf(out, hex ? "%s0x%" PRIx64 : "%s%" PRIu64, i ? "," : "", list->items[i]);
	pa_buf_add_char(out, ']');
}

/* By name, since a range's start is the one number that is an address. */
static bool is_address(const struct pa_field *f)
{
	return strcmp(f->name, "start") == 0;
}

static void add_value(struct pa_buf *out, const struct pa_reader *r, const struct pa_record *record,
		      const struct pa_field *f)
{
	switch (f->kind) {
	case PA_FIELD_STR:
		add_string(out, r, (uint32_t)pa_field_number(record, f));
		break;
	case PA_FIELD_BYTES:
		add_bytes(out, pa_field_at(record, f));
		break;
	case PA_FIELD_ADDRS:
	case PA_FIELD_VALS:
		add_list(out, pa_field_at(record, f), f->kind == PA_FIELD_ADDRS);
		break;
	default:
		pa_buf_addf(out, is_address(f) ? "0x%" PRIx64 : "%" PRIu64,
			    pa_field_number(record, f));
	}
}

/* An empty text has the id 0, but a foreign writer may have given it another one. */
static bool is_empty(const struct pa_reader *r, const struct pa_record *record,
		     const struct pa_field *f)
{
	size_t len;

	if (pa_field_is_zero(record, f))
		return true;
	if (f->kind != PA_FIELD_STR)
		return false;
	return pa_reader_string(r, (uint32_t)pa_field_number(record, f), &len) && len == 0;
}

void pa_text_from_record(struct pa_buf *out, const struct pa_reader *r,
			 const struct pa_record *record)
{
	const struct pa_record_type *type = pa_record_type_get(record->id);
	uint32_t i;

	if (!type || record->id == PA_REC_STRING)
		return;
	pa_buf_add_str(out, type->name);
	for (i = 0; i < type->count; i++) {
		const struct pa_field *f = &type->fields[i];

		if (is_empty(r, record, f))
			continue;
		pa_buf_addf(out, " %s=", f->name);
		add_value(out, r, record, f);
	}
	pa_buf_add_char(out, '\n');
}
