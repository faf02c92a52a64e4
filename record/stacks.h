/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Stacks on their way into the trace. A stack that was met before costs one hash over its frames; a new
 * one is looked at: user frames that cannot be code are cut off, addresses of JITs are noted, kernel
 * symbols are written as they come up.
 */
#ifndef REC_STACKS_H
#define REC_STACKS_H

#include <stddef.h>
#include <stdint.h>
#include <linux/types.h>

#include "format/pa-format.h"
#include "format/util/htab.h"
#include "record/copies.h"
#include "record/world.h"

struct rec_kallsyms;
struct ev_copy;
struct ev_frames;

/* A stack that the programs in the kernel sent under an id. */
struct rec_sent_stack {
	uint64_t id;
	size_t offset; /* of its frames */
	uint32_t count;
	uint32_t end;
	bool kernel;
};

struct rec_stack_entry {
	uint64_t key;
	uint32_t stack_id; /* in the trace */
};

struct rec_stacks {
	struct rec_world *world;
	struct pa_writer *writer;
	const struct rec_kallsyms *kallsyms; /* NULL: the caller may not see the kernel's */
	struct pa_htab cache; /* key -> entry */
	struct rec_stack_entry *entries;
	size_t entry_count, entry_cap;
	struct pa_htab sent_by_id;
	struct rec_sent_stack *sent;
	size_t sent_count, sent_cap;
	__u64 *frames; /* of the sent ones */
	size_t frame_count, frame_cap;
	struct rec_copies copies;
	struct pa_htab symbols; /* kernel symbols that are written, by number */
	uint64_t *symbol_starts;
	size_t symbol_count, symbol_cap;
	bool mappings_lost; /* side-band was lost: an address without a mapping proves nothing */
	bool vdso_written;
};

void rec_stacks_init(struct rec_stacks *s, struct rec_world *world, struct pa_writer *writer,
		     const struct rec_kallsyms *kallsyms);
void rec_stacks_fini(struct rec_stacks *s);

/* Nothing is written yet in the segment that begins now; what was sent stays. */
void rec_stacks_begin_segment(struct rec_stacks *s);

/* The stacks of a sample or sleeper; sets their ids in the trace. 0 or -errno. */
int rec_stacks_both(struct rec_stacks *s, struct rec_process *p, const struct ev_frames *frames,
		    uint32_t *ustack, uint32_t *kstack);
/* Keeps a stack that was sent. 0 or -ENOMEM. */
int rec_stacks_add_sent(struct rec_stacks *s, const struct ev_frames *stack);
/* Writes a copy of a thread's stack; thread is its id in the trace. 0 or -errno. */
int rec_stacks_add_copy(struct rec_stacks *s, struct rec_process *p, uint32_t thread,
			const struct ev_copy *copy);
/* The id in the trace of a sent stack, or of the reserved ids below 16. p may be NULL for kernel ones. */
int rec_stacks_sent(struct rec_stacks *s, struct rec_process *p, uint64_t sent_id, uint32_t *id);

#endif
