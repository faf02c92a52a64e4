/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What world.c and world_write.c share. */
#ifndef REC_WORLD_INTERNAL_H
#define REC_WORLD_INTERNAL_H

#include "record/modules.h"
#include "record/pool.h"
#include "record/world.h"

struct rec_world {
	struct pa_writer *writer;
	const struct rec_world_ops *ops;
	void *ctx;
	struct rec_pool processes, threads;
	struct pa_htab by_pid, by_tid, by_slot;
	struct rec_modules modules;
	uint32_t next_process_id, next_thread_id;
	size_t living;
	uint32_t expected_pid; /* recorded from its next exec on; 0 = none */
};

static inline struct rec_process *process_at(const struct rec_world *w, uint32_t i)
{
	return w->processes.items[i];
}

static inline struct rec_thread *thread_at(const struct rec_world *w, uint32_t i)
{
	return w->threads.items[i];
}

/* Writes that a process of the trace has a new image, or a thread a new name. 0 or -errno. */
int rec_world_write_exec(struct rec_world *w, struct rec_process *p, uint64_t time_ns);
int rec_world_write_comm(struct rec_world *w, struct rec_thread *t, uint64_t time_ns);
/* Writes a mapping of a process of the trace, and its module where that was not done yet. 0 or -errno. */
int rec_world_write_mapping(struct rec_world *w, struct rec_process *p, struct rec_mapping *m);

#endif
