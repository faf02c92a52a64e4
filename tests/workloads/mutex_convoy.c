// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * --threads threads contend for one lock, of raw futexes, that each holds for --hold-us: for --seconds.
 * Prints for each thread how often and how long it waited inside the futex.
 */
#include <unistd.h>

#include "workload.h"

/* 0 free, 1 held, 2 held and somebody waits. */
static uint32_t lock_word;
static uint64_t end_ns;
static uint64_t hold_ns;

struct waits {
	uint64_t count;
	uint64_t ns;
};

static NOINLINE void lock_wait(struct waits *waits)
{
	uint64_t begin_ns = wall_ns();

	if (raw_futex_wait(&lock_word, 2, NULL) == 0)
		waits->count++;
	waits->ns += wall_ns() - begin_ns;
}

static NOINLINE void convoy_lock(struct waits *waits)
{
	uint32_t expected = 0;

	if (__atomic_compare_exchange_n(&lock_word, &expected, 1, false, __ATOMIC_ACQUIRE,
					__ATOMIC_RELAXED))
		return;
	while (__atomic_exchange_n(&lock_word, 2, __ATOMIC_ACQUIRE) != 0)
		lock_wait(waits);
}

static NOINLINE void convoy_unlock(void)
{
	if (__atomic_exchange_n(&lock_word, 0, __ATOMIC_RELEASE) == 2)
		raw_futex_wake(&lock_word, 1);
}

static NOINLINE void critical_section(void)
{
	burn_cpu_ns(hold_ns);
}

static void *contend(void *arg)
{
	struct waits waits = {0};
	uint64_t rounds = 0;

	(void)arg;
	thread_name("convoy");
	while (wall_ns() < end_ns) {
		convoy_lock(&waits);
		critical_section();
		convoy_unlock();
		rounds++;
	}
	printf("tid=%ld rounds=%llu waits=%llu waited_ns=%llu\n", raw_gettid(),
	       (unsigned long long)rounds, (unsigned long long)waits.count,
	       (unsigned long long)waits.ns);
	return NULL;
}

int main(int argc, char **argv)
{
	uint64_t threads = option_number(argc, argv, "--threads", 4), i;
	pthread_t *started = calloc(threads, sizeof(*started));
	uint64_t now;

	if (!started)
		die("calloc");
	hold_ns = option_number(argc, argv, "--hold-us", 2000) * 1000;
	end_ns = wall_ns() + option_number(argc, argv, "--seconds", 2) * SECOND;
	for (i = 0; i < threads; i++)
		started[i] = thread_start(contend, NULL);
	/* The main thread is to sleep: a join is a futex, too, and no lock. */
	while ((now = wall_ns()) < end_ns) {
		struct timespec left = {(time_t)((end_ns - now) / SECOND),
					(long)((end_ns - now) % SECOND)};

		nanosleep(&left, NULL);
	}
	for (i = 0; i < threads; i++)
		pthread_join(started[i], NULL);
	free(started);
	return 0;
}
