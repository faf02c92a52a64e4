// SPDX-License-Identifier: GPL-2.0-or-later
/* What a scrubbed copy of a trace has lost, and what it has kept. */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/unit/memory_trace.h"

#include "report/scrub.h"
#include "report/scrub_kernel.h"

static char path[] = "/tmp/pa-scrub-XXXXXX";

static int make_file(void **state)
{
	int fd = mkstemp(path);

	(void)state;
	/* Whatever was there is replaced, with its mode. */
	return fd >= 0 && fchmod(fd, 0644) == 0 && close(fd) == 0 ? 0 : -1;
}

static int remove_file(void **state)
{
	(void)state;
	return unlink(path);
}

/* Scrubs a trace and compares the copy's text. */
static void assert_scrubbed(const char *text, const char *expected)
{
	struct pa_buf trace = {0}, copy = {0}, got = {0};
	struct memory_source source;
	struct pa_reader *reader;
	uint8_t data[65536];
	struct stat st;
	ssize_t n;
	int fd;

	memory_trace_from_text(&trace, text);
	source = (struct memory_source){.data = trace.data, .len = trace.len};
	assert_int_equal(pa_reader_new(memory_read, &source, &reader), 0);
	assert_int_equal(rpt_scrub(reader, NULL, path), 0);
	pa_reader_free(reader);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0600);
	fd = open(path, O_RDONLY);
	assert_true(fd >= 0);
	n = read(fd, data, sizeof(data));
	assert_true(n > 0);
	pa_buf_add(&copy, data, (size_t)n);
	close(fd);
	assert_int_equal(memory_trace_to_text(copy.data, copy.len, 0, &got, NULL), 0);
	assert_string_equal(pa_buf_str(&got), expected);
	pa_buf_fini(&trace);
	pa_buf_fini(&copy);
	pa_buf_fini(&got);
}

static void people_and_machines(void **state)
{
	(void)state;
	assert_scrubbed(
		"session recorder=\"r\" host=\"db7\" kernel=\"6.1\" target=\"command\" command=\"app --key s3cret\"\n"
		"tag key=\"build\" value=\"/home/ann/7\"\n"
		"process id=1 pid=100 comm=\"app\" exe=\"/home/ann/bin/app\" cmdline=\"app --key s3cret\" "
		"cgroup=\"/user.slice/user-1000.slice/app.scope\" ns_pids=[7] uid=1001\n"
		"thread id=1 process=1 tid=100 comm=\"worker\"\n"
		"exec time_ns=5 process=1 comm=\"new\" exe=\"/home/ann/new\" cmdline=\"new --key s3cret\"\n",
		"session recorder=\"r\" kernel=\"6.1\" target=\"command\"\n"
		"tag key=\"build\" value=\"/home/ann/7\"\n"
		"process id=1 pid=100 comm=\"app\" exe=\"app\" cgroup=\"app.scope\" ns_pids=[7]\n"
		"thread id=1 process=1 tid=100 comm=\"worker\"\n"
		"exec time_ns=5 process=1 comm=\"new\" exe=\"new\"\n");
}

static void files(void **state)
{
	(void)state;
	assert_scrubbed(
		"module id=1 path=\"/home/ann/lib.so\" build_id=<a1> build_id_kind=1 device=5 inode=77\n"
		"module id=2 path=\"/srv/lib.so\" device=5 inode=78\n"
		"module id=3 kind=1 path=\"[vdso]\"\n"
		"jit_symbol process=1 start=16 length_bytes=8 name=\"Lazy:*f /home/ann/x.js:10 (/home/b/y)\"\n"
		"jit_symbol process=1 start=32 length_bytes=8 name=\"lists:map/2 operator/\"\n",
		"module id=1 path=\"lib.so\" build_id=<a1> build_id_kind=1 inode=1\n"
		"module id=2 path=\"lib.so\" inode=2\n"
		"module id=3 kind=1 path=\"[vdso]\" inode=3\n"
		"jit_symbol process=1 start=0x10 length_bytes=8 name=\"Lazy:*f x.js:10 (y)\"\n"
		"jit_symbol process=1 start=0x20 length_bytes=8 name=\"lists:map/2 operator/\"\n");
}

static void kernel_addresses(void **state)
{
	(void)state;
	assert_scrubbed(
		"kernel_range start=0xffffffff9e000000 length_bytes=16777216 name=\"[kernel.kallsyms]\"\n"
		"kernel_range start=0xffffffffc0123000 length_bytes=65536 name=\"ext4\"\n"
		"kernel_symbol start=0xffffffff9e000100 length_bytes=256 name=\"schedule\"\n"
		"kernel_symbol start=0xffffffffc0400010 length_bytes=64 name=\"bpf_prog\" module=\"bpf\"\n"
		"stack id=16 parent=10 frames=[0xffffffff9e000123,0xffffffffc0123010,0xffffffffc0400020,"
		"0xffffffffd0000000,0xffffffffff600010,0x401000]\n",
		"kernel_range start=0xffffffff80000000 length_bytes=16777216 name=\"[kernel.kallsyms]\"\n"
		"kernel_range start=0xffffffff81002000 length_bytes=65536 name=\"ext4\"\n"
		"kernel_symbol start=0xffffffff80000100 length_bytes=256 name=\"schedule\"\n"
		"kernel_symbol start=0xffffffff81014010 length_bytes=64 name=\"bpf_prog\" module=\"bpf\"\n"
		"stack id=16 parent=10 frames=[0xffffffff80000123,0xffffffff81002010,0xffffffff81014020,"
		"0xffffffffffffe000,0xffffffffff600010,0x401000]\n");
}

/* Names that were packed into the trace. */
static void names(void **state)
{
	(void)state;
	assert_scrubbed(
		"module id=1 path=\"/home/ann/app\"\n"
		"kernel_range start=0xffffffff9e000000 length_bytes=16777216 name=\"[kernel.kallsyms]\"\n"
		"function id=1 linkage_name=\"_Z1fv\" file=\"/home/ann/src/f.cc\" start_line=7\n"
		"function id=2 linkage_name=\"call\" name=\"call<(lambda at /home/ann/f.cc:9:3)>\"\n"
		"function id=3 linkage_name=\"half\" name=\"half<(4)/(2)>::operator/\" file=\"f.cc\"\n"
		"location module=1 address=4096 lines=[1,8,2,9]\n"
		"location module=1 address=8192 reason=6\n"
		"location address=18446744072065384704 lines=[3,1]\n"
		"names module=1 flags=7 file=\"/usr/lib/debug/app.debug\" message=\"'/home/ann/app': odd\"\n",
		"module id=1 path=\"app\" inode=1\n"
		"kernel_range start=0xffffffff80000000 length_bytes=16777216 name=\"[kernel.kallsyms]\"\n"
		"function id=1 linkage_name=\"_Z1fv\" file=\"f.cc\" start_line=7\n"
		"function id=2 linkage_name=\"call\" name=\"call<(lambda at f.cc:9:3)>\"\n"
		"function id=3 linkage_name=\"half\" name=\"half<(4)/(2)>::operator/\" file=\"f.cc\"\n"
		"location module=1 address=4096 lines=[1,8,2,9]\n"
		"location module=1 address=8192 reason=6\n"
		"location address=18446744071562068224 lines=[3,1]\n"
		"names module=1 flags=7 file=\"app.debug\" message=\"'app': odd\"\n");
}

static void hostile_ranges(void **state)
{
	struct rpt_kernel_mover m = {0};
	uint64_t moved;

	(void)state;
	assert_int_equal(rpt_kernel_mover_add(&m, 0, 100), 0);
	/* Longer than the address space: it is not known. */
	assert_int_equal(rpt_kernel_mover_add(&m, 1ull << 63, UINT64_MAX), 0xffffffffffffe000ull);
	/* More than is given out. */
	assert_int_equal(rpt_kernel_mover_add(&m, 1ull << 63, 1ull << 40), 0xffffffffffffe000ull);
	moved = rpt_kernel_mover_add(&m, 0xffffffff90000000ull, 0x1000);
	assert_int_equal(rpt_kernel_mover_add(&m, 0xffffffff90000100ull, 0x10), moved + 0x100);
	/* One that reaches over a later one ends there. */
	rpt_kernel_mover_add(&m, 0xffffffff8ffff000ull, 0x3000);
	assert_int_equal(rpt_kernel_mover_move(&m, 0xffffffff90000200ull), moved + 0x200);
	assert_int_equal(rpt_kernel_mover_move(&m, 0xffffffff90001200ull), 0xffffffffffffe000ull);
	rpt_kernel_mover_fini(&m);
}

static void no_directory(void **state)
{
	struct pa_buf trace = {0};
	struct memory_source source;
	struct pa_reader *reader;

	(void)state;
	memory_trace_from_text(&trace, "covered time_ns=5\n");
	source = (struct memory_source){.data = trace.data, .len = trace.len};
	assert_int_equal(pa_reader_new(memory_read, &source, &reader), 0);
	assert_int_equal(rpt_scrub(reader, NULL, "/nowhere/copy.pa"), -ENOENT);
	pa_reader_free(reader);
	pa_buf_fini(&trace);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(people_and_machines),
		cmocka_unit_test(files),
		cmocka_unit_test(kernel_addresses),
		cmocka_unit_test(hostile_ranges),
		cmocka_unit_test(names),
		cmocka_unit_test(no_directory),
	};

	return cmocka_run_group_tests(tests, make_file, remove_file);
}
