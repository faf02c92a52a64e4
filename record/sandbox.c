// SPDX-License-Identifier: GPL-2.0-or-later
/* The sandbox: parses foreign files without any privilege. */
#include "record/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "format/util/cleanup.h"
#include "format/util/err.h"
#include "format/util/mem.h"
#include "record/helpers.h"
#include "record/privilege.h"
#include "record/supervisor.h"
#include "record/unwind/unwind.h"

enum sandbox_op {
	SANDBOX_IDENTIFY,
	SANDBOX_COMPILE,
	SANDBOX_OPS_,
};

#define MAX_MEMORY_BYTES (2048ull << 20) /* the largest files are mapped whole */
#define MAX_CPU_SECONDS 20
#define MAX_DESCRIPTORS 16
#define TABLE_SEALS (F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL)

/* --- in the worker --- */

static int identify(int in_fd, struct rec_reply *reply, int *out_fd)
{
	struct rec_build_id id;
	int err = rec_elfid_read(in_fd, &id);

	(void)out_fd;
	if (err < 0)
		return err;
	memcpy(reply->data, &id, sizeof(id));
	reply->len = sizeof(id);
	return 0;
}

/* A copy in memory that is shared and can't be changed any more, or an error. */
static int share(const struct pa_buf *table)
{
	int fd = memfd_create("unwind-table", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	void *to;

	if (fd < 0)
		return -errno;
	if (ftruncate(fd, (off_t)table->len) < 0) {
		close(fd);
		return -errno;
	}
	to = mmap(NULL, table->len, PROT_WRITE, MAP_SHARED, fd, 0);
	if (to == MAP_FAILED) {
		close(fd);
		return -ENOMEM;
	}
	memcpy(to, table->data, table->len);
	munmap(to, table->len);
	if (fcntl(fd, F_ADD_SEALS, TABLE_SEALS) < 0) {
		close(fd);
		return -errno;
	}
	return fd;
}

static int compile(int in_fd, struct rec_reply *reply, int *out_fd)
{
	struct rec_unwind_stats stats;
	struct pa_buf table;
	int err;

	(void)reply;
	pa_buf_init(&table);
	err = rec_unwind_compile_fd(in_fd, &table, &stats);
	if (!err) {
		*out_fd = share(&table);
		err = *out_fd < 0 ? *out_fd : 0;
	}
	pa_buf_fini(&table);
	return err;
}

typedef int operation_fn(int in_fd, struct rec_reply *reply, int *out_fd);

static operation_fn *const operations[SANDBOX_OPS_] = {
	[SANDBOX_IDENTIFY] = identify,
	[SANDBOX_COMPILE] = compile,
};

static int handle(void *ctx, const struct rec_request *request, int in_fd, struct rec_reply *reply,
		  int *out_fd)
{
	(void)ctx;
	if (request->op >= SANDBOX_OPS_ || in_fd < 0)
		return -EINVAL;
	return operations[request->op](in_fd, reply, out_fd);
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
#ifndef REC_ADDRESS_SANITIZER
	if (err == 0)
		err = limit(RLIMIT_AS, MAX_MEMORY_BYTES);
#endif
	if (err == 0)
		err = limit(RLIMIT_NOFILE, MAX_DESCRIPTORS);
	return err;
}

/* --- in the supervisor --- */

/*
 * Makes the root directory one that nothing can be found in: the fdinfo directory of a process that
 * is gone. Only root may; for the others, the filter alone keeps the file system away.
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

_Noreturn void rec_sandbox_run(int sock, int timeout_ms)
{
	const struct rec_worker_kind kind = {
		.handle = handle,
		.prepare = prepare_worker,
		.filter = REC_SECCOMP_SANDBOX,
		.single = true,
		.timeout_ms = timeout_ms,
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

int rec_sandbox_compile_post(struct rec_helpers *h, int fd)
{
	struct rec_request request = {.op = SANDBOX_COMPILE};

	return rec_channel_post(&h->compiler, &request, fd);
}

int rec_sandbox_compile_take(struct rec_helpers *h, int *table_fd)
{
	int err = rec_channel_take(&h->compiler, h->reply, table_fd), seals;

	if (err == PA_E_UNSUPPORTED)
		h->broken++;
	if (err != 0)
		return err;
	/* What is checked next must not change while it is used, whoever made it. */
	seals = *table_fd >= 0 ? fcntl(*table_fd, F_GET_SEALS) : -1;
	if (seals >= 0 && (seals & TABLE_SEALS) == TABLE_SEALS)
		return 0;
	pa_close_fd(table_fd);
	return PA_E_CORRUPT;
}

int rec_sandbox_compile_fd(const struct rec_helpers *h)
{
	return h->compiler.sock;
}
