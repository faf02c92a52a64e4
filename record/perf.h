/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf events: the sampling clock of each CPU, side-band rings, hardware counters. */
#ifndef REC_PERF_H
#define REC_PERF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct perf_event_attr;

/* perf_event_open(2) on a CPU for all processes, close-on-exec. A descriptor or -errno. */
int rec_perf_open(struct perf_event_attr *attr, int cpu);

/* The numbers of the CPUs that are on line, in a fresh array (owned by the caller). 0 or -errno. */
int rec_cpus_online(int **cpus, size_t *count);
/* One more than the greatest number that a CPU of this machine can get. */
unsigned rec_cpus_possible(void);

/* Whether this machine counts CPU cycles: 0, or the -errno that refused it. */
int rec_perf_probe_cycles(void);
/*
 * Opens the sampling event on a CPU, disabled, on cycles or on the CPU clock. A descriptor or -errno.
 * *period is set to the default period in units of the event: 0 for cycles, whose period varies.
 */
int rec_perf_open_sampler(int cpu, bool cycles, uint64_t rate_hz, uint64_t *period);
int rec_perf_enable(int fd);
int rec_perf_disable(int fd);
int rec_perf_attach_bpf(int fd, int program_fd);

/* Takes one complete record from a ring; time_ns is its sample time. Must copy what it keeps. */
typedef int rec_perf_record_fn(void *ctx, const void *record, size_t len);

/* A perf ring buffer that the kernel fills with side-band records. */
struct rec_perf_ring {
	int fd;
	void *base; /* mmap: control page, then data */
	size_t data_bytes;
};

/* Opens the side-band (mmap, comm, fork, exit of all processes on this CPU), disabled. 0 or -errno. */
int rec_perf_ring_open(struct rec_perf_ring *ring, int cpu, size_t pages, bool build_ids);
void rec_perf_ring_close(struct rec_perf_ring *ring);
/* Hands all records that are there to fn. 0, or what fn returned when negative. */
int rec_perf_ring_drain(struct rec_perf_ring *ring, rec_perf_record_fn *fn, void *ctx);

/* The hardware counters that --pmu asks for. */
struct rec_perf_counter {
	const char *name;
	uint32_t type;
	uint64_t config;
};
extern const struct rec_perf_counter rec_perf_counters[];
extern const size_t rec_perf_counter_count;
int rec_perf_open_counter(const struct rec_perf_counter *counter, int cpu);

#endif
