/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The compiler of unwind tables: an untrusted ELF file in, one block of memory in the layout of
 * bpf/unwind_table.h out. It is pure (memory, zlib and nothing else; no qsort, which asks the system for
 * its memory size), so that it can run under the strictest filter of system calls.
 */
#ifndef REC_UNWIND_H
#define REC_UNWIND_H

#include <linux/types.h>
#include <stddef.h>
#include <stdint.h>

#include "bpf/unwind_table.h"
#include "format/util/buf.h"

/* What a table was made of, and what was left out. */
struct rec_unwind_stats {
	uint64_t fdes; /* compiled */
	uint64_t fdes_bad; /* malformed, or of an encoding or augmentation that is not known */
	uint64_t fdes_outside; /* not in executable code: discarded by the linker, mostly */
	uint64_t fdes_covered; /* another one had their range already */
	uint64_t sections_cut; /* a length made no sense: the rest of the section was left */
	uint64_t rows_written; /* before merging, gaps included */
	uint64_t rows; /* in the table */
	uint64_t sides;
	uint64_t paddings; /* gaps that hold nothing but filling */
	uint64_t trampolines; /* returns from signals that were known by their code */
	uint64_t fp_lost; /* rows after which the frame pointer is not known */
	uint64_t unsupported[EV_UNWIND_WHYS]; /* rows without rule, by reason; before merging */
};

/*
 * Compiles the table of a whole ELF file in memory and appends it to out, which must be empty. stats is
 * set in any case. 0; PA_E_NOT_FOUND: the file has no unwind information; PA_E_BAD_MAGIC,
 * PA_E_UNSUPPORTED, PA_E_CORRUPT, PA_E_TRUNCATED, PA_E_LIMIT or -ENOMEM.
 */
int rec_unwind_compile(const void *elf, size_t len, struct pa_buf *out,
		       struct rec_unwind_stats *stats);

/*
 * The same for an open file, which is mapped; it stays the caller's. A file that shrinks meanwhile
 * kills the process: another reason to run this in one of its own. Also -errno.
 */
int rec_unwind_compile_fd(int fd, struct pa_buf *out, struct rec_unwind_stats *stats);

/* A table's parts; all borrowed from the block that holds them. */
struct rec_unwind_view {
	const struct ev_unwind_table *head;
	const struct ev_unwind_segment *segments;
	const __u32 *keys;
	const __u32 *rules;
	const struct ev_unwind_side *sides;
	const __u16 *rbx; /* NULL: not tracked */
};

/*
 * Checks a block that a less trusted process has made: lengths, limits, order of keys, indexes. data
 * must be aligned to 8 bytes. 0, PA_E_BAD_MAGIC, PA_E_VERSION, PA_E_LIMIT, PA_E_TRUNCATED or PA_E_CORRUPT.
 */
int rec_unwind_open(const void *data, size_t len, struct rec_unwind_view *view);

/* A few words for an enum ev_unwind_why; never NULL. */
const char *rec_unwind_why(unsigned why);

#endif
