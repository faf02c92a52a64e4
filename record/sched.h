/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Scheduler statistics and off-CPU intervals: from what the programs in the kernel keep per thread to
 * the records THREAD_SUM, HIST, COUNT, BLOCK, BLOCK_SUM and OPEN_BLOCK.
 */
#ifndef REC_SCHED_H
#define REC_SCHED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ev_block;
struct ev_frames;
struct ev_hist;
struct ev_sum;
struct ev_sum_key;
struct ev_thread;
struct ev_thread_stat;
struct pa_writer;
struct rec_stacks;
struct rec_thread_sched;
struct rec_world;

/* Counters of COUNT records, by id in the trace; 0 = is not counted. */
struct rec_counter_ids {
	uint32_t hardware[8]; /* in the order of ev_thread_stat.counts */
	uint32_t minor_faults, major_faults, migrations;
};

struct rec_sched {
	struct rec_world *world;
	struct rec_stacks *stacks;
	struct pa_writer *writer;
	struct rec_counter_ids counters;
	bool offcpu; /* write the intervals */
	bool statistics; /* write the sums and distributions */
	uint64_t start_ns;
	uint64_t hist_lost; /* values missing in distributions since the last flush */
};

void rec_thread_sched_free(struct rec_thread_sched *ts);

/* All return 0 or -errno. */
int rec_sched_thread(struct rec_sched *s, const struct ev_thread *ev);
int rec_sched_block(struct rec_sched *s, const struct ev_block *ev);
int rec_sched_hist(struct rec_sched *s, const struct ev_hist *ev);
int rec_sched_sum(struct rec_sched *s, uint64_t now_ns, const struct ev_sum_key *key,
		  const struct ev_sum *sum);
int rec_sched_sleeper(struct rec_sched *s, const struct ev_frames *row);
/* A thread's totals. last: nothing comes after it, and what is still blocked is written as open. */
int rec_sched_stat(struct rec_sched *s, const struct ev_thread_stat *stat, bool last);
/* A block that lasts longer is announced before it ends. */
#define REC_SCHED_ANNOUNCE_NS 1000000000ull
/* A shorter one may be in a sum, without a record of its own: it is never announced. */
#define REC_SCHED_LONG_NS 10000000ull
/* Announces blocks that have lasted for so long; *sleepers is set when one of them has no stack yet. */
int rec_sched_announce(struct rec_sched *s, uint64_t now_ns, uint64_t lasting_ns, bool *sleepers);
/* Nothing is announced yet in the segment that begins now, and sleepers are to be walked again. */
void rec_sched_begin_segment(struct rec_sched *s);

#endif
