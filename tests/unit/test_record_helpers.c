// SPDX-License-Identifier: GPL-2.0-or-later
/* The broker and the sandbox as they run: what they give, what they refuse, what they hold. */
#include "tests/unit/helper_processes.h"

#include <errno.h>
#include <poll.h>
#include <sys/mman.h>

#include "format/util/err.h"
#include "record/broker.h"
#include "record/sandbox.h"
#include "record/unwind/unwind.h"

/* --- the sandbox --- */

static void the_sandbox_identifies_files(void **state)
{
	struct rec_build_id a, b;
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC), i;

	(void)state;
	assert_int_equal(rec_elfid_read(fd, &a), 0);
	for (i = 0; i < 20; i++) {
		assert_int_equal(rec_sandbox_identify(&helpers, fd, &b), 0);
		assert_memory_equal(&a, &b, sizeof(a));
	}
	close(fd);
	fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
	assert_int_equal(rec_sandbox_identify(&helpers, fd, &b), PA_E_BAD_MAGIC);
	assert_int_equal(b.kind, PA_BUILD_ID_NONE);
	close(fd);
	fd = open("/", O_RDONLY | O_CLOEXEC);
	assert_int_equal(rec_sandbox_identify(&helpers, fd, &b), -EISDIR);
	close(fd);
	assert_int_equal(rec_sandbox_identify(&helpers, -1, &b), -EINVAL);
}

/* Waits for what the compiler has to say. */
static int take_table(int *fd)
{
	struct pollfd p = {.fd = rec_sandbox_compile_fd(&helpers), .events = POLLIN};

	assert_int_equal(poll(&p, 1, 10000), 1);
	return rec_sandbox_compile_take(&helpers, fd);
}

static void the_compiler_makes_tables(void **state)
{
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC), table;
	struct rec_unwind_view view;
	struct stat st;
	void *data;

	(void)state;
	assert_int_equal(rec_sandbox_compile_take(&helpers, &table), -EAGAIN);
	assert_int_equal(rec_sandbox_compile_post(&helpers, fd), 0);
	assert_int_equal(take_table(&table), 0);
	assert_int_equal(fstat(table, &st), 0);
	/* It is what it is: nobody can change it behind the recorder's checks. */
	assert_int_equal(write(table, "x", 1), -1);
	assert_int_equal(ftruncate(table, 0), -1);
	data = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, table, 0);
	assert_ptr_not_equal(data, MAP_FAILED);
	assert_int_equal(rec_unwind_open(data, (size_t)st.st_size, &view), 0);
	munmap(data, (size_t)st.st_size);
	close(table);
	close(fd);
	fd = open("/etc/passwd", O_RDONLY | O_CLOEXEC);
	assert_int_equal(rec_sandbox_compile_post(&helpers, fd), 0);
	assert_int_equal(take_table(&table), PA_E_BAD_MAGIC);
	assert_int_equal(table, -1);
	close(fd);
}

static void assert_status(pid_t pid, const char *line)
{
	int dir = rec_procfs_open(pid);
	struct pa_buf text;

	pa_buf_init(&text);
	assert_int_equal(rec_procfs_read(dir, "status", &text, 65536), 0);
	assert_non_null(strstr(pa_buf_str(&text), line));
	pa_buf_fini(&text);
	close(dir);
}

#define NO_CAPS "0000000000000000\n"

static void the_helpers_hold_what_they_need(void **state)
{
	struct rec_broker_span texts[REC_BROKER_TEXTS_];
	char path[64], root[PATH_MAX];
	ssize_t n;

	(void)state;
	/* An answer shows that set-up is over. */
	the_sandbox_identifies_files(state);
	assert_int_equal(rec_broker_read_texts(&helpers, getpid(), texts), 0);
	assert_status(helpers.sandbox_pid, "CapPrm:\t" NO_CAPS);
	assert_status(helpers.sandbox_pid, "CapEff:\t" NO_CAPS);
	assert_status(helpers.sandbox_pid, "NoNewPrivs:\t1\n");
	assert_status(helpers.sandbox_pid, "Seccomp:\t2\n");
	assert_status(helpers.broker_pid, "NoNewPrivs:\t1\n");
	assert_status(helpers.broker_pid, "Seccomp:\t2\n");
	if (privilege.real_uid != 0) {
		assert_status(helpers.broker_pid, "CapEff:\t" NO_CAPS);
		return;
	}
	assert_status(helpers.sandbox_pid, "Uid:\t65534\t65534\t65534\t65534\n");
	assert_status(helpers.broker_pid, "Uid:\t65534\t65534\t65534\t65534\n");
	/* CAP_SYS_PTRACE and CAP_DAC_READ_SEARCH */
	assert_status(helpers.broker_pid, "CapPrm:\t0000000000080004\n");
	/* Its root directory is that of a process which is gone. */
	snprintf(path, sizeof(path), "/proc/%d/root", (int)helpers.sandbox_pid);
	n = readlink(path, root, sizeof(root) - 1);
	assert_true(n > 1);
	root[n] = 0;
	assert_non_null(strstr(root, "/fdinfo"));
	assert_int_equal(access(root, F_OK), -1);
}

/* --- together with the recorder --- */

static void a_deputys_broker_serves_its_caller_only(void **state)
{
	struct rec_privilege deputy = privilege;
	struct rec_broker_span texts[REC_BROKER_TEXTS_];
	struct rec_helpers h;
	pid_t own = start_program(SLEEPER, getuid());
	int fd;

	(void)state;
	deputy.deputy = true;
	deputy.trusted_group = false;
	deputy.perf_event_paranoid = 2;
	assert_int_equal(rec_helpers_start(&h, &deputy), 0);
	assert_int_equal(rec_broker_read_texts(&h, own, texts), 0);
	rec_helpers_stop(&h);
	deputy.real_uid = OTHER_UID + 1;
	assert_int_equal(rec_helpers_start(&h, &deputy), 0);
	assert_int_equal(rec_broker_read_texts(&h, own, texts), PA_E_NO_PERM);
	assert_int_equal(rec_broker_open_mapping(&h, own, code_of(own), &fd), PA_E_NO_PERM);
	rec_helpers_stop(&h);
	end_program(own);
}

static int use_after_drop(void)
{
	struct rec_privilege_dropped dropped;
	struct rec_build_id id;
	struct rec_helpers h;
	pid_t target = getppid();
	int fd = -1;

	if (rec_helpers_start(&h, &privilege) < 0 || rec_privilege_drop(&privilege, &dropped) < 0)
		return 1;
	if (rec_broker_open_mapping(&h, target, (uintptr_t)&use_after_drop, &fd) < 0)
		return 2;
	if (rec_sandbox_identify(&h, fd, &id) < 0)
		return 3;
	rec_helpers_stop(&h);
	return 0;
}

static void they_serve_a_recorder_without_privilege(void **state)
{
	int status;
	pid_t pid = fork();

	(void)state;
	if (pid == 0)
		_exit(use_after_drop());
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

/* Whether a process is gone, or will not run any more, within a second. */
static bool is_gone(pid_t pid)
{
	char path[64], stat_line[256];
	int tries, fd;
	ssize_t n;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	for (tries = 0; tries < 100; tries++) {
		fd = open(path, O_RDONLY | O_CLOEXEC);
		n = fd < 0 ? 0 : read(fd, stat_line, sizeof(stat_line) - 1);
		if (fd >= 0)
			close(fd);
		stat_line[n > 0 ? n : 0] = 0;
		if (n <= 0 || strstr(stat_line, ") Z "))
			return true;
		poll(NULL, 0, 10);
	}
	return false;
}

static void they_end_when_the_recorder_is_killed(void **state)
{
	int socks[2];
	pid_t pids[3], pid;

	(void)state;
	assert_int_equal(pipe2(socks, O_CLOEXEC), 0);
	pid = fork();
	if (pid == 0) {
		struct rec_helpers h;

		if (rec_helpers_start(&h, &privilege) < 0)
			_exit(1);
		pids[0] = h.broker_pid;
		pids[1] = h.sandbox_pid;
		pids[2] = h.compiler_pid;
		if (write(socks[1], pids, sizeof(pids)) == sizeof(pids))
			pause();
		_exit(1);
	}
	assert_int_equal(read(socks[0], pids, sizeof(pids)), sizeof(pids));
	end_program(pid);
	assert_true(is_gone(pids[0]) && is_gone(pids[1]) && is_gone(pids[2]));
	close(socks[0]);
	close(socks[1]);
}

static void they_end_with_the_recorder(void **state)
{
	struct rec_helpers h;
	pid_t pids[3];
	int i;

	(void)state;
	assert_int_equal(rec_helpers_start(&h, &privilege), 0);
	pids[0] = h.broker_pid;
	pids[1] = h.sandbox_pid;
	pids[2] = h.compiler_pid;
	/* A Ctrl-C reaches all processes of the terminal, and must not end them. */
	kill(pids[0], SIGINT);
	kill(pids[1], SIGTERM);
	the_sandbox_identifies_files(state);
	rec_helpers_stop(&h);
	for (i = 0; i < 3; i++)
		assert_int_equal(kill(pids[i], 0), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_sandbox_identifies_files),
		cmocka_unit_test(the_compiler_makes_tables),
		cmocka_unit_test(the_helpers_hold_what_they_need),
		cmocka_unit_test(a_deputys_broker_serves_its_caller_only),
		cmocka_unit_test(they_serve_a_recorder_without_privilege),
		cmocka_unit_test(they_end_with_the_recorder),
		cmocka_unit_test(they_end_when_the_recorder_is_killed),
	};

	return cmocka_run_group_tests_name("record/helpers", tests, start_helpers, stop_helpers);
}
