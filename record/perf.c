// SPDX-License-Identifier: GPL-2.0-or-later
/* perf events by the system call itself. */
#include "record/perf.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "format/util/mem.h"

const struct rec_perf_counter rec_perf_counters[] = {
	{"cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES},
	{"instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS},
	{"cache-references", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_REFERENCES},
	{"cache-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES},
	{"branches", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS},
	{"branch-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES},
};
const size_t rec_perf_counter_count = PA_ARRAY_LEN(rec_perf_counters);

int rec_perf_open(struct perf_event_attr *attr, int cpu)
{
	long fd;

	attr->size = sizeof(*attr);
	fd = syscall(SYS_perf_event_open, attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);
	return fd < 0 ? -errno : (int)fd;
}

int rec_cpus_online(int **cpus, size_t *count)
{
	char line[4096];
	size_t cap = 0;
	FILE *f;
	char *p, *end;
	int err = 0;

	*cpus = NULL;
	*count = 0;
	f = fopen("/sys/devices/system/cpu/online", "re");
	if (!f)
		return -errno;
	p = fgets(line, sizeof(line), f);
	fclose(f);
	/* A list of ranges: 0-3,8,10-11 */
	while (p && *p >= '0' && *p <= '9') {
		long first = strtol(p, &end, 10), last = first, cpu;

		if (*end == '-')
			last = strtol(end + 1, &end, 10);
		for (cpu = first; cpu <= last && !err; cpu++) {
			err = pa_grow(cpus, &cap, *count + 1, sizeof(**cpus));
			if (!err)
				(*cpus)[(*count)++] = (int)cpu;
		}
		p = *end == ',' ? end + 1 : NULL;
	}
	if (!err && *count == 0)
		err = -ENODATA;
	if (err) {
		free(*cpus);
		*cpus = NULL;
	}
	return err;
}

unsigned rec_cpus_possible(void)
{
	long n = sysconf(_SC_NPROCESSORS_CONF);

	return n > 0 ? (unsigned)n : 1;
}

static void clock_attr(struct perf_event_attr *attr)
{
	attr->use_clockid = 1;
	attr->clockid = CLOCK_MONOTONIC;
}

int rec_perf_probe_cycles(void)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_HARDWARE,
		.config = PERF_COUNT_HW_CPU_CYCLES,
		.disabled = 1,
		.sample_freq = 99,
		.freq = 1,
	};
	int *cpus, fd;
	size_t count;

	fd = rec_cpus_online(&cpus, &count);
	if (fd < 0)
		return fd;
	/* The analyser does not know that errno is positive. */
	fd = rec_perf_open(&attr, cpus[0]); /* NOLINT(clang-analyzer-core.NullDereference) */
	free(cpus);
	if (fd < 0)
		return fd;
	close(fd);
	return 0;
}

int rec_perf_open_sampler(int cpu, bool cycles, uint64_t rate_hz, uint64_t *period)
{
	struct perf_event_attr attr = {.disabled = 1};

	clock_attr(&attr);
	if (cycles) {
		attr.type = PERF_TYPE_HARDWARE;
		attr.config = PERF_COUNT_HW_CPU_CYCLES;
		attr.freq = 1;
		attr.sample_freq = rate_hz;
		*period = 0;
	} else {
		/* A fixed period keeps the rate exact: frequency mode would adjust it to what it sees. */
		attr.type = PERF_TYPE_SOFTWARE;
		attr.config = PERF_COUNT_SW_CPU_CLOCK;
		attr.sample_period = 1000000000ull / rate_hz;
		*period = attr.sample_period;
	}
	return rec_perf_open(&attr, cpu);
}

int rec_perf_enable(int fd)
{
	return ioctl(fd, PERF_EVENT_IOC_ENABLE, 0) < 0 ? -errno : 0;
}

int rec_perf_disable(int fd)
{
	return ioctl(fd, PERF_EVENT_IOC_DISABLE, 0) < 0 ? -errno : 0;
}

int rec_perf_attach_bpf(int fd, int program_fd)
{
	return ioctl(fd, PERF_EVENT_IOC_SET_BPF, program_fd) < 0 ? -errno : 0;
}

int rec_perf_open_counter(const struct rec_perf_counter *counter, int cpu)
{
	struct perf_event_attr attr = {.type = counter->type, .config = counter->config};

	return rec_perf_open(&attr, cpu);
}

int rec_perf_ring_open(struct rec_perf_ring *ring, int cpu, size_t pages, bool build_ids)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE), bytes = page * (pages + 1);
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_DUMMY,
		.disabled = 1,
		.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME,
		.sample_id_all = 1,
		.mmap = 1,
		.mmap2 = 1,
		.comm = 1,
		.comm_exec = 1,
		.task = 1,
		.build_id = build_ids,
		.watermark = 1,
		.wakeup_watermark = (uint32_t)(page * pages / 2),
	};
	int fd;

	*ring = (struct rec_perf_ring){.fd = -1};
	clock_attr(&attr);
	fd = rec_perf_open(&attr, cpu);
	if (fd < 0)
		return fd;
	ring->base = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (ring->base == MAP_FAILED) {
		int err = -errno;

		close(fd);
		ring->base = NULL;
		return err;
	}
	ring->fd = fd;
	ring->data_bytes = page * pages;
	return 0;
}

void rec_perf_ring_close(struct rec_perf_ring *ring)
{
	if (ring->base)
		munmap(ring->base, ring->data_bytes + (size_t)sysconf(_SC_PAGESIZE));
	if (ring->fd >= 0)
		close(ring->fd);
	*ring = (struct rec_perf_ring){.fd = -1};
}

int rec_perf_ring_drain(struct rec_perf_ring *ring, rec_perf_record_fn *fn, void *ctx)
{
	struct perf_event_mmap_page *control = ring->base;
	const uint8_t *data = (uint8_t *)ring->base + (size_t)sysconf(_SC_PAGESIZE);
	uint64_t head = __atomic_load_n(&control->data_head, __ATOMIC_ACQUIRE);
	uint64_t tail = control->data_tail;
	/* The largest record: a 16-bit size. Aligned as the records are. */
	static uint64_t joined[UINT16_MAX / sizeof(uint64_t) + 1];
	int err = 0;

	while (tail < head && err >= 0) {
		size_t at = tail % ring->data_bytes, left = ring->data_bytes - at;
		const struct perf_event_header *h = (const void *)(data + at);
		size_t len = h->size;

		if (len < sizeof(*h))
			return -EIO;
		if (len > left) {
			memcpy(joined, data + at, left);
			memcpy((uint8_t *)joined + left, data, len - left);
			err = fn(ctx, joined, len);
		} else {
			err = fn(ctx, h, len);
		}
		tail += len;
	}
	__atomic_store_n(&control->data_tail, tail, __ATOMIC_RELEASE);
	return err < 0 ? err : 0;
}
