/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What pa-record may do, what its caller may ask of it, and giving the privilege up. The order in
 * main(): rec_privilege_begin() before anything else; options; rec_privilege_check();
 * rec_helpers_start(); set-up; rec_privilege_drop(); the loop.
 */
#ifndef REC_PRIVILEGE_H
#define REC_PRIVILEGE_H

#include <linux/capability.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct pa_buf;

/* Capabilities that older headers lack. */
#ifndef CAP_PERFMON
#define CAP_PERFMON 38
#endif
#ifndef CAP_BPF
#define CAP_BPF 39
#endif

struct rec_privilege {
	uid_t real_uid;
	gid_t real_gid;
	bool deputy; /* the program has privilege that its caller lacks: by its file */
	bool user_namespace; /* capabilities hold in a namespace only, and don't count */
	bool nosuid; /* the program lies on a nosuid mount: its file gives it nothing */
	bool no_new_privs; /* was set by the caller: file capabilities are ignored */
	bool trusted_group; /* the caller is in the group that owns the program's file */
	uint64_t effective; /* capability bits, as when the check was made */
	uint64_t file_capabilities; /* those permitted by the program's file */
	int perf_event_paranoid; /* the sysctl; REC_SYSCTL_UNKNOWN when not readable */
	int kptr_restrict; /* the sysctl, likewise */
	char exe[4096]; /* path of the program; empty when not known */
};
#define REC_SYSCTL_UNKNOWN (-100)

/* What the caller's command is to find as the caller left it. */
struct rec_caller {
	char **environment;
	mode_t umask;
	bool ignores_sigpipe;
};

/*
 * First call of main(). Makes the caller's surroundings harmless: descriptors 0 to 2 are open, all
 * others are closed, the umask is 077, SIGPIPE is ignored, SIGCHLD has its default disposition, and
 * permitted capabilities are in effect. With privilege (root or a deputy) the environment is
 * emptied. 0 or -errno.
 */
int rec_privilege_begin(struct rec_caller *caller);

/* Finds out what there is. Changes nothing, needs nothing. */
void rec_privilege_check(struct rec_privilege *p);
/* Whether a capability is in effect; CAP_SYS_ADMIN stands for CAP_BPF and CAP_PERFMON, too. */
bool rec_privilege_has(const struct rec_privilege *p, int capability);
/* Whether there is enough to record at all. */
bool rec_privilege_suffices(const struct rec_privilege *p);
/*
 * Appends sentences, on lines of their own, that say what is missing: each capability with what it
 * is for, why those on the file don't count (nosuid mount, user namespace, no_new_privs), and the
 * setcap line. Nothing is appended when all is there; there is no newline at the end.
 */
void rec_privilege_explain(const struct rec_privilege *p, struct pa_buf *out);

/* --- what the caller may ask for; others' processes need the administrator's leave --- */

/*
 * Whether the caller may record the process: 0, -ESRCH, or PA_E_NO_PERM. A deputy records processes
 * that are wholly its caller's (all four user ids, and dumpable), others only for members of the
 * program's group or where perf_event_paranoid is below 1.
 */
int rec_privilege_may_record(const struct rec_privilege *p, pid_t pid);
/* The same for all processes (-a). */
bool rec_privilege_may_record_all(const struct rec_privilege *p);
/* Whether he may see kernel stacks: as above, or where perf_event_paranoid is below 2. */
bool rec_privilege_may_see_kernel(const struct rec_privilege *p);
/* A sentence for PA_E_NO_PERM of the above, without a subject. Static. */
const char *rec_privilege_refusal(void);

/* --- acting as the caller, and giving up --- */

/*
 * Between the two, files are opened with the caller's own rights: a deputy's effective capabilities
 * and file-system ids are put aside. Nothing happens when there is nothing to put aside. 0 or
 * -errno; after an error of rec_privilege_resume() the program must end.
 */
int rec_privilege_suspend(const struct rec_privilege *p);
int rec_privilege_resume(const struct rec_privilege *p);

/*
 * In a child about to execute the caller's command with caller->environment (forked before
 * rec_privilege_drop()): a deputy's capabilities and ids are given up, umask and SIGPIPE are as the
 * caller had them. 0 or -errno; on failure nothing may be executed.
 */
int rec_privilege_become_caller(const struct rec_privilege *p, const struct rec_caller *caller);

struct rec_privilege_dropped {
	bool kept_bpf; /* CAP_BPF was kept: this kernel wants it for reading maps (before 5.19) */
	bool changed_user; /* real root became nobody */
	bool filtered; /* the system-call filter is in place */
};

/*
 * Gives up everything for good: root becomes nobody, all capability sets are cleared, the bounding
 * set where that is allowed, no_new_privs is set, and the filter of seccomp.h is put on. 0 or
 * -errno; on failure the program must end.
 */
int rec_privilege_drop(const struct rec_privilege *p, struct rec_privilege_dropped *dropped);

/* --- for the helpers --- */

/* /dev/null; where there is none, something else that gives nothing and takes nothing. Or -errno. */
int rec_open_null(void);
/* Closes every descriptor from first on. */
void rec_close_fds_from(int first);

/* The unprivileged user that root becomes. */
#define REC_NOBODY 65534

/*
 * Becomes nobody when root (the caller, when a deputy), keeps exactly the capabilities in keep (of
 * those there are), clears all other sets, and sets no_new_privs and "not dumpable". Staying root
 * without capabilities is accepted where a container forbids the change of user. 0 or -errno.
 */
int rec_privilege_reduce(uint64_t keep);
/*
 * The same for who is to write where the caller may, and nothing else: an ordinary caller keeps no
 * capability; root stays root, with CAP_DAC_OVERRIDE alone.
 */
int rec_privilege_reduce_to_caller(const struct rec_privilege *p);

#endif
