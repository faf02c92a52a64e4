// SPDX-License-Identifier: GPL-2.0-or-later
/* Cleaning up what a privileged program inherits, and giving its privilege up. */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/bpf.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/fsuid.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "record/caps.h"
#include "record/privilege.h"
#include "record/seccomp.h"

/* --- at the start --- */

int rec_open_null(void)
{
	int fd = open("/dev/null", O_RDWR | O_CLOEXEC), ends[2];

	if (fd >= 0)
		return fd;
	/* In a bare root: a pipe's end to read from, which is at its end and can't be written to. */
	if (pipe2(ends, O_CLOEXEC) < 0)
		return -errno;
	close(ends[1]);
	return ends[0];
}

/* What is opened here is left to a command that is recorded. */
static int open_standard_fds(void)
{
	int fd;

	for (fd = 0; fd < 3; fd++)
		if (fcntl(fd, F_GETFD) < 0 && (rec_open_null() != fd || fcntl(fd, F_SETFD, 0) < 0))
			return -EBADF;
	return 0;
}

void rec_close_fds_from(int first)
{
	long fd, max;

#ifdef SYS_close_range
	if (syscall(SYS_close_range, (unsigned)first, ~0u, 0u) == 0)
		return;
#endif
	/* Before 5.9 */
	max = sysconf(_SC_OPEN_MAX);
	for (fd = first; fd < max; fd++)
		close((int)fd);
}

int rec_privilege_begin(struct rec_caller *caller)
{
	int err = open_standard_fds();

	if (err < 0)
		return err;
	rec_close_fds_from(3);
	caller->environment = environ;
	caller->umask = umask(077);
	caller->ignores_sigpipe = signal(SIGPIPE, SIG_IGN) == SIG_IGN;
	signal(SIGCHLD, SIG_DFL);
	/* The vector that environ pointed to stays as it is. */
	if ((getauxval(AT_SECURE) || geteuid() == 0) && clearenv() != 0)
		return -ENOMEM;
	return rec_caps_set_effective(UINT64_MAX);
}

/* --- acting as the caller --- */

int rec_privilege_suspend(const struct rec_privilege *p)
{
	if (!p->deputy)
		return 0;
	/* setfsuid() never says whether it worked: a second call does. */
	setfsgid(p->real_gid);
	setfsuid(p->real_uid);
	if ((gid_t)setfsgid((gid_t)-1) != p->real_gid || (uid_t)setfsuid((uid_t)-1) != p->real_uid)
		return -EPERM;
	return rec_caps_set_effective(0);
}

int rec_privilege_resume(const struct rec_privilege *p)
{
	int err;

	if (!p->deputy)
		return 0;
	err = rec_caps_set_effective(p->effective);
	if (err < 0)
		return err;
	setfsuid(geteuid());
	setfsgid(getegid());
	return (uid_t)setfsuid((uid_t)-1) == geteuid() ? 0 : -EPERM;
}

static int become(uid_t uid, gid_t gid)
{
	if (setresgid(gid, gid, gid) < 0 || setresuid(uid, uid, uid) < 0)
		return -errno;
	return 0;
}

int rec_privilege_become_caller(const struct rec_privilege *p, const struct rec_caller *caller)
{
	static const struct rec_caps none;
	int err = 0;

	umask(caller->umask);
	if (!caller->ignores_sigpipe)
		signal(SIGPIPE, SIG_DFL);
	if (!p->deputy)
		return 0;
	if (prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) < 0)
		err = -errno;
	if (err == 0)
		err = become(p->real_uid, p->real_gid);
	if (err == 0)
		err = rec_caps_set(&none);
	return err;
}

/* --- giving up --- */

/* Root becomes nobody; a set-user-ID program becomes its caller. Capabilities stay permitted. */
static int leave_user(void)
{
	uid_t uid = getuid() == 0 ? REC_NOBODY : getuid();
	gid_t gid = getuid() == 0 ? REC_NOBODY : getgid();
	int err = 0;

	if (geteuid() == uid)
		return 0;
	if (prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0) < 0)
		return -errno;
	if (getuid() == 0 && setgroups(0, NULL) < 0)
		err = -errno;
	if (err == 0)
		err = become(uid, gid);
	/* In a container, root may lack the right to, or there may be no such user. */
	return getuid() == 0 && (err == -EPERM || err == -EINVAL) ? 0 : err;
}

static int reduce(uint64_t keep, bool stay_root)
{
	struct rec_caps caps = {0}, left = {0};
	int err;

	/* First, while CAP_SETPCAP is there. */
	err = rec_caps_drop_inherited();
	if (err == 0 && !stay_root)
		err = leave_user();
	if (err == 0)
		err = rec_caps_get(&caps);
	if (err < 0)
		return err;
	caps.permitted &= keep;
	caps.effective = caps.permitted;
	caps.inheritable = 0;
	err = rec_caps_set(&caps);
	if (err == 0)
		err = rec_caps_get(&left);
	if (err < 0)
		return err;
	if ((left.permitted & ~keep) || (left.effective & ~keep) || left.inheritable)
		return -EPERM;
	if (prctl(PR_SET_KEEPCAPS, 0, 0, 0, 0) < 0 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 ||
	    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) < 0)
		return -errno;
	return 0;
}

int rec_privilege_reduce(uint64_t keep)
{
	return reduce(keep, false);
}

int rec_privilege_reduce_to_caller(const struct rec_privilege *p)
{
	bool root = p->real_uid == 0;

	return reduce(root ? REC_CAP_BIT(CAP_DAC_OVERRIDE) : 0, root);
}

/*
 * Whether reading maps by their descriptors takes CAP_BPF: before 5.19 all of bpf(2) did, where
 * kernel.unprivileged_bpf_disabled is set. Tried on a descriptor that isn't one.
 */
static bool maps_need_capability(void)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.map_fd = UINT32_MAX;
	return syscall(SYS_bpf, BPF_MAP_LOOKUP_ELEM, &attr, sizeof(attr)) < 0 && errno == EPERM;
}

int rec_privilege_drop(const struct rec_privilege *p, struct rec_privilege_dropped *dropped)
{
	uint64_t bpf = p->effective & (REC_CAP_BIT(CAP_BPF) | REC_CAP_BIT(CAP_SYS_ADMIN));
	int err;

	*dropped = (struct rec_privilege_dropped){0};
	/* CAP_SYS_ADMIN is kept only where there is no CAP_BPF to keep. */
	if (bpf & REC_CAP_BIT(CAP_BPF))
		bpf = REC_CAP_BIT(CAP_BPF);
	err = rec_caps_set_effective(0);
	if (err < 0)
		return err;
	dropped->kept_bpf = bpf && maps_need_capability();
	err = rec_caps_set_effective(UINT64_MAX);
	if (err == 0)
		err = rec_privilege_reduce(dropped->kept_bpf ? bpf : 0);
	if (err < 0)
		return err;
	dropped->changed_user = p->real_uid == 0 && getuid() != 0;
	err = rec_seccomp_install(REC_SECCOMP_LOOP);
	dropped->filtered = err == 0;
	/* Kernels built without filters are accepted: the rest holds there, too. */
	return err == -EINVAL ? 0 : err;
}
