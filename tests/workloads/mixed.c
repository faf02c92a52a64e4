// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A small service with a bit of everything, in named threads: one computes, three contend for a lock,
 * one sleeps and polls, one writes to the disk. For --seconds; the file of the writer is --file.
 */
#include <fcntl.h>
#include <unistd.h>

#include "workload.h"

#define RECORD_BYTES 16384

static uint64_t end_ns;
static const char *file_path;
static pthread_mutex_t table_lock = PTHREAD_MUTEX_INITIALIZER;

static bool is_running(void)
{
	return wall_ns() < end_ns;
}

static NOINLINE uint64_t hash_block(uint64_t hash)
{
	uint64_t i;

	HAVE_FRAME();
	for (i = 0; i < 400000; i++)
		hash = (hash ^ (i & 0xff)) * 0x100000001b3ull;
	return hash;
}

static NOINLINE void compress_block(void)
{
	burn_cpu_ns(2 * MS);
}

static void *compute(void *arg)
{
	volatile uint64_t hash = 0xcbf29ce484222325ull;

	thread_name("compute");
	while (is_running()) {
		hash = hash_block(hash);
		compress_block();
	}
	return arg;
}

static NOINLINE void update_table(void)
{
	burn_cpu_ns(MS);
}

static void *serve(void *arg)
{
	thread_name("server");
	while (is_running()) {
		pthread_mutex_lock(&table_lock);
		update_table();
		pthread_mutex_unlock(&table_lock);
		raw_sleep_ns(MS / 2);
	}
	return arg;
}

static NOINLINE void wait_for_tick(void)
{
	raw_sleep_ns(5 * MS);
}

static void *poll_often(void *arg)
{
	thread_name("poller");
	while (is_running())
		wait_for_tick();
	return arg;
}

static NOINLINE void append_record(int fd)
{
	static const char record[RECORD_BYTES];

	if (raw_write(fd, record, sizeof(record)) != sizeof(record))
		die("write");
	raw_syscall4(SYS_fdatasync, fd, 0, 0, 0);
}

static void *log_records(void *arg)
{
	int fd = open(file_path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	thread_name("logger");
	if (fd < 0)
		die(file_path);
	while (is_running()) {
		append_record(fd);
		raw_sleep_ns(10 * MS);
	}
	close(fd);
	unlink(file_path);
	return arg;
}

int main(int argc, char **argv)
{
	static void *(*const threads[])(void *) = {compute, serve,      serve,
						   serve,   poll_often, log_records};
	pthread_t started[sizeof(threads) / sizeof(threads[0])];
	size_t i;

	file_path = option_text(argc, argv, "--file");
	if (!file_path)
		file_path = "mixed.data";
	end_ns = wall_ns() + option_number(argc, argv, "--seconds", 5) * SECOND;
	for (i = 0; i < sizeof(threads) / sizeof(threads[0]); i++)
		started[i] = thread_start(threads[i], NULL);
	for (i = 0; i < sizeof(threads) / sizeof(threads[0]); i++)
		pthread_join(started[i], NULL);
	printf("threads=%zu\n", sizeof(threads) / sizeof(threads[0]));
	return 0;
}
