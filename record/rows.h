/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Unwind tables as the programs in the kernel have them: rows in chunks, and an index over the rows. */
#ifndef REC_ROWS_H
#define REC_ROWS_H

#include <stdint.h>

struct ev_unwind_module;
struct rec_programs;
struct rec_unwind_view;

/* Chunks that a table takes. */
uint32_t rec_rows_chunks(const struct rec_unwind_view *view);
/* Hands rows and index down, from module->first_chunk on, and says in module where they are. 0 or -errno. */
int rec_rows_put(struct rec_programs *programs, const struct rec_unwind_view *view,
		 struct ev_unwind_module *module);

#endif
