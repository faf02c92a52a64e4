/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Threads as a snapshot saw them. */
#ifndef RPT_TASKS_H
#define RPT_TASKS_H

#include <stdint.h>

#include "report/model/processes.h"

#define RPT_TASK_ARGS 6
#define RPT_TASK_MEMORY 64

struct rpt_task {
	uint32_t thread;
	struct rpt_moment when;
	uint32_t state; /* enum pa_block_state */
	uint64_t since_ns; /* off the CPU since then, 0 = not known */
	uint32_t ustack, kstack;
	uint32_t syscall; /* number + 1; 0 = none or not known */
	uint64_t args[RPT_TASK_ARGS];
	uint32_t target; /* string: what the descriptor of its first argument refers to; 0 = none */
	uint8_t memory[RPT_TASK_MEMORY]; /* as in TASK records */
	uint32_t memory_bytes;
	uint64_t user_ns, system_ns, voluntary, involuntary; /* over its whole life */
	uint32_t own_tid; /* in its own pid namespace */
};

#endif
