// SPDX-License-Identifier: GPL-2.0-or-later
/* Unwind tables on their way into the kernel. */
#include "record/rows.h"

#include <linux/types.h>
#include <string.h>

#include "bpf/events.h"
#include "format/util/mem.h"
#include "record/programs.h"
#include "record/unwind/unwind.h"

/* Shorter tables are searched whole: an index would take a chunk of its own. */
#define MIN_INDEXED_ROWS 1024
#define ROWS_PER_ENTRY 8 /* about so many are left to be searched */
#define MIN_SHIFT 4

struct index {
	uint32_t shift; /* an entry stands for 1 << shift bytes of code */
	uint32_t count; /* entries; 0 = there is no index */
};

static struct index index_of(const struct rec_unwind_view *view)
{
	uint32_t rows = view->head->rows, last;
	struct index x = {.shift = MIN_SHIFT};

	if (rows < MIN_INDEXED_ROWS)
		return x;
	last = view->keys[rows - 1];
	while (last >> x.shift > rows / ROWS_PER_ENTRY)
		x.shift++;
	x.count = (last >> x.shift) + 2;
	return x;
}

static uint32_t chunks_for(uint32_t count, uint32_t per_chunk)
{
	return (count + per_chunk - 1) / per_chunk;
}

uint32_t rec_rows_chunks(const struct rec_unwind_view *view)
{
	return chunks_for(view->head->rows, EV_CHUNK_ROWS) +
	       chunks_for(index_of(view).count, EV_CHUNK_INDEX);
}

static int put_rows(struct rec_programs *programs, const struct rec_unwind_view *view,
		    uint32_t chunk_index)
{
	static struct ev_unwind_chunk chunk;
	uint32_t rows = view->head->rows, at, n;
	int err = 0;

	for (at = 0; at < rows && !err; at += n, chunk_index++) {
		n = PA_MIN(rows - at, (uint32_t)EV_CHUNK_ROWS);
		memset(&chunk, 0xff, sizeof(chunk));
		memcpy(chunk.keys, view->keys + at, n * sizeof(chunk.keys[0]));
		memcpy(chunk.rules, view->rules + at, n * sizeof(chunk.rules[0]));
		err = rec_programs_set_chunk(programs, chunk_index, &chunk);
	}
	return err;
}

/* Entry i is the row that the first of its bytes belongs to; behind the last one stands the last row. */
static int put_index(struct rec_programs *programs, const struct rec_unwind_view *view,
		     struct index x, uint32_t chunk_index)
{
	static struct ev_unwind_chunk chunk;
	uint32_t rows = view->head->rows, row = 0, i;
	int err = 0;

	for (i = 0; i < x.count && !err; i++) {
		while (row + 1 < rows && view->keys[row + 1] <= (uint64_t)i << x.shift)
			row++;
		chunk.index[i % EV_CHUNK_INDEX] = row;
		if (i % EV_CHUNK_INDEX == EV_CHUNK_INDEX - 1 || i + 1 == x.count)
			err = rec_programs_set_chunk(programs, chunk_index++, &chunk);
	}
	return err;
}

int rec_rows_put(struct rec_programs *programs, const struct rec_unwind_view *view,
		 struct ev_unwind_module *module)
{
	struct index x = index_of(view);
	int err;

	module->rows = view->head->rows;
	module->first_index = module->first_chunk + chunks_for(module->rows, EV_CHUNK_ROWS);
	module->index_count = x.count;
	module->index_shift = x.shift;
	err = put_rows(programs, view, module->first_chunk);
	return err ? err : put_index(programs, view, x, module->first_index);
}
