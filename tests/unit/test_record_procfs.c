// SPDX-License-Identifier: GPL-2.0-or-later
/* Parsers of the /proc files of a process. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include <cmocka.h>

#include "format/pa-format.h"
#include "format/util/buf.h"
#include "format/util/err.h"
#include "record/procfs.h"

static struct rec_maps_cursor cursor_of(const char *text)
{
	return (struct rec_maps_cursor){.text = text, .len = strlen(text)};
}

static void maps_lines_are_read(void **state)
{
	struct rec_maps_cursor c = cursor_of("55d0c0a00000-55d0c0a28000 r-xp 00002000 fd:01 "
					     "1835060                    /usr/bin/a b\n"
					     "7ffc1000-7ffc2000 rw-s 00000000 00:00 0 \n"
					     "ffffffffff600000-ffffffffff601000 --xp 00000000 "
					     "00:00 0                  [vsyscall]\n");
	struct rec_maps_line line;

	(void)state;
	assert_true(rec_maps_next(&c, &line));
	assert_int_equal(line.start, 0x55d0c0a00000);
	assert_int_equal(line.end, 0x55d0c0a28000);
	assert_int_equal(line.prot, 5);
	assert_false(line.shared);
	assert_int_equal(line.offset_bytes, 0x2000);
	assert_int_equal(line.device, UINT64_C(0xfd) << 32 | 1);
	assert_int_equal(line.inode, 1835060);
	assert_int_equal(line.path_len, strlen("/usr/bin/a b"));
	assert_memory_equal(line.path, "/usr/bin/a b", line.path_len);
	assert_true(rec_maps_next(&c, &line));
	assert_int_equal(line.prot, 3);
	assert_true(line.shared);
	assert_int_equal(line.path_len, 0);
	assert_true(rec_maps_next(&c, &line));
	assert_int_equal(line.end, UINT64_C(0xffffffffff601000));
	assert_int_equal(line.prot, 4);
	assert_false(rec_maps_next(&c, &line));
	assert_int_equal(c.malformed, 0);
}

static void maps_paths_are_cleaned(void **state)
{
	struct rec_maps_cursor c =
		cursor_of("1000-2000 r-xp 0 08:01 7 /tmp/a\\012b\\012 (deleted)\n"
			  "1000-2000 r-xp 0 08:01 7 /tmp/x (deleted)y\n");
	struct rec_maps_line line;
	struct pa_buf path;

	(void)state;
	pa_buf_init(&path);
	assert_true(rec_maps_next(&c, &line));
	assert_true(line.deleted);
	rec_maps_add_path(&path, &line);
	assert_string_equal(pa_buf_str(&path), "/tmp/a\nb\n");
	assert_true(rec_maps_next(&c, &line));
	assert_false(line.deleted);
	pa_buf_fini(&path);
}

static void bad_maps_lines_are_counted(void **state)
{
	static const char *const bad[] = {
		"",
		"nonsense",
		"1000-2000",
		"1000-2000 r-x",
		"2000-1000 r-xp 0 08:01 7 /x",
		"1000-2000 r-xp 0 0801 7 /x",
		"1000-2000 r-xp 0 08:01 x /x",
		"1000000000000000000-2000 r-xp 0 08:01 7 /x",
		"1000-2000 r-xp 0 100000000:01 7 /x",
		"1000-2000 r-xp 0 08:01 99999999999999999999 /x",
	};
	struct rec_maps_line line;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		char text[256];
		struct rec_maps_cursor c;

		snprintf(text, sizeof(text), "%s\n1000-2000 r-xp 0 08:01 7 /x\n", bad[i]);
		c = cursor_of(text);
		assert_true(rec_maps_next(&c, &line));
		assert_int_equal(c.malformed, 1);
		assert_false(rec_maps_next(&c, &line));
	}
}

static void a_cut_last_line_is_not_believed(void **state)
{
	static const char text[] = "1000-2000 r-xp 0 08:01 7 /usr/lib/libfoo.so";
	struct rec_maps_line line;
	size_t len;

	(void)state;
	for (len = 1; len < sizeof(text); len++) {
		struct rec_maps_cursor c = {.text = text, .len = len};

		assert_false(rec_maps_next(&c, &line));
		assert_int_equal(c.malformed, 1);
	}
}

static void kinds_of_mappings(void **state)
{
	static const struct {
		const char *path;
		uint32_t kind;
	} cases[] = {
		{"", PA_MODULE_ANON},
		{"//anon", PA_MODULE_ANON},
		{"[heap]", PA_MODULE_ANON},
		{"[stack:12]", PA_MODULE_ANON},
		{"[anon:dalvik]", PA_MODULE_ANON},
		{"[vdso]", PA_MODULE_VDSO},
		{"[vsyscall]", PA_MODULE_SPECIAL},
		{"[uprobes]", PA_MODULE_SPECIAL},
		{"/memfd:jit", PA_MODULE_MEMFD},
		{"/SYSV00000000", PA_MODULE_SPECIAL},
		{"/dev/zero", PA_MODULE_SPECIAL},
		{"/dev/shm/lib.so", PA_MODULE_FILE},
		{"/usr/lib/x.so", PA_MODULE_FILE},
		{"anon_inode:[perf_event]", PA_MODULE_SPECIAL},
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_int_equal(rec_path_module_kind(cases[i].path, strlen(cases[i].path)),
				 cases[i].kind);
}

static void status_is_read(void **state)
{
	static const char text[] =
		"Name:\ta\\nb\\\\c\\011d\nUmask:\t0022\nTgid:\t77\nNgid:\t0\nPid:\t78\n"
		"PPid:\t1\nUid:\t1000\t1001\t1002\t1003\nGid:\t1\t2\t3\t4\n"
		"NStgid:\t77\t5\nNSpid:\t78\t6\t2\nVmSize:\t 100 kB\nThreads:\t3\n";
	struct rec_proc_status s;

	(void)state;
	assert_int_equal(rec_status_parse(text, sizeof(text) - 1, &s), 0);
	assert_string_equal(s.name, "a\nb\\c\td");
	assert_int_equal(s.tgid, 77);
	assert_int_equal(s.pid, 78);
	assert_int_equal(s.ppid, 1);
	assert_true(s.uid_known);
	assert_int_equal(s.uid[3], 1003);
	assert_int_equal(s.gid[1], 2);
	assert_int_equal(s.ns_pid_count, 3);
	assert_int_equal(s.ns_pids[2], 2);
	assert_int_equal(s.threads, 3);
	assert_false(s.kernel_thread);
}

static void hostile_status_does_no_harm(void **state)
{
	struct rec_proc_status s;
	char text[4096];
	size_t n;
	int i;

	(void)state;
	assert_int_equal(rec_status_parse("", 0, &s), PA_E_CORRUPT);
	assert_int_equal(rec_status_parse("Name:\tx\nUid:\t1\n", 16, &s), PA_E_CORRUPT);
	n = (size_t)snprintf(text, sizeof(text), "Name:\t%0200d\nTgid:\t1\nPid:\t1\nNSpid:", 0);
	for (i = 0; i < 100; i++)
		n += (size_t)snprintf(text + n, sizeof(text) - n, "\t%d", i);
	assert_int_equal(rec_status_parse(text, n, &s), 0);
	assert_int_equal(s.ns_pid_count, REC_NS_PIDS);
	assert_int_equal(strlen(s.name), sizeof(s.name) - 1);
	assert_int_equal(rec_status_parse("Name:\t\\\nTgid:\t1\nPid:\t1", 23, &s), 0);
	assert_string_equal(s.name, "\\");
	assert_true(s.kernel_thread);
}

static void assert_cgroup(const char *text, const char *expected)
{
	const char *path;
	size_t len;

	assert_int_equal(rec_cgroup_parse(text, strlen(text), &path, &len), expected != NULL);
	if (!expected)
		return;
	assert_int_equal(len, strlen(expected));
	assert_memory_equal(path, expected, len);
}

static void cgroup_paths(void **state)
{
	(void)state;
	assert_cgroup("0::/system.slice/a.service\n", "/system.slice/a.service");
	assert_cgroup("4:memory:/x/yy\n1:cpu:/\n0::/\n", "/");
	assert_cgroup("4:memory:/x\n3:cpu,cpuacct:/docker/abc\n2:pids:/\n", "/docker/abc");
	assert_cgroup("1:name=systemd:/a:b\n", "/a:b");
	assert_cgroup("", NULL);
	assert_cgroup("junk\n1:\n2:x\n3:x:\n", NULL);
}

static void assert_cmdline(const char *raw, size_t len, const char *expected)
{
	struct pa_buf out;

	pa_buf_init(&out);
	rec_cmdline_add(&out, raw, len);
	assert_string_equal(pa_buf_str(&out), expected);
	pa_buf_fini(&out);
}

static void command_lines_are_quoted(void **state)
{
	(void)state;
	assert_cmdline("", 0, "");
	assert_cmdline("ls\0-l\0", 6, "ls -l");
	assert_cmdline("sh\0-c\0echo 'a' $b\0", 18, "sh -c 'echo '\\''a'\\'' $b'");
	assert_cmdline("a\0\0b\0", 5, "a '' b");
	assert_cmdline("nginx: worker", 13, "'nginx: worker'");
}

static void own_process_is_read(void **state)
{
	int dir = rec_procfs_open(getpid());
	struct rec_proc_status s;
	struct rec_maps_line line;
	struct rec_maps_cursor c;
	struct pa_buf text;
	bool found = false;

	(void)state;
	pa_buf_init(&text);
	assert_true(dir >= 0);
	assert_int_equal(rec_procfs_read(dir, "status", &text, 65536), 0);
	assert_int_equal(rec_status_parse(pa_buf_str(&text), text.len, &s), 0);
	assert_int_equal(s.pid, getpid());
	assert_int_equal(s.uid[0], getuid());
	assert_false(s.kernel_thread);
	pa_buf_reset(&text);
	assert_int_equal(rec_procfs_read(dir, "maps", &text, 16 << 20), 0);
	c = cursor_of(pa_buf_str(&text));
	while (rec_maps_next(&c, &line))
		found = found ||
			((line.prot & 4) && line.start <= (uintptr_t)&own_process_is_read &&
			 line.end > (uintptr_t)&own_process_is_read);
	assert_true(found);
	assert_int_equal(c.malformed, 0);
	pa_buf_reset(&text);
	assert_int_equal(rec_procfs_read(dir, "maps", &text, 100), PA_E_LIMIT);
	assert_int_equal(text.len, 100);
	pa_buf_reset(&text);
	assert_int_equal(rec_procfs_read_link(dir, "exe", &text), 0);
	assert_int_equal(pa_buf_str(&text)[0], '/');
	assert_int_equal(rec_procfs_open(0x7fffffff), -ESRCH);
	pa_buf_fini(&text);
	close(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(maps_lines_are_read),
		cmocka_unit_test(maps_paths_are_cleaned),
		cmocka_unit_test(bad_maps_lines_are_counted),
		cmocka_unit_test(a_cut_last_line_is_not_believed),
		cmocka_unit_test(kinds_of_mappings),
		cmocka_unit_test(status_is_read),
		cmocka_unit_test(hostile_status_does_no_harm),
		cmocka_unit_test(cgroup_paths),
		cmocka_unit_test(command_lines_are_quoted),
		cmocka_unit_test(own_process_is_read),
	};

	return cmocka_run_group_tests_name("record/procfs", tests, NULL, NULL);
}
