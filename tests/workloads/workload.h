/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the workloads share: options, clocks, burning CPU time, threads, and saying what was done.
 * Every workload measures itself and prints lines of key=value pairs when it is done; the tests compare
 * a recording with these, never with what the workload was asked for.
 */
#ifndef WORKLOADS_WORKLOAD_H
#define WORKLOADS_WORKLOAD_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

#include "raw.h"

#define MS 1000000ull
#define SECOND 1000000000ull

/* The argument after the option of this name, or NULL. */
static inline const char *option_text(int argc, char **argv, const char *name)
{
	int i;

	for (i = 1; i + 1 < argc; i++)
		if (strcmp(argv[i], name) == 0)
			return argv[i + 1];
	return NULL;
}

static inline uint64_t option_number(int argc, char **argv, const char *name, uint64_t otherwise)
{
	const char *text = option_text(argc, argv, name);

	return text ? strtoull(text, NULL, 0) : otherwise;
}

static inline bool option_flag(int argc, char **argv, const char *name)
{
	int i;

	for (i = 1; i < argc; i++)
		if (strcmp(argv[i], name) == 0)
			return true;
	return false;
}

RAW_INLINE uint64_t wall_ns(void)
{
	return raw_clock_ns(CLOCK_MONOTONIC);
}

RAW_INLINE uint64_t cpu_ns(void)
{
	return raw_clock_ns(CLOCK_THREAD_CPUTIME_ID);
}

/* A few microseconds of arithmetic. */
RAW_INLINE void work_a_little(void)
{
	uint64_t i;

	HAVE_FRAME();
	for (i = 0; i < 5000; i++)
		__asm__ volatile("" : : "r"(i) : "memory");
}

/* Works until the thread has used this much CPU time; what it used in fact. */
RAW_INLINE uint64_t burn_cpu_ns(uint64_t ns)
{
	uint64_t begin = cpu_ns(), now;

	do {
		work_a_little();
		now = cpu_ns();
	} while (now - begin < ns);
	return now - begin;
}

static inline void die(const char *what)
{
	perror(what);
	exit(1);
}

static inline pthread_t thread_start(void *(*run)(void *), void *arg)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, run, arg) != 0)
		die("pthread_create");
	return thread;
}

static inline void thread_name(const char *name)
{
	prctl(PR_SET_NAME, name, 0, 0, 0);
}

#endif
