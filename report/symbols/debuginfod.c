// SPDX-License-Identifier: GPL-2.0-or-later
/* The library is loaded when it is asked for: see docs/architecture.md. */
#include "report/symbols/debuginfod.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "format/util/buf.h"
#include "report/xmem.h"

#define LIBRARY "libdebuginfod.so.1"
#define NS_PER_S 1000000000ull

/* As the library declares them, whose header may not be there. */
struct debuginfod_client;
typedef int progress_fn(struct debuginfod_client *client, long done, long total);
typedef int find_fn(struct debuginfod_client *client, const unsigned char *id, int id_bytes,
		    char **path);

struct rpt_debuginfod {
	const struct rpt_symbol_options *options;
	void *library;
	struct debuginfod_client *(*begin)(void);
	void (*end)(struct debuginfod_client *client);
	void (*set_progress)(struct debuginfod_client *client, progress_fn *fn);
	find_fn *find_code, *find_debug;
	uint64_t deadline_ns;
	pthread_mutex_t lock; /* of what follows */
	bool given_up; /* nobody answers, or time is up: no more requests */
	struct pa_buf message;
};

/* The library's callback has no context before version 0.188 of elfutils but this. */
static _Thread_local const struct rpt_debuginfod *current;

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

/* Called by the library about once a second, also while it waits for an answer. */
static int go_on(struct debuginfod_client *client, long done, long total)
{
	(void)client;
	(void)done;
	(void)total;
	return current && (is_interrupted(current) || get_now_ns() >= current->deadline_ns);
}

static bool load(struct rpt_debuginfod *d)
{
	static const char *const names[] = {
		"debuginfod_begin", "debuginfod_end", "debuginfod_set_progressfn",
		"debuginfod_find_executable", "debuginfod_find_debuginfo"};
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
	memcpy(&d->end, &symbols[1], sizeof(void *));
	memcpy(&d->set_progress, &symbols[2], sizeof(void *));
	memcpy(&d->find_code, &symbols[3], sizeof(void *));
	memcpy(&d->find_debug, &symbols[4], sizeof(void *));
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

char *rpt_debuginfod_fetch(struct rpt_debuginfod *d, const struct rpt_build_id *id, bool code)
{
	struct debuginfod_client *client;
	char *path = NULL;
	int fd;

	/* The library takes an ID of length 0 for text. */
	if (!d || id->len == 0 || !may_ask(d))
		return NULL;
	client = d->begin();
	if (!client)
		return NULL;
	current = d;
	d->set_progress(client, go_on);
	fd = (code ? d->find_code : d->find_debug)(client, id->data, (int)id->len, &path);
	current = NULL;
	d->end(client);
	judge(d, fd);
	if (fd < 0)
		return NULL;
	close(fd);
	return path;
}

const char *rpt_debuginfod_get_message(struct rpt_debuginfod *d)
{
	return d && d->message.len ? pa_buf_str(&d->message) : NULL;
}
