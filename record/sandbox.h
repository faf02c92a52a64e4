/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The sandbox: parses foreign files in a process that has no capability, no file system, no network, and
 * a short list of system calls. Each request is served by a fresh process, so that a hostile file can
 * hurt nothing but its own answer. See helpers.h for the errors that all requests have.
 */
#ifndef REC_SANDBOX_H
#define REC_SANDBOX_H

#include "record/elfid.h"

struct rec_helpers;

/* The build ID of an open file, which stays the caller's. Errors also as rec_elfid_read(). */
int rec_sandbox_identify(struct rec_helpers *h, int fd, struct rec_build_id *id);

/* The process's body: answers on sock until it closes. Never returns. */
_Noreturn void rec_sandbox_run(int sock);

#endif
