// SPDX-License-Identifier: GPL-2.0-or-later
/* The kernel's code symbols and ranges: read in large pieces, kept compact and sorted. */
#include "record/kallsyms.h"
#include "record/ksyms.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "format/util/buf.h"
#include "format/util/err.h"
#include "format/util/mem.h"

#define MAX_LINE_BYTES 4096u
/*
 * Room that is enough for nearly every kernel. What stays unused is never touched, so it takes no memory, and
 * what grows by doubling would be moved over and over.
 */
#define SYMBOLS_ROOM (256u << 10)
#define NAMES_ROOM (8u << 20)

/* 16 bytes a symbol; names lie one after the other in one blob. */
struct symbol {
	uint64_t start;
	uint32_t name; /* offset in the blob */
	uint16_t module; /* index; 0 = the kernel itself */
	uint16_t rank; /* among symbols of the same address, the lowest is kept */
};

struct rec_kallsyms {
	struct symbol *symbols;
	size_t count, cap;
	struct pa_buf names;
	struct pa_buf line; /* an unfinished line between two pieces of text */
	char **modules; /* names by index; [0] is "" */
	size_t module_count, module_cap;
	struct rec_kernel_range *ranges;
	size_t range_count, range_cap;
	uint64_t text_start, text_end; /* of the kernel */
	struct rec_ksyms *asked; /* or NULL: all symbols are in the table */
	uint64_t lines, zeros; /* symbols seen, and how many of them had address 0 */
};

/* --- life --- */

static int add_module_name(struct rec_kallsyms *k, const char *name, size_t len, uint16_t *index)
{
	size_t i;
	char *copy;

	/* Lines of one module stand together: the last one is nearly always the right one. */
	for (i = k->module_count; i-- > 0;) {
		if (strlen(k->modules[i]) == len && memcmp(k->modules[i], name, len) == 0) {
			*index = (uint16_t)i;
			return 0;
		}
	}
	if (k->module_count > UINT16_MAX)
		return PA_E_LIMIT;
	copy = strndup(name, len);
	if (!copy ||
	    pa_grow(&k->modules, &k->module_cap, k->module_count + 1, sizeof(*k->modules)) < 0) {
		free(copy);
		return -ENOMEM;
	}
	*index = (uint16_t)k->module_count;
	k->modules[k->module_count++] = copy;
	return 0;
}

struct rec_kallsyms *rec_kallsyms_new(void)
{
	struct rec_kallsyms *k = calloc(1, sizeof(*k));
	uint16_t kernel;

	if (!k)
		return NULL;
	if (add_module_name(k, "", 0, &kernel) < 0 ||
	    pa_grow(&k->symbols, &k->cap, SYMBOLS_ROOM, sizeof(*k->symbols)) < 0 ||
	    pa_grow(&k->names.data, &k->names.cap, NAMES_ROOM, 1) < 0) {
		rec_kallsyms_free(k);
		return NULL;
	}
	return k;
}

void rec_kallsyms_free(struct rec_kallsyms *k)
{
	size_t i;

	if (!k)
		return;
	for (i = 0; i < k->module_count; i++)
		free(k->modules[i]);
	rec_ksyms_free(k->asked);
	free(k->modules);
	free(k->symbols);
	free(k->ranges);
	pa_buf_fini(&k->names);
	pa_buf_fini(&k->line);
	free(k);
}

/* --- text in any pieces, by lines --- */

typedef int line_fn(struct rec_kallsyms *k, const char *line, size_t len);

static int end_line(struct rec_kallsyms *k, const char *text, size_t len, line_fn *fn)
{
	int err;

	pa_buf_add(&k->line, text, len);
	err = pa_buf_error(&k->line);
	if (err == 0)
		err = fn(k, pa_buf_str(&k->line), k->line.len);
	pa_buf_reset(&k->line);
	return err;
}

static int for_each_line(struct rec_kallsyms *k, const char *text, size_t len, line_fn *fn)
{
	const char *p = text, *end = text + len, *newline;
	int err = 0;

	while (err == 0 && (newline = memchr(p, '\n', (size_t)(end - p))) != NULL) {
		if (k->line.len > 0)
			err = end_line(k, p, (size_t)(newline - p), fn);
		else
			err = fn(k, p, (size_t)(newline - p));
		p = newline + 1;
	}
	if (err == 0 && (size_t)(end - p) + k->line.len <= MAX_LINE_BYTES)
		pa_buf_add(&k->line, p, (size_t)(end - p));
	return err < 0 ? err : pa_buf_error(&k->line);
}

/* Hexadecimal digits from p on; returns how many there were. */
static size_t parse_hex(const char *p, size_t len, uint64_t *value)
{
	uint64_t v = 0;
	size_t i;

	for (i = 0; i < len && i < 16; i++) {
		unsigned char c = (unsigned char)p[i];

		if (c >= '0' && c <= '9')
			v = v << 4 | (unsigned)(c - '0');
		else if (c >= 'a' && c <= 'f')
			v = v << 4 | (unsigned)(c - 'a' + 10);
		else
			break;
	}
	*value = v;
	return i;
}

/* --- /proc/kallsyms: ffffffff81000000 T name\t[module] --- */

static void note_boundary(struct rec_kallsyms *k, const char *name, size_t len, uint64_t address)
{
	if ((len == 6 && memcmp(name, "_stext", 6) == 0) ||
	    (len == 5 && memcmp(name, "_text", 5) == 0)) {
		if (address && (k->text_start == 0 || address < k->text_start))
			k->text_start = address;
	} else if (len == 6 && memcmp(name, "_etext", 6) == 0) {
		k->text_end = address;
	}
}

/*
 * Of several names for one address: global ones, then those with fewer underscores in front, then
 * shorter.
 */
static uint16_t name_rank(char type, const char *name, size_t len)
{
	unsigned underscores = 0;

	while (underscores < len && underscores < 7 && name[underscores] == '_')
		underscores++;
	return (uint16_t)((type == 'T' ? 0 : 0x1000) | underscores << 8 | PA_MIN(len, 255u));
}

/* A byte can be read behind the name: that of the line that it stands in. */
static int add_symbol(struct rec_kallsyms *k, uint64_t start, char type, const char *name,
		      size_t len, uint16_t module)
{
	struct symbol s = {.start = start, .module = module, .rank = name_rank(type, name, len)};
	struct symbol *last = k->count > 0 ? &k->symbols[k->count - 1] : NULL;
	int err;

	if (last && last->start == start && last->rank <= s.rank)
		return 0;
	if (k->names.len + len + 1 > UINT32_MAX)
		return PA_E_LIMIT;
	s.name = (uint32_t)k->names.len;
	/* The byte behind it, in one go; it becomes the end of the string. */
	pa_buf_add(&k->names, name, len + 1);
	if (pa_buf_error(&k->names))
		return pa_buf_error(&k->names);
	k->names.data[k->names.len - 1] = 0;
	if (last && last->start == start) {
		*last = s;
		return 0;
	}
	err = pa_grow(&k->symbols, &k->cap, k->count + 1, sizeof(*k->symbols));
	if (err < 0)
		return err;
	k->symbols[k->count++] = s;
	return 0;
}

static int symbol_line(struct rec_kallsyms *k, const char *line, size_t len)
{
	const char *name, *tab;
	size_t digits, name_len;
	uint16_t module = 0;
	uint64_t address;
	char type;
	int err = 0;

	digits = parse_hex(line, len, &address);
	if (digits == 0 || len < digits + 4 || line[digits] != ' ' || line[digits + 2] != ' ')
		return 0;
	type = line[digits + 1];
	name = line + digits + 3;
	name_len = len - digits - 3;
	k->lines++;
	if (address == 0)
		k->zeros++;
	tab = memchr(name, '\t', name_len);
	if (!tab)
		note_boundary(k, name, name_len, address);
	/* Addresses lead into code alone. */
	if (address == 0 || !strchr("tTwW", type))
		return 0;
	if (tab) {
		const char *end = name + name_len;

		name_len = (size_t)(tab - name);
		if (end - tab > 3 && tab[1] == '[' && end[-1] == ']')
			err = add_module_name(k, tab + 2, (size_t)(end - tab - 3), &module);
	}
	return err < 0 ? err : add_symbol(k, address, type, name, name_len, module);
}

int rec_kallsyms_add_symbols(struct rec_kallsyms *k, const char *text, size_t len)
{
	return for_each_line(k, text, len, symbol_line);
}

/* --- /proc/modules: name 16384 0 - Live 0xffffffffc0000000 (flags) --- */

static int add_range(struct rec_kallsyms *k, uint64_t start, uint64_t length, const char *name)
{
	int err = pa_grow(&k->ranges, &k->range_cap, k->range_count + 1, sizeof(*k->ranges));

	if (err == 0)
		k->ranges[k->range_count++] = (struct rec_kernel_range){
			.start = start, .length_bytes = length, .name = name};
	return err;
}

static int module_line(struct rec_kallsyms *k, const char *line, size_t len)
{
	const char *space = memchr(line, ' ', len), *hex;
	uint64_t start, size;
	uint16_t index;
	int err;

	hex = memmem(line, len, " 0x", 3);
	if (!space || !hex)
		return 0;
	size = strtoull(space, NULL, 10);
	if (parse_hex(hex + 3, len - (size_t)(hex + 3 - line), &start) == 0 || start == 0 ||
	    size == 0)
		return 0;
	err = add_module_name(k, line, (size_t)(space - line), &index);
	return err < 0 ? err : add_range(k, start, size, k->modules[index]);
}

int rec_kallsyms_add_modules(struct rec_kallsyms *k, const char *text, size_t len)
{
	return for_each_line(k, text, len, module_line);
}

/* --- the end of it --- */

static int compare_symbols(const void *a, const void *b)
{
	const struct symbol *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return (int)x->rank - (int)y->rank;
}

static int compare_ranges(const void *a, const void *b)
{
	const struct rec_kernel_range *x = a, *y = b;

	return x->start < y->start ? -1 : x->start > y->start;
}

static void sort_symbols(struct rec_kallsyms *k)
{
	size_t i, kept = 0;
	bool sorted = true;

	for (i = 1; i < k->count && sorted; i++)
		sorted = k->symbols[i - 1].start < k->symbols[i].start;
	if (sorted)
		return;
	qsort(k->symbols, k->count, sizeof(*k->symbols), compare_symbols);
	for (i = 0; i < k->count; i++)
		if (i == 0 || k->symbols[i].start != k->symbols[kept - 1].start)
			k->symbols[kept++] = k->symbols[i];
	k->count = kept;
}

void rec_kallsyms_ask(struct rec_kallsyms *k, struct rec_ksyms *ksyms, const uint64_t text[3])
{
	k->asked = ksyms;
	note_boundary(k, "_text", 5, text[0]);
	note_boundary(k, "_stext", 6, text[1]);
	note_boundary(k, "_etext", 6, text[2]);
}

int rec_kallsyms_finish(struct rec_kallsyms *k)
{
	int err = 0;

	sort_symbols(k);
	if (k->text_start && k->text_end > k->text_start)
		err = add_range(k, k->text_start, k->text_end - k->text_start, REC_KERNEL_NAME);
	if (k->range_count > 0)
		qsort(k->ranges, k->range_count, sizeof(*k->ranges), compare_ranges);
	return err;
}

void rec_kallsyms_set_build_id(struct rec_kallsyms *k, size_t range, const struct rec_build_id *id)
{
	k->ranges[range].build_id = *id;
}

/* --- looking up --- */

bool rec_kallsyms_is_hidden(const struct rec_kallsyms *k)
{
	/* A few symbols may truly be at 0 (offsets into per-CPU areas); all of them never are. */
	return !k->asked && k->count == 0 && k->zeros == k->lines;
}

/* End of the range that an address lies in; 0 when it lies in none that is known. */
static uint64_t range_end(const struct rec_kallsyms *k, uint64_t address)
{
	size_t low = 0, high = k->range_count;
	const struct rec_kernel_range *r;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (k->ranges[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == 0)
		return 0;
	r = &k->ranges[low - 1];
	return address - r->start < r->length_bytes ? r->start + r->length_bytes : 0;
}

bool rec_kallsyms_find(const struct rec_kallsyms *k, uint64_t address,
		       struct rec_kernel_symbol *symbol)
{
	size_t low = 0, high = k->count;
	const struct symbol *s;
	uint64_t end, limit;

	if (k->asked)
		return rec_ksyms_find(k->asked, address, symbol);
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (k->symbols[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == 0)
		return false;
	s = &k->symbols[low - 1];
	limit = range_end(k, s->start);
	end = low < k->count ? k->symbols[low].start : limit;
	if (limit && end > limit)
		end = limit;
	/* Behind the last symbol of a range there is nothing that has this name. */
	if (end && address >= end)
		return false;
	*symbol = (struct rec_kernel_symbol){
		.start = s->start,
		.length_bytes = end ? end - s->start : 0,
		.name = (const char *)k->names.data + s->name,
		.module = k->modules[s->module],
	};
	return true;
}

size_t rec_kallsyms_count(const struct rec_kallsyms *k)
{
	return k->asked ? rec_ksyms_count(k->asked) : k->count;
}

const struct rec_kernel_range *rec_kallsyms_ranges(const struct rec_kallsyms *k, size_t *count)
{
	*count = k->range_count;
	return k->ranges;
}

size_t rec_kallsyms_bytes(const struct rec_kallsyms *k)
{
	/* Room that was never touched is not counted: it takes none. */
	return sizeof(*k) + (k->asked ? rec_ksyms_bytes(k->asked) : 0) +
	       k->count * sizeof(*k->symbols) + k->names.len + k->range_cap * sizeof(*k->ranges) +
	       k->module_cap * sizeof(*k->modules);
}
