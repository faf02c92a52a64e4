// SPDX-License-Identifier: GPL-2.0-or-later
/* What is looked up on the recorded host. */
#include "record/host.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "format/util/buf.h"
#include "format/util/cleanup.h"
#include "format/util/err.h"
#include "format/util/mem.h"
#include "record/broker.h"
#include "record/helpers.h"
#include "record/jit.h"
#include "record/jitdump.h"
#include "record/procfs.h"
#include "record/sandbox.h"

#define MAX_MAPS_BYTES (64u << 20)

static char *copy(struct rec_broker_span span)
{
	return span.len ? strndup(span.text, span.len) : NULL;
}

static void take_status(struct rec_process_info *info, struct rec_broker_span text)
{
	struct rec_proc_status status;
	uint32_t i;

	if (rec_status_parse(text.text, text.len, &status) < 0)
		return;
	info->uid = status.uid_known ? status.uid[0] + 1 : 0;
	info->ns_pid_count = PA_MIN(status.ns_pid_count, (uint32_t)PA_ARRAY_LEN(info->ns_pids));
	for (i = 0; i < info->ns_pid_count; i++)
		info->ns_pids[i] = status.ns_pids[i];
}

static void process_info(void *ctx, uint32_t pid, struct rec_process_info *info)
{
	struct rec_host *host = ctx;
	struct rec_broker_span texts[REC_BROKER_TEXTS_], cgroup;
	struct pa_buf line;

	free(info->exe);
	free(info->cmdline);
	free(info->cgroup);
	*info = (struct rec_process_info){0};
	if (rec_broker_read_texts(host->helpers, (pid_t)pid, texts) < 0)
		return;
	pa_buf_init(&line);
	info->exe = copy(texts[REC_BROKER_EXE]);
	rec_cmdline_add(&line, texts[REC_BROKER_CMDLINE].text, texts[REC_BROKER_CMDLINE].len);
	info->cmdline = copy((struct rec_broker_span){pa_buf_str(&line), line.len});
	if (rec_cgroup_parse(texts[REC_BROKER_CGROUP].text, texts[REC_BROKER_CGROUP].len,
			     &cgroup.text, &cgroup.len))
		info->cgroup = copy(cgroup);
	take_status(info, texts[REC_BROKER_STATUS]);
	pa_buf_fini(&line);
}

static void identify(void *ctx, uint32_t pid, const struct rec_mapping *mapping,
		     struct rec_module *module)
{
	struct rec_host *host = ctx;
	struct rec_build_id id;
	int fd = -1;

	if (rec_broker_open_mapping(host->helpers, (pid_t)pid, mapping->start, &fd) < 0)
		return;
	if (rec_sandbox_identify(host->helpers, fd, &id) == 0 &&
	    id.len <= sizeof(module->build_id)) {
		memcpy(module->build_id, id.bytes, id.len);
		module->build_id_bytes = id.len;
		module->build_id_kind = id.kind;
	}
	close(fd);
}

/* A process takes its map with it when it ends: it is opened before. JITs may write it late. */
#define JIT_ATTEMPTS 100

static int open_jit(void *ctx, struct rec_process *p)
{
	struct rec_host *host = ctx;

	if (p->jit_count == 0 || p->jit_fd >= 0 || p->ended_ns || p->jit_attempts == JIT_ATTEMPTS)
		return 0;
	p->jit_attempts++;
	/* Of both, a jitdump says more: when there was which code. */
	if (p->jitdump &&
	    rec_broker_open_mapping(host->helpers, (pid_t)p->pid, p->jitdump, &p->jit_fd) == 0) {
		p->dump = rec_jitdump_new(p->jit_fd);
		if (!p->dump)
			host->error = -ENOMEM;
		return 0;
	}
	if (rec_broker_open_perf_map(host->helpers, (pid_t)p->pid, &p->jit_fd) < 0)
		p->jit_fd = -1;
	return 0;
}

static int work_on_jit(void *ctx, struct rec_process *p)
{
	struct rec_host *host = ctx;
	int err;

	open_jit(host, p);
	if (!p->dump || !p->id || p->ended_ns)
		return 0;
	err = rec_jitdump_update(p->dump, host->writer, p);
	if (err)
		host->error = err;
	return 0;
}

void rec_host_open_jits(struct rec_host *host, struct rec_world *world)
{
	rec_world_for_each_process(world, work_on_jit, host);
}

static void take_jitdump(struct rec_host *host, const struct rec_process *p)
{
	int err = rec_jitdump_update(p->dump, host->writer, p);

	host->jit_lost += rec_jitdump_is_cut(p->dump);
	if (err)
		host->error = err;
}

static void take_perf_map(struct rec_host *host, const struct rec_process *p)
{
	struct pa_buf map;
	int err;

	pa_buf_init(&map);
	lseek(p->jit_fd, 0, SEEK_SET);
	err = rec_procfs_read_fd(p->jit_fd, &map, REC_JIT_MAX_BYTES);
	if (err)
		host->jit_lost++;
	err = rec_jit_write(host->writer, p, pa_buf_str(&map), map.len);
	if (err)
		host->error = err;
	pa_buf_fini(&map);
}

static void process_done(void *ctx, struct rec_process *p)
{
	struct rec_host *host = ctx;

	p->jit_attempts = 0;
	open_jit(host, p);
	if (p->jit_count == 0 || p->jit_fd < 0)
		return;
	if (p->dump)
		take_jitdump(host, p);
	else
		take_perf_map(host, p);
}

const struct rec_world_ops rec_host_ops = {
	.process_info = process_info,
	.identify = identify,
	.process_done = process_done,
};

static int add_maps(struct rec_world *world, uint32_t pid, uint64_t time_ns,
		    const struct pa_buf *text)
{
	struct rec_maps_cursor cursor = {.text = pa_buf_str(text), .len = text->len};
	struct rec_maps_line line;
	struct pa_buf path;
	int err = 0;

	pa_buf_init(&path);
	while (!err && rec_maps_next(&cursor, &line)) {
		struct rec_mmap_event event = {
			.time_ns = time_ns,
			.pid = pid,
			.start = line.start,
			.length_bytes = line.end - line.start,
			.offset_bytes = line.offset_bytes,
			.prot = line.prot,
			.flags = PA_MAPPING_PRESENT,
			.device = line.device,
			.inode = line.inode,
		};

		if (!(line.prot & 4))
			continue;
		pa_buf_reset(&path);
		rec_maps_add_path(&path, &line);
		if (line.deleted)
			pa_buf_add_str(&path, " (deleted)");
		event.path = pa_buf_str(&path);
		err = pa_buf_error(&path) ? pa_buf_error(&path) : rec_world_mmap(world, &event);
	}
	pa_buf_fini(&path);
	return err;
}

int rec_host_read_maps(struct rec_world *world, uint32_t pid, uint64_t time_ns)
{
	struct pa_buf text;
	int dir = rec_procfs_open_memory((pid_t)pid), err;

	if (dir < 0)
		return dir;
	pa_buf_init(&text);
	err = rec_procfs_read(dir, "maps", &text, MAX_MAPS_BYTES);
	if (!err)
		err = add_maps(world, pid, time_ns, &text);
	pa_buf_fini(&text);
	close(dir);
	return err;
}
