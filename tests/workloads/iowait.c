// SPDX-License-Identifier: GPL-2.0-or-later
/* Writes blocks to --file and waits for the disk after each (O_DSYNC), --count times; --direct: past the cache. */
#include <fcntl.h>
#include <unistd.h>

#include "workload.h"

#define BLOCK 65536

static NOINLINE uint64_t write_block(int fd, const char *data)
{
	uint64_t begin_ns = wall_ns();

	if (raw_write(fd, data, BLOCK) != BLOCK)
		die("write");
	return wall_ns() - begin_ns;
}

int main(int argc, char **argv)
{
	const char *path = option_text(argc, argv, "--file");
	uint64_t count = option_number(argc, argv, "--count", 200), waited_ns = 0, i;
	static const char data[BLOCK] __attribute__((aligned(4096)));
	int fd = open(path ? path : "iowait.data",
		      O_WRONLY | O_CREAT | O_TRUNC | O_DSYNC | O_CLOEXEC |
			      (option_flag(argc, argv, "--direct") ? O_DIRECT : 0),
		      0600);

	if (fd < 0)
		die("open");
	for (i = 0; i < count; i++)
		waited_ns += write_block(fd, data);
	close(fd);
	printf("tid=%ld writes=%llu write_ns=%llu cpu_ns=%llu\n", raw_gettid(),
	       (unsigned long long)count, (unsigned long long)waited_ns,
	       (unsigned long long)cpu_ns());
	return 0;
}
