// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Blocks once under each of 2^--bits different stacks: at every level of a recursion the path goes left
 * or right, so that the chain of return addresses spells a number.
 */
#include <sys/resource.h>

#include "workload.h"

static uint64_t blocked_ns;

static NOINLINE void go_left(uint64_t number, uint64_t bits);
static NOINLINE void go_right(uint64_t number, uint64_t bits);

static NOINLINE void block_briefly(void)
{
	uint64_t begin_ns = wall_ns();

	raw_sleep_ns(20000);
	blocked_ns += wall_ns() - begin_ns;
}

RAW_INLINE void descend(uint64_t number, uint64_t bits)
{
	HAVE_FRAME();
	if (bits == 0)
		block_briefly();
	else if (number & 1)
		go_right(number >> 1, bits - 1);
	else
		go_left(number >> 1, bits - 1);
	__asm__ volatile("" ::: "memory");
}

static void go_left(uint64_t number, uint64_t bits)
{
	descend(number, bits);
}

static void go_right(uint64_t number, uint64_t bits)
{
	descend(number, bits);
}

int main(int argc, char **argv)
{
	uint64_t bits = option_number(argc, argv, "--bits", 17), i, begin_ns;
	struct rusage usage;

	prctl(PR_SET_TIMERSLACK, 1, 0, 0, 0);
	begin_ns = wall_ns();
	for (i = 0; i < 1ull << bits; i++)
		descend(i, bits);
	getrusage(RUSAGE_THREAD, &usage);
	printf("tid=%ld stacks=%llu blocked_ns=%llu cpu_ns=%llu wall_ns=%llu voluntary=%ld\n",
	       raw_gettid(), (unsigned long long)1 << bits, (unsigned long long)blocked_ns,
	       (unsigned long long)cpu_ns(), (unsigned long long)(wall_ns() - begin_ns),
	       usage.ru_nvcsw);
	return 0;
}
