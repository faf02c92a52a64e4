// SPDX-License-Identifier: GPL-2.0-or-later
/* The main thread ends after 200 ms; another burns CPU time until --seconds have passed. */
#include <unistd.h>

#include "workload.h"

static uint64_t end_ns;

static NOINLINE void outlive_leader(void)
{
	while (wall_ns() < end_ns)
		work_a_little();
}

static void *run(void *arg)
{
	(void)arg;
	thread_name("survivor");
	outlive_leader();
	printf("pid=%d tid=%ld cpu_ns=%llu\n", getpid(), raw_gettid(),
	       (unsigned long long)cpu_ns());
	exit(0);
}

int main(int argc, char **argv)
{
	end_ns = wall_ns() + option_number(argc, argv, "--seconds", 2) * SECOND;
	thread_start(run, NULL);
	raw_sleep_ns(200 * MS);
	pthread_exit(NULL);
}
