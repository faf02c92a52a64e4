// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Touches --count pages of a mapped --file that are not in memory, one after the other, far apart. Prints how
 * many major faults that were, how long it waited in them, and its CPU time meanwhile.
 */
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "workload.h"

#define PAGE 4096ull
#define STRIDE 64 /* pages: farther than is read around a fault */

static NOINLINE uint8_t touch(const volatile uint8_t *page)
{
	return *page;
}

static uint64_t major_faults(void)
{
	struct rusage usage;

	getrusage(RUSAGE_THREAD, &usage);
	return (uint64_t)usage.ru_majflt;
}

int main(int argc, char **argv)
{
	const char *path = option_text(argc, argv, "--file");
	uint64_t count = option_number(argc, argv, "--count", 500), i, faults, begin, used,
		 wall = 0;
	int fd = path ? open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600) : -1;
	char block[STRIDE * PAGE];
	const volatile uint8_t *map;

	if (fd < 0)
		die("--file");
	memset(block, 7, sizeof(block));
	for (i = 0; i < count; i++)
		if (write(fd, block, sizeof(block)) != (ssize_t)sizeof(block))
			die("write");
	if (fsync(fd) < 0)
		die("fsync");
	posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
	map = mmap(NULL, count * sizeof(block), PROT_READ, MAP_SHARED, fd, 0);
	if (map == MAP_FAILED)
		die("mmap");
	madvise((void *)map, count * sizeof(block), MADV_RANDOM);
	faults = major_faults();
	used = cpu_ns();
	for (i = 0; i < count; i++) {
		begin = wall_ns();
		touch(map + i * sizeof(block));
		wall += wall_ns() - begin;
	}
	printf("tid=%ld faults=%llu waited_ns=%llu cpu_ns=%llu\n", raw_gettid(),
	       (unsigned long long)(major_faults() - faults), (unsigned long long)wall,
	       (unsigned long long)(cpu_ns() - used));
	unlink(path);
	return 0;
}
