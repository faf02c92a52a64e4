// SPDX-License-Identifier: GPL-2.0-or-later
/* Files by identity: path with build ID where the kernel gave one, else path with device and inode. */
#include "record/modules.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "format/util/mem.h"

struct identity {
	const struct rec_mmap_event *event;
	const char *path;
	size_t path_len;
	uint32_t flags;
};

static bool starts_with(const char *s, const char *prefix)
{
	return strncmp(s, prefix, strlen(prefix)) == 0;
}

static uint32_t kind_of(const char *path)
{
	if (strcmp(path, "[vdso]") == 0)
		return PA_MODULE_VDSO;
	if (starts_with(path, "/memfd:"))
		return PA_MODULE_MEMFD;
	if (path[0] == '\0' || starts_with(path, "//anon") || starts_with(path, "[anon") ||
	    strcmp(path, "[heap]") == 0 || starts_with(path, "[stack"))
		return PA_MODULE_ANON;
	/* Huge pages of anonymous memory, and shared anonymous memory, have names of their own. */
	if (starts_with(path, "/anon_hugepage") || starts_with(path, "/dev/zero"))
		return PA_MODULE_ANON;
	if (path[0] != '/' || starts_with(path, "/dev/") || starts_with(path, "/SYSV"))
		return PA_MODULE_SPECIAL;
	return PA_MODULE_FILE;
}

static void identity_of(const struct rec_mmap_event *event, struct identity *id)
{
	static const char suffix[] = " (deleted)";
	size_t len = strlen(event->path), cut = sizeof(suffix) - 1;

	*id = (struct identity){.event = event, .path = event->path, .path_len = len};
	if (len > cut && strcmp(event->path + len - cut, suffix) == 0) {
		id->path_len = len - cut;
		id->flags = PA_MODULE_DELETED;
	}
}

static bool same(const void *ctx, uint32_t value, const void *key)
{
	const struct rec_module *m = ((const struct rec_modules *)ctx)->items[value];
	const struct identity *id = key;
	const struct rec_mmap_event *e = id->event;

	if (strlen(m->path) != id->path_len || memcmp(m->path, id->path, id->path_len) != 0 ||
	    m->flags != id->flags)
		return false;
	if (e->build_id_bytes)
		return m->build_id_bytes == e->build_id_bytes &&
		       memcmp(m->build_id, e->build_id, e->build_id_bytes) == 0;
	return m->device == e->device && m->inode == e->inode;
}

void rec_modules_fini(struct rec_modules *m)
{
	size_t i;

	for (i = 0; i < m->count; i++) {
		free(m->items[i]->path);
		free(m->items[i]);
	}
	free(m->items);
	pa_htab_fini(&m->by_identity);
	*m = (struct rec_modules){0};
}

static struct rec_module *module_new(const struct identity *id)
{
	struct rec_module *module = calloc(1, sizeof(*module));
	const struct rec_mmap_event *e = id->event;

	if (!module)
		return NULL;
	module->path = strndup(id->path, id->path_len);
	if (!module->path) {
		free(module);
		return NULL;
	}
	module->kind = kind_of(module->path);
	module->flags = id->flags;
	module->device = e->device;
	module->inode = e->inode;
	if (e->build_id_bytes && e->build_id_bytes <= sizeof(module->build_id)) {
		memcpy(module->build_id, e->build_id, e->build_id_bytes);
		module->build_id_bytes = e->build_id_bytes;
		module->build_id_kind = PA_BUILD_ID_GNU;
		module->identified = true;
	}
	return module;
}

int rec_modules_find(struct rec_modules *m, const struct rec_mmap_event *event, uint32_t *index)
{
	struct rec_module *module;
	struct identity id;
	uint64_t hash;
	int err;

	identity_of(event, &id);
	hash = pa_hash_bytes(id.path, id.path_len, 0);
	if (pa_htab_get(&m->by_identity, hash, same, m, &id, index))
		return 0;
	err = pa_grow(&m->items, &m->cap, m->count + 1, sizeof(*m->items));
	if (err)
		return err;
	module = module_new(&id);
	if (!module)
		return -ENOMEM;
	*index = (uint32_t)m->count;
	err = pa_htab_add(&m->by_identity, hash, *index);
	if (err) {
		free(module->path);
		free(module);
		return err;
	}
	m->items[m->count++] = module;
	return 0;
}

struct rec_module *rec_modules_get(const struct rec_modules *m, uint32_t index)
{
	return m->items[index];
}

int rec_module_write(struct rec_modules *m, struct rec_module *module, struct pa_writer *writer)
{
	struct pa_record rec = {.id = PA_REC_MODULE};
	int err;

	if (module->written)
		return 0;
	err = pa_writer_string(writer, module->path, strlen(module->path), &rec.module.path);
	if (err)
		return err;
	module->id = module->id ? module->id : ++m->next_id;
	module->written = true;
	rec.module.id = module->id;
	rec.module.kind = module->kind;
	rec.module.build_id = (struct pa_bytes){module->build_id, module->build_id_bytes};
	rec.module.build_id_kind = module->build_id_kind;
	rec.module.device = module->device;
	rec.module.inode = module->inode;
	rec.module.flags = module->flags;
	return pa_writer_add(writer, &rec);
}
