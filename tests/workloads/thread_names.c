// SPDX-License-Identifier: GPL-2.0-or-later
/* A thread that burns --ms of CPU time under one name and as much under another. */
#include "workload.h"

static NOINLINE void burn_before(uint64_t ns)
{
	burn_cpu_ns(ns);
}

static NOINLINE void burn_after(uint64_t ns)
{
	burn_cpu_ns(ns);
}

static void *run(void *arg)
{
	uint64_t ns = *(uint64_t *)arg;

	thread_name("name-before");
	burn_before(ns);
	thread_name("name after;<&\"");
	burn_after(ns);
	printf("tid=%ld cpu_ns=%llu\n", raw_gettid(), (unsigned long long)cpu_ns());
	return NULL;
}

int main(int argc, char **argv)
{
	uint64_t ns = option_number(argc, argv, "--ms", 300) * MS;

	pthread_join(thread_start(run, &ns), NULL);
	return 0;
}
