// SPDX-License-Identifier: GPL-2.0-or-later
/* Numbered files, created by a helper that has no more rights than the caller. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "format/util/buf.h"
#include "record/files.h"
#include "record/privilege.h"

static struct rec_privilege privilege;
static char directory[] = "/tmp/pa-files-XXXXXX";

static int enter_directory(void **state)
{
	(void)state;
	rec_privilege_check(&privilege);
	return mkdtemp(directory) && chdir(directory) == 0 ? 0 : -1;
}

static int leave_directory(void **state)
{
	char command[PATH_MAX];

	(void)state;
	snprintf(command, sizeof(command), "rm -rf '%s'", directory);
	return chdir("/") == 0 && system(command) == 0 ? 0 : -1;
}

static void assert_written(struct rec_files *f, uint32_t number, const char *path)
{
	struct pa_buf name = {0};
	struct stat st;
	int fd = -1;

	assert_int_equal(rec_files_create(f, number, &fd), 0);
	assert_int_equal(write(fd, "x", 1), 1);
	close(fd);
	rec_files_add_path(f, number, &name);
	assert_string_equal(pa_buf_str(&name), path);
	assert_int_equal(lstat(path, &st), 0);
	assert_int_equal(st.st_mode, S_IFREG | 0600);
	assert_int_equal(st.st_uid, getuid());
	assert_int_equal(st.st_size, 1);
	pa_buf_fini(&name);
}

static void names(void **state)
{
	struct rec_files f;
	char absolute[PATH_MAX];

	(void)state;
	assert_int_equal(rec_files_open(&f, "app.pa", &privilege), 0);
	assert_written(&f, 0, "app.0.pa");
	assert_written(&f, 1, "app.1.pa");
	/* One's own file is replaced. */
	assert_written(&f, 1, "app.1.pa");
	rec_files_close(&f);
	assert_int_equal(rec_files_open(&f, "./plain", &privilege), 0);
	assert_written(&f, 4000000000u, "./plain.4000000000");
	rec_files_close(&f);
	rec_files_close(&f);
	snprintf(absolute, sizeof(absolute), "%s/.pa", directory);
	assert_int_equal(rec_files_open(&f, absolute, &privilege), 0);
	snprintf(absolute, sizeof(absolute), "%s/.pa.0", directory);
	assert_written(&f, 0, absolute);
	rec_files_close(&f);
}

static void planted(void **state)
{
	struct rec_files f;
	struct stat st;
	int fd = -1;

	(void)state;
	assert_int_equal(symlink("/etc/passwd", "trap.0.pa"), 0);
	assert_int_equal(mkfifo("trap.1.pa", 0600), 0);
	assert_int_equal(mkdir("trap.2.pa", 0700), 0);
	assert_int_equal(rec_files_open(&f, "trap.pa", &privilege), 0);
	assert_int_equal(rec_files_create(&f, 0, &fd), -EEXIST);
	assert_int_equal(rec_files_create(&f, 1, &fd), -EEXIST);
	assert_int_equal(rec_files_create(&f, 2, &fd), -EEXIST);
	assert_int_equal(fd, -1);
	/* It goes on after that, and has changed nothing. */
	assert_written(&f, 3, "trap.3.pa");
	assert_int_equal(lstat("trap.0.pa", &st), 0);
	assert_true(S_ISLNK(st.st_mode));
	rec_files_close(&f);
}

static void no_directory(void **state)
{
	struct rec_files f;
	int fd = -1;

	(void)state;
	assert_int_equal(rec_files_open(&f, "nowhere/app.pa", &privilege), 0);
	assert_int_equal(rec_files_create(&f, 0, &fd), -ENOENT);
	rec_files_close(&f);
}

/* The directory is the one that was there at the start, whatever happens to its name. */
static void moved_directory(void **state)
{
	struct rec_files f;
	struct stat st;
	int fd = -1;

	(void)state;
	assert_int_equal(mkdir("here", 0700), 0);
	assert_int_equal(rec_files_open(&f, "here/app.pa", &privilege), 0);
	assert_written(&f, 0, "here/app.0.pa");
	assert_int_equal(rename("here", "there"), 0);
	assert_int_equal(symlink("/etc", "here"), 0);
	assert_int_equal(rec_files_create(&f, 1, &fd), 0);
	close(fd);
	assert_int_equal(stat("there/app.1.pa", &st), 0);
	rec_files_close(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names),
		cmocka_unit_test(planted),
		cmocka_unit_test(no_directory),
		cmocka_unit_test(moved_directory),
	};

	return cmocka_run_group_tests(tests, enter_directory, leave_directory);
}
