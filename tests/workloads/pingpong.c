// SPDX-License-Identifier: GPL-2.0-or-later
/* Two processes pass a byte to and fro through pipes --count times; --cpu N pins both. */
#include <sched.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "workload.h"

static NOINLINE void pass_on(int in, int out, uint64_t count, bool first)
{
	char byte = 0;
	uint64_t i;

	for (i = 0; i < count; i++) {
		if (first && raw_write(out, &byte, 1) != 1)
			return;
		if (raw_read(in, &byte, 1) != 1)
			return;
		if (!first && raw_write(out, &byte, 1) != 1)
			return;
	}
}

static void say(uint64_t count)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	printf("pid=%d passes=%llu voluntary=%ld preempted=%ld cpu_ns=%llu\n", getpid(),
	       (unsigned long long)count, usage.ru_nvcsw, usage.ru_nivcsw,
	       (unsigned long long)cpu_ns());
	fflush(stdout);
}

int main(int argc, char **argv)
{
	uint64_t count = option_number(argc, argv, "--count", 100000);
	uint64_t cpu = option_number(argc, argv, "--cpu", UINT64_MAX);
	int there[2], back[2];
	cpu_set_t cpus;

	if (cpu != UINT64_MAX) {
		CPU_ZERO(&cpus);
		CPU_SET(cpu, &cpus);
		sched_setaffinity(0, sizeof(cpus), &cpus);
	}
	if (pipe(there) < 0 || pipe(back) < 0)
		die("pipe");
	if (fork() == 0) {
		pass_on(there[0], back[1], count, false);
		say(count);
		return 0;
	}
	pass_on(back[0], there[1], count, true);
	say(count);
	wait(NULL);
	return 0;
}
