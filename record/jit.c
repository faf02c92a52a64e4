// SPDX-License-Identifier: GPL-2.0-or-later
/* Perf maps of JIT compilers. */
#include "record/jit.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "format/pa-format.h"
#include "format/util/mem.h"
#include "record/world.h"

struct line {
	uint64_t start, length_bytes;
	const char *name;
	size_t name_len;
};

static bool read_hex(const char **p, const char *end, uint64_t *value)
{
	const char *from = *p;

	*value = 0;
	for (; *p < end && *p - from < 16; (*p)++) {
		char c = **p;

		if (c >= '0' && c <= '9')
			*value = *value << 4 | (uint64_t)(c - '0');
		else if ((c | 32) >= 'a' && (c | 32) <= 'f')
			*value = *value << 4 | (uint64_t)((c | 32) - 'a' + 10);
		else
			break;
	}
	return *p > from;
}

/* One line without its newline. Some JITs write 0x before the numbers. */
static bool parse(const char *p, const char *end, struct line *line)
{
	if (end - p > 2 && p[0] == '0' && (p[1] | 32) == 'x')
		p += 2;
	if (!read_hex(&p, end, &line->start) || p == end || *p++ != ' ')
		return false;
	if (end - p > 2 && p[0] == '0' && (p[1] | 32) == 'x')
		p += 2;
	if (!read_hex(&p, end, &line->length_bytes) || p == end || *p++ != ' ')
		return false;
	line->name = p;
	line->name_len = (size_t)(end - p);
	return line->name_len > 0 && line->length_bytes > 0;
}

static int by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

uint64_t *rec_jit_sorted(const struct rec_process *p)
{
	uint64_t *addresses = malloc((p->jit_count + 1) * sizeof(*addresses));

	if (addresses && p->jit_count) {
		memcpy(addresses, p->jit, p->jit_count * sizeof(*addresses));
		qsort(addresses, p->jit_count, sizeof(*addresses), by_value);
	}
	return addresses;
}

size_t rec_jit_first_at(const uint64_t *addresses, size_t count, uint64_t start)
{
	size_t lo = 0, hi = count;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (addresses[mid] < start)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static int write_line(struct pa_writer *writer, const struct rec_process *p,
		      const struct line *line)
{
	struct pa_record rec = {.id = PA_REC_JIT_SYMBOL};
	int err = pa_writer_string(writer, line->name, line->name_len, &rec.jit_symbol.name);

	if (err)
		return err;
	rec.jit_symbol.process = p->id;
	rec.jit_symbol.start = line->start;
	rec.jit_symbol.length_bytes = line->length_bytes;
	return pa_writer_add(writer, &rec);
}

/* For each address the last line that covers it. */
static void match(const char *text, size_t len, const uint64_t *addresses, size_t count,
		  struct line *found)
{
	const char *p = text, *end = text + len;

	while (p < end) {
		const char *stop = memchr(p, '\n', (size_t)(end - p));
		struct line line;
		size_t i;

		if (!stop)
			stop = end;
		if (parse(p, stop, &line)) {
			i = rec_jit_first_at(addresses, count, line.start);
			for (; i < count && addresses[i] - line.start < line.length_bytes; i++)
				found[i] = line;
		}
		p = stop + 1;
	}
}

int rec_jit_write(struct pa_writer *writer, const struct rec_process *p, const char *text,
		  size_t len)
{
	uint64_t *addresses = rec_jit_sorted(p);
	struct line *found = calloc(p->jit_count, sizeof(*found));
	size_t i;
	int err = -ENOMEM;

	if (!addresses || !found)
		goto out;
	match(text, len, addresses, p->jit_count, found);
	err = 0;
	for (i = 0; i < p->jit_count && !err; i++)
		if (found[i].name && (i == 0 || found[i].name != found[i - 1].name))
			err = write_line(writer, p, &found[i]);
out:
	free(found);
	free(addresses);
	return err;
}
