// SPDX-License-Identifier: GPL-2.0-or-later
/* What the names of the traces lack, by module. */
#include "report/analyse/missing.h"

#include <stdlib.h>
#include <string.h>

#include "report/symbols/package.h"
#include "report/xmem.h"

struct finder {
	const struct rpt_model *m;
	const struct rpt_code *c;
	struct rpt_missing_row *rows; /* by module */
	enum rpt_lack *lacks; /* by location */
	uint32_t *stamps; /* by module: the last group that it was counted for */
	uint32_t stamp;
};

const char *rpt_lack_text(enum rpt_lack lack)
{
	switch (lack) {
	case RPT_LACK_FILE:
		return "file";
	case RPT_LACK_SYMBOLS:
		return "symbols";
	case RPT_LACK_LINES:
		return "debug";
	default:
		return "nothing";
	}
}

static bool has_line(const struct rpt_code *c, const struct rpt_location *l)
{
	uint32_t i;

	for (i = 0; i < l->line_count; i++)
		if (c->lines[l->first_line + i].line)
			return true;
	return false;
}

static enum rpt_lack find_lack(const struct finder *f, const struct rpt_location *l)
{
	const struct rpt_module *module = &f->m->modules.items[l->module];
	uint32_t flags = f->c->module_names[l->module].flags;

	/* The kernel's names are in the trace; the vdso is, too, and nobody has its lines. */
	if (!rpt_module_is_file(module) || module->kind == PA_MODULE_VDSO || module->image)
		return RPT_LACK_NOTHING;
	switch (l->reason) {
	case PA_NO_NAME_OK:
		/* Where the file has lines, those that this address lacks are nowhere. */
		return has_line(f->c, l) || (flags & PA_NAMES_LINES) ? RPT_LACK_NOTHING :
								       RPT_LACK_LINES;
	case PA_NO_NAME_NO_SYMBOL:
		return flags & PA_NAMES_LINES ? RPT_LACK_NOTHING : RPT_LACK_SYMBOLS;
	case PA_NO_NAME_OUTSIDE:
	case PA_NO_NAME_INTERRUPTED:
		return RPT_LACK_NOTHING;
	default:
		return RPT_LACK_FILE;
	}
}

static void count(struct finder *f, const struct rpt_groups *groups, const uint32_t *calls)
{
	size_t i;
	uint64_t n;
	uint32_t at, location, module;

	for (i = 0; i < groups->count; i++) {
		n = groups->items[i].count;
		rpt_add_saturated(&n, groups->items[i].thinned_count);
		f->stamp++;
		for (at = calls[i]; at; at = f->c->calls[at].parent) {
			location = f->c->calls[at].location;
			module = f->c->locations[location].module;
			if (!f->lacks[location] || f->stamps[module] == f->stamp)
				continue;
			f->stamps[module] = f->stamp;
			rpt_add_saturated(&f->rows[module].samples, n);
		}
	}
}

static int compare(const void *a, const void *b)
{
	const struct rpt_missing_row *x = a, *y = b;

	if (x->samples != y->samples)
		return x->samples > y->samples ? -1 : 1;
	return x->module < y->module ? -1 : x->module > y->module;
}

/* Only of a file that is here and has the right build ID is it safe to say where it came from. */
static char *find_package(const struct rpt_model *m, const struct rpt_code *c,
			  const struct rpt_missing_row *row, const char *sysroot)
{
	const char *path = rpt_text(m, m->modules.items[row->module].path);
	const char *file = c->module_names[row->module].file;
	size_t root_len = sysroot ? strlen(sysroot) : 0;

	if (!file)
		return NULL;
	if (strcmp(file, path) == 0)
		return rpt_package_find_debug("", path);
	if (root_len && strncmp(file, sysroot, root_len) == 0 && strcmp(file + root_len, path) == 0)
		return rpt_package_find_debug(sysroot, path);
	return NULL;
}

void rpt_missing_find(struct rpt_missing *missing, const struct rpt_model *m,
		      const struct rpt_code *c, const char *sysroot)
{
	struct finder f = {.m = m, .c = c};
	uint32_t i;

	f.rows = rpt_xcalloc(m->modules.count, sizeof(*f.rows));
	f.lacks = rpt_xcalloc(c->location_count, sizeof(*f.lacks));
	f.stamps = rpt_xcalloc(m->modules.count, sizeof(*f.stamps));
	for (i = 1; i < c->location_count; i++) {
		struct rpt_missing_row *row = &f.rows[c->locations[i].module];

		f.lacks[i] = find_lack(&f, &c->locations[i]);
		row->addresses += f.lacks[i] != RPT_LACK_NOTHING;
		row->lack = PA_MAX(row->lack, f.lacks[i]);
	}
	count(&f, &m->samples, c->sample_calls);
	count(&f, &m->blocks, c->block_calls);
	for (i = 0; i < m->modules.count; i++) {
		f.rows[i].module = i;
		if (f.rows[i].lack)
			f.rows[missing->count++] = f.rows[i];
	}
	if (missing->count)
		qsort(f.rows, missing->count, sizeof(*f.rows), compare);
	for (i = 0; i < missing->count; i++)
		f.rows[i].package = find_package(m, c, &f.rows[i], sysroot);
	missing->rows = f.rows;
	free(f.lacks);
	free(f.stamps);
}

void rpt_missing_fini(struct rpt_missing *missing)
{
	size_t i;

	for (i = 0; i < missing->count; i++)
		free(missing->rows[i].package);
	free(missing->rows);
	*missing = (struct rpt_missing){0};
}
