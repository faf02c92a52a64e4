/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The trace: the one header that pa-record, pa-report and other programs include to write or read
 * it. docs/format.md is the specification, records.def the list of record types. Nothing here
 * prints, exits, or asserts on input.
 *
 * A trace is a prologue (magic, version) and blocks. A block holds records and is checked by a CRC
 * of its own, so any prefix of a trace is a trace.
 */
#ifndef PA_FORMAT_H
#define PA_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PA_VERSION_MAJOR 1
#define PA_VERSION_MINOR 1

/* Limits: what exceeds them is refused by the writer (PA_E_LIMIT) and is corrupt for the reader. */
#define PA_MAX_BLOCK_BYTES (4u << 20) /* raw or compressed payload of one block */
#define PA_MAX_STRING_BYTES (64u << 10) /* one string */
#define PA_MAX_STRINGS (16u << 20) /* greatest string id */
#define PA_MAX_STRINGS_BYTES (64u << 20) /* of all strings together */
#define PA_MAX_BYTES_FIELD (1u << 20) /* one BYTES field */
#define PA_MAX_LIST 65536u /* elements of a list field */
#define PA_MAX_STACK_DEPTH 4096u /* nodes from a leaf to its root */
#define PA_MAX_STACK_ID (1u << 30) /* greatest node id */
#define PA_MAX_TABLE_ID (16u << 20) /* ids of processes, threads, modules, counters, functions */
#define PA_MAX_CPUS 8192u /* number of CPUs */
#define PA_MAX_BUILD_ID_BYTES 64u /* one build ID */
#define PA_MAX_STACK_COPY_BYTES 65536u /* memory in one STACK_COPY */

/* --- values of enum-like fields; numbers are for ever --- */

/* Parent of a stack's outermost node, and node id of a stack without frames. */
enum pa_stack_end {
	PA_STACK_NONE = 0, /* in ustack/kstack: there is no such stack, rightly */
	PA_STACK_COMPLETE = 1, /* unwind tables say that the outermost frame was reached */
	PA_STACK_FP_END = 2, /* the frame-pointer chain ended with a saved 0 */
	PA_STACK_TRUNCATED = 3, /* the depth was used up; outer frames are missing */
	PA_STACK_FP_LOST = 4, /* frame pointer not usable: the chain broke */
	PA_STACK_NO_TABLE = 5, /* no unwind table for this module (yet) */
	PA_STACK_NO_RULE = 6, /* a table, but no row for this address */
	PA_STACK_BAD_MEMORY = 7, /* stack memory was not readable */
	PA_STACK_NOT_TAKEN = 8, /* thinned: this interval's stack was not taken, on purpose */
	PA_STACK_LOST = 9, /* the stack was taken, but lost in a full buffer */
	PA_STACK_KERNEL = 10, /* kernel stacks: as the kernel gave it, complete */
	PA_STACK_UNKNOWN_END = 11, /* how it ended is not known */
	PA_STACK_FIRST_ID = 16, /* first id of a real node */
};

enum pa_module_kind {
	PA_MODULE_FILE = 0,
	PA_MODULE_VDSO = 1,
	PA_MODULE_ANON = 2, /* [anon], [heap], [stack], //anon */
	PA_MODULE_MEMFD = 3, /* memfd:NAME */
	PA_MODULE_SPECIAL = 4, /* device, SYSV shared memory, [uprobes], [vsyscall], ... */
};
#define PA_MODULE_DELETED 1u /* the file was no longer at its path */

enum pa_build_id_kind {
	PA_BUILD_ID_NONE = 0,
	PA_BUILD_ID_GNU = 1, /* NT_GNU_BUILD_ID */
	PA_BUILD_ID_GO = 2, /* Go's own note */
	PA_BUILD_ID_HASH = 3, /* hash of the file's content */
};

enum pa_origin {
	PA_ORIGIN_PRESENT = 0, /* was there when recording started */
	PA_ORIGIN_CREATED = 1, /* created while recording; time_ns is exact */
	PA_ORIGIN_DISCOVERED = 2, /* first seen by one of its events */
};

#define PA_MAPPING_PRESENT 1u /* was there when recording started, or was taken from /proc */

enum pa_block_state {
	PA_STATE_SLEEP = 0, /* interruptible */
	PA_STATE_DISK = 1, /* uninterruptible (D), whatever the reason */
	PA_STATE_STOPPED = 2, /* by a signal */
	PA_STATE_TRACED = 3, /* by a debugger */
	PA_STATE_PARKED = 4, /* parked or idle kernel thread */
	PA_STATE_DEAD = 5, /* exited: not an off-CPU interval, only seen in snapshots */
	PA_STATE_FROZEN = 6, /* cgroup freezer or suspend */
	PA_STATE_RUNNABLE = 7, /* snapshots: waiting for a CPU */
	PA_STATE_RUNNING = 8, /* snapshots: on a CPU */
};
#define PA_BLOCK_OPEN 1u /* was still blocked when recording ended: clipped to the end */
#define PA_BLOCK_BEGAN_BEFORE 2u /* was blocked when recording started: clipped to the start */
#define PA_BLOCK_IOWAIT 4u /* the kernel accounted it as waiting for I/O */
#define PA_BLOCK_WOKEN_BY_INTERRUPT 8u /* no thread woke it: a timer, a device */
#define PA_BLOCK_WOKEN_FROM_OUTSIDE 16u /* a thread woke it that is not in the trace */

enum pa_hist_kind {
	PA_HIST_SLICE = 0, /* on a CPU between two switches */
	PA_HIST_RUNQ = 1, /* runnable, waiting for a CPU */
	PA_HIST_BLOCK = 2, /* off-CPU intervals, from switch to wakeup */
	PA_HIST_KINDS_ = 3,
};

enum pa_loss_kind {
	PA_LOSS_SAMPLES = 0, /* on-CPU samples that did not fit into the ring buffer */
	PA_LOSS_BLOCKS = 1, /* off-CPU intervals; sums per thread are exact all the same */
	PA_LOSS_STACKS = 2, /* stacks of off-CPU intervals */
	PA_LOSS_SIDEBAND = 3, /* mmap, comm, fork, exit events lost by the kernel */
	PA_LOSS_HIST = 4, /* values missing in distributions; thread_sum is exact */
	PA_LOSS_THREADS = 5, /* threads for which there was no room */
	PA_LOSS_OUTPUT = 6, /* bytes dropped since the output was too slow */
	PA_LOSS_MAPPINGS = 7, /* mappings that could not be read */
	PA_LOSS_JIT = 8, /* JIT map lines over the limit, or unreadable */
	PA_LOSS_BLOCK_CORRUPT = 9, /* made by the reader: blocks missing or damaged */
	PA_LOSS_UNKNOWN_RECORD = 10, /* made by the reader: records of unknown type */
	PA_LOSS_COUNTS = 11, /* counter readings */
	PA_LOSS_THROTTLED = 12, /* sampling was throttled by the kernel: times, not samples */
	PA_LOSS_COPIES = 13, /* copies of user stacks; what was walked of them is in the trace */
	PA_LOSS_KINDS_,
};

#define PA_MODE_PROFILE 1u
#define PA_MODE_OFFCPU 2u
#define PA_MODE_PMU 4u
#define PA_MODE_SNAPSHOT 8u
#define PA_MODE_ALL 16u /* the whole system */

enum pa_end_reason {
	PA_END_DURATION = 0,
	PA_END_SIGNAL = 1, /* detail: its name */
	PA_END_TARGET = 2, /* all recorded processes have ended */
	PA_END_NO_SPACE = 3, /* disk full or --max-size reached */
	PA_END_ERROR = 4, /* detail: what went wrong */
	PA_END_SNAPSHOT = 5,
	PA_END_ROTATED = 6, /* goes on in the next segment */
};

/* Why an address has no name, or only a part of what there could be. */
enum pa_no_name {
	PA_NO_NAME_OK = 0, /* named */
	PA_NO_NAME_NO_MAPPING = 1, /* the address lies in no mapping of the process */
	PA_NO_NAME_NO_FILE = 2, /* no file with this build ID was found */
	PA_NO_NAME_NO_BUILD_ID = 3, /* the module has no build ID, so that no file can be trusted */
	PA_NO_NAME_MISMATCH = 4, /* the file at the recorded path has another build ID */
	PA_NO_NAME_UNREADABLE = 5, /* the file was found, but could not be read as ELF */
	PA_NO_NAME_NO_SYMBOL = 6, /* the file was read, and no symbol covers the address */
	PA_NO_NAME_OUTSIDE = 7, /* the offset is in no executable segment of the file */
	PA_NO_NAME_ANON = 8, /* anonymous memory without a JIT map */
	PA_NO_NAME_KERNEL_HIDDEN = 9, /* kernel symbols were hidden from the recorder */
	PA_NO_NAME_INTERRUPTED = 10, /* the search for names was interrupted */
	PA_NO_NAME_KINDS_,
};
#define PA_NAMES_FUNCTIONS 1u /* the file has names of functions */
#define PA_NAMES_LINES 2u /* and lines */
#define PA_NAMES_INLINES 4u /* and inlined calls */

/* --- records, from records.def --- */

struct pa_bytes {
	const uint8_t *data;
	uint32_t len;
};
struct pa_list {
	const uint64_t *items;
	uint32_t count;
};

/* clang-format off */
#define U32(name, doc) uint32_t name;
#define U64(name, doc) uint64_t name;
#define D64(name, doc) uint64_t name;
#define STR(name, doc) uint32_t name;
#define BYTES(name, doc) struct pa_bytes name;
#define ADDRS(name, doc) struct pa_list name;
#define VALS(name, doc) struct pa_list name;
#define PA_RECORD(id, NAME, name, doc) struct pa_##name {
#define PA_END(name) };
#include "format/records.def"
#undef PA_RECORD
#undef PA_END

enum pa_record_id {
#undef U32
#undef U64
#undef D64
#undef STR
#undef BYTES
#undef ADDRS
#undef VALS
#define U32(name, doc)
#define U64(name, doc)
#define D64(name, doc)
#define STR(name, doc)
#define BYTES(name, doc)
#define ADDRS(name, doc)
#define VALS(name, doc)
#define PA_RECORD(id, NAME, name, doc) PA_REC_##NAME = id,
#define PA_END(name)
#include "format/records.def"
	PA_REC_IDS_ = 37, /* one more than the greatest id */
};

struct pa_record {
	enum pa_record_id id;
	union {
#undef PA_RECORD
#define PA_RECORD(id, NAME, name, doc) struct pa_##name name;
#include "format/records.def"
	};
};
#undef PA_RECORD
#undef PA_END
#undef U32
#undef U64
#undef D64
#undef STR
#undef BYTES
#undef ADDRS
#undef VALS
/* clang-format on */

/* --- writing --- */

struct pa_writer;

/*
 * Takes bytes that are ready; returns 0 or -errno. After an error the writer gives no more bytes
 * and every call returns that error. What has been handed over stays a valid prefix.
 */
typedef int pa_sink_fn(void *ctx, const void *data, size_t len);

struct pa_writer_options {
	int level; /* zlib's 1 to 9; 0 = the default of this library */
};

/* NULL when out of memory. options may be NULL. */
struct pa_writer *pa_writer_new(pa_sink_fn *sink, void *ctx,
				const struct pa_writer_options *options);
/* Frees without flushing. */
void pa_writer_free(struct pa_writer *w);

/*
 * A trace's string ids are either all given by pa_writer_string() or all by the caller, who adds
 * STRING records; likewise stack ids. Mixing them is PA_E_UNSUPPORTED. No call leaves anything half
 * done: after -ENOMEM or PA_E_LIMIT the trace is as before it, and the call may be repeated.
 */

/* Interns text (len bytes, cut at PA_MAX_STRING_BYTES) and sets *id; "" is 0. 0, -ENOMEM or a
 * limit. */
int pa_writer_string(struct pa_writer *w, const char *text, size_t len, uint32_t *id);
/* Appends one record to the current block, which is written out when it has grown large. 0,
 * -ENOMEM, PA_E_LIMIT when a field is over a limit, PA_E_UNSUPPORTED, or what the sink returned. */
int pa_writer_add(struct pa_writer *w, const struct pa_record *record);
/*
 * Interns a stack: frames from the outermost to the innermost, below the node or end kind parent.
 * New nodes are written before the next record. Sets *id to the innermost node (to parent when
 * count is 0). 0, -ENOMEM, or PA_E_LIMIT (too deep, or parent is no node and no end).
 */
int pa_writer_stack(struct pa_writer *w, uint32_t parent, const uint64_t *frames, size_t count,
		    uint32_t *id);
/*
 * Adds a STACK_COPY under an id that no other stack gets, and sets record->stack_copy.id to it. As
 * pa_writer_add().
 */
int pa_writer_stack_copy(struct pa_writer *w, struct pa_record *record);
/* Ends the current block, if it holds anything, and hands it to the sink. */
int pa_writer_flush(struct pa_writer *w);
/*
 * Flushes, and makes what follows another trace, with a prologue and tables of its own; statistics go
 * on. 0, -ENOMEM or what the sink returned.
 */
int pa_writer_restart(struct pa_writer *w);

struct pa_writer_stats {
	uint64_t bytes; /* handed to the sink */
	uint64_t raw_bytes; /* before compression */
	uint64_t records;
	uint64_t blocks;
	uint64_t strings;
	uint64_t stack_nodes;
	uint64_t memory_bytes; /* held by tables and buffers */
};
void pa_writer_get_stats(const struct pa_writer *w, struct pa_writer_stats *stats);

/*
 * Adds to all ids of strings and of stack nodes in a record, so that records of several traces can
 * stand in one (by pa_writer_add(), definitions included). 0, or PA_E_LIMIT.
 */
int pa_record_shift_ids(struct pa_record *record, uint32_t strings, uint32_t stacks);

/* Gives another id to a string, of which 0, the empty one, is not asked for. 0, or an error. */
typedef int pa_map_string_fn(void *ctx, uint32_t *id);
/* Maps all strings that a record refers to. 0, or the first error of map(). */
int pa_record_map_strings(struct pa_record *record, pa_map_string_fn *map, void *ctx);

/* --- reading --- */

struct pa_reader;

/* Gives up to len bytes; 0 at the end, or -errno. Short reads are fine. len is never 0. */
typedef int64_t pa_source_fn(void *ctx, void *data, size_t len);

struct pa_where {
	uint64_t offset; /* byte in the file at which the current block begins */
	uint64_t block; /* its number, from 0 */
	uint32_t record_id; /* type of the current record, 0 = none */
	uint64_t record; /* its number in the block, from 0 */
};

/*
 * Reads the prologue. 0 and *reader (to be freed by the caller), PA_E_BAD_MAGIC, PA_E_TRUNCATED (an
 * empty file too), PA_E_VERSION, -ENOMEM, or what source returned.
 */
int pa_reader_new(pa_source_fn *source, void *ctx, struct pa_reader **reader);
void pa_reader_free(struct pa_reader *r);
/*
 * The next record: 1 and *record (borrowed, with all that it points to, until the next call), 0 at
 * the end of the input (where another call goes on, if the source then has more), or
 * -errno/-ENOMEM, which ends the reading. Damage is no error: a bad block is skipped, reading goes
 * on at the next block, and a LOSS record (PA_LOSS_BLOCK_CORRUPT; count: blocks) takes its place.
 * Records of unknown type are skipped, and a LOSS record with their number (PA_LOSS_UNKNOWN_RECORD)
 * comes last. Records are within the limits above, but what they refer to may not exist:
 * docs/format.md ("Limits") says who checks what. STRING records are kept by the reader and are
 * also returned.
 */
int pa_reader_next(struct pa_reader *r, const struct pa_record **record);
/* Text of a string id; NUL-terminated, borrowed until the reader is freed. "" for 0; NULL when it
 * is not defined (its block was lost). *len may be NULL. */
const char *pa_reader_string(const struct pa_reader *r, uint32_t id, size_t *len);
void pa_reader_get_where(const struct pa_reader *r, struct pa_where *where);

struct pa_reader_stats {
	uint16_t major, minor; /* version of the trace */
	uint64_t bytes; /* read so far */
	uint64_t blocks; /* good ones */
	uint64_t blocks_bad; /* with a bad checksum or content */
	uint64_t bytes_skipped; /* bad blocks, and what was between blocks */
	uint64_t unknown_blocks; /* of a kind that this version does not know, skipped */
	uint64_t records;
	uint64_t unknown_records;
	bool truncated; /* the input ended inside a block */
	bool ended; /* an END record was seen */
	struct {
		uint64_t records;
		uint64_t raw_bytes; /* before compression */
	} per_record[PA_REC_IDS_];
};
void pa_reader_get_stats(const struct pa_reader *r, struct pa_reader_stats *stats);

/* --- text form: see docs/format.md, "Text form" --- */

struct pa_buf;

/* Name of a record type as in the text form, "sample"; NULL when unknown. */
const char *pa_record_name(uint32_t id);
/* Appends one line (with its newline) for a record. Strings are shown in place, by way of the
 * reader: a STRING record adds nothing. */
void pa_text_from_record(struct pa_buf *out, const struct pa_reader *r,
			 const struct pa_record *record);
/*
 * Adds the record that one line describes to a writer. Empty lines and those that begin with '#'
 * add nothing. 0, PA_E_SYNTAX with a sentence in error, or what the writer returned.
 */
int pa_text_to_writer(struct pa_writer *w, const char *line, struct pa_buf *error);

#endif
