// SPDX-License-Identifier: GPL-2.0-or-later
/* All modules, and the threads that work through them. */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "format/util/mem.h"
#include "report/symbols/debuginfod.h"
#include "report/symbols/module.h"
#include "report/symbols/search.h"
#include "report/symbols/symbols.h"

#define MAX_THREADS 64

struct rpt_symbolizer {
	struct rpt_symbol_options options;
	struct rpt_search *search;
	struct rpt_debuginfod *debuginfod; /* or NULL */
	struct rpt_symbol_module **modules; /* owned */
	size_t module_count;
	size_t module_cap;
};

/* The queries of one module: a part of the batch's sorted array. */
struct job {
	int module;
	size_t first;
	size_t count;
};

struct batch {
	struct rpt_symbolizer *symbolizer;
	struct rpt_symbol_query **sorted;
	struct job *jobs; /* those with most queries first */
	size_t job_count;
	rpt_symbol_progress_fn *progress;
	void *progress_ctx;
	pthread_mutex_t lock; /* of what follows */
	size_t next_job;
	size_t done;
	bool stop;
};

struct rpt_symbolizer *rpt_symbolizer_new(const struct rpt_symbol_options *options)
{
	struct rpt_symbolizer *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->options = *options;
	s->search = rpt_search_new(&s->options);
	s->debuginfod = rpt_debuginfod_new(&s->options);
	rpt_search_set_debuginfod(s->search, s->debuginfod);
	return s;
}

void rpt_symbolizer_free(struct rpt_symbolizer *s)
{
	size_t i;

	if (!s)
		return;
	for (i = 0; i < s->module_count; i++)
		rpt_symbol_module_free(s->modules[i]);
	free(s->modules);
	rpt_search_free(s->search);
	rpt_debuginfod_free(s->debuginfod);
	free(s);
}

int rpt_symbolizer_add(struct rpt_symbolizer *s, const struct rpt_module_desc *desc)
{
	struct rpt_symbol_module *m;

	if (pa_grow(&s->modules, &s->module_cap, s->module_count + 1, sizeof(*s->modules)) < 0)
		return -ENOMEM;
	m = rpt_symbol_module_new(desc);
	if (!m)
		return -ENOMEM;
	s->modules[s->module_count] = m;
	return (int)s->module_count++;
}

void rpt_symbolizer_get_module(const struct rpt_symbolizer *s, int module,
			       struct rpt_module_state *state)
{
	rpt_symbol_module_get_state(s->modules[module], state);
}

const char *rpt_symbolizer_get_message(const struct rpt_symbolizer *s)
{
	return rpt_debuginfod_get_message(s->debuginfod);
}

static int compare_queries(const void *a, const void *b)
{
	const struct rpt_symbol_query *x = *(struct rpt_symbol_query *const *)a;
	const struct rpt_symbol_query *y = *(struct rpt_symbol_query *const *)b;

	if (x->module != y->module)
		return x->module < y->module ? -1 : 1;
	return x->file_offset < y->file_offset ? -1 : x->file_offset > y->file_offset;
}

static int compare_jobs(const void *a, const void *b)
{
	const struct job *x = a, *y = b;

	if (x->count != y->count)
		return x->count > y->count ? -1 : 1;
	return x->module < y->module ? -1 : x->module > y->module;
}

static void split_into_jobs(struct batch *b, size_t query_count)
{
	size_t i;

	for (i = 0; i < query_count; i++) {
		struct job *last = b->job_count ? &b->jobs[b->job_count - 1] : NULL;

		if (last && last->module == b->sorted[i]->module)
			last->count++;
		else
			b->jobs[b->job_count++] = (struct job){b->sorted[i]->module, i, 1};
	}
	qsort(b->jobs, b->job_count, sizeof(*b->jobs), compare_jobs);
}

static bool is_interrupted(const struct rpt_symbolizer *s)
{
	return s->options.interrupted && *s->options.interrupted;
}

static bool tell(const struct batch *b, const char *module)
{
	return b->progress && b->progress(b->progress_ctx, module, b->done, b->job_count);
}

/* The next job, or NULL when there is none left. finished: the one before is done. */
static struct job *take_job(struct batch *b, bool finished)
{
	struct job *job = NULL;

	pthread_mutex_lock(&b->lock);
	b->done += finished;
	b->stop = b->stop || is_interrupted(b->symbolizer);
	if (!b->stop && b->next_job < b->job_count)
		job = &b->jobs[b->next_job++];
	if (job)
		b->stop = tell(b, rpt_symbol_module_get_path(b->symbolizer->modules[job->module]));
	else if (b->done == b->job_count)
		tell(b, "");
	if (b->stop)
		job = NULL;
	pthread_mutex_unlock(&b->lock);
	return job;
}

static void *work(void *ctx)
{
	struct batch *b = ctx;
	struct rpt_symbolizer *s = b->symbolizer;
	struct job *job = NULL;

	while ((job = take_job(b, job != NULL)))
		rpt_symbol_module_resolve(s->modules[job->module], s->search, &s->options,
					  b->sorted + job->first, job->count);
	return NULL;
}

/* The calling thread is one of the workers: it goes on alone when no other can be started. */
static void run(struct batch *b, unsigned threads)
{
	pthread_t others[MAX_THREADS];
	size_t started = 0, wanted = PA_MIN(PA_MIN((size_t)threads, b->job_count), MAX_THREADS);

	while (started + 1 < wanted && pthread_create(&others[started], NULL, work, b) == 0)
		started++;
	work(b);
	while (started > 0)
		pthread_join(others[--started], NULL);
}

static unsigned count_threads(const struct rpt_symbol_options *options)
{
	long cpus;

	if (options->threads)
		return options->threads;
	cpus = sysconf(_SC_NPROCESSORS_ONLN);
	return cpus > 0 ? (unsigned)cpus : 1;
}

int rpt_symbolizer_resolve(struct rpt_symbolizer *s, struct rpt_symbol_query *queries, size_t count,
			   rpt_symbol_progress_fn *progress, void *ctx)
{
	struct batch b = {.symbolizer = s, .progress = progress, .progress_ctx = ctx};
	int r = -ENOMEM;
	size_t i;

	if (count == 0)
		return 0;
	b.sorted = calloc(count, sizeof(struct rpt_symbol_query *));
	b.jobs = calloc(PA_MIN(count, s->module_count), sizeof(*b.jobs));
	if (!b.sorted || !b.jobs)
		goto out;
	for (i = 0; i < count; i++) {
		queries[i].result = (struct rpt_resolution){.reason = RPT_SYM_INTERRUPTED};
		b.sorted[i] = &queries[i];
	}
	qsort(b.sorted, count, sizeof(struct rpt_symbol_query *), compare_queries);
	split_into_jobs(&b, count);
	pthread_mutex_init(&b.lock, NULL);
	run(&b, count_threads(&s->options));
	pthread_mutex_destroy(&b.lock);
	r = 0;
out:
	free(b.sorted);
	free(b.jobs);
	return r;
}
