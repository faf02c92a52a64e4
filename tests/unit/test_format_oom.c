// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Each allocation of the writer and the reader fails once: -ENOMEM comes back, nothing leaks, and a
 * writer that is asked again goes on as if nothing had happened. Linked with --wrap for malloc,
 * calloc and realloc.
 */
#include "tests/unit/memory_trace.h"

#include <stdlib.h>

#include "format/hist.h"

static long fail_at = -1; /* allocations until the one that fails; -1 = none does */
static long allocations;

void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *p, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *p, size_t size);

static bool fails(void)
{
	allocations++;
	return fail_at >= 0 && fail_at-- == 0;
}

void *__wrap_malloc(size_t size)
{
	return fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t n, size_t size)
{
	return fails() ? NULL : __real_calloc(n, size);
}

void *__wrap_realloc(void *p, size_t size)
{
	return fails() ? NULL : __real_realloc(p, size);
}

/* A sink that takes everything into memory that was there before. */
struct fixed_sink {
	size_t len;
	uint8_t data[1 << 20];
};

static int fixed_write(void *ctx, const void *data, size_t len)
{
	struct fixed_sink *s = ctx;

	assert_true(len <= sizeof(s->data) - s->len);
	memcpy(s->data + s->len, data, len);
	s->len += len;
	return 0;
}

/* One step of a recording; each is repeated until it succeeds. */
static int write_step(struct pa_writer *w, int step)
{
	struct pa_record r = {.id = PA_REC_SAMPLE};
	uint64_t frames[40];
	char name[32];
	uint32_t id;
	int i, err;

	for (i = 0; i < 40; i++)
		frames[i] = 0x400000 + (uint64_t)(i < 20 ? i : step * 40 + i);
	snprintf(name, sizeof(name), "string %d", step);
	if (step % 100 == 99)
		return pa_writer_flush(w);
	if (step % 3 == 0)
		return pa_writer_string(w, name, strlen(name), &id);
	err = pa_writer_stack(w, PA_STACK_FP_END, frames, 40, &id);
	if (err < 0)
		return err;
	r.sample.time_ns = (uint64_t)step * 1000;
	r.sample.thread = 1;
	r.sample.ustack = id;
	r.sample.counters = (struct pa_list){frames, 3};
	return pa_writer_add(w, &r);
}

/*
 * Writes a trace; the allocation number fails is refused. True while there is one of that number.
 */
static bool write_trace(struct fixed_sink *sink, long number, bool *failed)
{
	struct pa_writer *w;
	int step, err;

	sink->len = 0;
	*failed = false;
	fail_at = number;
	w = pa_writer_new(fixed_write, sink, NULL);
	if (!w)
		*failed = true;
	for (step = 0; w && step < 400; step++) {
		err = write_step(w, step);
		if (err < 0) {
			assert_int_equal(err, -ENOMEM);
			assert_false(*failed);
			*failed = true;
			step--;
		}
	}
	pa_writer_free(w);
	fail_at = -1;
	return w != NULL;
}

static void the_writer_goes_on_after_enomem(void **state)
{
	static struct fixed_sink good, sink;
	bool failed = true;
	long number;

	(void)state;
	allocations = 0;
	assert_true(write_trace(&good, -1, &failed));
	if (allocations == 0)
		fail_msg("this test has to be linked with --wrap=malloc,calloc,realloc");
	for (number = 0; number == 0 || failed; number++) {
		if (!write_trace(&sink, number, &failed))
			continue;
		assert_int_equal(sink.len, good.len);
		assert_memory_equal(sink.data, good.data, good.len);
	}
	assert_true(number > 20);
}

/* Reads a trace with one failing allocation; the result of the reading. */
static int read_trace(const struct fixed_sink *trace, long number)
{
	struct memory_source source = {.data = trace->data, .len = trace->len, .chunk = 5000};
	const struct pa_record *record;
	struct pa_reader *r = NULL;
	int n;

	fail_at = number;
	n = pa_reader_new(memory_read, &source, &r);
	if (n == 0) {
		while ((n = pa_reader_next(r, &record)) == 1)
			assert_int_not_equal(record->id, PA_REC_LOSS);
		if (n < 0)
			assert_int_equal(pa_reader_next(r, &record), n);
		pa_reader_free(r);
	}
	fail_at = -1;
	return n;
}

static void the_reader_ends_with_enomem(void **state)
{
	static struct fixed_sink trace;
	bool failed;
	long number = 0;
	int n;

	(void)state;
	assert_true(write_trace(&trace, -1, &failed));
	while ((n = read_trace(&trace, number)) < 0) {
		assert_int_equal(n, -ENOMEM);
		number++;
	}
	assert_int_equal(n, 0);
	assert_true(number > 5);
}

static void text_ends_with_enomem(void **state)
{
	static const char line[] = "process id=1 comm=\"a\" cmdline=\"a b\" ns_pids=[1,2]";
	static struct fixed_sink sink;
	long number = 0;
	int err;

	(void)state;
	do {
		struct pa_writer *w = pa_writer_new(fixed_write, &sink, NULL);
		struct pa_buf error;

		pa_buf_init(&error);
		fail_at = number++;
		err = pa_text_to_writer(w, line, &error);
		fail_at = -1;
		assert_true(err == 0 || err == -ENOMEM);
		pa_buf_fini(&error);
		pa_writer_free(w);
	} while (err < 0);
	assert_true(number > 3);
}

static void distributions_stay_as_they_were(void **state)
{
	struct pa_histogram h = {0}, other = {0};

	(void)state;
	assert_int_equal(pa_hist_add(&h, 5, 1), 0);
	assert_int_equal(pa_hist_add(&other, 1u << 20, 2), 0);
	fail_at = 0;
	assert_int_equal(pa_hist_add(&h, 1u << 20, 2), -ENOMEM);
	fail_at = 0;
	assert_int_equal(pa_hist_merge(&h, &other), -ENOMEM);
	fail_at = -1;
	assert_int_equal(h.count, 1);
	assert_int_equal(h.sum_ns, 5);
	assert_int_equal(h.max_ns, 5);
	pa_hist_fini(&h);
	pa_hist_fini(&other);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_writer_goes_on_after_enomem),
		cmocka_unit_test(the_reader_ends_with_enomem),
		cmocka_unit_test(text_ends_with_enomem),
		cmocka_unit_test(distributions_stay_as_they_were),
	};

	return cmocka_run_group_tests_name("format/oom", tests, NULL, NULL);
}
