// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Makes a function in anonymous memory, as a JIT compiler does, names it in /tmp/perf-PID.map and burns
 * --ms of CPU time in it. Leaves the map in place; --keep S stays alive that long afterwards. With --dump 1 it
 * writes ./jit-PID.dump instead, and calls the code by another name in the second half of the time.
 */
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "workload.h"

#if defined(__x86_64__)
/* push %rbp; mov %rsp,%rbp; 1: dec %rdi; jnz 1b; pop %rbp; ret */
static const unsigned char code[] = {0x55, 0x48, 0x89, 0xe5, 0x48, 0xff,
				     0xcf, 0x75, 0xfb, 0x5d, 0xc3};
#else
/* stp x29, x30, [sp, #-16]!; mov x29, sp; 1: subs x0, x0, #1; b.ne 1b; ldp x29, x30, [sp], #16; ret */
static const unsigned char code[] = {0xfd, 0x7b, 0xbf, 0xa9, 0xfd, 0x03, 0x00, 0x91,
				     0x00, 0x04, 0x00, 0xf1, 0xe1, 0xff, 0xff, 0x54,
				     0xfd, 0x7b, 0xc1, 0xa8, 0xc0, 0x03, 0x5f, 0xd6};
#endif

#define PAGE 4096
#define LOOPS 1000000 /* the clock is read once in so many, which takes time as well */

static void *make_function(void)
{
	void *page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (page == MAP_FAILED)
		die("mmap");
	memcpy(page, code, sizeof(code));
	if (mprotect(page, PAGE, PROT_READ | PROT_EXEC) < 0)
		die("mprotect");
	__builtin___clear_cache(page, (char *)page + sizeof(code));
	return page;
}

static void write_map(const void *function)
{
	char path[64];
	FILE *map;

	snprintf(path, sizeof(path), "/tmp/perf-%d.map", getpid());
	map = fopen(path, "w");
	if (!map)
		die(path);
	fprintf(map, "%lx %zx jitted_loop with spaces\n", (unsigned long)function, sizeof(code));
	fclose(map);
}

struct dump_header {
	uint32_t magic, version, total_bytes, machine, padding, pid;
	uint64_t time_ns, flags;
};

struct dump_load {
	uint32_t id, total_bytes;
	uint64_t time_ns;
	uint32_t pid, tid;
	uint64_t vma, address, length_bytes, index;
};

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * SECOND + (uint64_t)t.tv_nsec;
}

/* Opens the dump, and maps a page of it as code, which is how others know of it. */
static int begin_dump(void)
{
	struct dump_header header = {.magic = 0x4a695444,
				     .version = 1,
				     .total_bytes = sizeof(header),
				     .pid = (uint32_t)getpid(),
				     .time_ns = now_ns()};
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "jit-%d.dump", getpid());
	fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (fd < 0 || write(fd, &header, sizeof(header)) != (ssize_t)sizeof(header) ||
	    mmap(NULL, PAGE, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0) == MAP_FAILED)
		die(path);
	return fd;
}

static void dump_function(int fd, const void *function, const char *name)
{
	struct dump_load load = {.total_bytes =
					 (uint32_t)(sizeof(load) + strlen(name) + 1 + sizeof(code)),
				 .time_ns = now_ns(),
				 .pid = (uint32_t)getpid(),
				 .tid = (uint32_t)getpid(),
				 .vma = (uint64_t)(uintptr_t)function,
				 .address = (uint64_t)(uintptr_t)function,
				 .length_bytes = sizeof(code),
				 .index = now_ns()};

	if (write(fd, &load, sizeof(load)) < 0 || write(fd, name, strlen(name) + 1) < 0 ||
	    write(fd, code, sizeof(code)) < 0)
		die("jitdump");
}

static NOINLINE uint64_t call_jitted(const void *page, uint64_t ns)
{
	uint64_t begin_ns = cpu_ns();
	void (*function)(uint64_t);

	*(const void **)&function = page;
	while (cpu_ns() - begin_ns < ns)
		function(LOOPS);
	return cpu_ns() - begin_ns;
}

int main(int argc, char **argv)
{
	void *page = make_function();
	uint64_t ms = option_number(argc, argv, "--ms", 1000), jit_ns;
	int dump;

	if (option_number(argc, argv, "--dump", 0)) {
		dump = begin_dump();
		dump_function(dump, page, "first tier");
		jit_ns = call_jitted(page, ms * MS / 2);
		dump_function(dump, page, "second tier");
		jit_ns += call_jitted(page, ms * MS / 2);
	} else {
		write_map(page);
		jit_ns = call_jitted(page, ms * MS);
	}
	printf("pid=%d jit_ns=%llu\n", getpid(), (unsigned long long)jit_ns);
	fflush(stdout);
	raw_sleep_ns(option_number(argc, argv, "--keep", 0) * SECOND);
	return 0;
}
