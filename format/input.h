/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The reader's lower half: gets bytes from the source and finds, checks and decompresses blocks. */
#ifndef PA_INPUT_H
#define PA_INPUT_H

#define ZLIB_CONST /* zlib's input pointers are const */
#include <zlib.h>

#include "format/pa-format.h"

struct pa_input {
	pa_source_fn *source;
	void *source_ctx;
	uint8_t *buf; /* owned; what was read and not yet used is [start, end) */
	size_t start;
	size_t end;
	size_t cap;
	size_t current_bytes; /* of the block that was returned last, still at start */
	z_stream z;
	bool z_ready;
	uint8_t *raw; /* owned; a decompressed block */
	size_t raw_cap;
	int64_t last_sequence; /* of the last block whose header was good, -1 = none yet */
	bool skipping; /* the bytes before start are no block */
	bool stopped; /* another trace begins here */
	uint64_t blocks_lost; /* until pa_input_take_lost() */

	uint16_t major, minor;
	uint64_t bytes; /* read from the source */
	uint64_t bytes_skipped;
	uint64_t blocks_bad;
	uint64_t unknown_blocks;
	bool truncated;
};

struct pa_input_block {
	const uint8_t *data; /* borrowed until the next call */
	size_t len;
	uint64_t offset; /* of its header in the file */
	uint32_t sequence;
};

/* Reads the prologue: as pa_reader_new(). pa_input_fini() is due in any case. */
int pa_input_init(struct pa_input *in, pa_source_fn *source, void *ctx);
void pa_input_fini(struct pa_input *in);
/*
 * The next good block of records: 1, 0 at the end of the input (where a later call goes on, once
 * the source gives more), or negative. What is no good block is passed over and counted.
 */
int pa_input_next(struct pa_input *in, struct pa_input_block *block);
/* Number of blocks that were found to be missing or bad since the last call. */
uint64_t pa_input_take_lost(struct pa_input *in);

#endif
