// SPDX-License-Identifier: GPL-2.0-or-later
/* The frame of a helper process: hands requests to a worker and replaces workers that broke. */
#include "record/supervisor.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "format/util/err.h"
#include "record/helpers.h"

struct worker {
	pid_t pid; /* 0 = none */
	int sock;
};

/* Too large for a stack that is to stay small; each process has its own. */
static struct rec_reply shared_reply;

/* Whatever is being worked on is of no use to anybody when the parent has gone. */
static int die_with_parent(void)
{
	return prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) < 0 ? -errno : 0;
}

static _Noreturn void worker_run(int sock, const struct rec_worker_kind *kind)
{
	struct rec_reply *reply = &shared_reply;
	struct rec_request request;
	int in_fd, out_fd, n;

	if (die_with_parent() < 0 || (kind->prepare && kind->prepare() < 0) ||
	    rec_seccomp_install(kind->filter) < 0)
		_exit(1);
	do {
		n = rec_channel_recv(sock, &request, sizeof(request), &in_fd, -1);
		if (n != sizeof(request))
			_exit(n == 0 ? 0 : 1);
		out_fd = -1;
		reply->seq = request.seq;
		reply->len = 0;
		reply->result = kind->handle(kind->ctx, &request, in_fd, reply, &out_fd);
		n = rec_channel_send_reply(sock, reply, out_fd);
		if (in_fd >= 0)
			close(in_fd);
		if (out_fd >= 0)
			close(out_fd);
	} while (n == 0 && !kind->single);
	_exit(n == 0 ? 0 : 1);
}

static int worker_start(struct worker *w, int client, const struct rec_worker_kind *kind)
{
	int socks[2], err;

	err = rec_channel_pair(socks);
	if (err < 0)
		return err;
	w->pid = fork();
	if (w->pid == 0) {
		close(client);
		close(socks[0]);
		worker_run(socks[1], kind);
	}
	err = w->pid < 0 ? -errno : 0;
	close(socks[1]);
	if (err < 0) {
		close(socks[0]);
		w->pid = 0;
		return err;
	}
	w->sock = socks[0];
	return 0;
}

static void worker_end(struct worker *w)
{
	close(w->sock);
	kill(w->pid, SIGKILL);
	w->pid = 0;
	/*
	 * Not waited for: a worker may hang in the kernel. Its pid stays taken until it is reaped.
	 */
	while (waitpid(-1, NULL, WNOHANG) > 0)
		;
}

/*
 * Has the worker answer; afterwards *reply is what the client is to get. False when the worker
 * broke.
 */
static bool worker_ask(struct worker *w, const struct rec_request *request, int in_fd,
		       struct rec_reply *reply, int *out_fd, int timeout_ms)
{
	int err = rec_channel_send(w->sock, request, sizeof(*request), in_fd);

	if (err == 0)
		err = rec_channel_recv_reply(w->sock, reply, out_fd, timeout_ms);
	if (err == 0) {
		/* A worker that was taken over may say what it likes about its own request only. */
		reply->seq = request->seq;
		return true;
	}
	*out_fd = -1;
	reply->seq = request->seq;
	reply->result = PA_E_UNSUPPORTED;
	reply->len = 0;
	return false;
}

_Noreturn void rec_supervisor_run(int sock, const struct rec_worker_kind *kind)
{
	struct rec_reply *reply = &shared_reply;
	struct worker worker = {0};
	struct rec_request request;
	int in_fd, out_fd, err, n;
	bool good;

	if (die_with_parent() < 0)
		_exit(1);
	for (;;) {
		/* Started ahead of the request, so that the client doesn't wait for it. */
		err = worker.pid ? 0 : worker_start(&worker, sock, kind);
		n = rec_channel_recv(sock, &request, sizeof(request), &in_fd, -1);
		if (n != sizeof(request))
			break;
		out_fd = -1;
		if (err < 0) {
			*reply = (struct rec_reply){.seq = request.seq, .result = err};
		} else {
			good = worker_ask(&worker, &request, in_fd, reply, &out_fd,
					  kind->timeout_ms);
			if (!good || kind->single)
				worker_end(&worker);
		}
		err = rec_channel_send_reply(sock, reply, out_fd);
		if (in_fd >= 0)
			close(in_fd);
		if (out_fd >= 0)
			close(out_fd);
		if (err < 0)
			break;
	}
	if (worker.pid)
		worker_end(&worker);
	_exit(n == 0 ? 0 : 1);
}
