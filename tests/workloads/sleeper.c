// SPDX-License-Identifier: GPL-2.0-or-later
/* Sleeps --count times for --ms milliseconds, and each time --step-us longer, in each of --threads threads. */
#include <sys/resource.h>

#include "workload.h"

struct plan {
	uint64_t count;
	uint64_t ms;
	uint64_t step_us;
};

static NOINLINE uint64_t sleep_once(uint64_t ns)
{
	uint64_t begin_ns = wall_ns();

	raw_sleep_ns(ns);
	return wall_ns() - begin_ns;
}

static NOINLINE uint64_t sleep_often(const struct plan *plan)
{
	uint64_t slept_ns = 0, i;

	for (i = 0; i < plan->count; i++)
		slept_ns += sleep_once(plan->ms * MS + i * plan->step_us * 1000);
	return slept_ns;
}

static void *run(void *arg)
{
	uint64_t begin_ns = wall_ns(), slept_ns = sleep_often(arg), end_ns = wall_ns();
	struct rusage usage;

	getrusage(RUSAGE_THREAD, &usage);
	printf("tid=%ld slept_ns=%llu sleeps=%llu wall_ns=%llu voluntary=%ld\n", raw_gettid(),
	       (unsigned long long)slept_ns, (unsigned long long)((struct plan *)arg)->count,
	       (unsigned long long)(end_ns - begin_ns), usage.ru_nvcsw);
	return NULL;
}

int main(int argc, char **argv)
{
	uint64_t threads = option_number(argc, argv, "--threads", 1), i;
	pthread_t *started = calloc(threads, sizeof(*started));
	struct plan plan = {
		.count = option_number(argc, argv, "--count", 20),
		.ms = option_number(argc, argv, "--ms", 100),
		.step_us = option_number(argc, argv, "--step-us", 0),
	};

	if (!started)
		die("calloc");
	for (i = 1; i < threads; i++)
		started[i] = thread_start(run, &plan);
	run(&plan);
	for (i = 1; i < threads; i++)
		pthread_join(started[i], NULL);
	free(started);
	return 0;
}
