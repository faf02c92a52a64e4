/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Code that no unwind information covers: filling between functions, and the few instructions by which
 * signal handlers return, which some C libraries and kernels leave without.
 */
#ifndef REC_UNWIND_GAP_H
#define REC_UNWIND_GAP_H

#include <stdbool.h>
#include <stdint.h>

#include "record/unwind/builder.h"

/*
 * Adds rows for the addresses from..to. Filling gets none, so the row before it goes on there: nobody
 * executes it. 0, PA_E_LIMIT or -ENOMEM.
 */
int rec_gap_fill(struct rec_builder *b, const struct rec_image *im, uint64_t from, uint64_t to);

/* True when the code at an address is a return from a signal handler. */
bool rec_gap_is_trampoline(const struct rec_image *im, uint64_t addr);

/*
 * Adds the row of the return from a signal handler at addr, from one byte before it (a return address is
 * looked up there) but not below min, and returns where its code ends in *end. Errors as above.
 */
int rec_gap_add_trampoline(struct rec_builder *b, const struct rec_image *im, uint64_t addr,
			   uint64_t min, uint64_t *end);

#endif
