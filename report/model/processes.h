/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Processes and threads, their names over time, and the images of a process: what its addresses meant
 * from a moment on. A new image begins with an exec, and when something else is mapped where samples
 * have already been taken; so every sample finds the image of its own time.
 */
#ifndef RPT_PROCESSES_H
#define RPT_PROCESSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/hist.h"
#include "format/pa-format.h"
#include "report/model/mappings.h"
#include "report/model/sum.h"

/* When something happened: by time, and for equal times by the order in the trace. */
struct rpt_moment {
	uint64_t time_ns;
	uint64_t sequence;
};

struct rpt_image {
	uint32_t process;
	uint32_t previous; /* image before this one, 0 = none */
	uint32_t following;
	struct rpt_moment start; /* zero for the first image: what came before it is unknown */
	bool by_exec; /* nothing of the image before is left */
	bool used; /* something was recorded against it */
	struct rpt_maps *code; /* executable mappings */
	struct rpt_maps *data; /* all others: looked at where code has nothing */
	struct rpt_maps *jit; /* symbols of JITs; .module is the name's string */
};

struct rpt_process {
	uint32_t pid;
	uint32_t trace; /* index in the session's traces */
	uint32_t parent; /* process it was forked from, 0 = not known */
	uint32_t origin; /* enum pa_origin */
	uint64_t start_ns;
	uint64_t end_ns; /* 0 = it lived when recording ended */
	uint32_t comm; /* string; what PROCESS and EXEC say, see rpt_process_name() */
	uint32_t exe;
	uint32_t cmdline;
	uint32_t cgroup;
	uint32_t main_thread; /* thread with tid == pid, 0 = not seen */
	uint32_t last_image; /* the newest; 0 = none yet */
	bool has_mappings; /* it ever had any: not a kernel thread */
	bool status_known;
	uint32_t status; /* as wait(2) gives it */
};

/* Totals of THREAD_SUM records: X(name). */
#define RPT_SCHED_FIELDS(X) \
	X(observed_ns)      \
	X(on_cpu_ns)        \
	X(runq_ns)          \
	X(sleep_ns)         \
	X(disk_ns)          \
	X(other_ns)         \
	X(slices)           \
	X(voluntary)        \
	X(preempted)        \
	X(yielded)          \
	X(wakeups)          \
	X(runq_waits)       \
	X(blocks)           \
	X(migrations)       \
	X(iowait_ns)        \
	X(discarded)

struct rpt_sched_sum {
#define RPT_SCHED_MEMBER_(name) uint64_t name;
	RPT_SCHED_FIELDS(RPT_SCHED_MEMBER_)
#undef RPT_SCHED_MEMBER_
};

struct rpt_name {
	struct rpt_moment since;
	uint32_t name; /* string */
};

/* What was counted of a thread: of most threads of a large host, nothing. */
struct rpt_thread_stats {
	bool has_sum; /* sum holds something */
	struct rpt_sched_sum sum;
	struct pa_histogram hist[PA_HIST_KINDS_];
	struct rpt_count *counts; /* owned; by counter index, count_count of them */
	size_t count_count;
};

struct rpt_thread {
	uint32_t process;
	uint32_t tid;
	uint32_t origin; /* enum pa_origin */
	uint64_t start_ns;
	uint64_t end_ns; /* 0 = it lived when recording ended */
	struct rpt_name *names; /* owned, in order of time */
	size_t name_count;
	size_t name_cap;
	struct rpt_thread_stats *stats; /* owned; NULL = nothing: read by rpt_thread_stats() */
};

struct rpt_processes {
	struct rpt_process *processes; /* owned; [0] is none, as in the other two */
	size_t process_count, process_cap;
	struct rpt_thread *threads;
	size_t thread_count, thread_cap;
	struct rpt_image *images;
	size_t image_count, image_cap;
};

void rpt_processes_init(struct rpt_processes *p);
void rpt_processes_fini(struct rpt_processes *p);

/* Adds a process as described; it inherits the mappings that its parent had at since. */
uint32_t rpt_process_add(struct rpt_processes *p, const struct rpt_process *process,
			 struct rpt_moment since);
uint32_t rpt_thread_add(struct rpt_processes *p, const struct rpt_thread *thread);
/* The thread's statistics to be read, to be added to, and forgotten. */
const struct rpt_thread_stats *rpt_thread_stats(const struct rpt_thread *thread);
struct rpt_thread_stats *rpt_thread_stats_make(struct rpt_thread *thread);
void rpt_thread_stats_drop(struct rpt_thread *thread);
/* Gives a thread a name from since on. */
void rpt_thread_rename(struct rpt_processes *p, uint32_t thread, uint32_t name,
		       struct rpt_moment since);

/* The process replaces its image. */
void rpt_process_exec(struct rpt_processes *p, uint32_t process, struct rpt_moment when);
void rpt_process_map(struct rpt_processes *p, uint32_t process, const struct rpt_mapping *mapping,
		     bool executable, struct rpt_moment when);
void rpt_process_unmap(struct rpt_processes *p, uint32_t process, uint64_t start, uint64_t end,
		       struct rpt_moment when);
/* A JIT names [symbol->start, symbol->end); when->time_ns 0 = for all of the process's life. */
void rpt_process_jit(struct rpt_processes *p, uint32_t process, const struct rpt_mapping *symbol,
		     struct rpt_moment when);

/* The image that a process had at a moment, 0 when it has none. */
uint32_t rpt_image_at(const struct rpt_processes *p, uint32_t process, struct rpt_moment when);
/* Notes that something at or after when is going to be looked up in the process's newest image. */
void rpt_process_use(struct rpt_processes *p, uint32_t process);
const struct rpt_mapping *rpt_image_find(const struct rpt_processes *p, uint32_t image,
					 uint64_t address);
/* The JIT's name (string) for an address, 0 when it has none. */
uint32_t rpt_image_find_jit(const struct rpt_processes *p, uint32_t image, uint64_t address);

/* String of the name: of a process its main thread's latest, of a thread the one it had at when. */
uint32_t rpt_process_name(const struct rpt_processes *p, uint32_t process);
uint32_t rpt_thread_name_at(const struct rpt_processes *p, uint32_t thread, struct rpt_moment when);
uint32_t rpt_thread_name(const struct rpt_processes *p, uint32_t thread);
/* A thread of the kernel's own: it has no memory that anything was ever mapped to. */
bool rpt_process_is_kernel(const struct rpt_process *process);

/* True when a sum has reached UINT64_MAX. */
bool rpt_sched_sum_add(struct rpt_sched_sum *into, const struct rpt_sched_sum *from);

#endif
