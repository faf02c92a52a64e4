// SPDX-License-Identifier: GPL-2.0-or-later
/* Tables of address ranges: against a table of single pages, and copies that must not see each other. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "format/util/htab.h"
#include "format/util/mem.h"
#include "report/model/mappings.h"

#define PAGES 512
#define ROUNDS 20000

/* What each page is mapped to: a module, 0 = nothing; and the offset of the page. */
struct pages {
	uint32_t module[PAGES];
	uint64_t offset[PAGES];
};

static void pages_set(struct pages *p, const struct rpt_mapping *m)
{
	uint64_t at;

	for (at = m->start; at < m->end; at++) {
		p->module[at] = m->module;
		p->offset[at] = m->offset + (at - m->start);
	}
}

static void check_equal(const struct rpt_maps *maps, const struct pages *p)
{
	const struct rpt_mapping *found;
	uint64_t at;

	for (at = 0; at < PAGES; at++) {
		found = rpt_maps_find(maps, at);
		assert_int_equal(found ? found->module : 0, p->module[at]);
		if (found)
			assert_int_equal(found->offset + (at - found->start), p->offset[at]);
	}
}

static struct rpt_mapping draw(uint64_t seed)
{
	uint64_t random = pa_hash_u64(seed);
	struct rpt_mapping m = {.start = random % PAGES};

	m.end = m.start + 1 + (random >> 16) % 8;
	m.end = PA_MIN(m.end, (uint64_t)PAGES);
	m.module = 1 + (uint32_t)(random >> 32) % 5;
	m.offset = (random >> 40) % 1000;
	return m;
}

static void random_changes_agree_with_pages(void **state)
{
	struct rpt_maps *maps = rpt_maps_new(), *copy = NULL;
	struct pages pages = {0}, copied = {0};
	uint64_t i;

	(void)state;
	for (i = 0; i < ROUNDS; i++) {
		struct rpt_mapping m = draw(i);

		if (i % 3 == 2) {
			rpt_maps_cut(&maps, m.start, m.end);
			m.module = 0;
			m.offset = 0;
		} else {
			rpt_maps_set(&maps, &m);
		}
		pages_set(&pages, &m);
		if (i % 1000 == 500) {
			/* What was changed since the copy was made is not in it. */
			if (copy)
				check_equal(copy, &copied);
			rpt_maps_unref(copy);
			copy = rpt_maps_ref(maps);
			copied = pages;
		}
		if (i % 100 == 0)
			check_equal(maps, &pages);
	}
	check_equal(maps, &pages);
	check_equal(copy, &copied);
	rpt_maps_unref(copy);
	rpt_maps_unref(maps);
}

static void change_is_told(void **state)
{
	struct rpt_maps *maps = rpt_maps_new();
	struct rpt_mapping lib = {.start = 100, .end = 200, .offset = 50, .module = 1};
	struct rpt_mapping part = {.start = 150, .end = 200, .offset = 100, .module = 1};
	struct rpt_mapping longer = {.start = 150, .end = 250, .offset = 100, .module = 1};
	struct rpt_mapping shifted = {.start = 150, .end = 200, .offset = 90, .module = 1};
	struct rpt_mapping other = {.start = 199, .end = 201, .module = 2};
	struct rpt_mapping anon = {.start = 300, .end = 400, .module = 3, .named_by_address = true};
	struct rpt_mapping anon_part = anon;

	(void)state;
	assert_int_equal(rpt_maps_compare(maps, &lib), RPT_MAPS_ADDS);
	rpt_maps_set(&maps, &lib);
	assert_int_equal(rpt_maps_compare(maps, &lib), RPT_MAPS_SAME);
	assert_int_equal(rpt_maps_compare(maps, &part), RPT_MAPS_SAME);
	assert_int_equal(rpt_maps_compare(maps, &longer), RPT_MAPS_ADDS);
	assert_int_equal(rpt_maps_compare(maps, &shifted), RPT_MAPS_REPLACES);
	assert_int_equal(rpt_maps_compare(maps, &other), RPT_MAPS_REPLACES);
	rpt_maps_set(&maps, &anon);
	anon_part.start += 10;
	assert_int_equal(rpt_maps_compare(maps, &anon_part), RPT_MAPS_SAME);
	assert_null(rpt_maps_find(maps, 200));
	assert_non_null(rpt_maps_find(maps, 199));
	assert_null(rpt_maps_find(maps, 99));
	rpt_maps_unref(maps);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_changes_agree_with_pages),
		cmocka_unit_test(change_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
