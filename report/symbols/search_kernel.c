// SPDX-License-Identifier: GPL-2.0-or-later
/* Files of the kernel and its modules, where distributions have them. */
#include "report/symbols/search.h"

#include <string.h>
#include <unistd.h>

#include "format/util/buf.h"
#include "format/util/cleanup.h"
#include "report/symbols/decompress.h"
#include "report/symbols/search_tree.h"
#include "report/xmem.h"

static bool has_names(const struct rpt_elf *e)
{
	size_t i;

	for (i = 1; i < e->section_count; i++)
		if (e->sections[i].header.sh_type == SHT_SYMTAB)
			return true;
	return false;
}

static struct rpt_elf *try_file(const struct rpt_wanted *wanted, const char *path)
{
	enum rpt_place_result result = RPT_PLACE_LACKS;
	struct rpt_elf *found = NULL, *e;
	struct rpt_build_id id = {.len = 0};
	int fd = rpt_open_regular(path);

	if (fd < 0) {
		rpt_trail_add(wanted->trail, RPT_PLACE_DEBUG, path, RPT_PLACE_ABSENT, NULL);
		return NULL;
	}
	close(fd);
	e = rpt_is_packed(path) ? rpt_elf_open_packed(path) : rpt_elf_open(path);
	if (!e) {
		rpt_trail_add(wanted->trail, RPT_PLACE_DEBUG, path, RPT_PLACE_NO_ELF, NULL);
		return NULL;
	}
	rpt_elf_get_build_id(e, &id);
	if (!rpt_build_id_equal(&id, &wanted->id)) {
		result = RPT_PLACE_OTHER_ID;
	} else if (has_names(e)) {
		result = RPT_PLACE_USED;
		found = pa_steal(&e);
	}
	rpt_trail_add(wanted->trail, RPT_PLACE_DEBUG, path, result, &id);
	rpt_elf_free(e);
	return found;
}

/* "snd_hda_intel" is snd-hda-intel.ko, maybe compressed. */
static bool is_file_of(const char *path, const char *module)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	size_t stem = rpt_packed_stem(name), len = strlen(module), i;
	static const char *const suffixes[] = {"", ".ko", ".ko.debug"};

	for (i = 0; i < len && name[i]; i++) {
		char c = name[i] == '-' ? '_' : name[i];

		if (c != (module[i] == '-' ? '_' : module[i]))
			return false;
	}
	if (i < len)
		return false;
	for (i = 0; i < PA_ARRAY_LEN(suffixes); i++)
		if (stem - len == strlen(suffixes[i]) &&
		    memcmp(name + len, suffixes[i], stem - len) == 0)
			return true;
	return false;
}

static struct rpt_elf *try_trees(const struct rpt_tree *tree, const struct rpt_wanted *wanted,
				 const char *module)
{
	struct rpt_elf *e = NULL;
	size_t i;

	for (i = 0; i < tree->count && !e; i++)
		if (tree->files[i].id.len == 0 && is_file_of(tree->files[i].path, module))
			e = try_file(wanted, tree->files[i].path);
	return e;
}

static struct rpt_elf *try_vmlinux(const struct rpt_wanted *wanted, const char *root,
				   const char *release)
{
	static const char *const places[] = {"/usr/lib/debug/boot/vmlinux-%s",
					     "/usr/lib/debug/lib/modules/%s/vmlinux",
					     "/boot/vmlinux-%s", "/lib/modules/%s/build/vmlinux"};
	struct rpt_elf *e = NULL;
	struct pa_buf path;
	size_t i;

	pa_buf_init(&path);
	for (i = 0; i < PA_ARRAY_LEN(places) && !e; i++) {
		const char *hole = strstr(places[i], "%s");

		pa_buf_reset(&path);
		pa_buf_add_str(&path, root);
		pa_buf_add(&path, places[i], (size_t)(hole - places[i]));
		pa_buf_addf(&path, "%s%s", release, hole + 2);
		rpt_xcheck(pa_buf_error(&path));
		e = try_file(wanted, pa_buf_str(&path));
	}
	pa_buf_fini(&path);
	return e;
}

static void scan_modules(struct rpt_tree *tree, const char *root, const char *release)
{
	static const char *const places[] = {"/usr/lib/debug/lib/modules/", "/lib/modules/"};
	struct pa_buf path;
	size_t i;

	pa_buf_init(&path);
	for (i = 0; i < PA_ARRAY_LEN(places); i++) {
		pa_buf_reset(&path);
		pa_buf_addf(&path, "%s%s%s", root, places[i], release);
		rpt_xcheck(pa_buf_error(&path));
		rpt_tree_scan_modules(tree, pa_buf_str(&path));
	}
	pa_buf_fini(&path);
}

/* The installed modules of one release; scanned once. */
static const struct rpt_tree *get_modules(struct rpt_search *s, const char *release)
{
	pthread_mutex_lock(&s->lock);
	if (!s->modules_scanned) {
		if (s->options->sysroot)
			scan_modules(&s->modules, s->options->sysroot, release);
		scan_modules(&s->modules, "", release);
		s->modules_scanned = true;
	}
	pthread_mutex_unlock(&s->lock);
	return &s->modules;
}

struct rpt_elf *rpt_search_kernel(struct rpt_search *s, const struct rpt_wanted *wanted)
{
	const struct rpt_symbol_options *o = s->options;
	const char *release = o->kernel_release;
	bool is_module = wanted->path[0] != '[';
	struct rpt_elf *e = rpt_search_debug(s, wanted, NULL);

	if (!e && wanted->id.len && o->symbol_dir_count)
		e = try_trees(rpt_search_get_tree(s), wanted, is_module ? wanted->path : "vmlinux");
	if (e || !wanted->id.len || o->no_host_files || !release || !*release ||
	    strchr(release, '/') || release[0] == '.')
		return e;
	if (is_module)
		return try_trees(get_modules(s, release), wanted, wanted->path);
	if (o->sysroot)
		e = try_vmlinux(wanted, o->sysroot, release);
	return e ? e : try_vmlinux(wanted, "", release);
}
