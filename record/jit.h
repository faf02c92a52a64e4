/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Perf maps, /tmp/perf-PID.map: what JIT compilers tell of the code that they made. */
#ifndef REC_JIT_H
#define REC_JIT_H

#include <stddef.h>
#include <stdint.h>

#define REC_JIT_MAX_BYTES (256u << 20)

struct pa_writer;
struct rec_process;

/*
 * Writes the lines of a perf map ("START SIZE name", hexadecimal) that sampled addresses of the process
 * fall into; of several the last one, which the JIT wrote last. 0 or -errno.
 */
int rec_jit_write(struct pa_writer *writer, const struct rec_process *p, const char *text,
		  size_t len);

/* The sampled addresses of a process in code of JITs, in order; the caller frees them. NULL: out of memory. */
uint64_t *rec_jit_sorted(const struct rec_process *p);
/* Index of the first address that is not below start. */
size_t rec_jit_first_at(const uint64_t *addresses, size_t count, uint64_t start);

#endif
