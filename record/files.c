// SPDX-License-Identifier: GPL-2.0-or-later
/* Numbered files, created by a helper that is the caller. */
#include "record/files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "format/util/buf.h"
#include "record/helpers.h"
#include "record/output.h"
#include "record/privilege.h"
#include "record/seccomp.h"

static const char suffix[] = ".pa";

/* Length of path up to where the number goes. */
static size_t stem_bytes(const char *path)
{
	size_t len = strlen(path), cut = sizeof(suffix) - 1;

	/* Not of a file whose name is nothing else. */
	return len > cut && path[len - cut - 1] != '/' && strcmp(path + len - cut, suffix) == 0 ?
		       len - cut :
		       len;
}

static void add_numbered(struct pa_buf *to, const char *path, uint32_t number)
{
	size_t stem = stem_bytes(path);

	pa_buf_add(to, path, stem);
	pa_buf_addf(to, ".%u%s", number, path + stem);
}

/* --- in the helper --- */

static const char *name_in(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static int open_directory(const char *path)
{
	const char *name = name_in(path);
	struct pa_buf directory;
	int fd;

	pa_buf_init(&directory);
	pa_buf_add(&directory, path, (size_t)(name - path));
	if (name == path)
		pa_buf_add_char(&directory, '.');
	fd = pa_buf_error(&directory) ?
		     -1 :
		     open(pa_buf_str(&directory), O_PATH | O_DIRECTORY | O_CLOEXEC);
	pa_buf_fini(&directory);
	return fd < 0 ? -errno : fd;
}

/* Answers each number with the file of that number, or the reason why there is none. */
static _Noreturn void serve(int sock, int dir, const char *path, uid_t caller)
{
	struct rec_request request;
	struct rec_reply *reply = calloc(1, sizeof(*reply));
	struct pa_buf name;
	int n = 0;

	pa_buf_init(&name);
	while (reply && (n = rec_channel_recv(sock, &request, sizeof(request), NULL, -1)) > 0) {
		int fd = dir;

		pa_buf_reset(&name);
		add_numbered(&name, name_in(path), request.what);
		if (dir >= 0)
			fd = n != sizeof(request) || pa_buf_error(&name) ?
				     -EINVAL :
				     rec_output_create(dir, pa_buf_str(&name), caller);
		reply->seq = request.seq;
		reply->result = fd < 0 ? fd : 0;
		if (rec_channel_send_reply(sock, reply, fd < 0 ? -1 : fd) < 0)
			break;
		if (fd >= 0)
			close(fd);
	}
	_exit(n == 0 ? 0 : 1);
}

static _Noreturn void helper_main(int sock, const char *path, const struct rec_privilege *p)
{
	int dir;

	sock = rec_helper_detach(sock, "pa-files");
	if (rec_privilege_reduce_to_caller(p) < 0)
		_exit(1);
	dir = open_directory(path);
	if (rec_seccomp_install(REC_SECCOMP_FILES) < 0)
		_exit(1);
	serve(sock, dir, path, p->real_uid);
}

/* --- in the recorder --- */

int rec_files_open(struct rec_files *f, const char *path, const struct rec_privilege *p)
{
	int socks[2], err;

	*f = (struct rec_files){.channel.sock = -1};
	f->path = strdup(path);
	f->reply = calloc(1, sizeof(*f->reply));
	err = f->path && f->reply ? rec_channel_pair(socks) : -ENOMEM;
	if (err < 0)
		return err;
	f->pid = fork();
	if (f->pid == 0)
		helper_main(socks[1], path, p);
	err = f->pid < 0 ? -errno : 0;
	close(socks[1]);
	f->channel.sock = socks[0];
	if (err < 0)
		f->pid = 0;
	return err;
}

int rec_files_create(struct rec_files *f, uint32_t number, int *fd)
{
	struct rec_request request = {.what = number};
	int err = rec_channel_call(&f->channel, &request, -1, f->reply, fd);

	return err == 0 && *fd < 0 ? -EPROTO : err;
}

void rec_files_add_path(const struct rec_files *f, uint32_t number, struct pa_buf *to)
{
	add_numbered(to, f->path, number);
}

void rec_files_close(struct rec_files *f)
{
	if (!f->path)
		return;
	rec_helper_stop(&f->channel, &f->pid);
	if (f->channel.sock >= 0)
		close(f->channel.sock);
	free(f->path);
	free(f->reply);
	*f = (struct rec_files){.channel.sock = -1};
}
