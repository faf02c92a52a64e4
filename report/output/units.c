// SPDX-License-Identifier: GPL-2.0-or-later
/* Numbers and names for people. */
#include "report/output/units.h"

#include <string.h>
#include <time.h>

#include "format/util/mem.h"
#include "format/util/utf8.h"

#define NS_PER_S 1000000000ull
/* Up to here seconds are easier to read than minutes. */
#define MINUTES_FROM_S 600

/* At least three significant digits: 1.23, 12.3, 123. */
static void add_scaled(struct pa_buf *out, double number, const char *unit)
{
	/* A number that would be rounded to one digit more is written with one place less. */
	int places = number < 9.995 ? 2 : number < 99.95 ? 1 : 0;

	pa_buf_addf(out, "%.*f %s", places, number, unit);
}

void rpt_add_duration(struct pa_buf *out, uint64_t ns)
{
	uint64_t s = ns / NS_PER_S;

	if (ns < 1000)
		pa_buf_addf(out, "%llu ns", (unsigned long long)ns);
	else if (ns < 999500)
		add_scaled(out, (double)ns / 1e3, "µs");
	else if (ns < 999500000)
		add_scaled(out, (double)ns / 1e6, "ms");
	else if (s < MINUTES_FROM_S)
		add_scaled(out, (double)ns / 1e9, "s");
	else if (s < 48 * 3600)
		pa_buf_addf(out, "%llu m %02llu s", (unsigned long long)s / 60,
			    (unsigned long long)s % 60);
	else
		pa_buf_addf(out, "%llu h", (unsigned long long)s / 3600);
}

static void add_si(struct pa_buf *out, double number, const char *const *units, size_t count)
{
	size_t i = 0;

	while (i + 1 < count && number >= 999.5) {
		number /= 1000.0;
		i++;
	}
	if (i == 0)
		pa_buf_addf(out, "%.0f%s%s", number, *units[0] ? " " : "", units[0]);
	else
		add_scaled(out, number, units[i]);
}

void rpt_add_number(struct pa_buf *out, double number)
{
	static const char *const units[] = {"", "k", "M", "G", "T", "P"};

	add_si(out, number, units, PA_ARRAY_LEN(units));
}

void rpt_add_bytes(struct pa_buf *out, uint64_t bytes)
{
	static const char *const units[] = {"B", "kB", "MB", "GB", "TB", "PB"};

	add_si(out, (double)bytes, units, PA_ARRAY_LEN(units));
}

void rpt_add_wall_time(struct pa_buf *out, uint64_t ns)
{
	time_t seconds = (time_t)(ns / NS_PER_S);
	struct tm tm;
	char text[40];

	if (gmtime_r(&seconds, &tm) && strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S UTC", &tm))
		pa_buf_add_str(out, text);
	else
		pa_buf_add_str(out, "at an unknown time");
}

void rpt_add_count(struct pa_buf *out, uint64_t count, const char *noun)
{
	pa_buf_addf(out, "%llu %s%s", (unsigned long long)count, noun, count == 1 ? "" : "s");
}

void rpt_add_build_id(struct pa_buf *out, const uint8_t *id, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++)
		pa_buf_addf(out, "%02x", id[i]);
}

/* The next character of text and its length; a '?' in place of what must not be printed. */
static size_t next_char(const char **text, char shown[5])
{
	size_t len = pa_utf8_char_len(*text, strlen(*text));
	unsigned char first = (unsigned char)**text;

	/* U+0080 to U+009F are control characters as well. */
	if (len == 0 || first < 0x20 || first == 0x7f ||
	    (first == 0xc2 && (unsigned char)(*text)[1] < 0xa0)) {
		*text += len ? len : 1;
		shown[0] = '?';
		return 1;
	}
	memcpy(shown, *text, len);
	*text += len;
	return len;
}

void rpt_add_text(struct pa_buf *out, const char *text, size_t max)
{
	size_t columns = 0, before_last = out->len, len;
	char shown[5];

	while (*text) {
		if (max && columns == max) {
			out->len = before_last;
			pa_buf_add_str(out, "…");
			return;
		}
		before_last = out->len;
		len = next_char(&text, shown);
		pa_buf_add(out, shown, len);
		columns++;
	}
}

void rpt_add_utf8(struct pa_buf *out, const char *text)
{
	size_t left = strlen(text), len;

	for (; left; text += len, left -= len) {
		len = pa_utf8_char_len(text, left);
		if (len)
			pa_buf_add(out, text, len);
		else
			pa_buf_add_str(out, "\xef\xbf\xbd");
		len = len ? len : 1;
	}
}

/* Bytes that are not the rest of a character, nor part of a colour's sequence, which ends in 'm'. */
size_t rpt_columns(const struct pa_buf *out, size_t start)
{
	size_t i, columns = 0;

	for (i = start; i < out->len; i++) {
		if (out->data[i] == 0x1b)
			while (i + 1 < out->len && out->data[i] != 'm')
				i++;
		else
			columns += (out->data[i] & 0xc0) != 0x80;
	}
	return columns;
}

void rpt_pad(struct pa_buf *out, size_t start, size_t width)
{
	size_t columns = rpt_columns(out, start);

	for (; columns < width; columns++)
		pa_buf_add_char(out, ' ');
}

void rpt_align_right(struct pa_buf *out, size_t start, size_t width)
{
	size_t columns = rpt_columns(out, start), len = out->len - start, shift;

	if (columns >= width || pa_buf_error(out))
		return;
	shift = width - columns;
	rpt_pad(out, start, width);
	if (pa_buf_error(out))
		return;
	memmove(out->data + start + shift, out->data + start, len);
	memset(out->data + start, ' ', shift);
}
