// SPDX-License-Identifier: GPL-2.0-or-later
/* The sandbox: parses foreign files without any privilege. */
#include "record/sandbox.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "format/util/err.h"
#include "format/util/mem.h"
#include "record/helpers.h"
#include "record/privilege.h"
#include "record/supervisor.h"

enum sandbox_op {
	SANDBOX_IDENTIFY,
	SANDBOX_OPS_,
};

#define MAX_MEMORY_BYTES (256u << 20)
#define MAX_CPU_SECONDS 2
#define MAX_DESCRIPTORS 16

/* --- in the worker --- */

static int identify(int in_fd, struct rec_reply *reply)
{
	struct rec_build_id id;
	int err = rec_elfid_read(in_fd, &id);

	if (err < 0)
		return err;
	memcpy(reply->data, &id, sizeof(id));
	reply->len = sizeof(id);
	return 0;
}

static int (*const operations[SANDBOX_OPS_])(int in_fd, struct rec_reply *reply) = {
	[SANDBOX_IDENTIFY] = identify,
};

static int handle(void *ctx, const struct rec_request *request, int in_fd, struct rec_reply *reply,
		  int *out_fd)
{
	(void)ctx;
	(void)out_fd;
	if (request->op >= SANDBOX_OPS_ || in_fd < 0)
		return -EINVAL;
	return operations[request->op](in_fd, reply);
}

static int limit(int resource, rlim_t value)
{
	struct rlimit l = {value, value};

	return setrlimit(resource, &l) < 0 ? -errno : 0;
}

static int prepare_worker(void)
{
	int err = limit(RLIMIT_CPU, MAX_CPU_SECONDS);

	/* The address sanitizer reserves terabytes. */
#ifndef __SANITIZE_ADDRESS__
	if (err == 0)
		err = limit(RLIMIT_AS, MAX_MEMORY_BYTES);
#endif
	if (err == 0)
		err = limit(RLIMIT_NOFILE, MAX_DESCRIPTORS);
	return err;
}

/* --- in the supervisor --- */

/*
 * Makes the root directory one that nothing can be found in: the fdinfo directory of a process that is
 * gone. Only root may; for the others, the filter alone keeps the file system away.
 */
static int leave_file_system(void)
{
	int status;
	pid_t pid;

	/* fork() shares no working or root directory: a child with CLONE_FS changes ours. */
	pid = (pid_t)syscall(SYS_clone, CLONE_FS | SIGCHLD, 0, 0, 0, 0);
	if (pid == 0)
		_exit(chroot("/proc/self/fdinfo") < 0 || chdir("/") < 0 ? errno : 0);
	if (pid < 0)
		return -errno;
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -errno;
	return WIFEXITED(status) ? -WEXITSTATUS(status) : -EIO;
}

_Noreturn void rec_sandbox_run(int sock)
{
	static const struct rec_worker_kind kind = {
		.handle = handle,
		.prepare = prepare_worker,
		.filter = REC_SECCOMP_SANDBOX,
		.single = true,
	};
	int err = leave_file_system();

	if ((err < 0 && err != -EPERM && err != -EACCES) || limit(RLIMIT_CORE, 0) < 0 ||
	    rec_privilege_reduce(0) < 0 || rec_seccomp_install(REC_SECCOMP_SANDBOX_PARENT) < 0)
		_exit(1);
	rec_supervisor_run(sock, &kind);
}

/* --- in the recorder --- */

int rec_sandbox_identify(struct rec_helpers *h, int fd, struct rec_build_id *id)
{
	struct rec_request request = {.op = SANDBOX_IDENTIFY};
	int err = rec_helpers_call(h, &h->sandbox, &request, fd, NULL);
	const struct rec_reply *reply = h->reply;

	*id = (struct rec_build_id){.kind = PA_BUILD_ID_NONE};
	if (err < 0)
		return err;
	/* The answer comes from where a hostile file may have taken over. */
	if (reply->len != sizeof(*id))
		return PA_E_CORRUPT;
	memcpy(id, reply->data, sizeof(*id));
	if (id->len > PA_MAX_BUILD_ID_BYTES || id->kind > PA_BUILD_ID_GO) {
		*id = (struct rec_build_id){.kind = PA_BUILD_ID_NONE};
		return PA_E_CORRUPT;
	}
	return 0;
}
