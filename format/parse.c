// SPDX-License-Identifier: GPL-2.0-or-later
/* The text form of records: line to record. */
#include "format/pa-format.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "format/fields.h"
#include "format/util/buf.h"
#include "format/util/err.h"
#include "format/util/mem.h"

struct parser {
	const char *p; /* the rest of the line */
	struct pa_writer *writer;
	struct pa_buf *error;
	const struct pa_record_type *type;
	struct pa_record record;
	uint32_t seen; /* bit i: field i was given */
	void *owned[PA_MAX_FIELDS]; /* storage of bytes and lists, by field */
};

static bool is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_';
}

static size_t word_len(const char *p)
{
	size_t n = 0;

	while (is_word(p[n]))
		n++;
	return n;
}

static void skip_blanks(struct parser *s)
{
	while (*s->p == ' ' || *s->p == '\t' || *s->p == '\r' || *s->p == '\n')
		s->p++;
}

/* Says what was expected, and what stands there instead. */
static int syntax(struct parser *s, const char *name, const char *expected)
{
	int n = (int)strcspn(s->p, " \t\r\n");

	if (n == 0)
		pa_buf_addf(s->error, "%s: expected %s at the end of the line", name, expected);
	else
		pa_buf_addf(s->error, "%s: expected %s instead of '%.*s'", name, expected,
			    PA_MIN(n, 40), s->p);
	return PA_E_SYNTAX;
}

static int digit_of(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return 16;
}

static int hex_pair(const char *p)
{
	int high = digit_of(p[0]), low = high < 16 ? digit_of(p[1]) : 16;

	return low < 16 ? high << 4 | low : -1;
}

/* Decimal, or hexadecimal after 0x. */
static int parse_number(struct parser *s, const char *name, uint64_t *value)
{
	const char *start = s->p;
	int base = 10;

	*value = 0;
	if (s->p[0] == '0' && s->p[1] == 'x' && digit_of(s->p[2]) < 16) {
		base = 16;
		s->p += 2;
	}
	if (digit_of(*s->p) >= base)
		return syntax(s, name, "a number");
	for (; digit_of(*s->p) < base; s->p++) {
		if (!pa_mul_ok(*value, (uint64_t)base, value) ||
		    !pa_add_ok(*value, (uint64_t)digit_of(*s->p), value)) {
			s->p = start;
			return syntax(s, name, "a number of 64 bits");
		}
	}
	return 0;
}

/* One character of a quoted text, or an escape. Its byte, or -1. */
static int parse_char(struct parser *s)
{
	static const char escapes[] = "\"\\nt", meanings[] = "\"\\\n\t";
	const char *escape;
	int c;

	if (*s->p != '\\')
		return (uint8_t)*s->p++;
	if (s->p[1] == 'x') {
		c = hex_pair(s->p + 2);
		if (c >= 0)
			s->p += 4;
		return c;
	}
	escape = s->p[1] ? strchr(escapes, s->p[1]) : NULL;
	if (!escape)
		return -1;
	s->p += 2;
	return meanings[escape - escapes];
}

static int parse_quoted(struct parser *s, const char *name, struct pa_buf *out)
{
	int c;

	s->p++;
	while (*s->p != '"') {
		if (*s->p == 0 || *s->p == '\n')
			return syntax(s, name, "a closing '\"'");
		c = parse_char(s);
		if (c < 0)
			return syntax(s, name, "\\\\, \\\", \\n, \\t or \\xNN");
		pa_buf_add_char(out, (char)c);
	}
	s->p++;
	return pa_buf_error(out);
}

static int parse_string(struct parser *s, const struct pa_field *f, uint64_t *value)
{
	struct pa_buf text;
	uint32_t id = 0;
	int err;

	if (*s->p == '#') {
		s->p++;
		return parse_number(s, f->name, value);
	}
	if (*s->p != '"')
		return syntax(s, f->name, "a text in double quotes, or #ID,");
	pa_buf_init(&text);
	err = parse_quoted(s, f->name, &text);
	if (err == 0 && text.len > PA_MAX_STRING_BYTES)
		err = PA_E_LIMIT;
	if (err == 0)
		err = pa_writer_string(s->writer, pa_buf_str(&text), text.len, &id);
	*value = id;
	pa_buf_fini(&text);
	return err;
}

static int parse_bytes(struct parser *s, const struct pa_field *f, void **owned)
{
	struct pa_bytes *bytes = pa_field_at_mut(&s->record, f);
	struct pa_buf out;
	int c;

	if (*s->p != '<')
		return syntax(s, f->name, "bytes as in <00ff>");
	s->p++;
	pa_buf_init(&out);
	for (; (c = hex_pair(s->p)) >= 0; s->p += 2)
		pa_buf_add_u8(&out, (uint8_t)c);
	*owned = out.data;
	bytes->data = out.data;
	bytes->len = (uint32_t)PA_MIN(out.len, (size_t)UINT32_MAX);
	if (*s->p != '>')
		return syntax(s, f->name, "two hexadecimal digits or '>'");
	s->p++;
	return pa_buf_error(&out);
}

static int parse_list(struct parser *s, const struct pa_field *f, void **owned)
{
	struct pa_list *list = pa_field_at_mut(&s->record, f);
	struct pa_buf items;
	uint64_t value;
	int err = 0;

	if (*s->p != '[')
		return syntax(s, f->name, "a list as in [1,2]");
	s->p++;
	pa_buf_init(&items);
	while (err == 0 && *s->p != ']') {
		if (items.len && *s->p != ',') {
			err = syntax(s, f->name, "',' or ']'");
			break;
		}
		s->p += items.len > 0;
		err = parse_number(s, f->name, &value);
		if (err == 0) {
			pa_buf_add(&items, &value, sizeof(value));
			err = pa_buf_error(&items);
		}
	}
	*owned = items.data;
	if (err < 0)
		return err;
	s->p++;
	list->items = (const uint64_t *)items.data;
	list->count = (uint32_t)PA_MIN(items.len / sizeof(value), (size_t)UINT32_MAX);
	return 0;
}

static int parse_value(struct parser *s, uint32_t index)
{
	const struct pa_field *f = &s->type->fields[index];
	const char *start = s->p;
	uint64_t value = 0;
	int err;

	switch (f->kind) {
	case PA_FIELD_BYTES:
		return parse_bytes(s, f, &s->owned[index]);
	case PA_FIELD_ADDRS:
	case PA_FIELD_VALS:
		return parse_list(s, f, &s->owned[index]);
	case PA_FIELD_STR:
		err = parse_string(s, f, &value);
		break;
	default:
		err = parse_number(s, f->name, &value);
	}
	if (err < 0)
		return err;
	if (!pa_field_set_number(&s->record, f, value)) {
		s->p = start;
		return syntax(s, f->name, "a number of 32 bits");
	}
	return 0;
}

/* The message lists the fields that there are. */
static int no_such_field(struct parser *s)
{
	struct pa_buf expected;
	uint32_t i;

	pa_buf_init(&expected);
	for (i = 0; i < s->type->count; i++)
		pa_buf_addf(&expected, "%s%s", i ? ", " : "one of its fields (",
			    s->type->fields[i].name);
	pa_buf_add_char(&expected, ')');
	syntax(s, s->type->name, pa_buf_str(&expected));
	pa_buf_fini(&expected);
	return PA_E_SYNTAX;
}

static int parse_field(struct parser *s)
{
	size_t len = word_len(s->p);
	uint32_t i;
	int err;

	for (i = 0; i < s->type->count; i++) {
		const char *name = s->type->fields[i].name;

		if (strlen(name) == len && memcmp(name, s->p, len) == 0)
			break;
	}
	if (i == s->type->count)
		return no_such_field(s);
	if (s->seen & 1u << i)
		return syntax(s, s->type->fields[i].name, "only once");
	s->seen |= 1u << i;
	s->p += len;
	if (*s->p != '=')
		return syntax(s, s->type->fields[i].name, "'='");
	s->p++;
	err = parse_value(s, i);
	if (err == 0 && *s->p && !strchr(" \t\r\n", *s->p))
		return syntax(s, s->type->fields[i].name, "a blank after the value");
	return err;
}

static int parse_record(struct parser *s)
{
	size_t len = word_len(s->p);
	uint32_t id;
	int err;

	s->type = pa_record_type_find(s->p, len, &id);
	if (!s->type || id == PA_REC_STRING)
		return syntax(s, "line", "a record type, or 'flush',");
	s->record.id = (enum pa_record_id)id;
	s->p += len;
	for (skip_blanks(s); *s->p; skip_blanks(s)) {
		err = parse_field(s);
		if (err < 0)
			return err;
	}
	return pa_writer_add(s->writer, &s->record);
}

int pa_text_to_writer(struct pa_writer *w, const char *line, struct pa_buf *error)
{
	struct parser s = {.p = line, .writer = w, .error = error};
	uint32_t i;
	int err;

	skip_blanks(&s);
	if (*s.p == 0 || *s.p == '#')
		return 0;
	if (word_len(s.p) == 5 && memcmp(s.p, "flush", 5) == 0) {
		s.p += 5;
		skip_blanks(&s);
		return *s.p ? syntax(&s, "flush", "nothing behind it") : pa_writer_flush(w);
	}
	err = parse_record(&s);
	for (i = 0; i < PA_MAX_FIELDS; i++)
		free(s.owned[i]);
	return err;
}
