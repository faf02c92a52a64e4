// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a caller may record, what is said about missing privilege, and what is left after the drop.
 */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "format/util/buf.h"
#include "format/util/err.h"
#include "record/caps.h"
#include "record/privilege.h"
#include "record/procfs.h"

#define ENOUGH (REC_CAP_BIT(CAP_BPF) | REC_CAP_BIT(CAP_PERFMON))
#define ALL (ENOUGH | REC_CAP_BIT(CAP_SYS_PTRACE) | REC_CAP_BIT(CAP_SYSLOG))

static struct rec_privilege caller_with(uint64_t effective)
{
	return (struct rec_privilege){
		.real_uid = 1000,
		.real_gid = 1000,
		.effective = effective,
		.perf_event_paranoid = 2,
		.kptr_restrict = 1,
		.exe = "/opt/pa-record",
	};
}

/* --- explanations --- */

static void assert_explained(const struct rec_privilege *p, const char *expected)
{
	struct pa_buf out;

	pa_buf_init(&out);
	rec_privilege_explain(p, &out);
	assert_string_equal(pa_buf_str(&out), expected);
	pa_buf_fini(&out);
}

#define SETCAP_LINE                                                                              \
	"run it as root, or once: sudo setcap cap_bpf,cap_perfmon,cap_sys_ptrace,cap_syslog+ep " \
	"/opt/pa-record"

static void each_missing_capability_is_named(void **state)
{
	struct rec_privilege p;

	(void)state;
	p = caller_with(ALL);
	assert_true(rec_privilege_suffices(&p));
	assert_explained(&p, "");
	p = caller_with(0);
	assert_false(rec_privilege_suffices(&p));
	assert_explained(
		&p, "no permission to record: CAP_BPF (to load its programs) and CAP_PERFMON (to "
		    "sample) are missing\n" SETCAP_LINE);
	p = caller_with(REC_CAP_BIT(CAP_BPF));
	assert_explained(
		&p, "no permission to record: CAP_PERFMON (to sample) is missing\n" SETCAP_LINE);
	p = caller_with(REC_CAP_BIT(CAP_PERFMON));
	assert_explained(
		&p,
		"no permission to record: CAP_BPF (to load its programs) is missing\n" SETCAP_LINE);
	p = caller_with(ENOUGH);
	assert_true(rec_privilege_suffices(&p));
	assert_explained(
		&p, "CAP_SYSLOG is missing: kernel functions will have no names\n"
		    "CAP_SYS_PTRACE is missing: of other users' processes, programs and JIT maps "
		    "can't be read");
	/* CAP_SYS_ADMIN includes the two, as it did before they were split off. */
	p = caller_with(REC_CAP_BIT(CAP_SYS_ADMIN));
	assert_true(rec_privilege_suffices(&p));
}

static void reasons_are_given(void **state)
{
	struct rec_privilege p = caller_with(0);
	struct pa_buf out;

	(void)state;
	pa_buf_init(&out);
	p.nosuid = true;
	rec_privilege_explain(&p, &out);
	assert_non_null(strstr(pa_buf_str(&out),
			       "'/opt/pa-record' lies on a file system that is mounted 'nosuid'"));
	p = caller_with(0);
	p.no_new_privs = true;
	pa_buf_reset(&out);
	rec_privilege_explain(&p, &out);
	assert_non_null(strstr(pa_buf_str(&out), "no_new_privs"));
	p = caller_with(ALL);
	p.user_namespace = true;
	pa_buf_reset(&out);
	rec_privilege_explain(&p, &out);
	assert_non_null(strstr(pa_buf_str(&out), "user namespace"));
	assert_null(strstr(pa_buf_str(&out), "setcap"));
	p = caller_with(0);
	p.real_uid = 0;
	pa_buf_reset(&out);
	rec_privilege_explain(&p, &out);
	assert_non_null(strstr(pa_buf_str(&out), "container"));
	assert_null(strstr(pa_buf_str(&out), "setcap"));
	pa_buf_fini(&out);
}

static void kernel_settings_are_told(void **state)
{
	struct rec_privilege p = caller_with(ALL);

	(void)state;
	p.kptr_restrict = 2;
	assert_explained(&p, "kernel.kptr_restrict is 2: kernel functions will have no names");
	p = caller_with(ALL & ~REC_CAP_BIT(CAP_SYSLOG));
	p.kptr_restrict = 0;
	p.perf_event_paranoid = 1;
	assert_explained(&p, "");
	p = caller_with(ALL);
	p.perf_event_paranoid = 3;
	assert_explained(
		&p,
		"kernel.perf_event_paranoid is 3, where some kernels refuse perf events in spite "
		"of CAP_PERFMON: run it as root, or set it to 2");
}

/* --- what a caller may record --- */

static void deputies_serve_their_callers_only(void **state)
{
	struct rec_privilege p = caller_with(ALL);

	(void)state;
	/* With privilege of his own he may record whatever that allows. */
	assert_true(rec_privilege_may_record_all(&p));
	assert_int_equal(rec_privilege_may_record(&p, 1), 0);
	p.deputy = true;
	assert_false(rec_privilege_may_record_all(&p));
	assert_false(rec_privilege_may_see_kernel(&p));
	assert_int_equal(rec_privilege_may_record(&p, 1), PA_E_NO_PERM);
	assert_int_equal(rec_privilege_may_record(&p, 0x7fffffff), -ESRCH);
	p.perf_event_paranoid = 1;
	assert_false(rec_privilege_may_record_all(&p));
	assert_true(rec_privilege_may_see_kernel(&p));
	p.perf_event_paranoid = 0;
	assert_true(rec_privilege_may_record_all(&p));
	assert_int_equal(rec_privilege_may_record(&p, 1), 0);
	p.perf_event_paranoid = REC_SYSCTL_UNKNOWN;
	assert_false(rec_privilege_may_record_all(&p));
	p.trusted_group = true;
	assert_true(rec_privilege_may_record_all(&p));
	assert_true(strlen(rec_privilege_refusal()) > 0);
}

/* Starts a process that waits, after it has called prepare. */
static pid_t start_waiting(void (*prepare)(void))
{
	int ready[2];
	char c;
	pid_t pid;

	assert_int_equal(pipe2(ready, O_CLOEXEC), 0);
	pid = fork();
	if (pid == 0) {
		prepare();
		if (write(ready[1], "x", 1) == 1)
			pause();
		_exit(0);
	}
	assert_int_equal(read(ready[0], &c, 1), 1);
	close(ready[0]);
	close(ready[1]);
	return pid;
}

static void end_waiting(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

static void prepare_nothing(void)
{
}

static void prepare_not_dumpable(void)
{
	prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}

static void prepare_set_user_id(void)
{
	/* As a set-user-ID program of the caller has it: real 1234, effective 0. */
	if (setresuid(1234, 0, 0) < 0)
		_exit(1);
	prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
}

static void only_whole_processes_of_the_caller(void **state)
{
	struct rec_privilege p = caller_with(ALL);
	pid_t pid;

	(void)state;
	p.deputy = true;
	p.real_uid = getuid();
	pid = start_waiting(prepare_nothing);
	assert_int_equal(rec_privilege_may_record(&p, pid), 0);
	p.real_uid++;
	assert_int_equal(rec_privilege_may_record(&p, pid), PA_E_NO_PERM);
	end_waiting(pid);
	if (getuid() != 0)
		return;
	p.real_uid = 1234;
	pid = start_waiting(prepare_set_user_id);
	assert_int_equal(rec_privilege_may_record(&p, pid), PA_E_NO_PERM);
	end_waiting(pid);
}

/* Root owns the /proc files of such a process, so that root's own are no example. */
static void not_what_hides_from_its_user(void **state)
{
	struct rec_privilege p = caller_with(ALL);
	int status;
	pid_t child, pid;

	(void)state;
	child = fork();
	if (child == 0) {
		if (getuid() == 0 &&
		    (setresgid(1234, 1234, 1234) < 0 || setresuid(1234, 1234, 1234) < 0))
			_exit(2);
		prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
		p.deputy = true;
		p.real_uid = getuid();
		pid = start_waiting(prepare_not_dumpable);
		status = rec_privilege_may_record(&p, pid);
		end_waiting(pid);
		_exit(status == PA_E_NO_PERM ? 0 : 1);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
}

/* --- after the drop --- */

static bool status_says(const char *line)
{
	struct pa_buf text;
	bool found;

	pa_buf_init(&text);
	if (rec_procfs_read(AT_FDCWD, "/proc/self/status", &text, 65536) < 0)
		return false;
	found = strstr(pa_buf_str(&text), line) != NULL;
	pa_buf_fini(&text);
	return found;
}

#define NO_CAPS "0000000000000000\n"

static int after_reduce(uint64_t keep)
{
	bool root = getuid() == 0;

	if (rec_privilege_reduce(keep) < 0)
		return 1;
	if (!status_says("CapInh:\t" NO_CAPS) || !status_says("CapAmb:\t" NO_CAPS) ||
	    !status_says("NoNewPrivs:\t1\n"))
		return 2;
	if (root &&
	    (!status_says("CapBnd:\t" NO_CAPS) || getuid() != REC_NOBODY || getgid() != REC_NOBODY))
		return 3;
	if (root && keep && !status_says("CapEff:\t0000000000080000\n"))
		return 4;
	if ((!root || !keep) &&
	    (!status_says("CapPrm:\t" NO_CAPS) || !status_says("CapEff:\t" NO_CAPS)))
		return 5;
	return setresuid(0, 0, 0) < 0 ? 0 : 6;
}

static int after_drop(uint64_t unused)
{
	static const char *const none[] = {"true", NULL};
	struct rec_privilege_dropped dropped;
	struct rec_privilege p;
	char byte;
	int zero = open("/dev/zero", O_RDONLY | O_CLOEXEC);

	(void)unused;
	rec_privilege_check(&p);
	if (rec_privilege_drop(&p, &dropped) < 0)
		return 1;
	if (!dropped.filtered || dropped.changed_user != (p.real_uid == 0))
		return 2;
	/* What the loop needs works. */
	if (read(zero, &byte, 1) != 1 || kill(getpid(), 0) < 0)
		return 3;
	/*
	 * What it doesn't need is refused: files, sockets, programs, processes, executable memory.
	 */
	if (open("/dev/null", O_RDONLY) >= 0 || errno != EPERM)
		return 4;
	if (socket(AF_INET, SOCK_STREAM, 0) >= 0 || errno != EPERM)
		return 5;
	execv("/bin/true", (char **)none);
	if (errno != EPERM)
		return 6;
	if (fork() >= 0 || errno != EPERM)
		return 7;
	if (mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) !=
	    MAP_FAILED)
		return 8;
	return prctl(PR_SET_DUMPABLE, 1, 0, 0, 0) < 0 && errno == EPERM ? 0 : 9;
}

/* Runs fn in a child, as root or as another user; its result. */
static int run_in_child(int (*fn)(uint64_t), uint64_t argument, uid_t uid)
{
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		if (uid != getuid() &&
		    (setresgid(uid, uid, uid) < 0 || setresuid(uid, uid, uid) < 0))
			_exit(99);
		_exit(fn(argument));
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static void nothing_is_left_after_reducing(void **state)
{
	(void)state;
	assert_int_equal(run_in_child(after_reduce, 0, getuid()), 0);
	assert_int_equal(run_in_child(after_reduce, REC_CAP_BIT(CAP_SYS_PTRACE), getuid()), 0);
	if (getuid() == 0)
		assert_int_equal(run_in_child(after_reduce, 0, 1234), 0);
}

static void nothing_works_after_the_drop(void **state)
{
	(void)state;
	assert_int_equal(run_in_child(after_drop, 0, getuid()), 0);
	if (getuid() == 0)
		assert_int_equal(run_in_child(after_drop, 0, 1234), 0);
}

/* --- the start --- */

static int after_begin(uint64_t unused)
{
	static char variable[] = "PA_TEST=1", *vector[] = {variable, NULL};
	struct rec_caller caller;
	int leaked = dup2(1, 77);
	bool root = geteuid() == 0;

	(void)unused;
	close(0);
	close(2);
	umask(022);
	environ = vector;
	if (leaked != 77 || rec_privilege_begin(&caller) < 0)
		return 1;
	if (fcntl(77, F_GETFD) >= 0 || fcntl(0, F_GETFD) < 0 || fcntl(2, F_GETFD) < 0)
		return 2;
	if (caller.umask != 022 || umask(0) != 077)
		return 3;
	if ((getenv("PA_TEST") == NULL) != root)
		return 4;
	/* The command that is recorded gets its environment all the same. */
	environ = caller.environment;
	return getenv("PA_TEST") ? 0 : 5;
}

static void the_callers_surroundings_are_cleaned(void **state)
{
	(void)state;
	assert_int_equal(run_in_child(after_begin, 0, getuid()), 0);
	if (getuid() == 0)
		assert_int_equal(run_in_child(after_begin, 0, 1234), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_missing_capability_is_named),
		cmocka_unit_test(reasons_are_given),
		cmocka_unit_test(kernel_settings_are_told),
		cmocka_unit_test(deputies_serve_their_callers_only),
		cmocka_unit_test(only_whole_processes_of_the_caller),
		cmocka_unit_test(not_what_hides_from_its_user),
		cmocka_unit_test(nothing_is_left_after_reducing),
		cmocka_unit_test(nothing_works_after_the_drop),
		cmocka_unit_test(the_callers_surroundings_are_cleaned),
	};

	return cmocka_run_group_tests_name("record/privilege", tests, NULL, NULL);
}
