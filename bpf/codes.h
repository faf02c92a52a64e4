/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The few numbers of the trace format that our programs hand through. bpf/ includes nothing of ours, so
 * they are written again here; record/src_codes.c asserts that they are those of format/pa-format.h.
 */
#ifndef EV_CODES_H
#define EV_CODES_H

#define EV_CODES(X)                 \
	X(PA_STACK_NONE, 0)         \
	X(PA_STACK_COMPLETE, 1)     \
	X(PA_STACK_FP_END, 2)       \
	X(PA_STACK_TRUNCATED, 3)    \
	X(PA_STACK_FP_LOST, 4)      \
	X(PA_STACK_NO_TABLE, 5)     \
	X(PA_STACK_NO_RULE, 6)      \
	X(PA_STACK_BAD_MEMORY, 7)   \
	X(PA_STACK_NOT_TAKEN, 8)    \
	X(PA_STACK_LOST, 9)         \
	X(PA_STACK_KERNEL, 10)      \
	X(PA_STACK_UNKNOWN_END, 11) \
	X(PA_STATE_SLEEP, 0)        \
	X(PA_STATE_DISK, 1)         \
	X(PA_STATE_STOPPED, 2)      \
	X(PA_STATE_TRACED, 3)       \
	X(PA_STATE_PARKED, 4)       \
	X(PA_STATE_DEAD, 5)         \
	X(PA_STATE_FROZEN, 6)       \
	X(PA_STATE_RUNNABLE, 7)     \
	X(PA_STATE_RUNNING, 8)      \
	X(PA_HIST_SLICE, 0)         \
	X(PA_HIST_RUNQ, 1)          \
	X(PA_HIST_BLOCK, 2)         \
	X(PA_LOSS_SAMPLES, 0)       \
	X(PA_LOSS_BLOCKS, 1)        \
	X(PA_LOSS_STACKS, 2)        \
	X(PA_LOSS_SIDEBAND, 3)      \
	X(PA_LOSS_THREADS, 5)       \
	X(PA_LOSS_COPIES, 13)       \
	X(PA_BLOCK_BEGAN_BEFORE, 2) \
	X(PA_BLOCK_IOWAIT, 4)

#ifdef __bpf__
#define EV_CODE_ENUM_(name, value) name = value,
enum ev_code { EV_CODES(EV_CODE_ENUM_) };
#endif

#endif
