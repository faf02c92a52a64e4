// SPDX-License-Identifier: GPL-2.0-or-later
/* Single points and slices of time: in order, and what is cut into slices adds up to the whole. */
#include <stdlib.h>

#include "memory_trace.h"
#include "report/analyse/slices.h"
#include "report/session.h"
#include "report/symbols/symbols.h"

#define SESSION                                                                                 \
	"session arch=\"x86_64\" start_ns=1000 start_wall_ns=1 cpus=2 target=\"all\" modes=7\n" \
	"sampling event=\"cpu-clock\" rate_hz=100 period=10\n"                                  \
	"process time_ns=1000 id=1 pid=100 comm=\"a\"\n"                                        \
	"thread time_ns=1000 id=1 process=1 tid=100 comm=\"a\"\n"                               \
	"thread time_ns=1000 id=2 process=1 tid=101 comm=\"b\"\n"                               \
	"stack id=16 parent=2 frames=[0x100,0x200,0x300]\n"

static struct rpt_session *analyse(const char *const *texts, size_t count, bool keep)
{
	static const struct rpt_symbol_options options;
	struct rpt_session *s = rpt_session_new();
	size_t i;

	if (keep)
		rpt_session_keep_points(s);
	for (i = 0; i < count; i++) {
		struct memory_source source = {0};
		struct pa_reader *reader;
		struct pa_buf trace;

		pa_buf_init(&trace);
		memory_trace_from_text(&trace, texts[i]);
		source.data = trace.data;
		source.len = trace.len;
		assert_int_equal(pa_reader_new(memory_read, &source, &reader), 0);
		assert_int_equal(rpt_session_load(s, reader, "memory"), 0);
		pa_reader_free(reader);
		pa_buf_fini(&trace);
	}
	rpt_session_analyse(s, &options, false);
	return s;
}

static const char *const one[] = {
	SESSION "sample time_ns=1500 thread=1 ustack=18 cpu=1\n"
		"sample time_ns=1100 thread=2 ustack=17\n"
		"sample time_ns=1200 thread=1 ustack=18\n"
		"block time_ns=1150 duration_ns=500 thread=1 ustack=18 kstack=0\n"
		"block_sum time_ns=2000 thread=2 ustack=17 count=3 total_ns=70 max_ns=30 "
		"represents_count=10 represents_ns=333\n"
		"block_sum time_ns=1300 thread=2 ustack=17 count=1 total_ns=7 max_ns=7 "
		"represents_count=4 represents_ns=20\n"
		"open_block time_ns=1900 thread=1 ustack=17\n"
		"covered time_ns=2000\nend time_ns=2000 reason=1\n",
};

static void nothing_is_kept_by_default(void **state)
{
	struct rpt_session *s = analyse(one, 1, false);

	(void)state;
	assert_int_equal(s->model.sample_points.count, 0);
	assert_int_equal(s->model.block_points.count, 0);
	rpt_session_free(s);
}

static void points_are_in_order(void **state)
{
	struct rpt_session *s = analyse(one, 1, true);
	const struct rpt_points *samples = &s->model.sample_points;
	const struct rpt_points *blocks = &s->model.block_points;

	(void)state;
	assert_int_equal(samples->count, 3);
	assert_int_equal(samples->items[0].time_ns, 1100);
	assert_int_equal(samples->items[1].time_ns, 1200);
	assert_int_equal(samples->items[2].time_ns, 1500);
	assert_int_equal(samples->items[2].cpu, 1);
	assert_int_equal(samples->items[2].value, 10);
	assert_int_equal(samples->items[1].group, samples->items[2].group);
	assert_int_equal(blocks->count, 4);
	assert_int_equal(blocks->items[0].time_ns, 1150);
	assert_int_equal(blocks->items[0].value, 500);
	assert_int_equal(blocks->items[0].cpu, RPT_POINT_NO_CPU);
	assert_int_equal(blocks->items[1].flags, RPT_POINT_SUM);
	assert_int_equal(blocks->items[1].count, 1);
	assert_int_equal(blocks->items[2].flags, RPT_POINT_OPEN);
	assert_int_equal(blocks->items[2].value, 100);
	assert_int_equal(blocks->items[3].count, 3);
	rpt_session_free(s);
}

struct sums {
	uint64_t value[64], count[64]; /* by slice */
	uint64_t row_value[64], row_count[64];
};

static void add_part(void *ctx, const struct rpt_slice_part *part)
{
	struct sums *sums = ctx;

	assert_true(part->slice < 64 && part->row < 64);
	sums->value[part->slice] += part->value;
	sums->count[part->slice] += part->count;
	sums->row_value[part->row] += part->value;
	sums->row_count[part->row] += part->count;
}

static void check_adds_up(const struct rpt_session *s, const struct rpt_profile *p,
			  uint64_t slice_ns)
{
	struct rpt_slices slices;
	struct sums sums = {0};
	uint32_t keys[64];
	uint64_t *grid, total = 0;
	size_t i;

	rpt_slices_init(&slices, &s->model, slice_ns);
	rpt_slices_for_each(&slices, &s->model, p, add_part, &sums);
	assert_true(p->row_count <= 64);
	for (i = 0; i < p->row_count; i++) {
		assert_int_equal(sums.row_value[i], p->rows[i].value);
		assert_int_equal(sums.row_count[i], p->rows[i].count);
		keys[i] = p->rows[i].thread;
	}
	grid = rpt_slices_sum(&slices, &s->model, p, keys, s->model.processes.thread_count);
	for (i = 0; i < s->model.processes.thread_count * slices.count; i++)
		total += grid[i];
	assert_int_equal(total, p->total);
	free(grid);
	rpt_slices_fini(&slices);
}

static void slices_add_up(void **state)
{
	static const uint64_t lengths[] = {100, 17, 1000, 5000, 333};
	struct rpt_session *s = analyse(one, 1, true);
	size_t i;

	(void)state;
	assert_true(s->offcpu.thinned > 0);
	for (i = 0; i < PA_ARRAY_LEN(lengths); i++) {
		check_adds_up(s, &s->oncpu, lengths[i]);
		check_adds_up(s, &s->offcpu, lengths[i]);
	}
	rpt_session_free(s);
}

static void intervals_are_spread(void **state)
{
	struct rpt_session *s = analyse(one, 1, true);
	struct rpt_slices slices;
	struct sums sums = {0};

	(void)state;
	rpt_slices_init(&slices, &s->model, 100);
	assert_int_equal(slices.count, 10);
	rpt_slices_for_each(&slices, &s->model, &s->offcpu, add_part, &sums);
	assert_int_equal(sums.value[0], 0);
	assert_int_equal(sums.value[1], 50);
	assert_int_equal(sums.count[1], 1);
	assert_int_equal(sums.value[3], 100);
	assert_int_equal(sums.value[6], 50);
	assert_int_equal(sums.value[7], 0);
	/* A sum belongs to what came before it: the one at 1300 to the slice from 1200. */
	assert_true(sums.value[2] > 100 && sums.count[2] > 1);
	rpt_slices_fini(&slices);
	rpt_session_free(s);
}

static void traces_follow_each_other(void **state)
{
	static const char *const two[] = {
		SESSION "sample time_ns=1900 thread=1 ustack=18\ncovered time_ns=2000\n",
		SESSION "sample time_ns=1000 thread=1 ustack=18\ncovered time_ns=1250\n",
	};
	struct rpt_session *s = analyse(two, 2, true);
	struct rpt_slices slices;
	struct sums sums = {0};

	(void)state;
	assert_int_equal(s->model.sample_points.items[0].time_ns, 1900);
	rpt_slices_init(&slices, &s->model, 100);
	assert_int_equal(slices.first[1], 10);
	assert_int_equal(slices.count, 13);
	rpt_slices_for_each(&slices, &s->model, &s->oncpu, add_part, &sums);
	assert_int_equal(sums.count[9], 1);
	assert_int_equal(sums.count[10], 1);
	check_adds_up(s, &s->oncpu, 30);
	rpt_slices_fini(&slices);
	rpt_session_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_is_kept_by_default),
		cmocka_unit_test(points_are_in_order),
		cmocka_unit_test(slices_add_up),
		cmocka_unit_test(intervals_are_spread),
		cmocka_unit_test(traces_follow_each_other),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
