// SPDX-License-Identifier: GPL-2.0-or-later
/* The hash table against a plain array, with additions and removals in any order. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "format/util/htab.h"

enum { KEYS = 3000, STEPS = 100000 };

struct model {
	uint64_t keys[KEYS]; /* entry i has key keys[i] */
	bool there[KEYS];
	size_t count;
	unsigned hash_bits; /* few of them make long chains */
};

static uint64_t hash_of(const struct model *m, uint64_t key)
{
	return pa_hash_u64(key & ((1ull << m->hash_bits) - 1));
}

static bool key_equal(const void *ctx, uint32_t value, const void *key)
{
	const struct model *m = ctx;

	return m->keys[value] == *(const uint64_t *)key;
}

static void check_all(const struct pa_htab *t, const struct model *m)
{
	uint32_t i, value;

	for (i = 0; i < KEYS; i++) {
		bool found =
			pa_htab_get(t, hash_of(m, m->keys[i]), key_equal, m, &m->keys[i], &value);

		assert_true(found == m->there[i]);
		if (found)
			assert_int_equal(value, i);
	}
	assert_int_equal(t->count, m->count);
}

static void compare_with_model(unsigned hash_bits, int steps)
{
	static struct model m;
	struct pa_htab t;
	uint64_t random = 1;
	int step;
	uint32_t i;

	m = (struct model){.hash_bits = hash_bits};
	pa_htab_init(&t);
	for (i = 0; i < KEYS; i++)
		m.keys[i] = i * 7;
	for (step = 0; step < steps; step++) {
		uint64_t hash;

		random = pa_hash_u64(random);
		i = (uint32_t)(random % KEYS);
		hash = hash_of(&m, m.keys[i]);
		if (m.there[i]) {
			assert_true(pa_htab_del(&t, hash, key_equal, &m, &m.keys[i]));
			assert_false(pa_htab_del(&t, hash, key_equal, &m, &m.keys[i]));
			m.count--;
		} else {
			assert_false(pa_htab_del(&t, hash, key_equal, &m, &m.keys[i]));
			assert_int_equal(pa_htab_add(&t, hash, i), 0);
			m.count++;
		}
		m.there[i] = !m.there[i];
		if (step % (steps / 20) == 0)
			check_all(&t, &m);
	}
	check_all(&t, &m);
	assert_true(pa_htab_memory_bytes(&t) >= m.count * sizeof(struct pa_htab_slot));
	pa_htab_fini(&t);
}

static void good_hashes(void **state)
{
	(void)state;
	compare_with_model(63, STEPS);
}

static void bad_hashes(void **state)
{
	(void)state;
	compare_with_model(6, STEPS / 20);
	compare_with_model(0, STEPS / 200);
}

static void an_empty_table_has_nothing(void **state)
{
	struct pa_htab t;
	uint64_t key = 1;
	uint32_t value;

	(void)state;
	pa_htab_init(&t);
	assert_false(pa_htab_get(&t, 1, key_equal, NULL, &key, &value));
	assert_false(pa_htab_del(&t, 1, key_equal, NULL, &key));
	assert_int_equal(pa_htab_memory_bytes(&t), 0);
	pa_htab_fini(&t);
}

static void hashes_of_bytes_see_all_of_them(void **state)
{
	uint8_t data[25] = {0};
	size_t len, i;

	(void)state;
	for (len = 0; len < sizeof(data); len++) {
		uint64_t hash = pa_hash_bytes(data, len, 1);

		assert_int_not_equal(hash, pa_hash_bytes(data, len, 2));
		assert_int_not_equal(hash, pa_hash_bytes(data, len + 1, 1));
		for (i = 0; i < len; i++) {
			data[i] = 1;
			assert_int_not_equal(hash, pa_hash_bytes(data, len, 1));
			data[i] = 0;
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(good_hashes),
		cmocka_unit_test(bad_hashes),
		cmocka_unit_test(an_empty_table_has_nothing),
		cmocka_unit_test(hashes_of_bytes_see_all_of_them),
	};

	return cmocka_run_group_tests_name("format/util/htab", tests, NULL, NULL);
}
