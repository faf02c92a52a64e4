// SPDX-License-Identifier: GPL-2.0-or-later
/* Every record type, through encoder and decoder, with extreme values; and what other versions
 * write. */
#include "tests/unit/memory_trace.h"

#include "format/codec.h"
#include "format/util/mem.h"

static const uint64_t list_items[] = {0, UINT64_MAX, 1, 0x8000000000000000u, 0xffffffff81000000u};
static const uint8_t byte_items[] = {0, 0xff, '"', 0x0a};

enum filling { FILL_ZERO, FILL_ONE, FILL_MAX, FILL_MIXED, FILLINGS };

static uint64_t fill_number(enum filling how, const struct pa_field *f, uint32_t index)
{
	uint64_t max = f->kind == PA_FIELD_U32 ? UINT32_MAX : UINT64_MAX;

	if (f->kind == PA_FIELD_STR)
		max = PA_MAX_STRINGS;
	switch (how) {
	case FILL_ONE:
		return 1;
	case FILL_MAX:
		return max;
	case FILL_MIXED:
		return index % 2 ? max / (index + 2) : 0;
	default:
		return 0;
	}
}

static void fill(struct pa_record *r, const struct pa_record_type *type, enum filling how)
{
	uint32_t i;

	for (i = 0; i < type->count; i++) {
		const struct pa_field *f = &type->fields[i];

		if (f->kind == PA_FIELD_BYTES) {
			struct pa_bytes *bytes = pa_field_at_mut(r, f);

			*bytes = (struct pa_bytes){byte_items, how * sizeof(byte_items) / FILLINGS};
		} else if (f->kind == PA_FIELD_ADDRS || f->kind == PA_FIELD_VALS) {
			struct pa_list *list = pa_field_at_mut(r, f);

			list->items = list_items;
			list->count = (uint32_t)(how == FILL_ZERO ? 0 : PA_ARRAY_LEN(list_items));
		} else {
			assert_true(pa_field_set_number(r, f, fill_number(how, f, i)));
		}
	}
	if (r->id == PA_REC_STRING)
		r->string.id = r->string.id % PA_MAX_STRINGS + 1;
	if (r->id == PA_REC_STACK_COPY) {
		r->stack_copy.id = PA_STACK_FIRST_ID + r->stack_copy.id % 1000;
		r->stack_copy.walked = 1 + r->stack_copy.walked % 15;
	}
	if (r->id == PA_REC_STACK) {
		r->stack.id = PA_STACK_FIRST_ID + r->stack.id % 1000;
		r->stack.parent = 1 + r->stack.parent % 15;
		r->stack.frames = (struct pa_list){list_items, PA_ARRAY_LEN(list_items)};
	}
}

/* Brings fields that have a limit of their own below it. */
static void keep_limits(struct pa_record *r, const struct pa_record_type *type)
{
	uint32_t i;

	for (i = 0; pa_record_check(r) < 0 && i < type->count; i++) {
		const struct pa_field *f = &type->fields[i];

		if (f->kind <= PA_FIELD_D64 && pa_field_number(r, f) > 8191)
			assert_true(pa_field_set_number(r, f, 8191));
	}
	assert_int_equal(pa_record_check(r), 0);
}

/* Encodes each record twice, so that differences to a record before are seen too. */
static void round_trip(enum filling how)
{
	struct pa_delta out_delta = {0}, in_delta = {0};
	struct pa_items items = {0};
	struct pa_buf out, body;
	struct pa_cursor c;
	uint64_t len;
	uint32_t id;
	int twice;

	pa_buf_init(&out);
	pa_buf_init(&body);
	for (id = 0; id < PA_REC_IDS_; id++) {
		const struct pa_record_type *type = pa_record_type_get(id);
		struct pa_record r = {.id = id}, back = {.id = id};

		if (!type)
			continue;
		for (twice = 0; twice < 2; twice++) {
			fill(&r, type, twice ? FILL_ONE : how);
			keep_limits(&r, type);
			pa_buf_reset(&out);
			assert_int_equal(pa_encode(&out, &body, &out_delta, &r), 0);
			pa_cursor_init(&c, out.data, out.len);
			assert_int_equal(pa_cursor_varint(&c), id);
			len = pa_cursor_varint(&c);
			assert_int_equal(pa_cursor_left(&c), len);
			assert_int_equal(pa_decode(&c, &in_delta, &items, &back), 0);
			assert_int_equal(pa_cursor_left(&c), 0);
			assert_true(pa_record_equal(&r, &back));
		}
	}
	free(items.items);
	pa_buf_fini(&out);
	pa_buf_fini(&body);
}

static void every_record_survives(void **state)
{
	enum filling how;

	(void)state;
	for (how = FILL_ZERO; how < FILLINGS; how++)
		round_trip(how);
}

/* Any prefix of a record's fields is refused, or is what an older version would have written. */
static void cut_records_never_decode_past_their_end(void **state)
{
	struct pa_delta zero = {0}, delta;
	struct pa_items items = {0};
	struct pa_buf out, body;
	uint32_t id;

	(void)state;
	pa_buf_init(&out);
	pa_buf_init(&body);
	for (id = 0; id < PA_REC_IDS_; id++) {
		const struct pa_record_type *type = pa_record_type_get(id);
		struct pa_record r = {.id = id}, back = {.id = id};
		size_t cut;

		if (!type)
			continue;
		fill(&r, type, FILL_MAX);
		keep_limits(&r, type);
		delta = zero;
		pa_buf_reset(&out);
		assert_int_equal(pa_encode(&out, &body, &delta, &r), 0);
		for (cut = 0; cut < body.len; cut++) {
			uint8_t *copy = malloc(cut + !cut); /* so that a sanitizer sees its end */
			struct pa_cursor c;
			int err;

			memcpy(copy, body.data, cut);
			pa_cursor_init(&c, copy, cut);
			delta = zero;
			err = pa_decode(&c, &delta, &items, &back);
			assert_true(err == 0 || err == PA_E_TRUNCATED || err == PA_E_LIMIT);
			assert_false(err == 0 && pa_record_equal(&r, &back));
			free(copy);
		}
	}
	free(items.items);
	pa_buf_fini(&out);
	pa_buf_fini(&body);
}

static int decode_bytes_of(uint32_t id, const void *data, size_t len, struct pa_record *r)
{
	struct pa_delta delta = {0};
	struct pa_items items = {0};
	struct pa_cursor c;
	int err;

	*r = (struct pa_record){.id = id};
	pa_cursor_init(&c, data, len);
	err = pa_decode(&c, &delta, &items, r);
	free(items.items);
	return err;
}

static void absent_fields_are_zero_and_later_ones_ignored(void **state)
{
	static const uint8_t shorter[] = {0x0a, 0x02};
	static const uint8_t longer[] = {0x0a, 1, 2, 3, 4, 5, 6, 7, 8};
	struct pa_record r;

	(void)state;
	assert_int_equal(decode_bytes_of(PA_REC_EXIT, shorter, sizeof(shorter), &r), 0);
	assert_int_equal(r.exit.time_ns, 5);
	assert_int_equal(r.exit.thread, 2);
	assert_int_equal(r.exit.status, 0);
	assert_int_equal(decode_bytes_of(PA_REC_COVERED, longer, sizeof(longer), &r), 0);
	assert_int_equal(r.covered.time_ns, 5);
	assert_int_equal(decode_bytes_of(PA_REC_COVERED, "", 0, &r), 0);
	assert_int_equal(r.covered.time_ns, 0);
}

static void wrong_values_are_refused(void **state)
{
	static const uint8_t big_u32[] = {2, 0x80, 0x80, 0x80, 0x80, 0x10};
	static const uint8_t big_cpu[] = {2, 2, 0x20, 0, 0x80, 0x40};
	static const uint8_t long_list[] = {2,    2,    0x20, 0,    0,    0,
					    0xff, 0xff, 0xff, 0xff, 0xff, 0x0f};
	static const uint8_t long_bytes[] = {2, 0xff, 0xff, 0xff, 0xff, 0x0f};
	static const uint8_t loop[] = {32, 16, 1, 2}; /* stack 16 below stack 16 */
	static const uint8_t no_frames[] = {32, 1, 0};
	static const uint8_t overlong[] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2};
	struct pa_record r;

	(void)state;
	assert_int_equal(decode_bytes_of(PA_REC_COMM, big_u32, sizeof(big_u32), &r), PA_E_CORRUPT);
	assert_int_equal(decode_bytes_of(PA_REC_SAMPLE, big_cpu, sizeof(big_cpu), &r), PA_E_LIMIT);
	assert_int_equal(decode_bytes_of(PA_REC_SAMPLE, long_list, sizeof(long_list), &r),
			 PA_E_LIMIT);
	assert_int_equal(decode_bytes_of(PA_REC_STRING, long_bytes, sizeof(long_bytes), &r),
			 PA_E_LIMIT);
	assert_int_equal(decode_bytes_of(PA_REC_STACK, loop, sizeof(loop), &r), PA_E_LIMIT);
	assert_int_equal(decode_bytes_of(PA_REC_STACK, no_frames, sizeof(no_frames), &r),
			 PA_E_LIMIT);
	assert_int_equal(decode_bytes_of(PA_REC_COVERED, overlong, sizeof(overlong), &r),
			 PA_E_CORRUPT);
	assert_int_equal(decode_bytes_of(99, "", 0, &r), PA_E_UNSUPPORTED);
}

static void names_are_found(void **state)
{
	uint32_t id, found;

	(void)state;
	for (id = 0; id < PA_REC_IDS_; id++) {
		const char *name = pa_record_name(id);

		assert_true((name != NULL) == (pa_record_type_get(id) != NULL));
		if (!name)
			continue;
		assert_ptr_equal(pa_record_type_find(name, strlen(name), &found),
				 pa_record_type_get(id));
		assert_int_equal(found, id);
	}
	assert_null(pa_record_name(PA_REC_IDS_));
	assert_null(pa_record_name(UINT32_MAX));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_record_survives),
		cmocka_unit_test(cut_records_never_decode_past_their_end),
		cmocka_unit_test(absent_fields_are_zero_and_later_ones_ignored),
		cmocka_unit_test(wrong_values_are_refused),
		cmocka_unit_test(names_are_found),
	};

	return cmocka_run_group_tests_name("format/codec", tests, NULL, NULL);
}
