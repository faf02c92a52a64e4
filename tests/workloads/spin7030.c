// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Spends 70 % of its CPU time in one function and 30 % in another, in slices of 10 ms:
 * --seconds S --threads N --procs N --fork (a parent and a child that both spin) --depth N (calls above).
 */
#include <sys/wait.h>
#include <unistd.h>

#include "workload.h"

#define HEAVY_NS (7 * MS)
#define LIGHT_NS (3 * MS)

struct spinner {
	uint64_t end_ns;
	uint64_t heavy_ns;
	uint64_t light_ns;
};

static NOINLINE uint64_t heavy_work(uint64_t ns)
{
	return burn_cpu_ns(ns);
}

static NOINLINE uint64_t light_work(uint64_t ns)
{
	return burn_cpu_ns(ns);
}

/* A slice that came out too long shortens the next one of its kind, so that the shares hold. */
static NOINLINE void spin_slices(struct spinner *s)
{
	uint64_t round;

	for (round = 1; wall_ns() < s->end_ns; round++) {
		if (s->heavy_ns < round * HEAVY_NS)
			s->heavy_ns += heavy_work(round * HEAVY_NS - s->heavy_ns);
		if (s->light_ns < round * LIGHT_NS)
			s->light_ns += light_work(round * LIGHT_NS - s->light_ns);
	}
}

static uint64_t extra_depth;

static NOINLINE void deepen(struct spinner *s, uint64_t depth)
{
	HAVE_FRAME();
	if (depth)
		deepen(s, depth - 1);
	else
		spin_slices(s);
	__asm__ volatile("" ::: "memory");
}

static void *spin(void *arg)
{
	struct spinner *s = arg;
	uint64_t begin_ns = wall_ns();

	if (extra_depth)
		deepen(s, extra_depth);
	else
		spin_slices(s);
	printf("pid=%d tid=%ld heavy_ns=%llu light_ns=%llu cpu_ns=%llu wall_ns=%llu\n", getpid(),
	       raw_gettid(), (unsigned long long)s->heavy_ns, (unsigned long long)s->light_ns,
	       (unsigned long long)cpu_ns(), (unsigned long long)(wall_ns() - begin_ns));
	fflush(stdout);
	return NULL;
}

static void spin_threads(uint64_t count, uint64_t end_ns)
{
	struct spinner *spinners = calloc(count, sizeof(*spinners));
	pthread_t *threads = calloc(count, sizeof(*threads));
	uint64_t i;

	if (!spinners || !threads)
		die("calloc");
	for (i = 0; i < count; i++)
		spinners[i].end_ns = end_ns;
	for (i = 1; i < count; i++)
		threads[i] = thread_start(spin, &spinners[i]);
	spin(&spinners[0]);
	for (i = 1; i < count; i++)
		pthread_join(threads[i], NULL);
	free(spinners);
	free(threads);
}

int main(int argc, char **argv)
{
	uint64_t threads = option_number(argc, argv, "--threads", 1);
	uint64_t children = option_number(argc, argv, "--procs", 0);
	uint64_t end_ns = wall_ns() + option_number(argc, argv, "--seconds", 5) * SECOND;
	bool parent_spins = children == 0;
	uint64_t i;

	extra_depth = option_number(argc, argv, "--depth", 0);
	if (option_flag(argc, argv, "--fork"))
		children = 1;
	for (i = 0; i < children; i++) {
		if (fork() == 0) {
			spin_threads(threads, end_ns);
			return 0;
		}
	}
	if (parent_spins)
		spin_threads(threads, end_ns);
	while (wait(NULL) > 0)
		;
	return 0;
}
