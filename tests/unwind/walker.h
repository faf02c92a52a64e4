/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A stack walk in user space by the step that the kernel's programs use, over this process's modules. */
#ifndef TEST_UNWIND_WALKER_H
#define TEST_UNWIND_WALKER_H

#include <linux/types.h>
#include <stddef.h>
#include <stdint.h>
#include <ucontext.h>

#include "record/unwind/unwind.h"

#define WALKER_MODULES 16

struct walker_module {
	uint64_t bias; /* address in memory minus address in the file */
	uint64_t start, end; /* in memory, of all its segments */
	struct pa_buf table;
	struct rec_unwind_view view;
};

struct walker {
	struct walker_module modules[WALKER_MODULES];
	size_t count;
	uint64_t steps[8]; /* taken, by enum ev_unwind_kind */
};

/* Compiles the tables of all that is loaded now. 0, or a negative error. */
int walker_init(struct walker *w);
void walker_fini(struct walker *w);

/*
 * Walks from an interrupted context; frames[0] is where it was, the others are return addresses.
 * Async-signal-safe. The number of frames; *end says why there are no more (enum ev_unwind_result;
 * EV_UNWIND_STEPPED: max was reached).
 */
size_t walker_walk(struct walker *w, const ucontext_t *uc, uint64_t *frames, size_t max, int *end);

#endif
