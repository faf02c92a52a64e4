// SPDX-License-Identifier: GPL-2.0-or-later
/* Starting and ending the broker, the sandbox, and the compiler, which is another sandbox. */
#include "record/helpers.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "format/util/err.h"
#include "format/util/mem.h"
#include "record/broker.h"
#include "record/privilege.h"
#include "record/sandbox.h"

#define HELPER_SOCK 3
#define STOP_TIMEOUT_MS 200

int rec_helper_detach(int sock, const char *name)
{
	static const int ignored[] = {SIGINT,  SIGQUIT, SIGHUP,  SIGTERM,
				      SIGTSTP, SIGPIPE, SIGUSR1, SIGUSR2};
	int null = rec_open_null(), fd;
	size_t i;

	if (null < 0)
		_exit(1);
	for (fd = 0; fd < 3; fd++)
		if (dup2(null, fd) < 0)
			_exit(1);
	if (sock != HELPER_SOCK && dup3(sock, HELPER_SOCK, O_CLOEXEC) < 0)
		_exit(1);
	rec_close_fds_from(HELPER_SOCK + 1);
	for (i = 0; i < PA_ARRAY_LEN(ignored); i++)
		signal(ignored[i], SIG_IGN);
	prctl(PR_SET_NAME, name, 0, 0, 0);
	return HELPER_SOCK;
}

enum role { ROLE_BROKER, ROLE_SANDBOX, ROLE_COMPILER };

static const char *const role_names[] = {
	[ROLE_BROKER] = "pa-broker",
	[ROLE_SANDBOX] = "pa-sandbox",
	[ROLE_COMPILER] = "pa-compiler",
};

static _Noreturn void helper_main(int sock, enum role role, const struct rec_privilege *p)
{
	sock = rec_helper_detach(sock, role_names[role]);
	if (role == ROLE_BROKER)
		rec_broker_run(sock, p);
	rec_sandbox_run(sock,
			role == ROLE_COMPILER ? REC_COMPILER_TIMEOUT_MS : REC_WORKER_TIMEOUT_MS);
}

static int start_one(struct rec_channel *channel, pid_t *pid, enum role role,
		     const struct rec_privilege *p)
{
	int socks[2], err;

	err = rec_channel_pair(socks);
	if (err < 0)
		return err;
	*pid = fork();
	if (*pid == 0)
		helper_main(socks[1], role, p);
	err = *pid < 0 ? -errno : 0;
	close(socks[1]);
	if (err < 0) {
		close(socks[0]);
		*pid = 0;
		return err;
	}
	channel->sock = socks[0];
	return 0;
}

int rec_helpers_start(struct rec_helpers *h, const struct rec_privilege *p)
{
	int err;

	*h = (struct rec_helpers){.broker.sock = -1, .sandbox.sock = -1, .compiler.sock = -1};
	h->reply = calloc(1, sizeof(*h->reply));
	if (!h->reply)
		return -ENOMEM;
	err = start_one(&h->broker, &h->broker_pid, ROLE_BROKER, p);
	if (err == 0)
		err = start_one(&h->sandbox, &h->sandbox_pid, ROLE_SANDBOX, p);
	if (err == 0)
		err = start_one(&h->compiler, &h->compiler_pid, ROLE_COMPILER, p);
	if (err < 0)
		rec_helpers_stop(h);
	return err;
}

void rec_helper_stop(struct rec_channel *channel, pid_t *pid)
{
	int waited_ms;

	if (*pid == 0)
		return;
	close(channel->sock);
	channel->sock = -1;
	kill(*pid, SIGKILL);
	for (waited_ms = 0; waited_ms < STOP_TIMEOUT_MS; waited_ms++) {
		if (waitpid(*pid, NULL, WNOHANG) != 0)
			break;
		poll(NULL, 0, 1);
	}
	*pid = 0;
}

void rec_helpers_stop(struct rec_helpers *h)
{
	rec_helper_stop(&h->broker, &h->broker_pid);
	rec_helper_stop(&h->sandbox, &h->sandbox_pid);
	rec_helper_stop(&h->compiler, &h->compiler_pid);
	free(h->reply);
	h->reply = NULL;
}

int rec_helpers_call(struct rec_helpers *h, struct rec_channel *channel,
		     struct rec_request *request, int in_fd, int *out_fd)
{
	int err = rec_channel_call(channel, request, in_fd, h->reply, out_fd);

	if (err == -ETIMEDOUT)
		h->timeouts++;
	else if (err == PA_E_UNSUPPORTED)
		h->broken++;
	return err;
}
