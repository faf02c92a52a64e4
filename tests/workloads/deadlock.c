// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * --threads threads: three wait for each other's mutex, one holds a mutex while it connects to an address
 * that never answers (--port: a listener of our own whose queue is full), one waits for that mutex, all others
 * wait on a condition; with --vfork one waits for a child that keeps the memory (uninterruptibly). The main thread looks at the clock twice a millisecond, and prints the longest gap
 * that it saw when it is told to end by SIGTERM. Says 'ready' when all are where they stay.
 */
#include <arpa/inet.h>
#include <sched.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include "workload.h"

static pthread_mutex_t locks[3], connection_lock, idle_lock;
static pthread_cond_t idle = PTHREAD_COND_INITIALIZER;
static uint32_t arrived;
static volatile sig_atomic_t ended;
static struct sockaddr_in address;

static void on_term(int number)
{
	(void)number;
	ended = 1;
}

static NOINLINE void take_second_lock(pthread_mutex_t *lock)
{
	pthread_mutex_lock(lock);
}

static void *philosopher(void *arg)
{
	uint64_t i = (uint64_t)(uintptr_t)arg;
	char name[16];

	snprintf(name, sizeof(name), "fork-%llu", (unsigned long long)i);
	thread_name(name);
	pthread_mutex_lock(&locks[i]);
	__atomic_fetch_add(&arrived, 1, __ATOMIC_SEQ_CST);
	while (__atomic_load_n(&arrived, __ATOMIC_SEQ_CST) < 3)
		raw_sleep_ns(MS);
	take_second_lock(&locks[(i + 1) % 3]);
	return NULL;
}

static NOINLINE void call_backend(int fd)
{
	connect(fd, (struct sockaddr *)&address, sizeof(address));
}

static void *connector(void *arg)
{
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	(void)arg;
	thread_name("connector");
	pthread_mutex_lock(&connection_lock);
	call_backend(fd);
	return NULL;
}

static void *wants_connection(void *arg)
{
	(void)arg;
	thread_name("client");
	take_second_lock(&connection_lock);
	return NULL;
}

static void *idler(void *arg)
{
	(void)arg;
	thread_name("idle");
	pthread_mutex_lock(&idle_lock);
	pthread_cond_wait(&idle, &idle_lock);
	return NULL;
}

static void *forker(void *arg)
{
	(void)arg;
	thread_name("forker");
	if (vfork() == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
		for (;;)
			raw_sleep_ns(SECOND);
	}
	return NULL;
}

/* A listener whose queue is full: the next connection is never answered. */
static void fill_listener(void)
{
	int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), i;
	socklen_t len = sizeof(address);

	address.sin_family = AF_INET;
	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (bind(listener, (struct sockaddr *)&address, sizeof(address)) < 0 ||
	    listen(listener, 1) < 0 || getsockname(listener, (struct sockaddr *)&address, &len) < 0)
		die("listen");
	for (i = 0; i < 4; i++) {
		int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

		connect(fd, (struct sockaddr *)&address, sizeof(address));
	}
}

int main(int argc, char **argv)
{
	uint64_t threads = option_number(argc, argv, "--threads", 200), i, now, last;
	uint64_t gap = 0, gap_at = 0;

	signal(SIGTERM, on_term);
	fill_listener();
	for (i = 0; i < 3; i++)
		thread_start(philosopher, (void *)(uintptr_t)i);
	thread_start(connector, NULL);
	raw_sleep_ns(100 * MS);
	thread_start(wants_connection, NULL);
	if (option_flag(argc, argv, "--vfork"))
		thread_start(forker, NULL);
	for (i = 6; i < threads; i++)
		thread_start(idler, NULL);
	raw_sleep_ns(300 * MS);
	printf("ready pid=%d port=%u ready_ns=%llu\n", getpid(), ntohs(address.sin_port),
	       (unsigned long long)wall_ns());
	fflush(stdout);
	/* Ahead of whatever else the machine does: what still holds it up stops the process itself. */
	sched_setscheduler(0, SCHED_FIFO, &(struct sched_param){.sched_priority = 1});
	for (last = wall_ns(); !ended; last = wall_ns()) {
		raw_sleep_ns(MS / 2);
		now = wall_ns();
		if (!ended && now - last > gap) {
			gap = now - last;
			gap_at = now;
		}
	}
	printf("gap_ns=%llu gap_at_ns=%llu\n", (unsigned long long)gap, (unsigned long long)gap_at);
	return 0;
}
