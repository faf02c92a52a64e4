/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Jitdump files, jit-PID.dump: what JIT compilers tell of the code that they made, with the time of each
 * function, so that an address which got other code later is named by its time. A JIT maps a page of the
 * file as executable, for nothing but to tell that there is one. It is read while it grows, since a reader
 * of the trace wants a name before the samples that it is for are left behind.
 */
#ifndef REC_JITDUMP_H
#define REC_JITDUMP_H

#include <stdbool.h>
#include <stdint.h>

struct pa_writer;
struct rec_jitdump;
struct rec_process;

/* Whether a mapping of this file is the sign of a jitdump. */
bool rec_jitdump_is_path(const char *path);
/* fd stays the caller's, and has to stay open. NULL when out of memory. */
struct rec_jitdump *rec_jitdump_new(int fd);
void rec_jitdump_free(struct rec_jitdump *d);
/* Reads what is new in the file, and writes the functions that sampled addresses of the process fall into,
 * each with its time, as far as they are not yet in this segment of the trace. 0 or -errno. */
int rec_jitdump_update(struct rec_jitdump *d, struct pa_writer *writer,
		       const struct rec_process *p);
/* What was written is no longer there: a new segment begins. */
void rec_jitdump_restart(struct rec_jitdump *d);
/* Whether a part of the file could not be used: it is none, or too large. */
bool rec_jitdump_is_cut(const struct rec_jitdump *d);

#endif
