// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Copies the files that were used, by what they are: DIR/.build-id/xx/yyy and yyy.debug; where there is no
 * build ID, as a debugger would look for them below a directory of debug files.
 */
#include "report/collect.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "format/cli/log.h"
#include "format/util/buf.h"
#include "format/util/cleanup.h"
#include "format/util/err.h"
#include "report/files.h"
#include "report/newfile.h"
#include "report/session.h"
#include "report/symbols/decompress.h"
#include "report/symbols/elf.h"
#include "report/symbols/symbols.h"
#include "report/xmem.h"

PA_DEFINE_CLEANUP(struct rpt_session, rpt_session_free)

struct collection {
	const char *root;
	struct pa_buf path; /* where the file at hand goes to */
	uint64_t files, bytes, modules_without;
};

static int load(void *ctx, struct pa_reader *reader, const char *file)
{
	return rpt_session_load(ctx, reader, file);
}

static const char *last_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static void add_id(struct pa_buf *out, const uint8_t *id, size_t len, const char *separator)
{
	size_t i;

	for (i = 0; i < len; i++)
		pa_buf_addf(out, "%02x%s", id[i], i == 0 ? separator : "");
}

/* number tells files of split debug information apart, which may have the same name. */
static void choose_path(struct collection *c, const struct rpt_place *place,
			const struct rpt_module *module, const char *recorded, size_t number)
{
	struct pa_buf *out = &c->path;
	const char *slash = strrchr(recorded, '/');

	pa_buf_reset(out);
	pa_buf_addf(out, "%s/", c->root);
	if (rpt_is_packed(place->path)) {
		/* A module of the kernel: the name says how it is compressed, and what it is. */
		pa_buf_add_str(out, "modules/");
		add_id(out, place->build_id, place->build_id_bytes, "");
		pa_buf_addf(out, "/%s", last_name(place->path));
	} else if (place->build_id_bytes > 1 && place->role != RPT_PLACE_SPLIT) {
		pa_buf_add_str(out, ".build-id/");
		add_id(out, place->build_id, place->build_id_bytes, "/");
		pa_buf_add_str(out, place->role == RPT_PLACE_CODE ? "" : ".debug");
	} else if (place->role == RPT_PLACE_SPLIT) {
		pa_buf_add_str(out, "split/");
		add_id(out, module->build_id, module->build_id_bytes, "");
		pa_buf_addf(out, "/%zu/%s", number, last_name(place->path));
	} else {
		/* By .gnu_debuglink: below the directory that the file was recorded in. */
		if (recorded[0] == '/' && slash)
			pa_buf_add(out, recorded + 1, (size_t)(slash - recorded));
		pa_buf_add_str(out, last_name(place->path));
	}
	rpt_xcheck(pa_buf_error(out));
}

/* Makes the directories that lead to path. */
static int make_directories(const char *path)
{
	char *copy = rpt_xstrdup(path), *slash = copy;
	int err = 0;

	while (!err && (slash = strchr(slash + 1, '/'))) {
		*slash = '\0';
		if (mkdir(copy, 0777) < 0 && errno != EEXIST)
			err = -errno;
		*slash = '/';
	}
	free(copy);
	return err;
}

static int copy_content(int fd, struct rpt_new_file *to, uint64_t *bytes)
{
	char chunk[65536];
	ssize_t n;
	int err = 0;

	while (!err && (n = read(fd, chunk, sizeof(chunk))) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		err = rpt_new_file_write(to, chunk, (size_t)n);
		*bytes += (uint64_t)n;
	}
	return err;
}

/* 0, or an error after a message. */
static int copy_file(struct collection *c, const char *from)
{
	PA_CLEANUP(pa_close_fd) int fd = rpt_open_regular(from);
	const char *path = pa_buf_str(&c->path);
	struct rpt_new_file to;
	int err;

	if (access(path, F_OK) == 0)
		return 0;
	/* It was there a moment ago. */
	if (fd < 0) {
		pa_error("cannot read '%s' again: it has gone or changed", from);
		return -ENOENT;
	}
	err = make_directories(path);
	if (!err) {
		err = rpt_new_file_open(&to, path);
		err = err ? err : copy_content(fd, &to, &c->bytes);
		err = rpt_new_file_close(&to, err);
	}
	if (err < 0)
		pa_error("cannot copy '%s' to '%s': %s", from, path, pa_strerror(err));
	else
		c->files++;
	return err;
}

static int collect_module(struct collection *c, const struct rpt_session *s, size_t index)
{
	const struct rpt_module *module = &s->model.modules.items[index];
	const struct rpt_module_names *names = &s->code.module_names[index];
	size_t used = 0, i;
	int err = 0;

	for (i = 0; i < names->place_count && !err; i++) {
		const struct rpt_place *place = &names->places[i];

		if (place->result != RPT_PLACE_USED)
			continue;
		choose_path(c, place, module, rpt_text(&s->model, module->path), used++);
		err = copy_file(c, place->path);
	}
	c->modules_without += names->place_count && !used;
	return err;
}

static int load_all(struct rpt_session *s, const struct rpt_config *config)
{
	int i;

	if (rpt_files_order(config->files, config->file_count, NULL) < 0)
		return -EINVAL;
	for (i = 0; i < config->file_count; i++)
		if (rpt_file_read(config->files[i], load, s) < 0)
			return -EINVAL;
	/* What the traces bring along is no file. */
	rpt_packed_fini(&s->model.packed);
	rpt_packed_init(&s->model.packed);
	return 0;
}

int rpt_collect_command(const struct rpt_config *config)
{
	PA_CLEANUP(rpt_session_free_ptr) struct rpt_session *s = rpt_session_new();
	struct rpt_symbol_options symbols = rpt_config_symbols(config);
	struct collection c = {.root = config->pack_files};
	size_t i;
	int err;

	symbols.keep_trail = true;
	rpt_session_walk_copies(s, &symbols);
	if (load_all(s, config) < 0)
		return PA_EXIT_FAILURE;
	rpt_session_analyse(s, &symbols, false);
	pa_buf_init(&c.path);
	for (i = 0, err = 0; i < s->model.modules.count && !err; i++)
		err = collect_module(&c, s, i);
	pa_buf_fini(&c.path);
	if (err)
		return PA_EXIT_FAILURE;
	pa_info("'%s': %" PRIu64 " new files, %" PRIu64 " bytes; %" PRIu64
		" modules have none that may be used: see --missing",
		c.root, c.files, c.bytes, c.modules_without);
	return PA_EXIT_OK;
}
