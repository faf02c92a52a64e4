// SPDX-License-Identifier: GPL-2.0-or-later
/* Messages with descriptors between pa-record and its helpers. */
#include "record/channel.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "format/util/err.h"
#include "record/helpers.h"

#define REPLY_HEADER_BYTES offsetof(struct rec_reply, data)

int rec_channel_pair(int socks[2])
{
	return socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, socks) < 0 ? -errno : 0;
}

int rec_channel_send(int sock, const void *data, size_t len, int fd)
{
	union {
		struct cmsghdr align;
		char bytes[CMSG_SPACE(sizeof(int))];
	} control = {.bytes = {0}};
	struct iovec iov = {.iov_base = (void *)data, .iov_len = len};
	struct msghdr msg = {.msg_iov = &iov, .msg_iovlen = 1};
	struct cmsghdr *c;

	if (fd >= 0) {
		msg.msg_control = control.bytes;
		msg.msg_controllen = sizeof(control.bytes);
		c = CMSG_FIRSTHDR(&msg);
		c->cmsg_level = SOL_SOCKET;
		c->cmsg_type = SCM_RIGHTS;
		c->cmsg_len = CMSG_LEN(sizeof(int));
		memcpy(CMSG_DATA(c), &fd, sizeof(int));
	}
	while (sendmsg(sock, &msg, MSG_NOSIGNAL) < 0)
		if (errno != EINTR)
			/* It is a reset when the other side closed without reading everything. */
			return errno == ECONNRESET ? -EPIPE : -errno;
	return 0;
}

/* Takes the one descriptor that a message may carry. */
static int take_fd(struct msghdr *msg)
{
	struct cmsghdr *c = CMSG_FIRSTHDR(msg);
	int fd = -1;

	if (c && c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_RIGHTS &&
	    c->cmsg_len >= CMSG_LEN(sizeof(int)))
		memcpy(&fd, CMSG_DATA(c), sizeof(int));
	return fd;
}

int rec_channel_recv(int sock, void *data, size_t cap, int *fd, int timeout_ms)
{
	union {
		struct cmsghdr align;
		char bytes[CMSG_SPACE(sizeof(int))];
	} control;
	struct iovec iov = {.iov_base = data, .iov_len = cap};
	struct msghdr msg = {.msg_iov = &iov, .msg_iovlen = 1};
	struct pollfd poller = {.fd = sock, .events = POLLIN};
	ssize_t n;

	if (fd) {
		*fd = -1;
		msg.msg_control = control.bytes;
		/*
		 * Less than CMSG_SPACE(), whose padding would take a second one in, never to be
		 * closed.
		 */
		msg.msg_controllen = CMSG_LEN(sizeof(int));
	}
	do {
		/* An interrupted wait starts again: signals are rare here, and each is handled. */
		int ready = poll(&poller, 1, timeout_ms);

		if (ready == 0)
			return -ETIMEDOUT;
		n = ready < 0 ? -1 : recvmsg(sock, &msg, MSG_CMSG_CLOEXEC);
	} while (n < 0 && errno == EINTR);
	if (n < 0)
		return errno == ECONNRESET ? 0 : -errno;
	if (fd)
		*fd = take_fd(&msg);
	if (msg.msg_flags & MSG_TRUNC) {
		if (fd && *fd >= 0)
			close(*fd);
		return -EMSGSIZE;
	}
	return (int)n;
}

int rec_channel_send_reply(int sock, const struct rec_reply *reply, int fd)
{
	return rec_channel_send(sock, reply, REPLY_HEADER_BYTES + reply->len, fd);
}

int rec_channel_recv_reply(int sock, struct rec_reply *reply, int *fd, int timeout_ms)
{
	int n = rec_channel_recv(sock, reply, sizeof(*reply), fd, timeout_ms);

	if (n < 0)
		return n;
	if (n == 0)
		return -EPIPE;
	if ((size_t)n >= REPLY_HEADER_BYTES && reply->len == (size_t)n - REPLY_HEADER_BYTES)
		return 0;
	if (fd && *fd >= 0)
		close(*fd);
	return PA_E_CORRUPT;
}

/*
 * Waits for the reply to the open request; replies to earlier ones came too late and are dropped.
 */
static int wait_reply(struct rec_channel *c, struct rec_reply *reply, int *fd, int timeout_ms)
{
	for (;;) {
		int err = rec_channel_recv_reply(c->sock, reply, fd, timeout_ms);

		if (err < 0)
			return err;
		if (reply->seq == c->seq)
			return 0;
		if (*fd >= 0)
			close(*fd);
	}
}

/* 0 when the helper is free again for a request. */
static int clear_open_request(struct rec_channel *c, struct rec_reply *reply)
{
	int fd, err;

	if (!c->open_request)
		return 0;
	err = wait_reply(c, reply, &fd, 0);
	if (err == -ETIMEDOUT)
		return -EBUSY;
	if (err < 0)
		return err;
	if (fd >= 0)
		close(fd);
	c->open_request = false;
	return 0;
}

int rec_channel_call(struct rec_channel *c, struct rec_request *request, int in_fd,
		     struct rec_reply *reply, int *out_fd)
{
	int fd = -1, err;

	if (out_fd)
		*out_fd = -1;
	if (c->sock < 0)
		return -EPIPE;
	err = clear_open_request(c, reply);
	if (err < 0)
		return err;
	request->seq = ++c->seq;
	err = rec_channel_send(c->sock, request, sizeof(*request), in_fd);
	if (err < 0)
		return err;
	err = wait_reply(c, reply, &fd, REC_HELPER_TIMEOUT_MS);
	c->open_request = err == -ETIMEDOUT;
	if (err < 0)
		return err;
	if (out_fd && reply->result == 0)
		*out_fd = fd;
	else if (fd >= 0)
		close(fd);
	return reply->result;
}

int rec_channel_post(struct rec_channel *c, struct rec_request *request, int in_fd)
{
	if (c->sock < 0)
		return -EPIPE;
	request->seq = ++c->seq;
	return rec_channel_send(c->sock, request, sizeof(*request), in_fd);
}

int rec_channel_take(struct rec_channel *c, struct rec_reply *reply, int *out_fd)
{
	int err = wait_reply(c, reply, out_fd, 0);

	if (err == -ETIMEDOUT)
		return -EAGAIN;
	if (err < 0)
		return err;
	if (reply->result != 0 && *out_fd >= 0) {
		close(*out_fd);
		*out_fd = -1;
	}
	return reply->result;
}
