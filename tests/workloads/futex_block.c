// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * One thread is blocked in a futex for --seconds, --idle others sleep all the time. Says 'ready' when
 * all of them have come to rest.
 */
#include "workload.h"

static uint32_t never;
static uint32_t resting;

static NOINLINE void wait_forever(void)
{
	while (__atomic_load_n(&never, __ATOMIC_ACQUIRE) == 0)
		raw_futex_wait(&never, 0, NULL);
}

static void *blocked(void *arg)
{
	uint64_t begin_ns = wall_ns();

	(void)arg;
	thread_name("blocked");
	__atomic_add_fetch(&resting, 1, __ATOMIC_RELEASE);
	wait_forever();
	printf("tid=%ld blocked_ns=%llu\n", raw_gettid(),
	       (unsigned long long)(wall_ns() - begin_ns));
	return NULL;
}

static void *idle(void *arg)
{
	thread_name("idle");
	__atomic_add_fetch(&resting, 1, __ATOMIC_RELEASE);
	raw_sleep_ns(*(uint64_t *)arg);
	return NULL;
}

int main(int argc, char **argv)
{
	uint64_t ns = option_number(argc, argv, "--seconds", 5) * SECOND;
	uint64_t idlers = option_number(argc, argv, "--idle", 2), i;
	pthread_t waiter = thread_start(blocked, NULL), ignored;

	for (i = 0; i < idlers; i++) {
		ignored = thread_start(idle, &ns);
		pthread_detach(ignored);
	}
	while (__atomic_load_n(&resting, __ATOMIC_ACQUIRE) < idlers + 1)
		raw_sleep_ns(MS);
	raw_sleep_ns(20 * MS);
	printf("ready=1\n");
	fflush(stdout);
	raw_sleep_ns(ns);
	__atomic_store_n(&never, 1, __ATOMIC_RELEASE);
	raw_futex_wake(&never, 1);
	pthread_join(waiter, NULL);
	return 0;
}
