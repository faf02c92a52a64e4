/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The frame of a helper process: a supervisor that never looks at what it hands on, and a worker
 * that answers. A worker that dies or takes too long is replaced, and the request over which it
 * broke is answered with PA_E_UNSUPPORTED.
 */
#ifndef REC_SUPERVISOR_H
#define REC_SUPERVISOR_H

#include <stdbool.h>

#include "record/channel.h"
#include "record/seccomp.h"

/*
 * Answers one request. in_fd (-1 = none) is closed by the caller; *out_fd starts as -1, and is
 * closed after it has been sent. Returns the result; reply->data and reply->len may be filled in.
 */
typedef int rec_worker_fn(void *ctx, const struct rec_request *request, int in_fd,
			  struct rec_reply *reply, int *out_fd);

struct rec_worker_kind {
	rec_worker_fn *handle;
	void *ctx;
	int (*prepare)(void); /* called in fresh workers before the filter is put on; may be NULL */
	enum rec_seccomp_filter filter; /* of the worker */
	bool single; /* a fresh worker for each request */
	int timeout_ms; /* what takes longer has failed */
};

/*
 * Serves sock until it closes. Privilege and the supervisor's own filter are the caller's business.
 */
_Noreturn void rec_supervisor_run(int sock, const struct rec_worker_kind *kind);

#endif
