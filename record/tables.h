/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Unwind tables for the programs in the kernel. Modules are compiled in the sandbox when stacks lead into
 * them, those first that were asked for first; processes' mappings are handed down when their stacks are
 * walked. Never blocks: the compiler works while the rings are drained.
 */
#ifndef REC_TABLES_H
#define REC_TABLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rec_helpers;
struct rec_process;
struct rec_programs;
struct rec_tables;
struct rec_world;

struct rec_tables_stats {
	uint64_t compiled; /* modules */
	uint64_t without; /* modules that have no unwind information */
	uint64_t failed; /* modules that could not be opened or compiled */
	uint64_t full; /* modules and processes for which there was no room */
	uint64_t evicted; /* tables that gave their room to others */
	uint64_t rows;
};

/*
 * memory_bytes: what tables may take in the kernel. eager: all that a process maps is compiled as soon as it
 * is wanted at all; else what stacks miss, and all of it for processes that miss often. NULL when out of
 * memory.
 */
struct rec_tables *rec_tables_new(struct rec_world *world, struct rec_programs *programs,
				  struct rec_helpers *helpers, uint64_t memory_bytes, bool eager);
void rec_tables_free(struct rec_tables *t);

/* A stack of the process led to an address (0 = any) for which there was no table. 0 or -ENOMEM. */
int rec_tables_want(struct rec_tables *t, struct rec_process *p, uint64_t address);
/* Takes what the compiler has done, gives it more to do, and hands changed mappings down. 0 or -errno. */
int rec_tables_work(struct rec_tables *t);
/* Becomes readable when the compiler has answered; -1 = nothing is being compiled. */
int rec_tables_poll_fd(const struct rec_tables *t);
/* True when nothing that was asked for is still to be compiled. */
bool rec_tables_idle(const struct rec_tables *t);
void rec_tables_get_stats(const struct rec_tables *t, struct rec_tables_stats *stats);

#endif
