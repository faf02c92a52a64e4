// SPDX-License-Identifier: GPL-2.0-or-later
/* The trace file. */
#include "record/output.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

#include "format/util/buf.h"
#include "format/util/err.h"
#include "record/privilege.h"

#define MAX_NAME_BYTES 64
#define MAX_ATTEMPTS 1000 /* names tried by rec_output_open_default() */
#define NEW_FILE (O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY)

static int refuse(struct pa_buf *error, const char *path, int err, const char *why)
{
	pa_buf_addf(error, "cannot write '%s': %s", path, why);
	return err;
}

/* --- what may be there already --- */

static bool is_dev_null(const struct stat *st)
{
	return S_ISCHR(st->st_mode) && st->st_rdev == makedev(1, 3);
}

/* Why something that is already there is neither replaced nor written to; NULL when it may be. */
static const char *objection(const struct stat *st, uid_t caller)
{
	if (is_dev_null(st))
		return NULL;
	if (S_ISLNK(st->st_mode))
		return "it is a symbolic link";
	if (S_ISDIR(st->st_mode))
		return "it is a directory";
	if (!S_ISREG(st->st_mode) && !S_ISFIFO(st->st_mode))
		return "it is neither a regular file nor a FIFO";
	if (st->st_uid != caller)
		return "it is there already and belongs to somebody else";
	return NULL;
}

/*
 * Opens a FIFO or /dev/null without creating anything, and makes sure that it still is what it was.
 */
static int open_in_place(const char *path, const struct stat *expected)
{
	int fd = open(path, O_WRONLY | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY);
	struct stat st;

	if (fd < 0)
		return -errno;
	if (fstat(fd, &st) == 0 && st.st_dev == expected->st_dev && st.st_ino == expected->st_ino)
		return fd;
	close(fd);
	return -ELOOP;
}

int rec_output_create(int dir, const char *name, uid_t caller)
{
	struct stat st;
	int fd;

	if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) == 0) {
		if (!S_ISREG(st.st_mode) || st.st_uid != caller)
			return -EEXIST;
		/* Not truncated: it may have other names, and somebody may be reading it. */
		if (unlinkat(dir, name, 0) < 0)
			return -errno;
	}
	/* Whatever was planted since makes this fail. */
	fd = openat(dir, name, NEW_FILE, 0600);
	return fd < 0 ? -errno : fd;
}

static int open_as_caller(const char *path, uid_t caller, struct pa_buf *error)
{
	const char *why;
	struct stat st;
	int fd;

	if (lstat(path, &st) == 0) {
		why = objection(&st, caller);
		if (why)
			return refuse(error, path, -EEXIST, why);
		if (!S_ISREG(st.st_mode)) {
			fd = open_in_place(path, &st);
			return fd < 0 ? refuse(error, path, fd, pa_strerror(fd)) : fd;
		}
	}
	fd = rec_output_create(AT_FDCWD, path, caller);
	return fd < 0 ? refuse(error, path, fd, pa_strerror(fd)) : fd;
}

static int open_stdout(struct rec_output *out, struct pa_buf *error)
{
	static const char name[] = "standard output";
	char *path;
	int fd;

	if (isatty(STDOUT_FILENO)) {
		pa_buf_add_str(error,
			       "a trace is not written to a terminal: redirect standard output");
		return PA_E_UNSUPPORTED;
	}
	fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
	if (fd < 0)
		return refuse(error, name, -errno, pa_strerror(-errno));
	path = strdup("-");
	if (!path) {
		close(fd);
		return refuse(error, name, -ENOMEM, pa_strerror(-ENOMEM));
	}
	out->fd = fd;
	out->path = path;
	return 0;
}

/* Runs open_as_caller() with the caller's rights; out->fd and out->path are set when it works. */
static int open_file(struct rec_output *out, const char *path, const struct rec_privilege *p,
		     struct pa_buf *error)
{
	char *copy = strdup(path);
	int err, fd;

	if (!copy)
		return refuse(error, path, -ENOMEM, pa_strerror(-ENOMEM));
	err = rec_privilege_suspend(p);
	fd = err < 0 ? refuse(error, path, err, pa_strerror(err)) :
		       open_as_caller(path, p->real_uid, error);
	err = rec_privilege_resume(p);
	if (err < 0 && fd >= 0) {
		close(fd);
		fd = refuse(error, path, err, pa_strerror(err));
	}
	if (fd < 0) {
		free(copy);
		return fd;
	}
	out->fd = fd;
	out->path = copy;
	return 0;
}

int rec_output_open(struct rec_output *out, const char *path, const struct rec_privilege *p,
		    struct pa_buf *error)
{
	*out = (struct rec_output){.fd = -1};
	return strcmp(path, "-") == 0 ? open_stdout(out, error) : open_file(out, path, p, error);
}

/* --- default names --- */

void rec_output_add_name(struct pa_buf *to, const char *name)
{
	static const char plain[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+.";
	size_t i, before = to->len;

	for (i = 0; name[i] && i < MAX_NAME_BYTES; i++) {
		bool keep = strchr(plain, name[i]) && !(i == 0 && strchr("-.", name[i]));

		pa_buf_add_char(to, keep ? name[i] : '_');
	}
	if (to->len == before)
		pa_buf_add_str(to, "trace");
}

/* "NAME-20260131235959.pa", or with "-2" and so on before the dot. */
static int build_name(struct pa_buf *path, const char *name, const struct tm *tm, unsigned attempt)
{
	char stamp[32];

	strftime(stamp, sizeof(stamp), "-%Y%m%d%H%M%S", tm);
	pa_buf_reset(path);
	rec_output_add_name(path, name);
	pa_buf_add_str(path, stamp);
	if (attempt > 1)
		pa_buf_addf(path, "-%u", attempt);
	pa_buf_add_str(path, ".pa");
	return pa_buf_error(path);
}

int rec_output_default_path(struct pa_buf *path, const char *name)
{
	time_t now = time(NULL);
	struct tm tm;
	struct stat st;
	unsigned attempt;
	int err = 0;

	localtime_r(&now, &tm);
	for (attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
		err = build_name(path, name, &tm, attempt);
		if (err < 0 || lstat(pa_buf_str(path), &st) < 0)
			break;
	}
	return err;
}

/* --- writing --- */

/* Ends the recording in order, while what it takes can still be written. */
static void run_full(struct rec_output *out, int err)
{
	if (!out->full_error)
		out->full_error = err;
}

/*
 * Keeps room behind what was written, so that a disk that fills up leaves enough for the end. Not all
 * file systems can; there the free space is looked at.
 */
static void keep_reserve(struct rec_output *out)
{
	uint64_t want = out->file_bytes + 2 * REC_OUTPUT_RESERVE_BYTES;
	struct statfs fs;

	if (!out->regular || out->full_error ||
	    out->reserved_bytes >= want - REC_OUTPUT_RESERVE_BYTES)
		return;
	if (!out->cannot_reserve) {
		if (fallocate(out->fd, FALLOC_FL_KEEP_SIZE, (off_t)out->file_bytes,
			      (off_t)(want - out->file_bytes)) == 0) {
			out->reserved_bytes = want;
			return;
		}
		if (errno == ENOSPC || errno == EDQUOT || errno == EFBIG)
			run_full(out, -errno);
		out->cannot_reserve = !out->full_error && errno != EINTR;
	}
	if (out->cannot_reserve && fstatfs(out->fd, &fs) == 0 &&
	    (uint64_t)fs.f_bavail * (uint64_t)fs.f_bsize < REC_OUTPUT_RESERVE_BYTES)
		run_full(out, -ENOSPC);
}

void rec_output_start(struct rec_output *out)
{
	struct stat st;

	out->file_bytes = 0;
	out->reserved_bytes = 0;
	out->cannot_reserve = false;
	out->regular = fstat(out->fd, &st) == 0 && S_ISREG(st.st_mode);
	keep_reserve(out);
}

/* A descriptor that somebody else made non-blocking is waited for. */
static int wait_writable(int fd)
{
	struct pollfd p = {.fd = fd, .events = POLLOUT};

	return poll(&p, 1, -1) < 0 && errno != EINTR ? -errno : 0;
}

int rec_output_write(void *ctx, const void *data, size_t len)
{
	struct rec_output *out = ctx;
	const uint8_t *p = data;
	int err = 0;

	while (len > 0 && err == 0) {
		ssize_t n = write(out->fd, p, len);

		if (n > 0) {
			p += n;
			len -= (size_t)n;
			out->bytes += (uint64_t)n;
			out->file_bytes += (uint64_t)n;
		} else if (n == 0) {
			err = -ENOSPC;
		} else if (errno == EAGAIN) {
			err = wait_writable(out->fd);
		} else if (errno != EINTR) {
			err = -errno;
		}
	}
	keep_reserve(out);
	return err;
}

int rec_output_switch(struct rec_output *out, int fd)
{
	int err = 0;

	/* The reserve is given back. */
	if (out->fd >= 0 && out->reserved_bytes && ftruncate(out->fd, (off_t)out->file_bytes) < 0)
		err = -errno;
	if (out->fd >= 0 && close(out->fd) < 0 && !err)
		err = -errno;
	out->fd = fd;
	if (fd >= 0)
		rec_output_start(out);
	return err;
}

int rec_output_close(struct rec_output *out)
{
	int err = rec_output_switch(out, -1);

	free(out->path);
	*out = (struct rec_output){.fd = -1};
	return err;
}
