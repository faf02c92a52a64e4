// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Forks --count children that each burn --ms of CPU time without an exec and exit with their number
 * (modulo 100); with --vfork MS the parent then waits, uninterruptibly and not for I/O, for a vfork()ed
 * child that sleeps.
 */
#include <sys/wait.h>
#include <unistd.h>

#include "workload.h"

static NOINLINE void child_burn(uint64_t ns)
{
	burn_cpu_ns(ns);
}

static NOINLINE uint64_t wait_for_vfork(uint64_t ns)
{
	uint64_t begin_ns = wall_ns();

	if (vfork() == 0) {
		raw_sleep_ns(ns);
		_exit(0);
	}
	return wall_ns() - begin_ns;
}

int main(int argc, char **argv)
{
	uint64_t count = option_number(argc, argv, "--count", 10),
		 ms = option_number(argc, argv, "--ms", 50);
	uint64_t vfork_ms = option_number(argc, argv, "--vfork", 0), i;
	int status;
	pid_t pid;

	for (i = 0; i < count; i++) {
		pid = fork();
		if (pid == 0) {
			child_burn(ms * MS);
			_exit((int)(i % 100));
		}
		if (waitpid(pid, &status, 0) < 0)
			die("waitpid");
		printf("child=%d status=%d\n", pid, WEXITSTATUS(status));
	}
	if (vfork_ms)
		printf("tid=%ld vfork_ns=%llu\n", raw_gettid(),
		       (unsigned long long)wait_for_vfork(vfork_ms * MS));
	return 0;
}
