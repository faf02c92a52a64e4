// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The library is loaded when it is asked for: see docs/architecture.md. It works in a process of its own for each
 * file: it closes one of its descriptors twice (debuginfod_config_cache() of elfutils 0.188), which in ours would
 * be another thread's file by then; and a process ends at once when it is to end.
 */
#include "report/symbols/debuginfod.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "format/util/buf.h"
#include "report/xmem.h"

#define LIBRARY "libdebuginfod.so.1"
#define NS_PER_S 1000000000ull
#define WAIT_MS 50
#define MAX_PATH_BYTES 4000

/* As the library declares them, whose header may not be there. */
struct debuginfod_client;
typedef int find_fn(struct debuginfod_client *client, const unsigned char *id, int id_bytes,
		    char **path);

struct rpt_debuginfod {
	const struct rpt_symbol_options *options;
	void *library;
	struct debuginfod_client *(*begin)(void);
	find_fn *find_code, *find_debug;
	uint64_t deadline_ns;
	pthread_mutex_t lock; /* of what follows */
	bool given_up; /* nobody answers, or time is up: no more requests */
	struct pa_buf message;
};

static uint64_t get_now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * NS_PER_S + (uint64_t)t.tv_nsec;
}

static bool is_interrupted(const struct rpt_debuginfod *d)
{
	return d->options->interrupted && *d->options->interrupted;
}

static bool load(struct rpt_debuginfod *d)
{
	static const char *const names[] = {"debuginfod_begin", "debuginfod_find_executable",
					    "debuginfod_find_debuginfo"};
	void *symbols[PA_ARRAY_LEN(names)];
	size_t i;

	d->library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
	for (i = 0; i < PA_ARRAY_LEN(names); i++) {
		symbols[i] = d->library ? dlsym(d->library, names[i]) : NULL;
		if (!symbols[i])
			return false;
	}
	/* POSIX wants it done like this. */
	memcpy(&d->begin, &symbols[0], sizeof(void *));
	memcpy(&d->find_code, &symbols[1], sizeof(void *));
	memcpy(&d->find_debug, &symbols[2], sizeof(void *));
	return true;
}

static void give_up(struct rpt_debuginfod *d, const char *why)
{
	pthread_mutex_lock(&d->lock);
	if (!d->given_up)
		pa_buf_add_str(&d->message, why);
	d->given_up = true;
	pthread_mutex_unlock(&d->lock);
}

struct rpt_debuginfod *rpt_debuginfod_new(const struct rpt_symbol_options *options)
{
	struct rpt_debuginfod *d;
	struct pa_buf seconds;
	const char *servers;

	if (!options->debuginfod)
		return NULL;
	d = rpt_xcalloc(1, sizeof(*d));
	d->options = options;
	pthread_mutex_init(&d->lock, NULL);
	pa_buf_init(&d->message);
	/* The library takes all it has to know from the environment, but for what follows. */
	if (*options->debuginfod)
		setenv("DEBUGINFOD_URLS", options->debuginfod, 1);
	pa_buf_init(&seconds);
	pa_buf_addf(&seconds, "%llu", (unsigned long long)(options->debuginfod_ns / NS_PER_S + 1));
	rpt_xcheck(pa_buf_error(&seconds));
	setenv("DEBUGINFOD_TIMEOUT", pa_buf_str(&seconds), 1);
	pa_buf_fini(&seconds);
	servers = getenv("DEBUGINFOD_URLS");
	if (!servers || !*servers)
		give_up(d, "no server is known: give --debuginfod=URL, or set DEBUGINFOD_URLS");
	else if (!load(d))
		give_up(d, "it takes " LIBRARY ", which is not installed here");
	d->deadline_ns = get_now_ns() + options->debuginfod_ns;
	return d;
}

void rpt_debuginfod_free(struct rpt_debuginfod *d)
{
	if (!d)
		return;
	/* The library stays loaded: what it is made of does not like to be unloaded. */
	pthread_mutex_destroy(&d->lock);
	pa_buf_fini(&d->message);
	free(d);
}

static bool may_ask(struct rpt_debuginfod *d)
{
	bool may;

	if (get_now_ns() >= d->deadline_ns)
		give_up(d, "the time for it is up: see --debuginfod-timeout");
	pthread_mutex_lock(&d->lock);
	may = !d->given_up;
	pthread_mutex_unlock(&d->lock);
	return may && !is_interrupted(d);
}

/* That a server has not the one file says nothing of others; that it does not answer does. */
static void judge(struct rpt_debuginfod *d, int err)
{
	struct pa_buf why;

	if (err >= 0 || err == -ENOENT || is_interrupted(d))
		return;
	if (get_now_ns() >= d->deadline_ns) {
		give_up(d, "the time for it is up: see --debuginfod-timeout");
		return;
	}
	pa_buf_init(&why);
	pa_buf_addf(&why, "cannot fetch from '%s': %s", getenv("DEBUGINFOD_URLS"), strerror(-err));
	rpt_xcheck(pa_buf_error(&why));
	give_up(d, pa_buf_str(&why));
	pa_buf_fini(&why);
}

/* What the process answers; it goes through the pipe at one go. */
struct answer {
	int err; /* 0 or -errno */
	char path[MAX_PATH_BYTES];
};
_Static_assert(sizeof(struct answer) <= PIPE_BUF, "an answer is written as a whole");

static _Noreturn void serve(const struct rpt_debuginfod *d, const struct rpt_build_id *id,
			    bool code, int out)
{
	struct debuginfod_client *client;
	struct answer answer = {.err = -ENOMEM};
	char *path = NULL;
	int fd;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	/* The caller looks after it. */
	signal(SIGINT, SIG_IGN);
	client = d->begin();
	if (client) {
		fd = (code ? d->find_code : d->find_debug)(client, id->data, (int)id->len, &path);
		answer.err = fd < 0 ? fd : 0;
	}
	if (path && strlen(path) < sizeof(answer.path))
		memcpy(answer.path, path, strlen(path));
	else if (answer.err == 0)
		answer.err = -ENAMETOOLONG;
	_exit(write(out, &answer, sizeof(answer)) == (ssize_t)sizeof(answer) ? 0 : 1);
}

/* Until it has answered, has died, or is to end. Its end of the pipe may be open in another such process. */
static int wait_for(const struct rpt_debuginfod *d, pid_t pid, int in, struct answer *answer)
{
	struct pollfd p = {.fd = in, .events = POLLIN};
	bool over = false;
	int err = -EINTR;

	while (!over) {
		bool dead = waitpid(pid, NULL, WNOHANG) == pid;

		if (poll(&p, 1, dead ? 0 : WAIT_MS) > 0 && p.revents & POLLIN) {
			err = read(in, answer, sizeof(*answer)) == (ssize_t)sizeof(*answer) ?
				      answer->err :
				      -EIO;
			over = true;
		} else if (dead) {
			return -ECHILD;
		}
		over = over || is_interrupted(d) || get_now_ns() >= d->deadline_ns;
		if (dead)
			return err;
	}
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	return err;
}

static int ask(const struct rpt_debuginfod *d, const struct rpt_build_id *id, bool code,
	       struct answer *answer)
{
	int ends[2], err;
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC) < 0)
		return -errno;
	pid = fork();
	if (pid == 0)
		serve(d, id, code, ends[1]);
	err = pid < 0 ? -errno : wait_for(d, pid, ends[0], answer);
	close(ends[0]);
	close(ends[1]);
	return err;
}

char *rpt_debuginfod_fetch(struct rpt_debuginfod *d, const struct rpt_build_id *id, bool code)
{
	struct answer answer;
	int err;

	/* The library takes an ID of length 0 for text. */
	if (!d || id->len == 0 || !may_ask(d))
		return NULL;
	err = ask(d, id, code, &answer);
	judge(d, err);
	if (err < 0)
		return NULL;
	answer.path[sizeof(answer.path) - 1] = '\0';
	return rpt_xstrdup(answer.path);
}

const char *rpt_debuginfod_get_message(struct rpt_debuginfod *d)
{
	return d && d->message.len ? pa_buf_str(&d->message) : NULL;
}
