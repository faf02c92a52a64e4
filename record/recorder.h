/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One recording: everything that takes part in it. The phases are open (with privilege), start, run
 * (without), finish.
 */
#ifndef REC_RECORDER_H
#define REC_RECORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/pa-format.h"
#include "record/config.h"
#include "record/helpers.h"
#include "record/host.h"
#include "record/machine.h"
#include "record/oom.h"
#include "record/output.h"
#include "record/privilege.h"
#include "record/queue.h"
#include "record/sched.h"
#include "record/segments.h"
#include "record/sideband.h"
#include "record/stacks.h"
#include "record/target.h"

struct rec_kallsyms;
struct rec_programs;
struct rec_tables;

struct rec_cpu_sum {
	uint64_t time_ns, idle_ns, switches; /* as written */
};

struct recorder {
	const struct rec_config *config;
	struct rec_privilege privilege;
	struct rec_machine machine;
	struct rec_helpers helpers;
	struct rec_target target;
	struct rec_output output;
	struct rec_segments segments;
	struct pa_writer *writer;
	struct rec_kallsyms *kallsyms;
	struct rec_programs *programs;
	struct rec_sideband sideband;
	struct rec_queue queue;
	struct rec_world *world;
	struct rec_host host;
	struct rec_stacks stacks;
	struct rec_sched sched;
	struct rec_tables *tables; /* NULL: stacks are walked by frame pointers alone */

	int *cpus; /* on line at the start */
	size_t cpu_count;
	struct rec_cpu_sum *cpu_sums; /* by number of the CPU */
	int *samplers; /* one per CPU of cpus */
	bool cycles; /* sampling on cycles, not on the CPU clock */
	int no_cycles_error; /* why not */
	uint64_t sample_period;
	int counter_errors[8]; /* of rec_perf_counters: 0 = counting */
	int *counter_fds;
	size_t counter_fd_count;

	uint64_t start_ns, stop_ns;
	uint64_t exec_ns; /* when a process got a new image, lately */
	uint64_t start_wall_ns; /* start_ns on the wall's clock */
	uint64_t samples; /* written */
	uint64_t changed_ns; /* when a process or its mappings have changed last */
	uint64_t losses[PA_LOSS_KINDS_]; /* as written */
	struct rec_oom oom;
	struct pa_end end; /* its last record */
	const char *end_detail;
	int command_status;
	bool command_ended;
};

/* Everything that needs privilege. On failure one message has been printed. 0 or negative. */
int rec_recorder_open(struct recorder *r);
/* From here on events count; lists who is there. 0 or -errno. */
int rec_recorder_start(struct recorder *r);
/* Works until something ends the recording, which r->end says then. 0 or -errno (the writer's too). */
int rec_recorder_run(struct recorder *r);
/* Closes what is open in the trace and writes its end. 0 or -errno. */
int rec_recorder_finish(struct recorder *r);
void rec_recorder_close(struct recorder *r);

/* --- parts, in files of their own --- */

/* record/setup.c: opens the sampling events and the counters. */
int rec_setup_samplers(struct recorder *r);
int rec_setup_counters(struct recorder *r);
/* record/setup.c: the records at the head of the trace. */
int rec_setup_write_head(struct recorder *r);

/* record/drain.c: takes what has come up to now; cut_ns = UINT64_MAX takes everything. */
int rec_drain(struct recorder *r, uint64_t cut_ns);
/* record/drain.c: walks the stacks of threads that are off the CPU and whose stacks are not known. */
int rec_take_sleepers(struct recorder *r);
/* record/drain.c: the work of every second: sums, distributions, losses; then the block is written. */
int rec_flush(struct recorder *r, uint64_t now_ns);
/* record/drain.c: the last one. */
int rec_flush_last(struct recorder *r);

/* CLOCK_MONOTONIC. */
uint64_t rec_now_ns(void);

#endif
