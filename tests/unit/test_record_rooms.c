// SPDX-License-Identifier: GPL-2.0-or-later
/* Rooms in a shared array: never two in one place, and what is given up comes back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "record/rooms.h"

#define LIMIT 100

static void rooms_lie_side_by_side(void **state)
{
	struct rec_rooms r;
	uint32_t a, b, c;

	(void)state;
	rec_rooms_init(&r, LIMIT);
	assert_true(rec_rooms_take(&r, 40, &a) && a == 0);
	assert_true(rec_rooms_take(&r, 60, &b) && b == 40);
	assert_false(rec_rooms_take(&r, 1, &c));
	assert_true(rec_rooms_take(&r, 0, &c));
	rec_rooms_fini(&r);
}

static void a_room_rests_before_it_is_used_again(void **state)
{
	struct rec_rooms r;
	uint32_t a, b, c;
	int i;

	(void)state;
	rec_rooms_init(&r, LIMIT);
	assert_true(rec_rooms_take(&r, 40, &a) && rec_rooms_take(&r, 60, &b));
	assert_false(rec_rooms_will_fit(&r, 30));
	rec_rooms_leave(&r, a);
	assert_true(rec_rooms_will_fit(&r, 40));
	assert_false(rec_rooms_will_fit(&r, 41));
	assert_false(rec_rooms_take(&r, 30, &c));
	for (i = 0; i < REC_ROOM_REST_TICKS; i++)
		rec_rooms_tick(&r);
	assert_true(rec_rooms_take(&r, 30, &c) && c == 0);
	assert_true(rec_rooms_take(&r, 10, &c) && c == 30);
	assert_false(rec_rooms_take(&r, 1, &c));
	rec_rooms_fini(&r);
}

/* Against a plain array in which every entry says who has it. */
static void rooms_at_random(void **state)
{
	uint32_t firsts[LIMIT], counts[LIMIT], live = 0, seed = 1, i, k;
	uint8_t used[LIMIT] = {0};
	struct rec_rooms r;

	(void)state;
	rec_rooms_init(&r, LIMIT);
	for (i = 0; i < 20000; i++) {
		uint32_t count, first;

		seed = seed * 1664525 + 1013904223;
		count = 1 + (seed >> 20) % 20;
		if (seed >> 31 && live) {
			k = (seed >> 8) % live;
			memset(used + firsts[k], 0, counts[k]);
			rec_rooms_leave(&r, firsts[k]);
			live--;
			firsts[k] = firsts[live];
			counts[k] = counts[live];
		} else if (rec_rooms_take(&r, count, &first)) {
			assert_true(first + count <= LIMIT);
			for (k = first; k < first + count; k++)
				assert_int_equal(used[k]++, 0);
			firsts[live] = first;
			counts[live++] = count;
		}
		rec_rooms_tick(&r);
	}
	rec_rooms_fini(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rooms_lie_side_by_side),
		cmocka_unit_test(a_room_rests_before_it_is_used_again),
		cmocka_unit_test(rooms_at_random),
	};

	return cmocka_run_group_tests_name("record/rooms", tests, NULL, NULL);
}
