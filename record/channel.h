/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Requests and replies between pa-record and its helpers: one message each, with at most one
 * descriptor.
 */
#ifndef REC_CHANNEL_H
#define REC_CHANNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define REC_CHANNEL_DATA_BYTES 65536

struct rec_request {
	uint32_t seq; /* set by rec_channel_call() */
	uint32_t op; /* of the helper's own list */
	uint32_t pid;
	uint32_t what;
	uint64_t address;
};

struct rec_reply {
	uint32_t seq; /* of the request */
	int32_t result; /* 0 or an error code */
	uint32_t len; /* bytes of data */
	uint8_t data[REC_CHANNEL_DATA_BYTES];
};

struct rec_channel {
	int sock; /* SOCK_SEQPACKET; -1 = closed */
	uint32_t seq; /* of the last request */
	bool open_request; /* the last request timed out and has not been answered yet */
};

/* A connected pair, close-on-exec. 0 or -errno. */
int rec_channel_pair(int socks[2]);

/* Sends a message, with fd unless that is -1. 0 or -errno. */
int rec_channel_send(int sock, const void *data, size_t len, int fd);
/*
 * Waits up to timeout_ms (-1 = for ever) for a message of at most cap bytes. Returns its length and
 * sets *fd to a descriptor that came with it (the caller's from then on) or -1; 0 when the other
 * side has closed; -ETIMEDOUT, -EMSGSIZE, -errno. A null fd takes no descriptor.
 */
int rec_channel_recv(int sock, void *data, size_t cap, int *fd, int timeout_ms);

int rec_channel_send_reply(int sock, const struct rec_reply *reply, int fd);
/*
 * As rec_channel_recv(), and checks the form of the reply (PA_E_CORRUPT). 0 or an error; -EPIPE at
 * the end.
 */
int rec_channel_recv_reply(int sock, struct rec_reply *reply, int *fd, int timeout_ms);

/*
 * Client: sends the request with in_fd (-1 = none) and waits for its reply. out_fd may be NULL,
 * else it is set to the descriptor of the reply or -1. Returns the reply's result, or an error of
 * helpers.h.
 */
int rec_channel_call(struct rec_channel *c, struct rec_request *request, int in_fd,
		     struct rec_reply *reply, int *out_fd);

/* Client, without waiting: sends the request. 0 or an error of helpers.h. */
int rec_channel_post(struct rec_channel *c, struct rec_request *request, int in_fd);
/* Takes the reply to the last request that was posted: its result, -EAGAIN when it has not come, or an
 * error. *out_fd is set to the descriptor of the reply or -1. */
int rec_channel_take(struct rec_channel *c, struct rec_reply *reply, int *out_fd);

#endif
