// SPDX-License-Identifier: GPL-2.0-or-later
/* build: -O2 -fomit-frame-pointer -fno-optimize-sibling-calls -fcf-protection=none */
/*
 * Without frame pointers: threads that block in the C library, each in one way and for --ms, below a
 * function of their own. Prints for each the time that it spent in these calls.
 */
#include <poll.h>
#include <time.h>
#include <unistd.h>

#include "workload.h"

struct waiter {
	const char *name;
	void (*wait)(void);
	pthread_t thread;
	uint64_t blocked_ns;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int pipe_ends[2];
static uint64_t end_ns;

static NOINLINE void app_sleeps(void)
{
	struct timespec t = {.tv_nsec = 30000000};

	nanosleep(&t, NULL);
}

static NOINLINE void app_locks(void)
{
	pthread_mutex_lock(&lock);
	pthread_mutex_unlock(&lock);
}

static NOINLINE void app_reads(void)
{
	char c;

	if (read(pipe_ends[0], &c, 1) != 1)
		die("read");
}

static NOINLINE void app_polls(void)
{
	struct pollfd fd = {.fd = -1};

	poll(&fd, 1, 25);
}

/* What the others wait for: holds the lock most of the time, and writes a byte each time. */
static NOINLINE void app_holds(void)
{
	struct timespec held = {.tv_nsec = 20000000}, free = {.tv_nsec = 1000000};

	pthread_mutex_lock(&lock);
	nanosleep(&held, NULL);
	pthread_mutex_unlock(&lock);
	if (write(pipe_ends[1], "", 1) != 1)
		die("write");
	nanosleep(&free, NULL);
}

static void *run(void *arg)
{
	struct waiter *w = arg;
	uint64_t begin;

	thread_name(w->name);
	while (wall_ns() < end_ns) {
		begin = wall_ns();
		w->wait();
		w->blocked_ns += wall_ns() - begin;
	}
	return NULL;
}

int main(int argc, char **argv)
{
	static struct waiter waiters[] = {
		{"sleeps", app_sleeps, 0, 0}, {"locks", app_locks, 0, 0},
		{"reads", app_reads, 0, 0},   {"polls", app_polls, 0, 0},
		{"holds", app_holds, 0, 0},
	};
	size_t count = sizeof(waiters) / sizeof(waiters[0]), i;

	if (pipe(pipe_ends) < 0)
		die("pipe");
	end_ns = wall_ns() + option_number(argc, argv, "--ms", 2000) * MS;
	for (i = 0; i < count; i++)
		waiters[i].thread = thread_start(run, &waiters[i]);
	for (i = 0; i < count; i++)
		pthread_join(waiters[i].thread, NULL);
	for (i = 0; i < count; i++)
		printf("name=%s blocked_ns=%llu\n", waiters[i].name,
		       (unsigned long long)waiters[i].blocked_ns);
	return 0;
}
