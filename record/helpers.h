/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The helper processes of pa-record: the broker, which opens a fixed list of things with the
 * one capability that it takes, and the sandbox, which parses foreign files with none. They are
 * forked before anything else is opened. All requests are synchronous and are made from one thread;
 * none takes longer than REC_HELPER_TIMEOUT_MS.
 *
 * Results common to all requests: -ETIMEDOUT (no answer in time), -EBUSY (an earlier request that
 * timed out still keeps the helper busy), -EPIPE (the helper is gone), PA_E_UNSUPPORTED (the helper
 * broke over this request).
 */
#ifndef REC_HELPERS_H
#define REC_HELPERS_H

#include <stdint.h>
#include <sys/types.h>

#include "record/channel.h"

struct rec_privilege;

#define REC_HELPER_TIMEOUT_MS 1000
/* A worker's, shorter than the client's patience, so that the client hears of the failure. */
#define REC_WORKER_TIMEOUT_MS (REC_HELPER_TIMEOUT_MS - 200)
/* The compiler's: nobody waits for it. */
#define REC_COMPILER_TIMEOUT_MS 20000

struct rec_helpers {
	struct rec_channel broker;
	struct rec_channel sandbox;
	struct rec_channel compiler; /* a sandbox of its own, so that it keeps nobody waiting */
	pid_t broker_pid, sandbox_pid, compiler_pid; /* 0 = not running */
	struct rec_reply *reply; /* owned: the last one */
	uint64_t timeouts; /* requests that got no answer in time */
	uint64_t broken; /* requests over which a helper broke */
};

/* Starts them. 0 or -errno, and nothing is left running then. */
int rec_helpers_start(struct rec_helpers *h, const struct rec_privilege *p);
/*
 * For the clients in broker.c and sandbox.c: makes a request of one of the two channels, counts
 * failures, and leaves the reply's data in h->reply. As rec_channel_call().
 */
int rec_helpers_call(struct rec_helpers *h, struct rec_channel *channel,
		     struct rec_request *request, int in_fd, int *out_fd);
/* Ends them and waits for them. Legal on a zeroed struct, and twice. */
void rec_helpers_stop(struct rec_helpers *h);

/* --- for the helpers --- */

/*
 * Leaves a new helper with its socket and nothing else of ours, and with no part in the terminal's
 * signals. Returns the socket's new number; does not return when something fails.
 */
int rec_helper_detach(int sock, const char *name);
/* Ends one that runs. It holds nothing that is worth waiting for; one that hangs in the kernel is left
 * behind. */
void rec_helper_stop(struct rec_channel *channel, pid_t *pid);

#endif
