// SPDX-License-Identifier: GPL-2.0-or-later
/* --count processes that do nothing until this one ends; says 'ready' when all are there. */
#include <signal.h>
#include <unistd.h>

#include "workload.h"

int main(int argc, char **argv)
{
	uint64_t count = option_number(argc, argv, "--count", 300), i;
	char byte = 0;
	int fds[2];

	if (pipe(fds) < 0)
		die("pipe");
	for (i = 0; i < count; i++) {
		if (fork() == 0) {
			prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
			raw_write(fds[1], &byte, 1);
			for (;;)
				raw_sleep_ns(1000 * SECOND);
		}
	}
	for (i = 0; i < count; i++)
		raw_read(fds[0], &byte, 1);
	printf("ready=%llu\n", (unsigned long long)count);
	fflush(stdout);
	for (;;)
		raw_sleep_ns(1000 * SECOND);
}
