/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the runtime of Go changes stacks, of which its unwind information does not tell. */
#ifndef REC_UNWIND_GO_H
#define REC_UNWIND_GO_H

#include "record/unwind/image.h"

/*
 * The address in [start, end), the code of one function, from which on it has left its caller's stack for
 * its thread's own: the frame is the outermost one there. UINT64_MAX = it does not.
 */
uint64_t rec_go_outermost(const struct rec_image *im, uint64_t start, uint64_t end);

#endif
