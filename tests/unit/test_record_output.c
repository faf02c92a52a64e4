// SPDX-License-Identifier: GPL-2.0-or-later
/* The trace file: what is created, what is replaced, what is refused, and writing that fails. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "format/util/buf.h"
#include "record/output.h"
#include "record/privilege.h"

static struct rec_privilege privilege;
static char directory[] = "/tmp/pa-output-XXXXXX";

static int enter_directory(void **state)
{
	(void)state;
	rec_privilege_check(&privilege);
	signal(SIGPIPE, SIG_IGN);
	return mkdtemp(directory) && chdir(directory) == 0 ? 0 : -1;
}

static int leave_directory(void **state)
{
	char command[PATH_MAX];

	(void)state;
	snprintf(command, sizeof(command), "rm -rf '%s'", directory);
	return chdir("/") == 0 && system(command) == 0 ? 0 : -1;
}

static void write_file(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

static void assert_content(const char *path, const char *expected)
{
	char text[256] = "";
	FILE *f = fopen(path, "r");

	assert_non_null(f);
	assert_int_equal(fread(text, 1, sizeof(text) - 1, f), strlen(expected));
	assert_string_equal(text, expected);
	fclose(f);
}

/* Opens and writes "trace"; returns what opening said. */
static int write_trace(const char *path)
{
	struct rec_output out;
	struct pa_buf error;
	int err;

	pa_buf_init(&error);
	err = rec_output_open(&out, path, &privilege, &error);
	if (err == 0) {
		assert_int_equal(rec_output_write(&out, "trace", 5), 0);
		assert_int_equal(out.bytes, 5);
		assert_int_equal(error.len, 0);
	} else {
		assert_true(error.len > 0);
		assert_int_equal(out.fd, -1);
		assert_null(out.path);
	}
	assert_int_equal(rec_output_close(&out), 0);
	pa_buf_fini(&error);
	return err;
}

static void a_new_file_is_private(void **state)
{
	mode_t old = umask(0);
	struct stat st;

	(void)state;
	assert_int_equal(write_trace("new.pa"), 0);
	umask(old);
	assert_int_equal(stat("new.pa", &st), 0);
	assert_int_equal(st.st_mode, S_IFREG | 0600);
	assert_int_equal(st.st_uid, getuid());
	assert_content("new.pa", "trace");
}

static void an_own_file_is_replaced_not_overwritten(void **state)
{
	struct stat st;

	(void)state;
	write_file("old.pa", "a longer text");
	assert_int_equal(chmod("old.pa", 0666), 0);
	assert_int_equal(link("old.pa", "other-name"), 0);
	assert_int_equal(write_trace("old.pa"), 0);
	assert_content("old.pa", "trace");
	assert_content("other-name", "a longer text");
	assert_int_equal(stat("old.pa", &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
}

static void planted_links_are_not_followed(void **state)
{
	struct stat st;

	(void)state;
	write_file("victim", "precious");
	assert_int_equal(symlink("victim", "link.pa"), 0);
	assert_int_equal(write_trace("link.pa"), -EEXIST);
	assert_content("victim", "precious");
	assert_int_equal(symlink("not-there", "dangling.pa"), 0);
	assert_int_equal(write_trace("dangling.pa"), -EEXIST);
	assert_int_equal(lstat("not-there", &st), -1);
}

static void other_things_are_refused(void **state)
{
	(void)state;
	assert_int_equal(mkdir("dir.pa", 0700), 0);
	assert_int_equal(write_trace("dir.pa"), -EEXIST);
	assert_int_equal(write_trace("/dev/full"), -EEXIST);
	assert_int_equal(write_trace("no/such/dir.pa"), -ENOENT);
	assert_int_equal(write_trace(""), -ENOENT);
	assert_int_equal(write_trace("/dev/null"), 0);
}

static void others_files_are_refused(void **state)
{
	(void)state;
	if (getuid() != 0) {
		print_message("making other users' files takes root\n");
		skip();
	}
	write_file("theirs.pa", "theirs");
	assert_int_equal(chown("theirs.pa", 1234, 1234), 0);
	assert_int_equal(write_trace("theirs.pa"), -EEXIST);
	assert_content("theirs.pa", "theirs");
	assert_int_equal(mkfifo("fifo", 0666), 0);
	assert_int_equal(chown("fifo", 1234, 1234), 0);
	assert_int_equal(write_trace("fifo"), -EEXIST);
}

static void an_own_fifo_is_written(void **state)
{
	char text[8] = "";
	int fd;
	pid_t pid;

	(void)state;
	assert_int_equal(mkfifo("own-fifo", 0600), 0);
	pid = fork();
	if (pid == 0)
		_exit(write_trace("own-fifo") == 0 ? 0 : 1);
	fd = open("own-fifo", O_RDONLY);
	assert_true(fd >= 0);
	assert_int_equal(read(fd, text, sizeof(text)), 5);
	assert_string_equal(text, "trace");
	close(fd);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
}

/* As in a set-user-ID program: what the caller could not create, he doesn't get created. */
static void a_deputy_writes_with_the_callers_rights(void **state)
{
	struct stat st;
	int status;
	pid_t pid;

	(void)state;
	if (getuid() != 0) {
		print_message("making other users' files takes root\n");
		skip();
	}
	assert_int_equal(mkdir("theirs", 0700), 0);
	assert_int_equal(chown("theirs", 1234, 1234), 0);
	assert_int_equal(chmod(".", 0755), 0);
	pid = fork();
	if (pid == 0) {
		if (setresgid(1234, -1, -1) < 0 || setresuid(1234, -1, -1) < 0)
			_exit(2);
		rec_privilege_check(&privilege);
		privilege.deputy = true; /* as the kernel would say after an exec */
		if (write_trace("not-here.pa") != -EACCES || write_trace("theirs/here.pa") != 0)
			_exit(1);
		_exit(geteuid() == 0 && chown("theirs/here.pa", 1234, 5678) == 0 ? 0 : 3);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	assert_int_equal(stat("theirs/here.pa", &st), 0);
	assert_int_equal(st.st_uid, 1234);
	/* The child had its privilege back. */
	assert_int_equal(st.st_gid, 5678);
}

static void default_names(void **state)
{
	struct pa_buf a, b;
	size_t stem;

	(void)state;
	pa_buf_init(&a);
	pa_buf_init(&b);
	do {
		/* Both within one second. */
		assert_int_equal(rec_output_default_path(&a, "a/../b c"), 0);
		write_file(pa_buf_str(&a), "");
		assert_int_equal(rec_output_default_path(&b, "a/../b c"), 0);
		stem = a.len - 3;
	} while (memcmp(a.data, b.data, stem) != 0);
	assert_int_equal(strncmp(pa_buf_str(&a), "a_.._b_c-20", 11), 0);
	assert_string_equal(pa_buf_str(&b) + stem, "-2.pa");
	pa_buf_fini(&a);
	pa_buf_fini(&b);
}

static void names_are_made_safe(void **state)
{
	static const struct {
		const char *name, *expected;
	} cases[] = {
		{"nginx", "nginx"},
		{"", "trace"},
		{"..", "_."},
		{"-rf", "_rf"},
		{"/usr/bin/x", "_usr_bin_x"},
		{"kworker/0:1", "kworker_0_1"},
		{"a\nb\033[1m", "a_b__1m"},
		{"\xff\xfe", "__"},
	};
	struct pa_buf out;
	size_t i;

	(void)state;
	pa_buf_init(&out);
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		pa_buf_reset(&out);
		rec_output_add_name(&out, cases[i].name);
		assert_string_equal(pa_buf_str(&out), cases[i].expected);
	}
	pa_buf_fini(&out);
}

static void failures_of_writing_are_told(void **state)
{
	struct rec_output out = {.fd = open("/dev/full", O_WRONLY | O_CLOEXEC)};
	int pipe_fds[2];

	(void)state;
	assert_int_equal(rec_output_write(&out, "trace", 5), -ENOSPC);
	assert_int_equal(out.bytes, 0);
	rec_output_close(&out);
	assert_int_equal(pipe2(pipe_fds, O_CLOEXEC), 0);
	out.fd = pipe_fds[1];
	close(pipe_fds[0]);
	assert_int_equal(rec_output_write(&out, "trace", 5), -EPIPE);
	rec_output_close(&out);
}

/* More than a pipe holds, into one that does not block: nothing gets lost on the way. */
static void a_slow_pipe_gets_everything(void **state)
{
	static uint8_t data[300000], copy[sizeof(data)];
	struct rec_output out = {0};
	size_t got = 0, i;
	int pipe_fds[2];
	pid_t pid;

	(void)state;
	for (i = 0; i < sizeof(data); i++)
		data[i] = (uint8_t)(i * 7 >> 3);
	assert_int_equal(pipe2(pipe_fds, O_CLOEXEC), 0);
	assert_int_equal(fcntl(pipe_fds[1], F_SETFL, O_NONBLOCK), 0);
	pid = fork();
	if (pid == 0) {
		out.fd = pipe_fds[1];
		_exit(rec_output_write(&out, data, sizeof(data)) == 0 && out.bytes == sizeof(data) ?
			      0 :
			      1);
	}
	close(pipe_fds[1]);
	for (;;) {
		ssize_t n = read(pipe_fds[0], copy + got,
				 sizeof(copy) - got < 5000 ? sizeof(copy) - got : 5000);

		assert_true(n >= 0);
		if (n == 0)
			break;
		got += (size_t)n;
	}
	assert_int_equal(got, sizeof(data));
	assert_memory_equal(data, copy, sizeof(data));
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	close(pipe_fds[0]);
}

static void standard_output(void **state)
{
	struct rec_output out;
	struct pa_buf error;
	int saved = dup(STDOUT_FILENO), fd = open("stdout.pa", O_WRONLY | O_CREAT, 0600), err;

	(void)state;
	pa_buf_init(&error);
	fflush(stdout);
	assert_true(fd >= 0 && dup2(fd, STDOUT_FILENO) >= 0);
	err = rec_output_open(&out, "-", &privilege, &error);
	if (err == 0)
		err = rec_output_write(&out, "trace", 5);
	dup2(saved, STDOUT_FILENO);
	assert_int_equal(err, 0);
	assert_string_equal(out.path, "-");
	rec_output_close(&out);
	assert_content("stdout.pa", "trace");
	close(fd);
	close(saved);
	pa_buf_fini(&error);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_new_file_is_private),
		cmocka_unit_test(an_own_file_is_replaced_not_overwritten),
		cmocka_unit_test(planted_links_are_not_followed),
		cmocka_unit_test(other_things_are_refused),
		cmocka_unit_test(others_files_are_refused),
		cmocka_unit_test(an_own_fifo_is_written),
		cmocka_unit_test(a_deputy_writes_with_the_callers_rights),
		cmocka_unit_test(default_names),
		cmocka_unit_test(names_are_made_safe),
		cmocka_unit_test(failures_of_writing_are_told),
		cmocka_unit_test(a_slow_pipe_gets_everything),
		cmocka_unit_test(standard_output),
	};

	return cmocka_run_group_tests_name("record/output", tests, enter_directory,
					   leave_directory);
}
