/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From the records of a trace to the model. One handler a record type, in the table of load.c; the
 * handlers live in load_tables.c (processes, mappings, stacks), load_events.c (samples, blocks),
 * load_sums.c (scheduler, counters), load_host.c (the session, the kernel, losses) and load_names.c (what a
 * packed trace brings along). A record that makes no sense is counted with its
 * reason and left out.
 */
#ifndef RPT_LOAD_H
#define RPT_LOAD_H

#include "report/model/idmap.h"
#include "report/model/model.h"

struct rpt_load;
struct rpt_unwinder;

/* A loader of any number of traces into the model. Free with rpt_load_free(), which ends the last trace:
 * the model is complete only then. */
struct rpt_load *rpt_load_new(struct rpt_model *m);
void rpt_load_free(struct rpt_load *l);
/* Copied stacks are walked by this from now on; without one they end where the recorder's walk did. */
void rpt_load_set_unwinder(struct rpt_load *l, struct rpt_unwinder *unwinder);
/*
 * Reads all that the reader gives, from what the user calls file: a trace of its own, or, where it says
 * so, a later segment of the one that was read before. 0, or what pa_reader_next() failed with; what came
 * before stays in the model.
 */
int rpt_load_trace(struct rpt_load *l, struct pa_reader *r, const char *file);
/* Hands each record, as it was read, to tap() when it has been taken; when that fails, reading ends. */
typedef int rpt_load_tap_fn(void *ctx, struct pa_reader *r, const struct pa_record *record);
void rpt_load_set_tap(struct rpt_load *l, rpt_load_tap_fn *tap, void *ctx);
/* The same by hand: begins a trace, whose strings r gives, and takes one record. */
void rpt_load_begin(struct rpt_load *l, struct pa_reader *r, const char *file);
void rpt_load_record(struct rpt_load *l, const struct pa_record *record);

/* --- between the handlers --- */

/* A duration, or a time, above this is no measurement. */
#define RPT_LOAD_MAX_NS (1ull << 62)

/* A sample or interval that waits until everything that happened before it has been read. */
struct rpt_event {
	struct rpt_moment when;
	struct rpt_site site; /* images and comm are filled in when it is applied */
	uint64_t end_ns; /* of a block */
	bool is_block;
	uint32_t cpu;
	uint32_t point_flags; /* RPT_POINT_* */
	uint64_t point_ns; /* time of the point, if it is not when */
	uint64_t count, weight, max_ns, open_count, thinned_count, thinned_ns;
	uint64_t *counters; /* owned; RPT_MAX_SAMPLED of them, or NULL */
};

struct rpt_open_block {
	struct rpt_moment start;
	struct rpt_site site;
	bool closed; /* a BLOCK record has replaced it */
};

struct rpt_load {
	struct rpt_model *m;
	struct rpt_unwinder *unwinder; /* or NULL */
	rpt_load_tap_fn *tap; /* or NULL */
	void *tap_ctx;
	struct pa_reader *r;
	bool begun; /* a trace is being read, or may go on in a further segment */
	bool continued; /* this is a further segment: it repeats tables that are known */
	size_t trace; /* index in the model */
	uint64_t
		run_start_ns; /* of the segments that follow each other without a gap; 0 = there are none */
	/* From ids of the trace to the session's. */
	struct rpt_idmap stacks, modules, processes, threads, counters, functions;
	struct rpt_event *pending; /* owned */
	size_t pending_count, pending_cap;
	struct rpt_open_block *open; /* owned */
	size_t open_count, open_cap;
	struct pa_htab open_index;
};

typedef void rpt_load_fn(struct rpt_load *l, const struct pa_record *record);

static inline struct rpt_trace *rpt_load_trace_get(struct rpt_load *l)
{
	return &l->m->traces[l->trace];
}

/* Counts a record that cannot be taken. */
void rpt_load_problem(struct rpt_load *l, enum rpt_problem problem);
/* Whether a record that comes first goes on with the trace that was read before, in another segment. */
bool rpt_load_continues(const struct rpt_load *l, struct pa_reader *r,
			const struct pa_record *first);
/* Prepares for a further segment; first is its SESSION record. */
void rpt_load_continue(struct rpt_load *l, const struct pa_session *first);
/* Settles where recording ended: what a trace without END has covered is what is known for sure. */
void rpt_load_find_end(struct rpt_trace *t);
/* Notes what a reader has read, with what those of earlier segments did. */
void rpt_load_add_stats(struct rpt_trace *t, const struct pa_reader *r);

/* A trace's string as a string of the session. */
uint32_t rpt_load_string(struct rpt_load *l, uint32_t id);
/* Notes that something happened at time_ns, and gives its moment. */
struct rpt_moment rpt_load_moment(struct rpt_load *l, uint64_t time_ns);
/* Indexes of ids, 0 after counting the problem when they are not defined. */
uint32_t rpt_load_process(struct rpt_load *l, uint32_t id);
uint32_t rpt_load_thread(struct rpt_load *l, uint64_t id);
uint32_t rpt_load_module(struct rpt_load *l, uint32_t id);
/* The session's stack for a trace's; a stack that is not defined is a lost one. */
uint32_t rpt_load_stack(struct rpt_load *l, uint64_t id);
/* Applies the events that wait and happened by time_ns. */
void rpt_load_settle(struct rpt_load *l, uint64_t time_ns);
/* Closes the intervals that are still open at the end of the trace. */
void rpt_load_close_open(struct rpt_load *l);

#define RPT_LOAD_HANDLERS(X)            \
	X(STACK, stack)                 \
	X(MODULE, module)               \
	X(PROCESS, process)             \
	X(THREAD, thread)               \
	X(COMM, comm)                   \
	X(EXEC, exec)                   \
	X(EXIT, exit)                   \
	X(MAPPING, mapping)             \
	X(UNMAP, unmap)                 \
	X(SAMPLE, sample)               \
	X(BLOCK, block)                 \
	X(BLOCK_SUM, block_sum)         \
	X(OPEN_BLOCK, open_block)       \
	X(THREAD_SUM, thread_sum)       \
	X(HIST, hist)                   \
	X(CPU_SUM, cpu_sum)             \
	X(COUNTER, counter)             \
	X(COUNT, count)                 \
	X(KERNEL_RANGE, kernel_range)   \
	X(KERNEL_SYMBOL, kernel_symbol) \
	X(FILE_IMAGE, file_image)       \
	X(JIT_SYMBOL, jit_symbol)       \
	X(LOSS, loss)                   \
	X(SESSION, session)             \
	X(SAMPLING, sampling)           \
	X(TAG, tag)                     \
	X(FEATURE, feature)             \
	X(COVERED, covered)             \
	X(END, end)                     \
	X(UNWIND_SUM, unwind_sum)       \
	X(STACK_COPY, stack_copy)       \
	X(FUNCTION, function)           \
	X(LOCATION, location)           \
	X(NAMES, names)                 \
	X(TASK, task)

#define RPT_LOAD_DECLARE_(NAME, name) rpt_load_fn rpt_load_##name##_record;
RPT_LOAD_HANDLERS(RPT_LOAD_DECLARE_)
#undef RPT_LOAD_DECLARE_

#endif
