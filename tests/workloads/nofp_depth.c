// SPDX-License-Identifier: GPL-2.0-or-later
/* build: -O2 -fomit-frame-pointer -mno-omit-leaf-frame-pointer -fno-optimize-sibling-calls -fcf-protection=none */
/*
 * Without frame pointers: recursion of --from to --to frames, at whose bottom the program works and sleeps
 * in turn, for --ms. Prints the CPU time that it used there, and the time that it slept.
 */
#include <time.h>

#include "workload.h"

static uint64_t worked_ns, slept_ns;
static volatile uint64_t sink;

static NOINLINE void work_at_bottom(void)
{
	uint64_t begin = cpu_ns(), i;

	do {
		for (i = 0; i < 20000; i++)
			sink += i;
	} while (cpu_ns() - begin < 2 * MS);
	worked_ns += cpu_ns() - begin;
}

static NOINLINE void sleep_at_bottom(void)
{
	struct timespec t = {.tv_nsec = 2000000};
	uint64_t begin = wall_ns();

	nanosleep(&t, NULL);
	slept_ns += wall_ns() - begin;
}

/* Each level keeps something in a saved register, and has a frame of its own size. */
static NOINLINE uint64_t go_down(uint64_t depth, uint64_t above)
{
	char frame[16 + (depth * 24) % 160];
	uint64_t result;

	memset(frame, (int)depth, sizeof(frame));
	if (depth > 0) {
		result = go_down(depth - 1, above + (uint64_t)frame[3]);
	} else {
		work_at_bottom();
		sleep_at_bottom();
		result = above;
	}
	return result + (uint64_t)frame[depth % 16] + above;
}

static NOINLINE void all_depths(uint64_t from, uint64_t to, uint64_t end)
{
	uint64_t depth = from;

	while (wall_ns() < end) {
		sink += go_down(depth, depth);
		depth = depth + 13 > to ? from : depth + 13;
	}
}

int main(int argc, char **argv)
{
	uint64_t from = option_number(argc, argv, "--from", 5),
		 to = option_number(argc, argv, "--to", 400);

	all_depths(from, to, wall_ns() + option_number(argc, argv, "--ms", 2000) * MS);
	printf("worked_ns=%llu slept_ns=%llu\n", (unsigned long long)worked_ns,
	       (unsigned long long)slept_ns);
	return 0;
}
