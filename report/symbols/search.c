// SPDX-License-Identifier: GPL-2.0-or-later
/* Candidates for files, in order, and which of them are the right ones. */
#include "report/symbols/search.h"

#include <stdlib.h>
#include <string.h>

#include "format/util/buf.h"
#include "format/util/cleanup.h"
#include "report/symbols/debuginfod.h"
#include "report/symbols/debuglink.h"
#include "report/symbols/search_tree.h"
#include "report/xmem.h"

#define HOST_DEBUG_DIR "/usr/lib/debug"

/* What a file has to have, beside the build ID. */
enum need { NEED_CODE, NEED_DWARF, NEED_STRINGS, NEED_SYMTAB };

struct attempt {
	struct rpt_search *search;
	const struct rpt_build_id *id;
	enum need need;
	enum rpt_place_role role;
	struct rpt_trail *trail;
	struct pa_buf path;
	struct rpt_elf *found;
	bool seen_broken; /* a candidate was there, but no ELF file */
	bool seen_other; /* a candidate had other_id instead */
	struct rpt_build_id other_id;
};

struct rpt_search *rpt_search_new(const struct rpt_symbol_options *options)
{
	struct rpt_search *s = rpt_xcalloc(1, sizeof(*s));

	s->options = options;
	pthread_mutex_init(&s->lock, NULL);
	return s;
}

void rpt_search_free(struct rpt_search *s)
{
	if (!s)
		return;
	rpt_tree_fini(&s->tree);
	rpt_tree_fini(&s->modules);
	pthread_mutex_destroy(&s->lock);
	free(s);
}

void rpt_search_set_debuginfod(struct rpt_search *s, struct rpt_debuginfod *d)
{
	s->debuginfod = d;
}

const struct rpt_tree *rpt_search_get_tree(struct rpt_search *s)
{
	size_t i;

	pthread_mutex_lock(&s->lock);
	if (!s->scanned) {
		for (i = 0; i < s->options->symbol_dir_count; i++)
			rpt_tree_scan(&s->tree, s->options->symbol_dirs[i]);
		s->scanned = true;
	}
	pthread_mutex_unlock(&s->lock);
	return &s->tree;
}

static bool has_needed(const struct rpt_elf *e, enum need need)
{
	size_t i;

	if (need == NEED_CODE)
		return rpt_elf_has_code(e);
	if (need == NEED_DWARF)
		return rpt_elf_find_section(e, ".debug_info") ||
		       rpt_elf_find_section(e, ".zdebug_info");
	if (need == NEED_STRINGS)
		return rpt_elf_find_section(e, ".debug_str") ||
		       rpt_elf_find_section(e, ".zdebug_str");
	for (i = 1; i < e->section_count; i++) {
		if (e->sections[i].header.sh_type == SHT_SYMTAB)
			return true;
	}
	return false;
}

/* Takes the file at path if it is the wanted one. */
static bool try_path(struct attempt *a, const char *path)
{
	int fd = rpt_open_regular(path);
	enum rpt_place_result result = RPT_PLACE_LACKS;
	struct rpt_build_id id;
	struct rpt_elf *e;

	if (fd < 0) {
		rpt_trail_add(a->trail, a->role, path, RPT_PLACE_ABSENT, NULL);
		return false;
	}
	e = rpt_elf_open_fd(path, fd);
	if (!e) {
		a->seen_broken = true;
		rpt_trail_add(a->trail, a->role, path, RPT_PLACE_NO_ELF, NULL);
		return false;
	}
	rpt_elf_get_build_id(e, &id);
	if (!rpt_build_id_equal(&id, a->id)) {
		a->seen_other = true;
		a->other_id = id;
		result = RPT_PLACE_OTHER_ID;
	} else if (has_needed(e, a->need)) {
		a->found = pa_steal(&e);
		result = RPT_PLACE_USED;
	}
	rpt_trail_add(a->trail, a->role, path, result, &id);
	rpt_elf_free(e);
	return a->found != NULL;
}

static bool try_buf(struct attempt *a)
{
	rpt_xcheck(pa_buf_error(&a->path));
	return try_path(a, pa_buf_str(&a->path));
}

/* ROOT/DIR/xx/yyy and ROOT/DIR/xx/yyy.debug */
static bool try_store(struct attempt *a, const char *root, const char *directory)
{
	static const char *const suffixes[] = {"", ".debug"};
	size_t i, j;

	if (a->id->len < 2)
		return false;
	for (i = 0; i < PA_ARRAY_LEN(suffixes); i++) {
		pa_buf_reset(&a->path);
		pa_buf_addf(&a->path, "%s%s/%02x/", root, directory, a->id->data[0]);
		for (j = 1; j < a->id->len; j++)
			pa_buf_addf(&a->path, "%02x", a->id->data[j]);
		pa_buf_add_str(&a->path, suffixes[i]);
		if (try_buf(a))
			return true;
	}
	return false;
}

static bool try_tree(struct attempt *a)
{
	const struct rpt_tree *tree = rpt_search_get_tree(a->search);
	size_t i;

	for (i = 0; i < tree->count; i++) {
		if (rpt_build_id_equal(&tree->files[i].id, a->id) &&
		    try_path(a, tree->files[i].path))
			return true;
	}
	return false;
}

static bool try_symbol_dirs(struct attempt *a)
{
	const struct rpt_symbol_options *o = a->search->options;
	size_t i;

	for (i = 0; i < o->symbol_dir_count; i++) {
		if (try_store(a, o->symbol_dirs[i], "/.build-id") ||
		    try_store(a, o->symbol_dirs[i], ""))
			return true;
	}
	return o->symbol_dir_count > 0 && try_tree(a);
}

static bool try_host_store(struct attempt *a)
{
	const struct rpt_symbol_options *o = a->search->options;

	if (o->no_host_files)
		return false;
	if (o->sysroot && try_store(a, o->sysroot, HOST_DEBUG_DIR "/.build-id"))
		return true;
	return try_store(a, "", HOST_DEBUG_DIR "/.build-id");
}

/* The path where it was when it was recorded. */
static bool try_recorded(struct attempt *a, const char *path)
{
	const struct rpt_symbol_options *o = a->search->options;

	if (o->no_host_files || !path || path[0] != '/')
		return false;
	if (o->sysroot) {
		pa_buf_reset(&a->path);
		pa_buf_addf(&a->path, "%s%s", o->sysroot, path);
		if (try_buf(a))
			return true;
	}
	return try_path(a, path);
}

/* From a server, which is asked for nothing that would not be read. */
static bool try_debuginfod(struct attempt *a)
{
	bool code = a->need == NEED_CODE, found;
	char *path;
	size_t i;

	if (!a->search->debuginfod || (!code && a->search->options->no_lines))
		return false;
	path = rpt_debuginfod_fetch(a->search->debuginfod, a->id, code);
	if (!path) {
		pa_buf_reset(&a->path);
		pa_buf_add_str(&a->path, "debuginfod, /buildid/");
		for (i = 0; i < a->id->len; i++)
			pa_buf_addf(&a->path, "%02x", a->id->data[i]);
		pa_buf_add_str(&a->path, code ? "/executable" : "/debuginfo");
		rpt_xcheck(pa_buf_error(&a->path));
		rpt_trail_add(a->trail, a->role, pa_buf_str(&a->path), RPT_PLACE_ABSENT, NULL);
		return false;
	}
	found = try_path(a, path);
	free(path);
	return found;
}

struct rpt_elf *rpt_search_code(struct rpt_search *s, const struct rpt_wanted *wanted,
				enum rpt_symbol_reason *reason, struct rpt_build_id *other_id)
{
	struct attempt a = {.search = s,
			    .id = &wanted->id,
			    .need = NEED_CODE,
			    .role = RPT_PLACE_CODE,
			    .trail = wanted->trail};
	bool found;

	*reason = RPT_SYM_NO_BUILD_ID;
	if (wanted->id.len == 0)
		return NULL;
	pa_buf_init(&a.path);
	found = try_symbol_dirs(&a) || try_host_store(&a);
	/* Only what is at the recorded path says anything about why there is no file. */
	a.seen_broken = false;
	a.seen_other = false;
	found = found || try_recorded(&a, wanted->path);
	*reason = found ? RPT_SYM_OK : RPT_SYM_NO_FILE;
	if (!found && a.seen_other) {
		*reason = RPT_SYM_MISMATCH;
		*other_id = a.other_id;
	} else if (!found && a.seen_broken) {
		*reason = RPT_SYM_UNREADABLE;
	}
	if (!found && try_debuginfod(&a))
		*reason = RPT_SYM_OK;
	else if (!found && s->debuginfod && s->options->interrupted && *s->options->interrupted)
		*reason = RPT_SYM_INTERRUPTED; /* a server might have had it */
	pa_buf_fini(&a.path);
	return a.found;
}

static const char *get_basename(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

const char *rpt_search_namesake(struct rpt_search *s, const struct rpt_wanted *wanted,
				struct rpt_build_id *id)
{
	const struct rpt_tree *tree;
	size_t i;

	if (!s->options->symbol_dir_count || !wanted->path)
		return NULL;
	tree = rpt_search_get_tree(s);
	for (i = 0; i < tree->count; i++) {
		const struct rpt_tree_file *f = &tree->files[i];

		if (f->id.len && !rpt_build_id_equal(&f->id, &wanted->id) &&
		    strcmp(get_basename(f->path), get_basename(wanted->path)) == 0) {
			*id = f->id;
			return f->path;
		}
	}
	return NULL;
}

static struct rpt_elf *search_by_id(struct rpt_search *s, const struct rpt_wanted *wanted,
				    enum need need, bool fetch)
{
	struct attempt a = {.search = s,
			    .id = &wanted->id,
			    .need = need,
			    .role = RPT_PLACE_DEBUG,
			    .trail = wanted->trail};

	if (wanted->id.len == 0)
		return NULL;
	pa_buf_init(&a.path);
	if (fetch)
		try_debuginfod(&a);
	else if (!try_symbol_dirs(&a))
		try_host_store(&a);
	pa_buf_fini(&a.path);
	return a.found;
}

struct rpt_elf *rpt_search_debug(struct rpt_search *s, const struct rpt_wanted *wanted,
				 const struct rpt_elf *code)
{
	const struct rpt_symbol_options *o = s->options;
	struct rpt_debuglink_dirs dirs = {
		.symbol_dirs = o->symbol_dirs,
		.symbol_dir_count = o->symbol_dir_count,
		.sysroot = o->no_host_files ? NULL : o->sysroot,
		.host = o->no_host_files ? NULL : HOST_DEBUG_DIR,
	};
	struct rpt_elf *e = search_by_id(s, wanted, NEED_DWARF, false);

	if (!e && code)
		e = rpt_debuglink_open(&dirs, wanted, code);
	if (!e)
		e = search_by_id(s, wanted, NEED_DWARF, true);
	if (!e && (!code || !has_needed(code, NEED_SYMTAB)))
		e = search_by_id(s, wanted, NEED_SYMTAB, false);
	return e;
}

/* .gnu_debugaltlink: a file name, terminated, and the build ID. */
static bool read_alternate_link(const struct rpt_elf *e, const char **name, struct rpt_build_id *id)
{
	struct rpt_bytes link = rpt_elf_read_section(e, ".gnu_debugaltlink");
	size_t name_bytes;

	*name = rpt_bytes_string(link, 0);
	if (!*name)
		return false;
	name_bytes = strlen(*name) + 1;
	id->len = link.len - name_bytes;
	if (id->len == 0 || id->len > sizeof(id->data))
		return false;
	memcpy(id->data, link.data + name_bytes, id->len);
	return true;
}

struct rpt_elf *rpt_search_alternate(struct rpt_search *s, const struct rpt_elf *e,
				     struct rpt_trail *trail)
{
	/* What several files have in common may be no more than names. */
	struct attempt a = {
		.search = s, .need = NEED_STRINGS, .role = RPT_PLACE_ALTERNATE, .trail = trail};
	const char *slash = strrchr(e->path, '/'), *name;
	struct rpt_build_id id;

	if (!read_alternate_link(e, &name, &id))
		return NULL;
	a.id = &id;
	pa_buf_init(&a.path);
	/* Relative names are relative to the file that holds the link. */
	if (name[0] != '/' && slash) {
		pa_buf_add(&a.path, e->path, (size_t)(slash - e->path) + 1);
		pa_buf_add_str(&a.path, name);
		try_buf(&a);
	}
	if (!a.found && !try_symbol_dirs(&a) && !try_host_store(&a) && !try_recorded(&a, name))
		try_debuginfod(&a);
	pa_buf_fini(&a.path);
	return a.found;
}
