// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Burns --ms of CPU time in stage_one(), executes itself (or --next PATH), burns in stage_two(), and so
 * on to stage_three(): one process, three images.
 */
#include <unistd.h>

#include "workload.h"

static NOINLINE uint64_t stage_one(uint64_t ns)
{
	return burn_cpu_ns(ns);
}

static NOINLINE uint64_t stage_two(uint64_t ns)
{
	return burn_cpu_ns(ns);
}

static NOINLINE uint64_t stage_three(uint64_t ns)
{
	return burn_cpu_ns(ns);
}

static uint64_t run_stage(uint64_t stage, uint64_t ns)
{
	if (stage == 1)
		return stage_one(ns);
	return stage == 2 ? stage_two(ns) : stage_three(ns);
}

int main(int argc, char **argv)
{
	const char *next = option_text(argc, argv, "--next"), *ms = option_text(argc, argv, "--ms");
	uint64_t stage = option_number(argc, argv, "--stage", 1);
	char following[2] = {(char)('1' + stage), 0};

	if (!next)
		next = "/proc/self/exe";
	if (!ms)
		ms = "300";
	printf("pid=%d stage=%llu stage_ns=%llu\n", getpid(), (unsigned long long)stage,
	       (unsigned long long)run_stage(stage, strtoull(ms, NULL, 0) * MS));
	fflush(stdout);
	if (stage < 3)
		execl(next, next, "--stage", following, "--ms", ms, "--next", next, (char *)NULL);
	return stage < 3;
}
