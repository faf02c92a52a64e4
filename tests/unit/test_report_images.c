// SPDX-License-Identifier: GPL-2.0-or-later
/* Images of processes: what an address meant at which time; and that a thousand forks cost little. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/resource.h>

#include <cmocka.h>

#include "report/model/processes.h"

#define MAPPINGS 60000
#define FORKS 1000
/* Copies of the tables would take 2.8 GB. */
#define MAX_GROWTH_KB (200 * 1024)

static struct rpt_moment at(uint64_t time_ns, uint64_t sequence)
{
	return (struct rpt_moment){time_ns, sequence};
}

static uint32_t module_at(const struct rpt_processes *p, uint32_t process, struct rpt_moment when,
			  uint64_t address)
{
	const struct rpt_mapping *m = rpt_image_find(p, rpt_image_at(p, process, when), address);

	return m ? m->module : 0;
}

static void exec_hides_nothing_of_the_past(void **state)
{
	struct rpt_mapping old = {.start = 100, .end = 200, .module = 1};
	struct rpt_mapping new = {.start = 100, .end = 200, .module = 2};
	struct rpt_process process = {.pid = 1};
	struct rpt_processes p;
	uint32_t id;

	(void)state;
	rpt_processes_init(&p);
	id = rpt_process_add(&p, &process, at(10, 1));
	rpt_process_map(&p, id, &old, true, at(10, 2));
	rpt_process_exec(&p, id, at(50, 10));
	rpt_process_map(&p, id, &new, true, at(51, 11));
	assert_int_equal(module_at(&p, id, at(20, 12), 150), 1);
	assert_int_equal(module_at(&p, id, at(5, 12), 150), 1);
	assert_int_equal(module_at(&p, id, at(60, 3), 150), 2);
	/* Equal times: the order in the trace decides. */
	assert_int_equal(module_at(&p, id, at(50, 9), 150), 1);
	assert_int_equal(module_at(&p, id, at(50, 11), 150), 2);
	rpt_processes_fini(&p);
}

static void replaced_only_where_it_was_used(void **state)
{
	struct rpt_mapping a = {.start = 100, .end = 200, .module = 1};
	struct rpt_mapping b = {.start = 150, .end = 250, .module = 2};
	struct rpt_process process = {.pid = 1};
	struct rpt_processes p;
	size_t images;
	uint32_t id;

	(void)state;
	rpt_processes_init(&p);
	id = rpt_process_add(&p, &process, at(10, 1));
	rpt_process_map(&p, id, &a, true, at(10, 2));
	images = p.image_count;
	rpt_process_map(&p, id, &b, true, at(20, 3));
	assert_int_equal(p.image_count, images);
	rpt_process_use(&p, id);
	rpt_process_map(&p, id, &b, true, at(21, 4));
	assert_int_equal(p.image_count, images);
	rpt_process_map(&p, id, &a, true, at(30, 5));
	assert_int_equal(p.image_count, images + 1);
	assert_int_equal(module_at(&p, id, at(25, 6), 160), 2);
	assert_int_equal(module_at(&p, id, at(30, 6), 160), 1);
	rpt_processes_fini(&p);
}

static void names_change_with_time(void **state)
{
	struct rpt_process process = {.pid = 1, .comm = 7};
	struct rpt_thread main_thread = {.tid = 1}, other = {.tid = 2};
	struct rpt_processes p;
	uint32_t id, thread;

	(void)state;
	rpt_processes_init(&p);
	id = rpt_process_add(&p, &process, at(10, 1));
	assert_int_equal(rpt_process_name(&p, id), 7);
	main_thread.process = other.process = id;
	thread = rpt_thread_add(&p, &main_thread);
	rpt_thread_add(&p, &other);
	rpt_thread_rename(&p, thread, 8, at(10, 2));
	rpt_thread_rename(&p, thread, 9, at(30, 3));
	rpt_thread_rename(&p, thread, 10, at(20, 4));
	assert_int_equal(rpt_process_name(&p, id), 9);
	assert_int_equal(rpt_thread_name_at(&p, thread, at(5, 9)), 8);
	assert_int_equal(rpt_thread_name_at(&p, thread, at(25, 9)), 10);
	assert_int_equal(rpt_thread_name(&p, thread), 9);
	rpt_processes_fini(&p);
}

static long max_rss_kb(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_maxrss;
}

static void forks_share(void **state)
{
	struct rpt_process process = {.pid = 1};
	struct rpt_processes p;
	uint32_t parent, child;
	uint64_t i;
	long before;

	(void)state;
	rpt_processes_init(&p);
	parent = rpt_process_add(&p, &process, at(1, 1));
	for (i = 0; i < MAPPINGS; i++) {
		struct rpt_mapping m = {.start = i * 10, .end = i * 10 + 5, .module = 1};

		rpt_process_map(&p, parent, &m, true, at(1, 2 + i));
	}
	before = max_rss_kb();
	for (i = 0; i < FORKS; i++) {
		struct rpt_mapping m = {.start = i * 100, .end = i * 100 + 1000, .module = 2};

		process.pid = (uint32_t)i + 2;
		process.parent = parent;
		child = rpt_process_add(&p, &process, at(2, MAPPINGS + i));
		rpt_process_map(&p, child, &m, true, at(3, MAPPINGS + i));
		assert_int_equal(module_at(&p, child, at(4, 0), i * 100), 2);
		assert_int_equal(module_at(&p, parent, at(4, 0), i * 100), 1);
	}
	assert_true(max_rss_kb() - before < MAX_GROWTH_KB);
	rpt_processes_fini(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(exec_hides_nothing_of_the_past),
		cmocka_unit_test(replaced_only_where_it_was_used),
		cmocka_unit_test(names_change_with_time),
		cmocka_unit_test(forks_share),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
