// SPDX-License-Identifier: GPL-2.0-or-later
/* What pa-record may do, and what its caller may ask of it. */
#include "record/privilege.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "format/util/buf.h"
#include "format/util/err.h"
#include "record/caps.h"
#include "record/procfs.h"

#define EXE "/proc/self/exe"
#define SETCAP "cap_bpf,cap_perfmon,cap_sys_ptrace,cap_syslog+ep"

/* --- finding out --- */

static int read_sysctl(const char *path)
{
	struct pa_buf text;
	int value = REC_SYSCTL_UNKNOWN;

	pa_buf_init(&text);
	if (rec_procfs_read(AT_FDCWD, path, &text, 64) == 0 && text.len > 0)
		value = (int)strtol(pa_buf_str(&text), NULL, 10);
	pa_buf_fini(&text);
	return value;
}

/* The initial user namespace maps all ids to themselves. */
static bool in_user_namespace(void)
{
	struct pa_buf text;
	unsigned long inside = 1, outside = 1, count = 0;
	char *p;
	bool initial;

	pa_buf_init(&text);
	/* Kernels without user namespaces have no such file. */
	initial = rec_procfs_read(AT_FDCWD, "/proc/self/uid_map", &text, 4096) < 0;
	if (!initial && text.len > 0) {
		p = (char *)text.data;
		inside = strtoul(p, &p, 10);
		outside = strtoul(p, &p, 10);
		count = strtoul(p, &p, 10);
	}
	pa_buf_fini(&text);
	return !initial && !(inside == 0 && outside == 0 && count == UINT32_MAX);
}

/* The kernel's struct vfs_cap_data: magic, then permitted and inheritable by 32 bits. */
static uint64_t read_file_capabilities(void)
{
	uint8_t data[64];
	ssize_t n = getxattr(EXE, "security.capability", data, sizeof(data));
	uint64_t low, high;

	if (n < 20)
		return 0;
	low = (uint64_t)data[4] | (uint64_t)data[5] << 8 | (uint64_t)data[6] << 16 |
	      (uint64_t)data[7] << 24;
	high = (uint64_t)data[12] | (uint64_t)data[13] << 8 | (uint64_t)data[14] << 16 |
	       (uint64_t)data[15] << 24;
	return low | high << 32;
}

static bool caller_in_group(gid_t group)
{
	gid_t groups[NGROUPS_MAX];
	int n = getgroups(NGROUPS_MAX, groups), i;

	if (getgid() == group)
		return true;
	for (i = 0; i < n; i++)
		if (groups[i] == group)
			return true;
	return false;
}

void rec_privilege_check(struct rec_privilege *p)
{
	struct rec_caps caps = {0};
	struct statvfs fs;
	struct stat st;
	ssize_t n;

	*p = (struct rec_privilege){.real_uid = getuid(), .real_gid = getgid()};
	p->deputy = getauxval(AT_SECURE) != 0 && p->real_uid != 0;
	p->user_namespace = in_user_namespace();
	p->no_new_privs = prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1;
	if (statvfs(EXE, &fs) == 0)
		p->nosuid = fs.f_flag & ST_NOSUID;
	if (stat(EXE, &st) == 0)
		p->trusted_group = caller_in_group(st.st_gid);
	if (rec_caps_get(&caps) == 0)
		p->effective = caps.effective;
	p->file_capabilities = read_file_capabilities();
	p->perf_event_paranoid = read_sysctl("/proc/sys/kernel/perf_event_paranoid");
	p->kptr_restrict = read_sysctl("/proc/sys/kernel/kptr_restrict");
	n = readlink(EXE, p->exe, sizeof(p->exe) - 1);
	p->exe[n > 0 ? n : 0] = 0;
}

bool rec_privilege_has(const struct rec_privilege *p, int capability)
{
	uint64_t wanted = REC_CAP_BIT(capability);

	if (capability == CAP_BPF || capability == CAP_PERFMON)
		wanted |= REC_CAP_BIT(CAP_SYS_ADMIN);
	return !p->user_namespace && (p->effective & wanted);
}

bool rec_privilege_suffices(const struct rec_privilege *p)
{
	return rec_privilege_has(p, CAP_BPF) && rec_privilege_has(p, CAP_PERFMON);
}

/* --- explaining --- */

/* Whether the kernel shows us addresses of its symbols: its own rule, kallsyms_show_value(). */
static bool kernel_addresses_shown(const struct rec_privilege *p)
{
	if (p->kptr_restrict >= 2)
		return false;
	if (p->kptr_restrict == 0 && p->perf_event_paranoid <= 1 &&
	    p->perf_event_paranoid != REC_SYSCTL_UNKNOWN)
		return true;
	return rec_privilege_has(p, CAP_SYSLOG);
}

/* Sentences stand on lines of their own. */
static void add_sentence(struct pa_buf *out, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
static void add_sentence(struct pa_buf *out, const char *fmt, ...)
{
	va_list ap;

	if (out->len > 0)
		pa_buf_add_char(out, '\n');
	va_start(ap, fmt);
	pa_buf_vaddf(out, fmt, ap);
	va_end(ap);
}

static void explain_missing(const struct rec_privilege *p, struct pa_buf *out)
{
	bool bpf = !rec_privilege_has(p, CAP_BPF), perfmon = !rec_privilege_has(p, CAP_PERFMON);

	add_sentence(out, "no permission to record: %s%s%s %s missing",
		     bpf ? "CAP_BPF (to load its programs)" : "", bpf && perfmon ? " and " : "",
		     perfmon ? "CAP_PERFMON (to sample)" : "", bpf && perfmon ? "are" : "is");
}

/* Why file capabilities that are there, or will be, have no effect. */
static void explain_ignored(const struct rec_privilege *p, struct pa_buf *out)
{
	if (p->nosuid)
		add_sentence(out,
			     "'%s' lies on a file system that is mounted 'nosuid', where file "
			     "capabilities are "
			     "ignored: copy it elsewhere first",
			     p->exe);
	else if (p->no_new_privs)
		add_sentence(out, "it was started with no_new_privs set, so that file capabilities "
				  "are ignored");
}

static void explain_remedy(const struct rec_privilege *p, struct pa_buf *out)
{
	if (p->user_namespace) {
		add_sentence(out, "it runs in a user namespace, whose capabilities don't count for "
				  "this: run it "
				  "on the host");
		return;
	}
	if (p->real_uid == 0) {
		add_sentence(out,
			     "root lacks them here, as in a container: grant CAP_BPF, CAP_PERFMON, "
			     "CAP_SYS_PTRACE and CAP_SYSLOG to it");
		return;
	}
	explain_ignored(p, out);
	add_sentence(out, "run it as root, or once: sudo setcap %s %s", SETCAP,
		     p->exe[0] ? p->exe : "pa-record");
}

void rec_privilege_explain(const struct rec_privilege *p, struct pa_buf *out)
{
	if (!rec_privilege_suffices(p)) {
		explain_missing(p, out);
		explain_remedy(p, out);
		return;
	}
	/*
	 * Debian and Ubuntu know levels above 2, at which some kernels want more than CAP_PERFMON.
	 */
	if (p->perf_event_paranoid >= 3 && !rec_privilege_has(p, CAP_SYS_ADMIN))
		add_sentence(out,
			     "kernel.perf_event_paranoid is %d, where some kernels refuse perf "
			     "events in spite of "
			     "CAP_PERFMON: run it as root, or set it to 2",
			     p->perf_event_paranoid);
	if (p->kptr_restrict >= 2)
		add_sentence(out, "kernel.kptr_restrict is 2: kernel functions will have no names");
	else if (!kernel_addresses_shown(p))
		add_sentence(out, "CAP_SYSLOG is missing: kernel functions will have no names");
	if (!rec_privilege_has(p, CAP_SYS_PTRACE))
		add_sentence(out, "CAP_SYS_PTRACE is missing: of other users' processes, programs "
				  "and JIT maps "
				  "can't be read");
}

/* --- what the caller may ask for --- */

bool rec_privilege_may_record_all(const struct rec_privilege *p)
{
	if (!p->deputy || p->trusted_group)
		return true;
	return p->perf_event_paranoid != REC_SYSCTL_UNKNOWN && p->perf_event_paranoid < 1;
}

bool rec_privilege_may_see_kernel(const struct rec_privilege *p)
{
	if (rec_privilege_may_record_all(p))
		return true;
	return p->perf_event_paranoid != REC_SYSCTL_UNKNOWN && p->perf_event_paranoid < 2;
}

static bool is_wholly_of(const struct rec_proc_status *status, uid_t uid)
{
	int i;

	for (i = 0; i < 4; i++)
		if (status->uid[i] != uid)
			return false;
	return status->uid_known;
}

int rec_privilege_may_record(const struct rec_privilege *p, pid_t pid)
{
	struct rec_proc_status status;
	struct stat st;
	struct pa_buf text;
	int dir, err;

	if (rec_privilege_may_record_all(p))
		return 0;
	dir = rec_procfs_open(pid);
	if (dir < 0)
		return dir;
	pa_buf_init(&text);
	err = rec_procfs_read(dir, "status", &text, 65536);
	if (err == 0)
		err = rec_status_parse(pa_buf_str(&text), text.len, &status);
	/* The files (not the directory) of a process that is not dumpable belong to root. */
	if (err == 0 && fstatat(dir, "status", &st, 0) < 0)
		err = -errno;
	if (err == 0 && (!is_wholly_of(&status, p->real_uid) || st.st_uid != p->real_uid))
		err = PA_E_NO_PERM;
	pa_buf_fini(&text);
	close(dir);
	return err;
}

const char *rec_privilege_refusal(void)
{
	return "it is not your process: others' may be recorded by root, by members of the group "
	       "that owns "
	       "pa-record, or where kernel.perf_event_paranoid is below 1";
}
