// SPDX-License-Identifier: GPL-2.0-or-later
/* Starts --count processes, one after the other, that each burn --ms of CPU time in a new image. */
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "workload.h"

static NOINLINE void short_burn(uint64_t ns)
{
	burn_cpu_ns(ns);
}

static uint64_t run_one(char *self, char *ms)
{
	char *args[] = {self, "--burn", ms, NULL};
	struct rusage usage;
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		execv("/proc/self/exe", args);
		_exit(127);
	}
	if (wait4(pid, &status, 0, &usage) < 0 || status != 0)
		die("child");
	return (uint64_t)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * SECOND +
	       (uint64_t)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1000;
}

int main(int argc, char **argv)
{
	uint64_t count = option_number(argc, argv, "--count", 100), burn_ms, cpu = 0, i;
	const char *ms = option_text(argc, argv, "--ms");

	burn_ms = option_number(argc, argv, "--burn", 0);
	if (burn_ms) {
		short_burn(burn_ms * MS);
		return 0;
	}
	for (i = 0; i < count; i++)
		cpu += run_one(argv[0], ms ? (char *)ms : "20");
	printf("processes=%llu cpu_ns=%llu\n", (unsigned long long)count, (unsigned long long)cpu);
	return 0;
}
