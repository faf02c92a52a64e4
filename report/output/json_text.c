// SPDX-License-Identifier: GPL-2.0-or-later
/* Pieces of JSON text (RFC 8259). */
#include "report/output/json_text.h"

#include <stdbool.h>
#include <string.h>

#include "format/util/utf8.h"

#define NS_PER_MS 1000000

/* U+2028 and U+2029 end lines in JavaScript. */
static bool is_line_end(const char *text, size_t len)
{
	return len == 3 && memcmp(text, "\xe2\x80", 2) == 0 &&
	       ((unsigned char)text[2] & 0xfe) == 0xa8;
}

static void add_char(struct pa_buf *out, const char *text, size_t len)
{
	unsigned char c = (unsigned char)*text;

	if (len == 0)
		pa_buf_add_str(out, "\\ufffd");
	else if (c == '"' || c == '\\')
		pa_buf_addf(out, "\\%c", c);
	else if (c < 0x20 || c == 0x7f || c == '<' || c == '>')
		pa_buf_addf(out, "\\u%04x", c);
	else if (is_line_end(text, len))
		pa_buf_addf(out, "\\u20%02x", (unsigned char)text[2] & 0x7f);
	else
		pa_buf_add(out, text, len);
}

void rpt_json_add_string(struct pa_buf *out, const char *text)
{
	size_t left = strlen(text), len;

	pa_buf_add_char(out, '"');
	for (; left; text += len, left -= len) {
		len = pa_utf8_char_len(text, left);
		add_char(out, text, len);
		len = len ? len : 1;
	}
	pa_buf_add_char(out, '"');
}

void rpt_json_add_comma(struct pa_buf *out)
{
	char last = out->len ? (char)out->data[out->len - 1] : '{';

	if (last != '{' && last != '[' && last != ':')
		pa_buf_add_char(out, ',');
}

void rpt_json_add_key(struct pa_buf *out, const char *name)
{
	rpt_json_add_comma(out);
	rpt_json_add_string(out, name);
	pa_buf_add_char(out, ':');
}

void rpt_json_add_u64(struct pa_buf *out, uint64_t number)
{
	pa_buf_addf(out, "%llu", (unsigned long long)number);
}

void rpt_json_add_ms(struct pa_buf *out, uint64_t ns)
{
	pa_buf_addf(out, "%llu.%06llu", (unsigned long long)(ns / NS_PER_MS),
		    (unsigned long long)(ns % NS_PER_MS));
}
