/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The distinct files that are mapped anywhere, and the special mappings. */
#ifndef REC_MODULES_H
#define REC_MODULES_H

#include <stddef.h>
#include <stdint.h>

#include "format/util/htab.h"
#include "record/world.h"

struct rec_modules {
	struct rec_module **items;
	size_t count, cap;
	struct pa_htab by_identity;
	uint32_t next_id;
};

void rec_modules_fini(struct rec_modules *m);
/* The module that an event maps, made known if it is new. 0 and *index, or -ENOMEM. */
int rec_modules_find(struct rec_modules *m, const struct rec_mmap_event *event, uint32_t *index);
struct rec_module *rec_modules_get(const struct rec_modules *m, uint32_t index);
/* Writes the MODULE record, once in each segment. */
int rec_module_write(struct rec_modules *m, struct rec_module *module, struct pa_writer *writer);

#endif
