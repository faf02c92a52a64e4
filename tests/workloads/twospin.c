// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * --threads spinners (2) pinned to CPU --cpu for --seconds; each calls sched_yield
 * --yields times before. Neither ever blocks: what was not CPU time was run-queue wait.
 */
#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include "workload.h"

static uint64_t end_ns;
static uint64_t yields;
static pthread_barrier_t start;

static NOINLINE void spin_on(void)
{
	while (wall_ns() < end_ns)
		work_a_little();
}

static NOINLINE void yield_often(void)
{
	uint64_t i;

	for (i = 0; i < yields; i++)
		raw_syscall4(SYS_sched_yield, 0, 0, 0, 0);
}

static void *spin(void *arg)
{
	uint64_t begin_ns, begin_cpu_ns, spun_ns, took_ns;
	struct rusage usage;

	(void)arg;
	thread_name("spinner");
	pthread_barrier_wait(&start);
	begin_ns = wall_ns();
	begin_cpu_ns = cpu_ns();
	yield_often();
	spin_on();
	spun_ns = cpu_ns() - begin_cpu_ns;
	took_ns = wall_ns() - begin_ns;
	getrusage(RUSAGE_THREAD, &usage);
	printf("tid=%ld cpu_ns=%llu runq_ns=%llu wall_ns=%llu preempted=%ld yields=%llu\n",
	       raw_gettid(), (unsigned long long)spun_ns,
	       (unsigned long long)(took_ns > spun_ns ? took_ns - spun_ns : 0),
	       (unsigned long long)took_ns, usage.ru_nivcsw, (unsigned long long)yields);
	return NULL;
}

int main(int argc, char **argv)
{
	uint64_t count = option_number(argc, argv, "--threads", 2), i;
	pthread_t *started = calloc(count, sizeof(*started));
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	CPU_SET(option_number(argc, argv, "--cpu", 0), &cpus);
	if (!started || sched_setaffinity(0, sizeof(cpus), &cpus) < 0)
		die("sched_setaffinity");
	yields = option_number(argc, argv, "--yields", 0);
	end_ns = wall_ns() + option_number(argc, argv, "--seconds", 4) * SECOND;
	pthread_barrier_init(&start, NULL, (unsigned)count);
	for (i = 0; i < count; i++)
		started[i] = thread_start(spin, NULL);
	for (i = 0; i < count; i++)
		pthread_join(started[i], NULL);
	free(started);
	return 0;
}
