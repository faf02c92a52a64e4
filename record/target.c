// SPDX-License-Identifier: GPL-2.0-or-later
/* Whom to record. */
#include "record/target.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "format/util/buf.h"
#include "format/util/err.h"
#include "format/util/mem.h"
#include "record/config.h"
#include "record/privilege.h"
#include "record/procfs.h"

static void set_name(struct rec_target *t, const char *name)
{
	const char *slash = strrchr(name, '/');

	name = slash && slash[1] ? slash + 1 : name;
	snprintf(t->name, sizeof(t->name), "%s", name);
}

static int add_pid(struct rec_target *t, uint32_t pid)
{
	size_t i;

	for (i = 0; i < t->count; i++)
		if (t->pids[i] == pid)
			return 0;
	if (pa_grow(&t->pids, &t->cap, t->count + 1, sizeof(*t->pids)) < 0)
		return -ENOMEM;
	t->pids[t->count++] = pid;
	return 0;
}

/* Reads the status of a process. 0, -ESRCH or another error. */
static int read_status(pid_t pid, struct rec_proc_status *status)
{
	struct pa_buf text;
	int dir = rec_procfs_open(pid), err;

	if (dir < 0)
		return dir == -ENOENT ? -ESRCH : dir;
	pa_buf_init(&text);
	err = rec_procfs_read(dir, "status", &text, 1 << 16);
	if (!err)
		err = rec_status_parse(pa_buf_str(&text), text.len, status);
	pa_buf_fini(&text);
	close(dir);
	return err;
}

static int add_checked(struct rec_target *t, pid_t pid, const struct rec_privilege *privilege,
		       struct pa_buf *error)
{
	struct rec_proc_status status;
	int err = read_status(pid, &status);

	if (!err && status.tgid != (uint32_t)pid) {
		pa_buf_addf(error, "%d is a thread of process %u ('%s'); record that with --pid %u",
			    (int)pid, status.tgid, status.name, status.tgid);
		return -EINVAL;
	}
	if (!err)
		err = rec_privilege_may_record(privilege, pid);
	if (err == -ESRCH || err == -ENOENT)
		pa_buf_addf(error, "there is no process %d", (int)pid);
	else if (err == PA_E_NO_PERM)
		pa_buf_addf(error, "process %d: %s", (int)pid, rec_privilege_refusal());
	else if (err)
		pa_buf_addf(error, "cannot look at process %d: %s", (int)pid, pa_strerror(err));
	if (err)
		return err;
	if (t->name[0] == '\0')
		set_name(t, status.name);
	return add_pid(t, (uint32_t)pid);
}

static int resolve_pids(struct rec_target *t, const struct rec_config *config,
			const struct rec_privilege *privilege, struct pa_buf *error)
{
	size_t i;
	int err = 0;

	for (i = 0; i < config->pids.count && !err; i++)
		err = add_checked(t, (pid_t)strtol(config->pids.items[i], NULL, 10), privilege,
				  error);
	return err;
}

/* All processes of that name; the name is the process's own, or that of its file. */
static int resolve_comm(struct rec_target *t, const char *comm,
			const struct rec_privilege *privilege, struct pa_buf *error)
{
	struct rec_proc_status status;
	struct dirent *entry;
	size_t before = t->count;
	DIR *proc = opendir("/proc");
	int err = 0;

	if (!proc) {
		err = -errno;
		pa_buf_addf(error, "cannot open '/proc': %s", pa_strerror(err));
		return err;
	}
	while (!err && (entry = readdir(proc)) != NULL) {
		char *end;
		long pid = strtol(entry->d_name, &end, 10);

		if (*end || pid <= 0 || pid == getpid() || read_status((pid_t)pid, &status) < 0)
			continue;
		/* The kernel keeps 15 characters of a name. */
		if (strncmp(status.name, comm, 15) != 0)
			continue;
		err = add_checked(t, (pid_t)pid, privilege, error);
		if (err == -ESRCH) { /* it has just ended */
			pa_buf_reset(error);
			err = 0;
		}
	}
	closedir(proc);
	if (!err && t->count == before) {
		pa_buf_addf(error, "there is no process named '%s'", comm);
		err = -ESRCH;
	}
	return err;
}

/* --- a command --- */

/* What the child tells before it waits, and when exec fails. */
static void tell(int fd, int err)
{
	if (write(fd, &err, sizeof(err)) < 0)
		_exit(127);
}

/* Where PATH leads, as the caller would find it; 0 or the errno of exec. */
static int find_command(const char *command, char *const *environment, struct pa_buf *path)
{
	const char *dirs = "/usr/local/bin:/usr/bin:/bin", *end;

	if (strchr(command, '/')) {
		pa_buf_add_str(path, command);
		return access(command, X_OK) < 0 ? errno : 0;
	}
	for (; *environment; environment++)
		if (strncmp(*environment, "PATH=", 5) == 0)
			dirs = *environment + 5;
	for (; *dirs; dirs = *end ? end + 1 : end) {
		end = strchrnul(dirs, ':');
		pa_buf_reset(path);
		pa_buf_add(path, dirs, (size_t)(end - dirs));
		pa_buf_addf(path, "%s%s", end > dirs ? "/" : "", command);
		if (access(pa_buf_str(path), X_OK) == 0)
			return 0;
	}
	return ENOENT;
}

static _Noreturn void run_command(char **command, const struct rec_privilege *privilege,
				  const struct rec_caller *caller, int release_fd, int failure_fd)
{
	struct pa_buf path;
	char go;
	int err;

	pa_buf_init(&path);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	err = rec_privilege_become_caller(privilege, caller);
	err = err ? -err : find_command(command[0], caller->environment, &path);
	tell(failure_fd, err);
	if (err || read(release_fd, &go, 1) != 1)
		_exit(127);
	/* From here on it lives by itself: it must not die with a recorder that has ended. */
	prctl(PR_SET_PDEATHSIG, 0);
	execve(pa_buf_str(&path), command, caller->environment);
	tell(failure_fd, errno);
	_exit(127);
}

static int start_command(struct rec_target *t, char **command,
			 const struct rec_privilege *privilege, const struct rec_caller *caller,
			 struct pa_buf *error)
{
	int release[2] = {-1, -1}, failure[2] = {-1, -1}, err = -EIO;

	if (pipe2(release, O_CLOEXEC) < 0 || pipe2(failure, O_CLOEXEC) < 0) {
		pa_buf_addf(error, "cannot make a pipe: %s", pa_strerror(-errno));
		return -errno;
	}
	t->child = fork();
	if (t->child == 0) {
		close(release[1]);
		close(failure[0]);
		run_command(command, privilege, caller, release[0], failure[1]);
	}
	close(release[0]);
	close(failure[1]);
	t->release_fd = release[1];
	t->failure_fd = failure[0];
	if (t->child < 0) {
		t->child = 0;
		pa_buf_addf(error, "cannot fork: %s", pa_strerror(-errno));
		return -errno;
	}
	if (read(failure[0], &err, sizeof(err)) != sizeof(err))
		err = EIO;
	if (err) {
		pa_buf_addf(error, "cannot run '%s': %s", command[0], pa_strerror(-err));
		return -err;
	}
	set_name(t, command[0]);
	return add_pid(t, (uint32_t)t->child);
}

static char *describe(const struct rec_target *t, const struct rec_config *config)
{
	struct pa_buf text;
	size_t i;

	pa_buf_init(&text);
	if (config->all)
		pa_buf_add_str(&text, "all");
	else if (config->command)
		pa_buf_add_str(&text, "command");
	for (i = 0; i < t->count && !config->command; i++)
		pa_buf_addf(&text, "%s%u", i ? "," : "pid ", t->pids[i]);
	return pa_buf_take(&text);
}

int rec_target_resolve(struct rec_target *t, const struct rec_config *config,
		       const struct rec_privilege *privilege, const struct rec_caller *caller,
		       struct pa_buf *error)
{
	size_t i;
	int err = 0;

	*t = (struct rec_target){.release_fd = -1, .failure_fd = -1};
	if (config->all) {
		set_name(t, "system");
		if (!rec_privilege_may_record_all(privilege)) {
			pa_buf_addf(error, "--all: %s", rec_privilege_refusal());
			return PA_E_NO_PERM;
		}
	}
	err = resolve_pids(t, config, privilege, error);
	for (i = 0; i < config->comms.count && !err; i++)
		err = resolve_comm(t, config->comms.items[i], privilege, error);
	if (!err && config->command)
		err = start_command(t, config->command, privilege, caller, error);
	if (err)
		return err;
	t->text = describe(t, config);
	return t->text ? 0 : -ENOMEM;
}

int rec_target_release(struct rec_target *t)
{
	int err = 0;
	ssize_t n;

	if (t->release_fd < 0)
		return 0;
	n = write(t->release_fd, "", 1);
	close(t->release_fd);
	t->release_fd = -1;
	/* The descriptor closes on exec; then there is nothing to read. */
	if (n == 1 && read(t->failure_fd, &err, sizeof(err)) != sizeof(err))
		err = 0;
	close(t->failure_fd);
	t->failure_fd = -1;
	return -err;
}

bool rec_target_ended(struct rec_target *t, int *status)
{
	if (t->child <= 0 || waitpid(t->child, status, WNOHANG) != t->child)
		return false;
	t->child = 0;
	return true;
}

void rec_target_fini(struct rec_target *t)
{
	if (t->release_fd >= 0) {
		close(t->release_fd);
		close(t->failure_fd);
		if (t->child > 0)
			waitpid(t->child, NULL, 0);
	}
	free(t->pids);
	free(t->text);
	*t = (struct rec_target){.release_fd = -1, .failure_fd = -1};
}
