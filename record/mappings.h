/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The executable mappings of one process: sorted and disjoint, since the latest one wins. */
#ifndef REC_MAPPINGS_H
#define REC_MAPPINGS_H

#include <stddef.h>

#include "record/world.h"

/* Puts a mapping in, in place of what it overlaps; sets *index to its place. 0 or -ENOMEM. */
int rec_mappings_replace(struct rec_process *p, const struct rec_mapping *fresh, size_t *index);

#endif
