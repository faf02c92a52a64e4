// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How fast traces are written and read, with made-up samples over 50 000 stacks:
 *
 *   archive make SAMPLES FILE    writes a trace
 *   archive write SAMPLES DEPTH  writes one nowhere, with stacks of that depth; nanoseconds a sample
 *   archive load FILE            reads one into the reporter's model; seconds and MiB
 *
 * Each prints one line "key=value ...".
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "format/pa-format.h"
#include "format/util/htab.h"
#include "report/session.h"

#define STACKS 50000u
#define DEPTH 20u
#define MAX_DEPTH 1000u
#define THREADS 8u

/* Processor time: what else the machine does is not measured. */
static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
	return (double)ts.tv_sec + 1e-9 * (double)ts.tv_nsec;
}

static void check(int err, const char *what)
{
	if (err >= 0)
		return;
	fprintf(stderr, "archive: %s: %s\n", what, strerror(-err));
	exit(1);
}

static int write_fd(void *ctx, const void *data, size_t len)
{
	return write(*(int *)ctx, data, len) == (ssize_t)len ? 0 : -EIO;
}

/* Stack number n: its outer frames are shared with others, as those of a program are. */
static size_t make_stack(uint64_t n, size_t depth, uint64_t *frames)
{
	size_t i;

	for (i = 0; i < depth; i++)
		frames[i] = 0x400000 +
			    pa_hash_u64(n >> (2 * (depth - 1 - i) > 16 ? 16 : 2 * (depth - 1 - i)) ^
					i) %
				    0x100000;
	return depth;
}

static void add_head(struct pa_writer *w)
{
	struct pa_record r = {.id = PA_REC_SESSION};
	uint32_t i;

	r.session.start_ns = 1000;
	r.session.cpus = 4;
	r.session.modes = PA_MODE_PROFILE;
	check(pa_writer_add(w, &r), "session");
	r = (struct pa_record){.id = PA_REC_SAMPLING};
	check(pa_writer_string(w, "cpu-clock", 9, &r.sampling.event), "string");
	r.sampling.rate_hz = 997;
	r.sampling.period = 1003009;
	check(pa_writer_add(w, &r), "sampling");
	r = (struct pa_record){.id = PA_REC_MODULE};
	r.module.id = 1;
	check(pa_writer_string(w, "/opt/app", 8, &r.module.path), "string");
	check(pa_writer_add(w, &r), "module");
	r = (struct pa_record){.id = PA_REC_PROCESS};
	r.process.id = 1;
	r.process.pid = 100;
	check(pa_writer_add(w, &r), "process");
	r = (struct pa_record){.id = PA_REC_MAPPING};
	r.mapping.process = 1;
	r.mapping.start = 0x400000;
	r.mapping.length_bytes = 0x200000;
	r.mapping.module = 1;
	r.mapping.prot = 5;
	check(pa_writer_add(w, &r), "mapping");
	for (i = 1; i <= THREADS; i++) {
		r = (struct pa_record){.id = PA_REC_THREAD};
		r.thread.id = i;
		r.thread.process = 1;
		r.thread.tid = 99 + i;
		check(pa_writer_add(w, &r), "thread");
	}
}

/* Sample i, of stack n, which one thread has alone. */
static void add_sample(struct pa_writer *w, uint64_t i, uint64_t n, const uint64_t *frames,
		       size_t depth)
{
	struct pa_record r = {.id = PA_REC_SAMPLE};
	uint32_t stack;

	check(pa_writer_stack(w, PA_STACK_COMPLETE, frames, depth, &stack), "stack");
	r.sample.time_ns = 1000 + i * 250000;
	r.sample.thread = 1 + n % THREADS;
	r.sample.ustack = stack;
	r.sample.cpu = i % 4;
	check(pa_writer_add(w, &r), "sample");
	if (i % 4000 == 3999) {
		r = (struct pa_record){.id = PA_REC_COVERED};
		r.covered.time_ns = 1000 + i * 250000;
		check(pa_writer_add(w, &r), "covered");
		check(pa_writer_flush(w), "flush");
	}
}

/* Hot stacks come often, most of them seldom. */
static uint64_t choose(uint64_t i)
{
	uint64_t h = pa_hash_u64(i), range = STACKS >> (h & 7);

	return (h >> 8) % (range ? range : 1);
}

static int make(uint64_t samples, const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	struct pa_writer *w = pa_writer_new(write_fd, &fd, NULL);
	struct pa_record end = {.id = PA_REC_END};
	uint64_t frames[MAX_DEPTH], i;

	check(fd < 0 ? -errno : 0, path);
	add_head(w);
	for (i = 0; i < samples; i++)
		add_sample(w, i, choose(i), frames, make_stack(choose(i), DEPTH, frames));
	end.end.time_ns = 1000 + samples * 250000;
	check(pa_writer_add(w, &end), "end");
	check(pa_writer_flush(w), path);
	printf("samples=%" PRIu64 " bytes=%jd\n", samples, (intmax_t)lseek(fd, 0, SEEK_END));
	pa_writer_free(w);
	return close(fd) ? 1 : 0;
}

static int measure_writing(uint64_t samples, size_t depth)
{
	int fd = open("/dev/null", O_WRONLY | O_CLOEXEC);
	struct pa_writer *w = pa_writer_new(write_fd, &fd, NULL);
	uint64_t *frames = malloc(1000 * depth * sizeof(*frames)), i;
	struct pa_writer_stats stats;
	double start;

	check(fd < 0 || !w || !frames ? -ENOMEM : 0, "memory");
	for (i = 0; i < 1000; i++)
		make_stack(i, depth, frames + i * depth);
	add_head(w);
	start = now();
	for (i = 0; i < samples; i++)
		add_sample(w, i, choose(i), frames + choose(i) % 1000 * depth, depth);
	check(pa_writer_flush(w), "flush");
	start = now() - start;
	pa_writer_get_stats(w, &stats);
	printf("samples=%" PRIu64 " depth=%zu ns_per_sample=%.0f bytes_per_sample=%.2f\n", samples,
	       depth, 1e9 * start / (double)samples, (double)stats.bytes / (double)samples);
	pa_writer_free(w);
	free(frames);
	return 0;
}

static int64_t read_fd(void *ctx, void *data, size_t len)
{
	return read(*(int *)ctx, data, len);
}

static int measure_loading(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct rpt_session *s = rpt_session_new();
	struct pa_reader *reader = NULL;
	struct rusage usage;
	double start = now();

	check(fd < 0 ? -errno : pa_reader_new(read_fd, &fd, &reader), path);
	check(rpt_session_load(s, reader, path), path);
	start = now() - start;
	getrusage(RUSAGE_SELF, &usage);
	printf("records=%" PRIu64 " groups=%zu seconds=%.3f mib=%ld\n", s->model.sequence,
	       s->model.samples.count, start, usage.ru_maxrss >> 10);
	pa_reader_free(reader);
	rpt_session_free(s);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 4 && strcmp(argv[1], "make") == 0)
		return make(strtoull(argv[2], NULL, 10), argv[3]);
	if (argc == 4 && strcmp(argv[1], "write") == 0) {
		size_t depth = strtoull(argv[3], NULL, 10);

		return measure_writing(strtoull(argv[2], NULL, 10),
				       depth < 1 || depth > MAX_DEPTH ? DEPTH : depth);
	}
	if (argc == 3 && strcmp(argv[1], "load") == 0)
		return measure_loading(argv[2]);
	fprintf(stderr, "usage: archive make SAMPLES FILE | write SAMPLES DEPTH | load FILE\n");
	return 2;
}
