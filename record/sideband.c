// SPDX-License-Identifier: GPL-2.0-or-later
/* Side-band records; their layout is in linux/perf_event.h. */
#include "record/sideband.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "format/util/mem.h"
#include "record/queue.h"
#include "record/world.h"

#define RING_PAGES 64 /* per CPU; a power of two */

/* Bits of header.misc that older headers lack. */
#ifndef PERF_RECORD_MISC_MMAP_BUILD_ID
#define PERF_RECORD_MISC_MMAP_BUILD_ID (1 << 14)
#endif

/* Behind every record, by attr.sample_id_all with TID and TIME. */
struct trailer {
	uint32_t pid, tid;
	uint64_t time_ns;
};

struct mmap2_record {
	struct perf_event_header header;
	uint32_t pid, tid;
	uint64_t start, length_bytes, offset_bytes;
	union {
		struct {
			uint32_t major, minor;
			uint64_t inode, generation;
		} file;
		struct {
			uint8_t bytes;
			uint8_t reserved[3];
			uint8_t id[20];
		} build_id;
	};
	uint32_t prot, flags;
	char path[];
};

struct comm_record {
	struct perf_event_header header;
	uint32_t pid, tid;
	char comm[];
};

struct task_record {
	struct perf_event_header header;
	uint32_t pid, ppid;
	uint32_t tid, ptid;
	uint64_t time_ns;
};

struct lost_record {
	struct perf_event_header header;
	uint64_t id, lost;
};

static int open_rings(struct rec_sideband *s, const int *cpus, size_t count)
{
	size_t i;
	int err;

	s->rings = calloc(count, sizeof(*s->rings));
	if (!s->rings)
		return -ENOMEM;
	for (i = 0; i < count; i++) {
		err = rec_perf_ring_open(&s->rings[i], cpus[i], RING_PAGES, s->build_ids);
		if (err == -EINVAL && i == 0 && s->build_ids) {
			s->build_ids = false;
			err = rec_perf_ring_open(&s->rings[i], cpus[i], RING_PAGES, false);
		}
		if (err == -ENODEV) { /* the CPU has gone off line */
			continue;
		}
		if (err)
			return err;
		s->count = i + 1;
	}
	return 0;
}

int rec_sideband_open(struct rec_sideband *s)
{
	size_t count, i;
	int *cpus, err;

	*s = (struct rec_sideband){.build_ids = true};
	err = rec_cpus_online(&cpus, &count);
	if (err)
		return err;
	err = open_rings(s, cpus, count);
	free(cpus);
	for (i = 0; i < s->count && !err; i++)
		if (s->rings[i].base)
			err = rec_perf_enable(s->rings[i].fd);
	if (err)
		rec_sideband_close(s);
	return err;
}

void rec_sideband_close(struct rec_sideband *s)
{
	size_t i;

	for (i = 0; i < s->count; i++)
		if (s->rings[i].base)
			rec_perf_ring_close(&s->rings[i]);
	free(s->rings);
	s->rings = NULL;
	s->count = 0;
}

static int enqueue(void *ctx, const void *record, size_t len)
{
	struct trailer trailer;

	if (len < sizeof(struct perf_event_header) + sizeof(trailer))
		return 0;
	memcpy(&trailer, (const uint8_t *)record + len - sizeof(trailer), sizeof(trailer));
	return rec_queue_add(ctx, REC_QUEUE_PERF, trailer.time_ns, record, len);
}

int rec_sideband_drain(struct rec_sideband *s, struct rec_queue *queue)
{
	size_t i;
	int err = 0;

	for (i = 0; i < s->count && !err; i++)
		if (s->rings[i].base)
			err = rec_perf_ring_drain(&s->rings[i], enqueue, queue);
	return err;
}

/* Whether a text that ends the record, before the trailer, is terminated. */
static bool text_ok(const void *record, size_t len, size_t at)
{
	size_t end = len - sizeof(struct trailer);

	return at < end && memchr((const uint8_t *)record + at, 0, end - at);
}

static int apply_mmap(struct rec_world *world, const struct mmap2_record *r, size_t len,
		      uint64_t time_ns)
{
	struct rec_mmap_event event = {
		.time_ns = time_ns,
		.pid = r->pid,
		.start = r->start,
		.length_bytes = r->length_bytes,
		.offset_bytes = r->offset_bytes,
		.prot = r->prot,
		.path = r->path,
	};

	if (!text_ok(r, len, offsetof(struct mmap2_record, path)) ||
	    (r->header.misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_KERNEL)
		return 0;
	if (r->header.misc & PERF_RECORD_MISC_MMAP_BUILD_ID) {
		event.build_id = r->build_id.id;
		event.build_id_bytes = PA_MIN(r->build_id.bytes, sizeof(r->build_id.id));
	} else {
		event.device = (uint64_t)r->file.major << 32 | r->file.minor;
		event.inode = r->file.inode;
	}
	return rec_world_mmap(world, &event);
}

int rec_sideband_apply(struct rec_sideband *s, struct rec_world *world, const void *record,
		       size_t len)
{
	const struct perf_event_header *h = record;
	const struct comm_record *comm = record;
	const struct task_record *task = record;
	struct trailer trailer;

	memcpy(&trailer, (const uint8_t *)record + len - sizeof(trailer), sizeof(trailer));
	switch (h->type) {
	case PERF_RECORD_MMAP2:
		return len > sizeof(struct mmap2_record) + sizeof(trailer) ?
			       apply_mmap(world, record, len, trailer.time_ns) :
			       0;
	case PERF_RECORD_COMM:
		if (!text_ok(record, len, offsetof(struct comm_record, comm)))
			return 0;
		return rec_world_comm(world, comm->pid, comm->tid, comm->comm,
				      h->misc & PERF_RECORD_MISC_COMM_EXEC, trailer.time_ns);
	case PERF_RECORD_FORK:
		return rec_world_fork(world, task->pid, task->tid, task->ppid, task->ptid,
				      trailer.time_ns);
	case PERF_RECORD_EXIT:
		return rec_world_exit(world, task->tid, trailer.time_ns);
	case PERF_RECORD_LOST:
		s->lost += ((const struct lost_record *)record)->lost;
		return 0;
	case PERF_RECORD_THROTTLE:
		s->throttled++;
		return 0;
	default:
		return 0;
	}
}
