/* SPDX-License-Identifier: GPL-2.0-or-later */
/* For tests of the helper processes: they are running, and there is a program to ask them about. */
#ifndef TESTS_HELPER_PROCESSES_H
#define TESTS_HELPER_PROCESSES_H

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
#include "record/helpers.h"
#include "record/privilege.h"
#include "record/procfs.h"

#define OTHER_UID 1234
#define SLEEPER "/bin/sleep"

static struct rec_privilege privilege;
static struct rec_helpers helpers;
static char directory[] = "/tmp/pa-helpers-XXXXXX";

static inline int start_helpers(void **state)
{
	(void)state;
	rec_privilege_check(&privilege);
	if (!mkdtemp(directory) || chmod(directory, 0755) < 0)
		return -1;
	return rec_helpers_start(&helpers, &privilege);
}

static inline int stop_helpers(void **state)
{
	char command[PATH_MAX];

	(void)state;
	rec_helpers_stop(&helpers);
	rec_helpers_stop(&helpers);
	snprintf(command, sizeof(command), "rm -rf '%s'", directory);
	return system(command) == 0 ? 0 : -1;
}

static inline pid_t start_program(const char *path, uid_t uid)
{
	int started[2];
	char c;
	pid_t pid;

	/* The pipe closes when the program has been executed. */
	assert_int_equal(pipe2(started, O_CLOEXEC), 0);
	pid = fork();
	if (pid == 0) {
		if (uid != getuid() &&
		    (setresgid(uid, uid, uid) < 0 || setresuid(uid, uid, uid) < 0))
			_exit(1);
		execl(path, path, "100", NULL);
		_exit(1);
	}
	close(started[1]);
	assert_int_equal(read(started[0], &c, 1), 0);
	close(started[0]);
	return pid;
}

static inline void end_program(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

/* First executable address of a program. */
static inline uint64_t code_of(pid_t pid)
{
	struct rec_maps_cursor cursor = {0};
	struct rec_maps_line line = {0};
	struct pa_buf text;
	int dir = rec_procfs_open(pid);

	pa_buf_init(&text);
	assert_int_equal(rec_procfs_read(dir, "maps", &text, 1 << 20), 0);
	cursor.text = pa_buf_str(&text);
	cursor.len = text.len;
	while (rec_maps_next(&cursor, &line) && !(line.prot & 4))
		;
	pa_buf_fini(&text);
	close(dir);
	return line.start;
}

#endif
