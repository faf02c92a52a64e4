/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One loaded trace: the machine, what was asked for, how it ended, and what is missing from it. */
#ifndef RPT_TRACE_H
#define RPT_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/pa-format.h"
#include "report/model/modules.h"
#include "report/model/sum.h"

/* What the kernel's own range is called. */
#define RPT_KERNEL_PATH "[kernel.kallsyms]"

/* Why a record was not taken: X(NAME, text). */
#define RPT_PROBLEMS(X)                                               \
	X(THREAD, "of a thread that is not defined")                  \
	X(PROCESS, "of a process that is not defined")                \
	X(MODULE, "of a module that is not defined")                  \
	X(COUNTER, "of a counter that is not defined")                \
	X(STACK, "with a stack that is not defined")                  \
	X(CYCLE, "with stacks that hang below themselves or nowhere") \
	X(DEPTH, "with stacks that are too deep")                     \
	X(TWICE, "that define an id again")                           \
	X(RANGE, "with an address range that makes no sense")         \
	X(DURATION, "with a duration that makes no sense")            \
	X(VALUE, "with a value that is not defined")                  \
	X(SUM, "whose sums have overflown")                           \
	X(MEMORY, "for which there is no room")                       \
	X(SESSION, "of the session, given again")

enum rpt_problem {
#define RPT_PROBLEM_ENUM_(name, text) RPT_PROBLEM_##name,
	RPT_PROBLEMS(RPT_PROBLEM_ENUM_)
#undef RPT_PROBLEM_ENUM_
		RPT_PROBLEM_KINDS_
};
const char *rpt_problem_text(enum rpt_problem problem);

struct rpt_pair {
	uint32_t key; /* strings */
	uint32_t value;
	uint32_t reason;
};
struct rpt_pairs {
	struct rpt_pair *items; /* owned */
	size_t count;
	size_t cap;
};

struct rpt_loss {
	uint32_t kind; /* enum pa_loss_kind */
	uint32_t detail; /* string */
	uint64_t count;
};

/* A counter of the session: the same name on the same PMU is one counter, in all traces. */
struct rpt_counter {
	uint32_t name; /* strings */
	uint32_t pmu;
	uint32_t error; /* errno that refused it, 0 = it counted */
	uint32_t reason; /* string */
	struct rpt_count *cpus; /* owned; readings of whole CPUs, by CPU */
	size_t cpu_count;
};

struct rpt_cpu {
	uint64_t samples;
	bool has_sum;
	uint64_t observed_ns;
	uint64_t idle_ns;
	uint64_t switches;
};

struct rpt_unwind_end {
	uint32_t module; /* index, 0 = in none */
	uint32_t end; /* enum pa_stack_end */
	uint64_t count;
};

struct rpt_trace {
	char *file; /* owned; as the user named it */
	bool has_session;
	/* From SESSION; texts are strings of the session. */
	uint32_t recorder, arch, clock, host, kernel, cpu_model, target, command, unwind;
	uint8_t kernel_build_id[PA_MAX_BUILD_ID_BYTES];
	uint32_t kernel_build_id_bytes;
	uint64_t start_ns, start_wall_ns; /* of what was read: of its first segment */
	uint32_t cpus;
	uint32_t modes; /* PA_MODE_* */
	uint64_t asked_ns;
	/* From SAMPLING. */
	bool has_sampling;
	uint32_t event, event_reason;
	uint64_t rate_hz, period;
	uint32_t *
		sampled_slots; /* owned; place of each counter in the model's sampled ones, plus 1 */
	size_t sampled_slot_count;
	struct rpt_pairs tags;
	struct rpt_pairs features;
	/* Where it was recorded in segments: which were read. */
	uint64_t session_start_ns, session_wall_ns; /* of the whole recording */
	uint32_t segment_count; /* 0 = it was not */
	uint32_t first_segment, last_segment;
	uint32_t segments_cut; /* but for the last one, without an end record */
	uint64_t gap_ns; /* between segments that were read */
	/* How it ended. */
	bool ended;
	uint64_t end_ns; /* END's, else the latest time that is covered */
	uint64_t covered_ns; /* of COVERED records */
	uint64_t last_ns; /* latest time of any record */
	uint32_t end_reason, end_detail;
	bool status_known;
	uint32_t status;
	uint64_t oom_kills; /* as in END: plus 1, 0 = not known */
	/* Of which only a part is reported. */
	bool is_cut;
	uint64_t from_ns, to_ns;
	/* What is missing. */
	struct rpt_loss *losses; /* owned */
	size_t loss_count, loss_cap;
	struct rpt_unwind_end *unwind_ends; /* owned */
	size_t unwind_count, unwind_cap;
	uint64_t problems[RPT_PROBLEM_KINDS_];
	struct pa_reader_stats reader;
	/* Per CPU. */
	struct rpt_cpu *cpu; /* owned */
	size_t cpu_count;
};

void rpt_trace_fini(struct rpt_trace *t);
void rpt_pairs_add(struct rpt_pairs *pairs, struct rpt_pair pair);
void rpt_trace_add_loss(struct rpt_trace *t, const struct rpt_loss *loss);
void rpt_trace_add_unwind_end(struct rpt_trace *t, const struct rpt_unwind_end *end);
/* The entry of a CPU, made when it is not there; NULL when the number is over PA_MAX_CPUS. */
struct rpt_cpu *rpt_trace_cpu(struct rpt_trace *t, uint32_t cpu);
/* Gives a module the build ID of the kernel that the trace was recorded on. */
void rpt_trace_name_kernel(const struct rpt_trace *t, struct rpt_module *kernel);
/* Length of what was recorded. */
uint64_t rpt_trace_duration(const struct rpt_trace *t);

#endif
