// SPDX-License-Identifier: GPL-2.0-or-later
/* The broker: what it gives, and what it refuses. */
#include "tests/unit/helper_processes.h"

#include <errno.h>
#include <sys/mman.h>

#include "format/util/err.h"
#include "record/broker.h"

static void copy_file(const char *from, const char *to)
{
	char command[2 * PATH_MAX];

	snprintf(command, sizeof(command), "cp '%s' '%s'", from, to);
	assert_int_equal(system(command), 0);
}

static void assert_same_file(int fd, const char *path)
{
	struct stat a, b;

	assert_int_equal(fstat(fd, &a), 0);
	assert_int_equal(stat(path, &b), 0);
	assert_int_equal(a.st_ino, b.st_ino);
	assert_int_equal(a.st_dev, b.st_dev);
	assert_int_equal(fcntl(fd, F_GETFL) & O_ACCMODE, O_RDONLY);
}

static void the_broker_reads_what_a_process_is(void **state)
{
	static const char *const expected[REC_BROKER_TEXTS_] = {
		[REC_BROKER_EXE] = "sleep",
		[REC_BROKER_CMDLINE] = "sleep",
		[REC_BROKER_CGROUP] = "/",
		[REC_BROKER_STATUS] = "NSpid:",
	};
	struct rec_broker_span texts[REC_BROKER_TEXTS_];
	pid_t pid = start_program(SLEEPER, getuid());
	size_t i;

	(void)state;
	assert_int_equal(rec_broker_read_texts(&helpers, pid, texts), 0);
	for (i = 0; i < REC_BROKER_TEXTS_; i++)
		assert_non_null(
			memmem(texts[i].text, texts[i].len, expected[i], strlen(expected[i])));
	end_program(pid);
	assert_int_equal(rec_broker_read_texts(&helpers, pid, texts), -ESRCH);
	assert_int_equal(rec_broker_read_texts(&helpers, 0, texts), -EINVAL);
	assert_int_equal(rec_broker_read_texts(&helpers, -5, texts), -EINVAL);
}

static void assert_exe(pid_t pid, const char *path)
{
	struct rec_broker_span texts[REC_BROKER_TEXTS_];

	assert_int_equal(rec_broker_read_texts(&helpers, pid, texts), 0);
	assert_int_equal(texts[REC_BROKER_EXE].len, strlen(path));
	assert_memory_equal(texts[REC_BROKER_EXE].text, path, strlen(path));
}

static void the_broker_opens_mapped_files(void **state)
{
	uint64_t code = (uintptr_t)&the_broker_opens_mapped_files;
	char path[PATH_MAX];
	uint8_t *map;
	int fd, file;

	(void)state;
	assert_int_equal(rec_broker_open_mapping(&helpers, getpid(), code, &fd), 0);
	assert_same_file(fd, "/proc/self/exe");
	close(fd);
	assert_int_equal(rec_broker_open_mapping(&helpers, getpid(), 1, &fd), PA_E_NOT_FOUND);
	/* Data of a file is none of the recorder's business. */
	assert_int_equal(rec_broker_open_mapping(&helpers, getpid(), (uintptr_t)&privilege, &fd),
			 PA_E_NOT_FOUND);
	map = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_int_equal(rec_broker_open_mapping(&helpers, getpid(), (uintptr_t)map, &fd),
			 PA_E_NOT_FOUND);
	munmap(map, 4096);

	/* A library that is replaced while it is mapped, and then removed. */
	snprintf(path, sizeof(path), "%s/lib a\nb.so", directory);
	copy_file(SLEEPER, path);
	file = open(path, O_RDONLY | O_CLOEXEC);
	map = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, file, 0);
	assert_ptr_not_equal(map, MAP_FAILED);
	assert_int_equal(rec_broker_open_mapping(&helpers, getpid(), (uintptr_t)map, &fd), 0);
	assert_same_file(fd, path);
	close(fd);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(rec_broker_open_mapping(&helpers, getpid(), (uintptr_t)map, &fd), -ENOENT);
	copy_file("/bin/true", path);
	assert_true(rec_broker_open_mapping(&helpers, getpid(), (uintptr_t)map, &fd) < 0);
	assert_int_equal(fd, -1);
	munmap(map, 4096);
	close(file);
}

static void a_removed_program_is_still_opened(void **state)
{
	char path[PATH_MAX];
	struct stat st, opened;
	pid_t pid;
	int fd;

	(void)state;
	snprintf(path, sizeof(path), "%s/program", directory);
	copy_file(SLEEPER, path);
	assert_int_equal(stat(path, &st), 0);
	pid = start_program(path, getuid());
	assert_int_equal(unlink(path), 0);
	copy_file("/bin/true", path);
	assert_int_equal(rec_broker_open_mapping(&helpers, pid, code_of(pid), &fd), 0);
	assert_int_equal(fstat(fd, &opened), 0);
	assert_int_equal(opened.st_ino, st.st_ino);
	close(fd);
	assert_exe(pid, path);
	end_program(pid);
}

static void perf_maps_have_to_be_honest(void **state)
{
	pid_t pid = start_program(SLEEPER, getuid());
	char path[64], text[8] = "";
	int fd;

	(void)state;
	snprintf(path, sizeof(path), "/tmp/perf-%d.map", (int)pid);
	unlink(path);
	assert_int_equal(rec_broker_open_perf_map(&helpers, pid, &fd), -ENOENT);
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, "1 2 f\n", 6), 6);
	close(fd);
	assert_int_equal(rec_broker_open_perf_map(&helpers, pid, &fd), 0);
	assert_same_file(fd, path);
	assert_int_equal(read(fd, text, sizeof(text)), 6);
	close(fd);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(symlink("/etc/passwd", path), 0);
	assert_int_equal(rec_broker_open_perf_map(&helpers, pid, &fd), PA_E_NOT_FOUND);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_int_equal(rec_broker_open_perf_map(&helpers, pid, &fd), PA_E_NOT_FOUND);
	assert_int_equal(unlink(path), 0);
	end_program(pid);
}

/* What a user might put there so that root reads a secret into his trace. */
static void perf_maps_of_others_stay_closed(void **state)
{
	char path[64];
	pid_t pid;
	int fd;

	(void)state;
	if (getuid() != 0) {
		print_message("making other users' files takes root\n");
		skip();
	}
	pid = start_program(SLEEPER, OTHER_UID);
	snprintf(path, sizeof(path), "/tmp/perf-%d.map", (int)pid);
	unlink(path);
	close(open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
	assert_int_equal(rec_broker_open_perf_map(&helpers, pid, &fd), PA_E_NO_PERM);
	assert_int_equal(chmod(path, 0644), 0);
	assert_int_equal(rec_broker_open_perf_map(&helpers, pid, &fd), 0);
	close(fd);
	assert_int_equal(chown(path, OTHER_UID + 1, 0), 0);
	assert_int_equal(rec_broker_open_perf_map(&helpers, pid, &fd), PA_E_NO_PERM);
	assert_int_equal(chown(path, OTHER_UID, 0) | chmod(path, 0600), 0);
	assert_int_equal(rec_broker_open_perf_map(&helpers, pid, &fd), 0);
	close(fd);
	assert_int_equal(unlink(path), 0);
	end_program(pid);
}

static void the_vdso_is_read(void **state)
{
	pid_t pid = start_program(SLEEPER, getuid());
	struct pa_buf image;
	uint64_t address;

	(void)state;
	pa_buf_init(&image);
	assert_int_equal(rec_broker_read_vdso(&helpers, pid, &address, &image), 0);
	assert_true(address != 0 && image.len >= 4096);
	assert_memory_equal(image.data, "\177ELF", 4);
	pa_buf_fini(&image);
	end_program(pid);
}

static void descriptors_are_told_but_not_opened(void **state)
{
	pid_t pid = start_program(SLEEPER, getuid());
	struct pa_buf target;

	(void)state;
	pa_buf_init(&target);
	assert_int_equal(rec_broker_read_fd(&helpers, pid, 2, &target), 0);
	assert_true(target.len > 0);
	assert_int_equal(rec_broker_read_fd(&helpers, pid, 4711, &target), -ENOENT);
	pa_buf_fini(&target);
	end_program(pid);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_broker_reads_what_a_process_is),
		cmocka_unit_test(the_broker_opens_mapped_files),
		cmocka_unit_test(a_removed_program_is_still_opened),
		cmocka_unit_test(perf_maps_have_to_be_honest),
		cmocka_unit_test(perf_maps_of_others_stay_closed),
		cmocka_unit_test(the_vdso_is_read),
		cmocka_unit_test(descriptors_are_told_but_not_opened),
	};

	return cmocka_run_group_tests_name("record/broker", tests, start_helpers, stop_helpers);
}
