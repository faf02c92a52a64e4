/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The sandbox: parses foreign files in a process that has no capability, no file system, no
 * network, and a short list of system calls. Each request is served by a fresh process, so that a
 * hostile file can hurt nothing but its own answer. See helpers.h for the errors that all requests
 * have.
 */
#ifndef REC_SANDBOX_H
#define REC_SANDBOX_H

#include "record/elfid.h"

struct rec_helpers;

/* The build ID of an open file, which stays the caller's. Errors also as rec_elfid_read(). */
int rec_sandbox_identify(struct rec_helpers *h, int fd, struct rec_build_id *id);

/*
 * Unwind tables are compiled while the recorder goes on: the file is handed over (it stays the
 * caller's), and the table taken when it is ready. One at a time. 0 or an error.
 */
int rec_sandbox_compile_post(struct rec_helpers *h, int fd);
/*
 * *table_fd is memory that holds a table as in bpf/unwind_table.h, not yet checked; the caller's.
 * 0; -EAGAIN: not ready yet; else why there is none: PA_E_NOT_FOUND when the file has no unwind
 * information, or as rec_unwind_compile().
 */
int rec_sandbox_compile_take(struct rec_helpers *h, int *table_fd);
/* Becomes readable when a table is ready. */
int rec_sandbox_compile_fd(const struct rec_helpers *h);

/*
 * The process's body: answers on sock until it closes; timeout_ms for each request. Never returns.
 */
_Noreturn void rec_sandbox_run(int sock, int timeout_ms);

#endif
