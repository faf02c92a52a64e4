// SPDX-License-Identifier: GPL-2.0-or-later
/* The broker: a fixed list of things that it opens or reads for a recorder without privilege. */
#include "record/broker.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "format/util/buf.h"
#include "format/util/err.h"
#include "format/util/mem.h"
#include "record/caps.h"
#include "record/helpers.h"
#include "record/open.h"
#include "record/privilege.h"
#include "record/procfs.h"
#include "record/supervisor.h"

#define MAX_MAPS_BYTES (64u << 20)
#define MAX_STATUS_BYTES 65536u

enum broker_op {
	BROKER_READ_TEXTS,
	BROKER_OPEN_MAPPING,
	BROKER_OPEN_PERF_MAP,
	BROKER_READ_VDSO,
	BROKER_READ_FD,
	BROKER_OPS_,
};

/* --- in the worker: what all operations need --- */

/* A process that a request is about, and where the answer goes. */
struct job {
	int dir; /* /proc/PID */
	const struct rec_request *request;
	struct rec_reply *reply;
	int *fd;
};

static int read_status(int dir, struct rec_proc_status *status)
{
	struct pa_buf text;
	int err;

	pa_buf_init(&text);
	err = rec_procfs_read(dir, "status", &text, MAX_STATUS_BYTES);
	if (err == 0)
		err = rec_status_parse(pa_buf_str(&text), text.len, status);
	pa_buf_fini(&text);
	return err;
}

/* --- operations --- */

/* Room for each text, with its length in front; what matters comes first in all of them. */
#define TEXT_BYTES (REC_CHANNEL_DATA_BYTES / REC_BROKER_TEXTS_)
#define TEXT_MAX_BYTES (TEXT_BYTES - sizeof(uint32_t))

static int read_texts(struct job *job)
{
	static const char *const names[REC_BROKER_TEXTS_] = {
		[REC_BROKER_CMDLINE] = "cmdline",
		[REC_BROKER_CGROUP] = "cgroup",
		[REC_BROKER_STATUS] = "status",
	};
	struct pa_buf text;
	int i;

	pa_buf_init(&text);
	for (i = 0; i < REC_BROKER_TEXTS_; i++) {
		uint32_t len;

		pa_buf_reset(&text);
		/* A kernel thread has no executable; what can't be had is empty. */
		if (i == REC_BROKER_EXE)
			(void)rec_procfs_read_link(job->dir, "exe", &text);
		else
			(void)rec_procfs_read(job->dir, names[i], &text, TEXT_MAX_BYTES);
		len = (uint32_t)PA_MIN(text.len, TEXT_MAX_BYTES);
		memcpy(job->reply->data + job->reply->len, &len, sizeof(len));
		memcpy(job->reply->data + job->reply->len + sizeof(len), pa_buf_str(&text), len);
		job->reply->len += (uint32_t)sizeof(len) + len;
	}
	pa_buf_fini(&text);
	return 0;
}

typedef bool line_wanted_fn(const struct rec_maps_line *line, uint64_t address);

static bool is_executable_at(const struct rec_maps_line *line, uint64_t address)
{
	return (line->prot & 4) && line->start <= address && address < line->end;
}

static bool is_vdso(const struct rec_maps_line *line, uint64_t address)
{
	(void)address;
	return line->path_len == 6 && memcmp(line->path, "[vdso]", 6) == 0;
}

/* The first mapping that is wanted, with its path's text in path. */
static int find_mapping(int dir, line_wanted_fn *wanted, uint64_t address,
			struct rec_maps_line *line, struct pa_buf *path)
{
	struct rec_maps_cursor cursor = {0};
	struct pa_buf text;
	int err;

	pa_buf_init(&text);
	err = rec_procfs_read(dir, "maps", &text, MAX_MAPS_BYTES);
	if (err == 0) {
		cursor.text = pa_buf_str(&text);
		cursor.len = text.len;
		err = PA_E_NOT_FOUND;
		while (err != 0 && rec_maps_next(&cursor, line))
			if (wanted(line, address))
				err = 0;
	}
	if (err == 0) {
		rec_maps_add_path(path, line);
		err = pa_buf_error(path);
	}
	line->path = NULL;
	pa_buf_fini(&text);
	return err;
}

static int open_mapping(struct job *job)
{
	struct rec_maps_line line = {0};
	struct pa_buf path;
	int err;

	pa_buf_init(&path);
	err = find_mapping(job->dir, is_executable_at, job->request->address, &line, &path);
	if (err == 0 && (line.inode == 0 || pa_buf_str(&path)[0] != '/'))
		err = PA_E_NOT_FOUND;
	if (err == 0) {
		*job->fd = rec_open_mapped(job->dir, &line, pa_buf_str(&path));
		err = *job->fd < 0 ? *job->fd : 0;
	}
	pa_buf_fini(&path);
	return err;
}

static int open_perf_map(struct job *job)
{
	struct rec_proc_status status = {0};
	struct stat st = {0};
	char path[48];
	int err, root, fd;
	bool owned;

	err = read_status(job->dir, &status);
	if (err < 0)
		return err;
	if (!status.uid_known || status.ns_pid_count == 0)
		return PA_E_NOT_FOUND;
	root = openat(job->dir, "root", O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (root < 0)
		return -errno;
	snprintf(path, sizeof(path), "tmp/perf-%u.map", status.ns_pids[status.ns_pid_count - 1]);
	fd = rec_open_regular(root, path, false, &st);
	close(root);
	if (fd < 0)
		return fd;
	/*
	 * Whoever can write to /tmp, or mount over it, must not get a file read that he can't read
	 * himself.
	 */
	owned = st.st_uid == status.uid[1] || st.st_uid == status.uid[0];
	if (!owned && !(st.st_uid == 0 && (st.st_mode & S_IROTH))) {
		close(fd);
		return PA_E_NO_PERM;
	}
	*job->fd = fd;
	return 0;
}

static int read_vdso(struct job *job)
{
	struct rec_maps_line line = {0};
	struct iovec local, remote;
	struct pa_buf path;
	ssize_t n;
	int err;

	pa_buf_init(&path);
	err = find_mapping(job->dir, is_vdso, 0, &line, &path);
	pa_buf_fini(&path);
	if (err < 0)
		return err;
	if (line.end - line.start > REC_CHANNEL_DATA_BYTES - sizeof(line.start))
		return PA_E_LIMIT;
	local.iov_base = job->reply->data + sizeof(line.start);
	local.iov_len = (size_t)(line.end - line.start);
	remote.iov_base = (void *)(uintptr_t)line.start;
	remote.iov_len = local.iov_len;
	n = process_vm_readv((pid_t)job->request->pid, &local, 1, &remote, 1, 0);
	if (n < 0)
		return -errno;
	memcpy(job->reply->data, &line.start, sizeof(line.start));
	job->reply->len = (uint32_t)(sizeof(line.start) + (size_t)n);
	return 0;
}

/* What a descriptor refers to, as the kernel shows it: nothing is opened. */
static int read_fd(struct job *job)
{
	char name[24];
	ssize_t n;

	snprintf(name, sizeof(name), "fd/%u", job->request->what);
	n = readlinkat(job->dir, name, (char *)job->reply->data, PATH_MAX);
	if (n < 0)
		return -errno;
	job->reply->len = (uint32_t)n;
	return 0;
}

static int (*const operations[BROKER_OPS_])(struct job *job) = {
	[BROKER_READ_TEXTS] = read_texts,
	[BROKER_OPEN_MAPPING] = open_mapping,
	[BROKER_OPEN_PERF_MAP] = open_perf_map,
	[BROKER_READ_VDSO] = read_vdso,
	[BROKER_READ_FD] = read_fd,
};

static int handle(void *ctx, const struct rec_request *request, int in_fd, struct rec_reply *reply,
		  int *out_fd)
{
	const struct rec_privilege *p = ctx;
	struct job job = {.request = request, .reply = reply, .fd = out_fd};
	int err;

	(void)in_fd;
	if (request->op >= BROKER_OPS_ || request->pid == 0 || request->pid > INT_MAX)
		return -EINVAL;
	/*
	 * The recorder holds to this as well; but here it holds even if the recorder was taken
	 * over.
	 */
	err = rec_privilege_may_record(p, (pid_t)request->pid);
	if (err < 0)
		return err;
	job.dir = rec_procfs_open_memory((pid_t)request->pid);
	if (job.dir < 0)
		return job.dir;
	err = operations[request->op](&job);
	close(job.dir);
	if (err < 0)
		*out_fd = -1;
	return err;
}

_Noreturn void rec_broker_run(int sock, const struct rec_privilege *p)
{
	struct rec_worker_kind kind = {
		.handle = handle,
		.ctx = (void *)p,
		.filter = REC_SECCOMP_BROKER,
		.timeout_ms = REC_WORKER_TIMEOUT_MS,
	};
	uint64_t keep = REC_CAP_BIT(CAP_SYS_PTRACE);

	/*
	 * Below /proc/PID/root of other users, root needs to look into directories that are theirs
	 * alone.
	 */
	if (p->real_uid == 0)
		keep |= REC_CAP_BIT(CAP_DAC_READ_SEARCH);
	if (rec_privilege_reduce(keep) < 0 || rec_seccomp_install(REC_SECCOMP_BROKER_PARENT) < 0)
		_exit(1);
	rec_supervisor_run(sock, &kind);
}

/* --- in the recorder --- */

static int call(struct rec_helpers *h, enum broker_op op, pid_t pid, struct rec_request request,
		int *fd)
{
	int err;

	request.op = op;
	request.pid = (uint32_t)pid;
	err = rec_helpers_call(h, &h->broker, &request, -1, fd);
	if (err == 0 && fd && *fd < 0)
		err = PA_E_CORRUPT;
	return err;
}

int rec_broker_read_texts(struct rec_helpers *h, pid_t pid,
			  struct rec_broker_span texts[REC_BROKER_TEXTS_])
{
	int err = call(h, BROKER_READ_TEXTS, pid, (struct rec_request){0}, NULL), i;
	uint32_t at = 0;

	for (i = 0; i < REC_BROKER_TEXTS_ && !err; i++) {
		uint32_t len = 0;

		if (h->reply->len - at >= sizeof(len))
			memcpy(&len, h->reply->data + at, sizeof(len));
		else
			err = PA_E_CORRUPT;
		at += (uint32_t)sizeof(len);
		if (!err && len > h->reply->len - at)
			err = PA_E_CORRUPT;
		texts[i].text = (const char *)h->reply->data + at;
		texts[i].len = len;
		at += len;
	}
	if (err)
		return err;
	rec_procfs_cut_deleted(texts[REC_BROKER_EXE].text, &texts[REC_BROKER_EXE].len);
	return 0;
}

int rec_broker_open_mapping(struct rec_helpers *h, pid_t pid, uint64_t address, int *fd)
{
	return call(h, BROKER_OPEN_MAPPING, pid, (struct rec_request){.address = address}, fd);
}

int rec_broker_open_perf_map(struct rec_helpers *h, pid_t pid, int *fd)
{
	return call(h, BROKER_OPEN_PERF_MAP, pid, (struct rec_request){0}, fd);
}

int rec_broker_read_vdso(struct rec_helpers *h, pid_t pid, uint64_t *start, struct pa_buf *out)
{
	int err = call(h, BROKER_READ_VDSO, pid, (struct rec_request){0}, NULL);

	if (err < 0)
		return err;
	if (h->reply->len < sizeof(*start))
		return PA_E_CORRUPT;
	memcpy(start, h->reply->data, sizeof(*start));
	pa_buf_add(out, h->reply->data + sizeof(*start), h->reply->len - sizeof(*start));
	return pa_buf_error(out);
}

int rec_broker_read_fd(struct rec_helpers *h, pid_t pid, uint32_t number, struct pa_buf *out)
{
	int err = call(h, BROKER_READ_FD, pid, (struct rec_request){.what = number}, NULL);

	if (err < 0)
		return err;
	pa_buf_add(out, h->reply->data, h->reply->len);
	return pa_buf_error(out);
}
