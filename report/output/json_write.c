// SPDX-License-Identifier: GPL-2.0-or-later
/* JSON onto a stream. */
#include "report/output/json_write.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>

#include "report/output/units.h"

#define FLUSH_BYTES 65536
/* Elements of what is nested deeper stand on one line. */
#define LINES_DEPTH 2

static void flush(struct rpt_json *j)
{
	int err = pa_buf_error(&j->text);

	errno = 0;
	if (!j->err)
		j->err = err;
	if (!j->err && fwrite(j->text.data, 1, j->text.len, j->out) != j->text.len)
		j->err = errno ? -errno : -EIO;
	pa_buf_reset(&j->text);
}

void rpt_json_begin(struct rpt_json *j, FILE *out)
{
	*j = (struct rpt_json){.out = out};
	pa_buf_init(&j->text);
}

int rpt_json_end(struct rpt_json *j)
{
	pa_buf_add_char(&j->text, '\n');
	flush(j);
	pa_buf_fini(&j->text);
	return j->err;
}

static void add_string(struct rpt_json *j, const char *text)
{
	size_t i;
	struct pa_buf clean;

	pa_buf_init(&clean);
	rpt_add_utf8(&clean, text);
	if (pa_buf_error(&clean) && !j->err)
		j->err = pa_buf_error(&clean);
	pa_buf_add_char(&j->text, '"');
	for (i = 0; i < clean.len; i++) {
		uint8_t c = clean.data[i];

		if (c == '"' || c == '\\')
			pa_buf_add_char(&j->text, '\\');
		if (c < 0x20 || c == 0x7f)
			pa_buf_addf(&j->text, "\\u%04x", c);
		else
			pa_buf_add_char(&j->text, (char)c);
	}
	pa_buf_add_char(&j->text, '"');
	pa_buf_fini(&clean);
}

static void begin_value(struct rpt_json *j, const char *key)
{
	if (j->text.len >= FLUSH_BYTES)
		flush(j);
	if (j->has_elements)
		pa_buf_add_char(&j->text, ',');
	if (j->depth && j->depth <= LINES_DEPTH)
		pa_buf_add_char(&j->text, '\n');
	else if (j->has_elements)
		pa_buf_add_char(&j->text, ' ');
	j->has_elements = true;
	if (key) {
		add_string(j, key);
		pa_buf_add_str(&j->text, ": ");
	}
}

void rpt_json_open(struct rpt_json *j, const char *key, char bracket)
{
	begin_value(j, key);
	pa_buf_add_char(&j->text, bracket);
	j->depth++;
	j->has_elements = false;
}

void rpt_json_close(struct rpt_json *j, char bracket)
{
	if (j->depth <= LINES_DEPTH && j->has_elements)
		pa_buf_add_char(&j->text, '\n');
	j->depth--;
	j->has_elements = true;
	pa_buf_add_char(&j->text, bracket);
}

void rpt_json_null(struct rpt_json *j, const char *key)
{
	begin_value(j, key);
	pa_buf_add_str(&j->text, "null");
}

void rpt_json_text(struct rpt_json *j, const char *key, const char *text)
{
	if (!text) {
		rpt_json_null(j, key);
		return;
	}
	begin_value(j, key);
	add_string(j, text);
}

void rpt_json_int(struct rpt_json *j, const char *key, uint64_t number)
{
	begin_value(j, key);
	pa_buf_addf(&j->text, "%" PRIu64, number);
}

void rpt_json_int_if(struct rpt_json *j, const char *key, bool known, uint64_t number)
{
	if (known)
		rpt_json_int(j, key, number);
	else
		rpt_json_null(j, key);
}

void rpt_json_real(struct rpt_json *j, const char *key, double number)
{
	if (!isfinite(number)) {
		rpt_json_null(j, key);
		return;
	}
	begin_value(j, key);
	pa_buf_addf(&j->text, "%.17g", number);
}

void rpt_json_bool(struct rpt_json *j, const char *key, bool value)
{
	begin_value(j, key);
	pa_buf_add_str(&j->text, value ? "true" : "false");
}

void rpt_json_address(struct rpt_json *j, const char *key, uint64_t address)
{
	begin_value(j, key);
	pa_buf_addf(&j->text, "\"0x%" PRIx64 "\"", address);
}
