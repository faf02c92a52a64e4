// SPDX-License-Identifier: GPL-2.0-or-later
/* Messages between processes, the client's patience, and workers that break in every way. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "format/util/err.h"
#include "record/channel.h"
#include "record/privilege.h"
#include "record/supervisor.h"

static struct rec_reply reply;

static size_t count_fds(void)
{
	size_t n = 0;
	int fd;

	for (fd = 0; fd < 256; fd++)
		n += fcntl(fd, F_GETFD) >= 0;
	return n;
}

/* --- messages --- */

static void messages_carry_a_descriptor(void **state)
{
	int socks[2], fd, null = open("/dev/null", O_RDONLY | O_CLOEXEC);
	struct stat a, b;
	char text[8];

	(void)state;
	assert_int_equal(rec_channel_pair(socks), 0);
	assert_int_equal(rec_channel_send(socks[0], "one", 4, null), 0);
	assert_int_equal(rec_channel_send(socks[0], "two", 4, -1), 0);
	assert_int_equal(rec_channel_recv(socks[1], text, sizeof(text), &fd, 0), 4);
	assert_string_equal(text, "one");
	assert_true(fd >= 0 && fd != null);
	assert_int_equal(fcntl(fd, F_GETFD), FD_CLOEXEC);
	assert_int_equal(fstat(null, &a) | fstat(fd, &b), 0);
	assert_int_equal(a.st_ino, b.st_ino);
	close(fd);
	assert_int_equal(rec_channel_recv(socks[1], text, sizeof(text), &fd, 0), 4);
	assert_string_equal(text, "two");
	assert_int_equal(fd, -1);
	assert_int_equal(rec_channel_recv(socks[1], text, sizeof(text), &fd, 1), -ETIMEDOUT);
	close(socks[0]);
	assert_int_equal(rec_channel_recv(socks[1], text, sizeof(text), &fd, -1), 0);
	assert_int_equal(rec_channel_send(socks[1], "x", 1, -1), -EPIPE);
	close(socks[1]);
	close(null);
}

static void what_does_not_belong_is_closed(void **state)
{
	union {
		struct cmsghdr header;
		char bytes[CMSG_SPACE(2 * sizeof(int))];
	} control = {.header = {.cmsg_len = CMSG_LEN(2 * sizeof(int)),
				.cmsg_level = SOL_SOCKET,
				.cmsg_type = SCM_RIGHTS}};
	struct iovec iov = {.iov_base = "0123456789", .iov_len = 10};
	struct msghdr msg = {.msg_iov = &iov,
			     .msg_iovlen = 1,
			     .msg_control = &control,
			     .msg_controllen = sizeof(control)};
	int two[2] = {0, 1}, socks[2], fd;
	size_t before;
	char text[16];

	(void)state;
	memcpy(CMSG_DATA(&control.header), two, sizeof(two));
	assert_int_equal(rec_channel_pair(socks), 0);
	before = count_fds();
	/* Two descriptors, then a message that is too long, then one where none is taken. */
	assert_int_equal(sendmsg(socks[0], &msg, 0), 10);
	assert_int_equal(rec_channel_recv(socks[1], text, sizeof(text), &fd, 0), 10);
	assert_int_equal(count_fds(), before + 1);
	close(fd);
	assert_int_equal(sendmsg(socks[0], &msg, 0), 10);
	assert_int_equal(rec_channel_recv(socks[1], text, 4, &fd, 0), -EMSGSIZE);
	assert_int_equal(sendmsg(socks[0], &msg, 0), 10);
	assert_int_equal(rec_channel_recv(socks[1], text, sizeof(text), NULL, 0), 10);
	assert_int_equal(count_fds(), before);
	close(socks[0]);
	close(socks[1]);
}

static void malformed_replies_are_refused(void **state)
{
	int socks[2], fd;

	(void)state;
	assert_int_equal(rec_channel_pair(socks), 0);
	assert_int_equal(rec_channel_send(socks[0], "short", 5, 0), 0);
	assert_int_equal(rec_channel_recv_reply(socks[1], &reply, &fd, 0), PA_E_CORRUPT);
	reply = (struct rec_reply){.len = 4};
	assert_int_equal(
		rec_channel_send(socks[0], &reply, offsetof(struct rec_reply, data) + 3, 0), 0);
	assert_int_equal(rec_channel_recv_reply(socks[1], &reply, &fd, 0), PA_E_CORRUPT);
	close(socks[0]);
	assert_int_equal(rec_channel_recv_reply(socks[1], &reply, &fd, 0), -EPIPE);
	close(socks[1]);
}

static void send_reply(int sock, uint32_t seq, int32_t result)
{
	struct rec_reply r = {.seq = seq, .result = result};

	assert_int_equal(rec_channel_send_reply(sock, &r, 0), 0);
}

/* A helper that doesn't answer costs one timeout, not one for each request. */
static void late_replies_are_not_mistaken(void **state)
{
	struct rec_request request = {0};
	struct rec_channel c = {0};
	int socks[2];
	size_t before;

	(void)state;
	assert_int_equal(rec_channel_pair(socks), 0);
	before = count_fds();
	c.sock = socks[0];
	assert_int_equal(rec_channel_call(&c, &request, -1, &reply, NULL), -ETIMEDOUT);
	assert_int_equal(rec_channel_call(&c, &request, -1, &reply, NULL), -EBUSY);
	assert_int_equal(rec_channel_call(&c, &request, -1, &reply, NULL), -EBUSY);
	send_reply(socks[1], 1, -EIO);
	send_reply(socks[1], 2, -ENOENT);
	assert_int_equal(rec_channel_call(&c, &request, -1, &reply, NULL), -ENOENT);
	assert_int_equal(count_fds(), before);
	close(socks[1]);
	assert_int_equal(rec_channel_call(&c, &request, -1, &reply, NULL), -EPIPE);
	close(socks[0]);
	c.sock = -1;
	assert_int_equal(rec_channel_call(&c, &request, -1, &reply, NULL), -EPIPE);
}

/* --- workers --- */

enum test_op {
	OP_COUNT,
	OP_CRASH,
	OP_HANG,
	OP_OPEN,
	OP_SOCKET,
	OP_EXEC,
	OP_FORK,
	OP_EXECUTABLE,
	OP_LIE
};

static int misbehave(void *ctx, const struct rec_request *request, int in_fd, struct rec_reply *out,
		     int *out_fd)
{
	static uint32_t served;

	(void)ctx;
	switch ((enum test_op)request->op) {
	case OP_COUNT:
		memcpy(out->data, &served, sizeof(served));
		served++;
		out->len = sizeof(served);
		*out_fd = in_fd >= 0 ? open("/dev/null", O_RDONLY | O_CLOEXEC) : -1;
		return (int)request->what;
	case OP_CRASH:
		__builtin_trap();
	case OP_HANG:
		for (;;)
			request = *(const struct rec_request *volatile *)&request;
	case OP_OPEN:
		return open("/etc/passwd", O_RDONLY);
	case OP_SOCKET:
		return socket(AF_UNIX, SOCK_STREAM, 0);
	case OP_EXEC:
		return execl("/bin/true", "true", NULL);
	case OP_FORK:
		return fork();
	case OP_EXECUTABLE:
		return mmap(NULL, 4096, PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) !=
		       MAP_FAILED;
	case OP_LIE:
		out->seq = request->seq + 1;
		return 0;
	}
	return -EINVAL;
}

static pid_t start_supervisor(struct rec_channel *c, bool single, enum rec_seccomp_filter filter)
{
	struct rec_worker_kind kind = {
		.handle = misbehave, .filter = filter, .timeout_ms = 800, .single = single};
	int socks[2];
	pid_t pid;

	assert_int_equal(rec_channel_pair(socks), 0);
	pid = fork();
	if (pid == 0) {
		close(socks[0]);
		if (rec_privilege_reduce(0) < 0 ||
		    rec_seccomp_install(REC_SECCOMP_BROKER_PARENT) < 0)
			_exit(1);
		rec_supervisor_run(socks[1], &kind);
	}
	close(socks[1]);
	*c = (struct rec_channel){.sock = socks[0]};
	return pid;
}

static void end_supervisor(struct rec_channel *c, pid_t pid)
{
	int status;

	close(c->sock);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

/* How many requests the worker that answers has served before. */
static uint32_t ask_count(struct rec_channel *c)
{
	struct rec_request request = {.op = OP_COUNT};
	uint32_t served;

	assert_int_equal(rec_channel_call(c, &request, -1, &reply, NULL), 0);
	assert_int_equal(reply.len, sizeof(served));
	memcpy(&served, reply.data, sizeof(served));
	return served;
}

static void workers_answer(void **state)
{
	struct rec_request request = {.op = OP_COUNT, .what = 0};
	struct rec_channel c;
	/* The broker's filter, since this worker opens something. */
	pid_t pid = start_supervisor(&c, false, REC_SECCOMP_BROKER);
	int null = open("/dev/null", O_RDONLY | O_CLOEXEC), fd;
	size_t before = count_fds();

	(void)state;
	assert_int_equal(ask_count(&c), 0);
	assert_int_equal(ask_count(&c), 1);
	assert_int_equal(rec_channel_call(&c, &request, null, &reply, &fd), 0);
	assert_true(fd >= 0);
	close(fd);
	/* Of a refusal, no descriptor is taken. */
	request.what = (uint32_t)-ENOENT;
	assert_int_equal(rec_channel_call(&c, &request, null, &reply, &fd), -ENOENT);
	assert_int_equal(fd, -1);
	assert_int_equal(rec_channel_call(&c, &request, null, &reply, NULL), -ENOENT);
	assert_int_equal(count_fds(), before);
	end_supervisor(&c, pid);
	close(null);
}

static void single_workers_remember_nothing(void **state)
{
	struct rec_channel c;
	pid_t pid = start_supervisor(&c, true, REC_SECCOMP_SANDBOX);
	int i;

	(void)state;
	for (i = 0; i < 50; i++)
		assert_int_equal(ask_count(&c), 0);
	end_supervisor(&c, pid);
}

static void broken_workers_are_replaced(void **state)
{
	struct rec_channel c;
	pid_t pid;
	int single;

	(void)state;
	for (single = 0; single < 2; single++) {
		uint32_t op;

		pid = start_supervisor(&c, single, REC_SECCOMP_SANDBOX);
		for (op = OP_CRASH; op < OP_LIE; op++) {
			struct rec_request request = {.op = op};

			assert_int_equal(rec_channel_call(&c, &request, 0, &reply, NULL),
					 PA_E_UNSUPPORTED);
			assert_int_equal(ask_count(&c), 0);
		}
		end_supervisor(&c, pid);
	}
}

static void workers_cannot_answer_other_requests(void **state)
{
	struct rec_request request = {.op = OP_LIE};
	struct rec_channel c;
	pid_t pid = start_supervisor(&c, true, REC_SECCOMP_SANDBOX);

	(void)state;
	assert_int_equal(rec_channel_call(&c, &request, -1, &reply, NULL), 0);
	assert_int_equal(reply.seq, request.seq);
	assert_int_equal(ask_count(&c), 0);
	end_supervisor(&c, pid);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(messages_carry_a_descriptor),
		cmocka_unit_test(what_does_not_belong_is_closed),
		cmocka_unit_test(malformed_replies_are_refused),
		cmocka_unit_test(late_replies_are_not_mistaken),
		cmocka_unit_test(workers_answer),
		cmocka_unit_test(single_workers_remember_nothing),
		cmocka_unit_test(broken_workers_are_replaced),
		cmocka_unit_test(workers_cannot_answer_other_requests),
	};

	return cmocka_run_group_tests_name("record/channel", tests, NULL, NULL);
}
