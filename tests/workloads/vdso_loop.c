// SPDX-License-Identifier: GPL-2.0-or-later
/* build: -O2 -fomit-frame-pointer */
/* Without frame pointers: asks for the time, by way of the vdso, for --ms. */
#include <time.h>

#include "workload.h"

static NOINLINE uint64_t ask_time(uint64_t count)
{
	struct timespec t = {0};
	uint64_t i;

	for (i = 0; i < count; i++)
		clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * SECOND + (uint64_t)t.tv_nsec;
}

int main(int argc, char **argv)
{
	uint64_t end = wall_ns() + option_number(argc, argv, "--ms", 1000) * MS;

	while (ask_time(10000) < end)
		continue;
	printf("done=1\n");
	return 0;
}
