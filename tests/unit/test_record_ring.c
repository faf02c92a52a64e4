// SPDX-License-Identifier: GPL-2.0-or-later
/* The flight recorder's memory: what it holds, what it drops, and the one trace that is made of it. */
#include "tests/unit/memory_trace.h"

#include "record/ring.h"

/* Writes a segment, with tables as the recorder repeats them. */
static void add_segment(struct rec_ring *ring, uint64_t start_ns, const char *text)
{
	struct pa_buf trace = {0}, all = {0};

	pa_buf_addf(&all, "session host=\"h\" start_ns=100 segment_start_ns=%llu\n",
		    (unsigned long long)start_ns);
	pa_buf_add_str(
		&all,
		"process id=1 pid=7 comm=\"app\"\nthread id=1 process=1 tid=7 comm=\"app\"\n");
	pa_buf_add_str(&all, text);
	memory_trace_from_text(&trace, pa_buf_str(&all));
	assert_int_equal(rec_ring_begin(ring, start_ns), 0);
	assert_int_equal(rec_ring_add(ring, trace.data, trace.len), 0);
	pa_buf_fini(&trace);
	pa_buf_fini(&all);
}

static void one_trace(void **state)
{
	const struct pa_end end = {.time_ns = 400, .reason = PA_END_ROTATED};
	struct pa_buf out = {0}, text = {0};
	struct rec_ring ring = {0};

	(void)state;
	add_segment(
		&ring, 200,
		"stack id=16 parent=1 frames=[0x10,0x20]\nsample time_ns=210 thread=1 ustack=17\n"
		"comm time_ns=220 thread=1 comm=\"new\"\nend time_ns=300 reason=6\n");
	add_segment(
		&ring, 300,
		"stack id=16 parent=1 frames=[0x30]\nstack id=17 parent=16 frames=[0x40]\n"
		"sample time_ns=310 thread=1 ustack=17\ncomm time_ns=320 thread=1 comm=\"app\"\n"
		"end time_ns=400 reason=6\n");
	assert_int_equal(rec_ring_begin(&ring, 400), 0);
	assert_int_equal(rec_ring_write(&ring, memory_sink, &out, 3, &end, "why"), 0);
	assert_int_equal(memory_trace_to_text(out.data, out.len, 0, &text, NULL), 0);
	assert_string_equal(pa_buf_str(&text),
			    "session start_ns=100 host=\"h\" segment=3 segment_start_ns=200\n"
			    "process id=1 pid=7 comm=\"app\"\n"
			    "thread id=1 process=1 tid=7 comm=\"app\"\n"
			    "stack id=16 parent=1 frames=[0x10,0x20]\n"
			    "sample time_ns=210 thread=1 ustack=17\n"
			    "comm time_ns=220 thread=1 comm=\"new\"\n"
			    "stack id=18 parent=1 frames=[0x30]\n"
			    "stack id=19 parent=18 frames=[0x40]\n"
			    "sample time_ns=310 thread=1 ustack=19\n"
			    "comm time_ns=320 thread=1 comm=\"app\"\n"
			    "end time_ns=400 reason=6 detail=\"why\"\n");
	/* It was taken out; what is being written stays. */
	assert_int_equal(ring.count, 1);
	rec_ring_fini(&ring);
	pa_buf_fini(&out);
	pa_buf_fini(&text);
}

static void drops_what_is_old(void **state)
{
	struct rec_ring ring = {0};
	uint64_t newest;
	int i;

	(void)state;
	for (i = 0; i < 5; i++)
		add_segment(&ring, 100 * (uint64_t)(i + 1), "");
	/* They ended at 200, 300, 400, 500; the fifth has not. */
	rec_ring_drop(&ring, 300, UINT64_MAX);
	assert_int_equal(ring.count, 4);
	assert_int_equal(ring.segments[0].end_ns, 300);
	newest = rec_ring_newest_bytes(&ring);
	rec_ring_drop(&ring, 0, 2 * newest);
	assert_int_equal(ring.count, 2);
	/* Never the one that is being written. */
	rec_ring_drop(&ring, UINT64_MAX, 0);
	assert_int_equal(ring.count, 1);
	assert_int_equal(rec_ring_bytes(&ring), newest);
	rec_ring_fini(&ring);
}

static int full(void *ctx, const void *data, size_t len)
{
	(void)ctx;
	(void)data;
	(void)len;
	return -ENOSPC;
}

static void sink_fails(void **state)
{
	const struct pa_end end = {.time_ns = 400};
	struct rec_ring ring = {0};

	(void)state;
	add_segment(&ring, 200, "");
	assert_int_equal(rec_ring_begin(&ring, 300), 0);
	assert_int_equal(rec_ring_write(&ring, full, NULL, 0, &end, ""), -ENOSPC);
	rec_ring_fini(&ring);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_trace),
		cmocka_unit_test(drops_what_is_old),
		cmocka_unit_test(sink_fails),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
