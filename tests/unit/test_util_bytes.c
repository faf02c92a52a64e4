// SPDX-License-Identifier: GPL-2.0-or-later
/* Builders and readers of bytes, error sentences, growth of arrays, UTF-8. */
#include <errno.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "format/util/buf.h"
#include "format/util/cleanup.h"
#include "format/util/cursor.h"
#include "format/util/err.h"
#include "format/util/mem.h"
#include "format/util/utf8.h"

static const uint64_t numbers[] = {
	0, 1, 127, 128, 0x3fff, 0x4000, UINT32_MAX, 1ull << 32, INT64_MAX, 1ull << 63, UINT64_MAX,
};

static void numbers_survive(void **state)
{
	struct pa_cursor c;
	struct pa_buf b;
	size_t i;

	(void)state;
	pa_buf_init(&b);
	for (i = 0; i < PA_ARRAY_LEN(numbers); i++) {
		pa_buf_add_u8(&b, (uint8_t)numbers[i]);
		pa_buf_add_u16(&b, (uint16_t)numbers[i]);
		pa_buf_add_u32(&b, (uint32_t)numbers[i]);
		pa_buf_add_u64(&b, numbers[i]);
		pa_buf_add_varint(&b, numbers[i]);
		pa_buf_add_zigzag(&b, (int64_t)numbers[i]);
	}
	pa_cursor_init(&c, b.data, b.len);
	for (i = 0; i < PA_ARRAY_LEN(numbers); i++) {
		assert_int_equal(pa_cursor_u8(&c), (uint8_t)numbers[i]);
		assert_int_equal(pa_cursor_u16(&c), (uint16_t)numbers[i]);
		assert_int_equal(pa_cursor_u32(&c), (uint32_t)numbers[i]);
		assert_int_equal(pa_cursor_u64(&c), numbers[i]);
		assert_int_equal(pa_cursor_varint(&c), numbers[i]);
		assert_int_equal(pa_cursor_zigzag(&c), numbers[i]);
	}
	assert_int_equal(pa_cursor_left(&c), 0);
	assert_int_equal(pa_cursor_error(&c), 0);
	pa_buf_fini(&b);
}

static void bytes_are_little_endian(void **state)
{
	static const uint8_t expected[] = {0x04, 0x03, 0x02, 0x01, 0xac, 0x02, 0x03};
	struct pa_buf b;

	(void)state;
	pa_buf_init(&b);
	pa_buf_add_u32(&b, 0x01020304);
	pa_buf_add_varint(&b, 300);
	pa_buf_add_zigzag(&b, -2);
	assert_int_equal(b.len, sizeof(expected));
	assert_memory_equal(b.data, expected, sizeof(expected));
	pa_buf_fini(&b);
}

static void cursors_stop_at_the_end(void **state)
{
	static const uint8_t data[] = {1, 2, 3};
	static const uint8_t endless[] = {0x80, 0x80, 0x80, 0x80, 0x80, 0x80,
					  0x80, 0x80, 0x80, 0x80, 0x01};
	struct pa_cursor c, sub;

	(void)state;
	pa_cursor_init(&c, data, sizeof(data));
	assert_int_equal(pa_cursor_u32(&c), 0);
	assert_int_equal(pa_cursor_error(&c), PA_E_TRUNCATED);
	/* Sticky: what would still fit is not given. */
	assert_int_equal(pa_cursor_u8(&c), 0);
	assert_int_equal(pa_cursor_left(&c), 0);
	assert_null(pa_cursor_bytes(&c, 0));
	pa_cursor_fail(&c, PA_E_CORRUPT);
	assert_int_equal(pa_cursor_error(&c), PA_E_TRUNCATED);

	pa_cursor_init(&c, data, sizeof(data));
	sub = pa_cursor_sub(&c, 2);
	assert_int_equal(pa_cursor_u16(&sub), 0x201);
	assert_int_equal(pa_cursor_u8(&sub), 0);
	assert_int_equal(pa_cursor_error(&sub), PA_E_TRUNCATED);
	assert_int_equal(pa_cursor_u8(&c), 3);
	sub = pa_cursor_sub(&c, SIZE_MAX);
	assert_int_equal(pa_cursor_error(&sub), PA_E_TRUNCATED);
	assert_int_equal(pa_cursor_left(&sub), 0);

	pa_cursor_init(&c, endless, sizeof(endless));
	assert_int_equal(pa_cursor_varint(&c), 0);
	assert_int_equal(pa_cursor_error(&c), PA_E_CORRUPT);
	pa_cursor_init(&c, NULL, 0);
	assert_non_null(pa_cursor_bytes(&c, 0));
	assert_int_equal(pa_cursor_error(&c), 0);
}

static void buffers_build_strings(void **state)
{
	struct pa_buf b;
	char *taken;

	(void)state;
	pa_buf_init(&b);
	assert_string_equal(pa_buf_str(&b), "");
	pa_buf_add_str(&b, "abc");
	pa_buf_add_char(&b, '-');
	pa_buf_addf(&b, "%d %s", 42, "a text that is longer than the first allocation");
	assert_string_equal(pa_buf_str(&b),
			    "abc-42 a text that is longer than the first allocation");
	pa_buf_truncate(&b, 3);
	assert_string_equal(pa_buf_str(&b), "abc");
	pa_buf_reset(&b);
	assert_string_equal(pa_buf_str(&b), "");
	taken = pa_buf_take(&b);
	assert_string_equal(taken, "");
	assert_null(b.data);
	free(taken);
	/* A size that cannot be: the error stays until the buffer is emptied. */
	pa_buf_add_str(&b, "x");
	b.len = SIZE_MAX - 1;
	pa_buf_add_str(&b, "yz");
	assert_int_equal(pa_buf_error(&b), -ENOMEM);
	b.len = 1;
	pa_buf_add_str(&b, "yz");
	assert_string_equal(pa_buf_str(&b), "");
	pa_buf_reset(&b);
	assert_int_equal(pa_buf_error(&b), 0);
	pa_buf_fini(&b);
}

static void arrays_grow(void **state)
{
	PA_CLEANUP(pa_free_ptr) uint64_t *items = NULL;
	uint64_t *stolen;
	size_t cap = 0;

	(void)state;
	assert_int_equal(pa_grow(&items, &cap, 0, sizeof(*items)), 0);
	assert_null(items);
	assert_int_equal(pa_grow(&items, &cap, 17, sizeof(*items)), 0);
	assert_int_equal(cap, 32);
	assert_int_equal(pa_grow(&items, &cap, SIZE_MAX / 4, sizeof(*items)), -ENOMEM);
	assert_int_equal(pa_grow(&items, &cap, SIZE_MAX, 1), -ENOMEM);
	assert_int_equal(cap, 32);
	stolen = pa_steal(&items);
	assert_null(items);
	free(stolen);
}

static void every_error_has_a_sentence(void **state)
{
	static const int ours[] = {
#define CODE(name, text) PA_E_##name,
		PA_ERRORS(CODE)};
	size_t i;

	(void)state;
	assert_int_equal(PA_ARRAY_LEN(ours), PA_E_COUNT);
	for (i = 0; i < PA_ARRAY_LEN(ours); i++) {
		assert_int_equal(ours[i], -4096 - (int)i);
		assert_true(strlen(pa_strerror(ours[i])) > 5);
		assert_string_not_equal(pa_strerror(ours[i]), "unknown error");
	}
	assert_string_equal(pa_strerror(0), "success");
	assert_string_equal(pa_strerror(-ENOENT), "No such file or directory");
	assert_string_equal(pa_strerror(-4095), "unknown system error");
	assert_string_equal(pa_strerror(-4096 - PA_E_COUNT), "unknown error");
	assert_string_equal(pa_strerror(INT_MIN), "unknown error");
}

struct utf8_case {
	const char *text;
	size_t len; /* of its first character */
};

static void utf8_is_recognized(void **state)
{
	static const struct utf8_case cases[] = {
		{"", 0},
		{"a", 1},
		{"\x7f", 1},
		{"\xc3\xa9x", 2},
		{"\xe2\x82\xac", 3},
		{"\xf0\x9f\x90\xa7", 4},
		{"\xf4\x8f\xbf\xbf", 4},
		{"\x80", 0},
		{"\xc3", 0},
		{"\xc3(", 0},
		{"\xc0\x80", 0},
		{"\xe0\x80\x80", 0},
		{"\xed\xa0\x80", 0},
		{"\xf4\x90\x80\x80", 0},
		{"\xf8\x88\x80\x80\x80", 0},
		{"\xe2\x82", 0},
		{"\xff", 0},
	};
	size_t i;

	(void)state;
	for (i = 0; i < PA_ARRAY_LEN(cases); i++)
		assert_int_equal(pa_utf8_char_len(cases[i].text, strlen(cases[i].text)),
				 cases[i].len);
	assert_int_equal(pa_utf8_char_len("\0", 1), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_survive),
		cmocka_unit_test(bytes_are_little_endian),
		cmocka_unit_test(cursors_stop_at_the_end),
		cmocka_unit_test(buffers_build_strings),
		cmocka_unit_test(arrays_grow),
		cmocka_unit_test(every_error_has_a_sentence),
		cmocka_unit_test(utf8_is_recognized),
	};

	return cmocka_run_group_tests_name("format/util", tests, NULL, NULL);
}
