// SPDX-License-Identifier: GPL-2.0-or-later
/* Several traces from one writer, and records that are moved from one trace into another. */
#include "tests/unit/memory_trace.h"

static void add(struct pa_writer *w, const char *line)
{
	struct pa_buf error = {0};

	assert_int_equal(pa_text_to_writer(w, line, &error), 0);
	pa_buf_fini(&error);
}

/* The second trace from a writer is as the first one of a new writer. */
static void restart(void **state)
{
	struct pa_buf out = {0}, fresh = {0};
	struct pa_writer *w = pa_writer_new(memory_sink, &out, NULL);
	static const char text[] = "tag key=\"a\" value=\"b\"\nsample time_ns=5 thread=1\n";
	uint32_t id;
	size_t first;

	(void)state;
	assert_non_null(w);
	assert_int_equal(pa_writer_string(w, "b", 1, &id), 0);
	add(w, "tag key=\"x\" value=\"b\"");
	assert_int_equal(pa_writer_restart(w), 0);
	first = out.len;
	add(w, "tag key=\"a\" value=\"b\"");
	add(w, "sample time_ns=5 thread=1");
	assert_int_equal(pa_writer_flush(w), 0);
	memory_trace_from_text(&fresh, text);
	assert_int_equal(out.len - first, fresh.len);
	assert_memory_equal(out.data + first, fresh.data, fresh.len);
	pa_writer_free(w);
	pa_buf_fini(&out);
	pa_buf_fini(&fresh);
}

static void shift(void **state)
{
	struct pa_record r = {.id = PA_REC_SAMPLE};

	(void)state;
	r.sample.ustack = 20;
	r.sample.kstack = PA_STACK_KERNEL;
	r.sample.thread = 20;
	assert_int_equal(pa_record_shift_ids(&r, 1000, 100), 0);
	assert_int_equal(r.sample.ustack, 120);
	assert_int_equal(r.sample.kstack, PA_STACK_KERNEL);
	assert_int_equal(r.sample.thread, 20);

	r = (struct pa_record){.id = PA_REC_STACK};
	r.stack.id = 20;
	r.stack.parent = PA_STACK_COMPLETE;
	assert_int_equal(pa_record_shift_ids(&r, 1000, 100), 0);
	assert_int_equal(r.stack.id, 120);
	assert_int_equal(r.stack.parent, PA_STACK_COMPLETE);

	r = (struct pa_record){.id = PA_REC_STRING};
	r.string.id = 7;
	assert_int_equal(pa_record_shift_ids(&r, 1000, 100), 0);
	assert_int_equal(r.string.id, 1007);

	r = (struct pa_record){.id = PA_REC_MODULE};
	r.module.id = 7;
	r.module.path = 3;
	assert_int_equal(pa_record_shift_ids(&r, 1000, 100), 0);
	assert_int_equal(r.module.id, 7);
	assert_int_equal(r.module.path, 1003);

	r = (struct pa_record){.id = PA_REC_MODULE};
	r.module.path = UINT32_MAX;
	assert_int_equal(pa_record_shift_ids(&r, 1, 0), PA_E_LIMIT);
}

static int add_seven(void *ctx, uint32_t *id)
{
	unsigned *left = ctx;

	if (*left == 0)
		return -ENOMEM;
	--*left;
	*id += 7;
	return 0;
}

/* All strings but the empty one, whatever else the record holds. */
static void map_strings(void **state)
{
	struct pa_record r = {.id = PA_REC_PROCESS};
	unsigned calls = 100;

	(void)state;
	r.process.id = 1;
	r.process.comm = 2;
	r.process.cgroup = 3;
	assert_int_equal(pa_record_map_strings(&r, add_seven, &calls), 0);
	assert_int_equal(calls, 98);
	assert_int_equal(r.process.id, 1);
	assert_int_equal(r.process.comm, 9);
	assert_int_equal(r.process.exe, 0);
	assert_int_equal(r.process.cgroup, 10);
	calls = 1;
	assert_int_equal(pa_record_map_strings(&r, add_seven, &calls), -ENOMEM);
	r = (struct pa_record){.id = PA_REC_STRING};
	r.string.id = 1;
	assert_int_equal(pa_record_map_strings(&r, add_seven, &calls), 0);
	assert_int_equal(r.string.id, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(restart), cmocka_unit_test(shift),
					   cmocka_unit_test(map_strings)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
