// SPDX-License-Identifier: GPL-2.0-or-later
/* Jitdump files: while they grow, what was moved, and damaged ones. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "format/pa-format.h"
#include "format/util/buf.h"
#include "record/jitdump.h"
#include "record/world.h"

enum { HEADER = 40, LOAD = 56 };

struct fixture {
	int fd;
	struct pa_buf file;
	struct pa_writer *writer;
	struct rec_process process;
	uint64_t addresses[4];
	size_t bytes_written;
};

static int count_bytes(void *ctx, const void *data, size_t bytes)
{
	(void)data;
	((struct fixture *)ctx)->bytes_written += bytes;
	return 0;
}

static void add_u32(struct pa_buf *b, uint32_t value)
{
	pa_buf_add(b, &value, sizeof(value));
}

static void add_u64(struct pa_buf *b, uint64_t value)
{
	pa_buf_add(b, &value, sizeof(value));
}

static void add_header(struct pa_buf *b, uint64_t flags)
{
	add_u32(b, 0x4a695444);
	add_u32(b, 1);
	add_u32(b, HEADER);
	add_u32(b, 62);
	add_u32(b, 0);
	add_u32(b, 100);
	add_u64(b, 1);
	add_u64(b, flags);
}

static void add_load(struct pa_buf *b, uint64_t time_ns, uint64_t address, uint64_t index,
		     const char *name)
{
	add_u32(b, 0);
	add_u32(b, (uint32_t)(LOAD + strlen(name) + 1 + 16));
	add_u64(b, time_ns);
	add_u32(b, 100);
	add_u32(b, 100);
	add_u64(b, address);
	add_u64(b, address);
	add_u64(b, 16);
	add_u64(b, index);
	pa_buf_add(b, name, strlen(name) + 1);
	pa_buf_add(b, "0123456789abcdef", 16);
}

static void add_move(struct pa_buf *b, uint64_t time_ns, uint64_t address, uint64_t index)
{
	add_u32(b, 1);
	add_u32(b, 64);
	add_u64(b, time_ns);
	add_u32(b, 100);
	add_u32(b, 100);
	add_u64(b, 0);
	add_u64(b, 0);
	add_u64(b, address);
	add_u64(b, 16);
	add_u64(b, index);
}

static void begin(struct fixture *f)
{
	*f = (struct fixture){.fd = memfd_create("jit", 0)};
	assert_true(f->fd >= 0);
	pa_buf_init(&f->file);
	f->writer = pa_writer_new(count_bytes, f, NULL);
	assert_non_null(f->writer);
	f->addresses[0] = 0x1008;
	f->addresses[1] = 0x5000;
	f->process = (struct rec_process){.id = 1, .jit = f->addresses, .jit_count = 2};
}

static void end(struct fixture *f)
{
	pa_writer_free(f->writer);
	pa_buf_fini(&f->file);
	close(f->fd);
}

static void put(struct fixture *f, size_t bytes)
{
	assert_int_equal(ftruncate(f->fd, 0), 0);
	assert_int_equal(pwrite(f->fd, f->file.data, bytes, 0), bytes);
}

/* Bytes of the trace that an update adds: 0 = no function. */
static size_t update(struct fixture *f, struct rec_jitdump *d)
{
	size_t before = f->bytes_written;

	assert_int_equal(rec_jitdump_update(d, f->writer, &f->process), 0);
	assert_int_equal(pa_writer_flush(f->writer), 0);
	return f->bytes_written - before;
}

static void names_of_files(void **state)
{
	(void)state;
	assert_true(rec_jitdump_is_path("/tmp/jit-12.dump"));
	assert_true(rec_jitdump_is_path("jit-1.dump"));
	assert_false(rec_jitdump_is_path("/tmp/jit-.dump"));
	assert_false(rec_jitdump_is_path("/tmp/jit-12.dump2"));
	assert_false(rec_jitdump_is_path("/tmp/xjit-12.dump"));
	assert_false(rec_jitdump_is_path("/jit-12.dump/x"));
	assert_false(rec_jitdump_is_path(""));
}

static void while_it_grows(void **state)
{
	struct rec_jitdump *d;
	struct fixture f;
	size_t first;

	(void)state;
	begin(&f);
	d = rec_jitdump_new(f.fd);
	assert_non_null(d);
	/* Nothing, then a part of the header. */
	assert_int_equal(update(&f, d), 0);
	add_header(&f.file, 0);
	put(&f, HEADER / 2);
	assert_int_equal(update(&f, d), 0);
	add_load(&f.file, 10, 0x1000, 1, "one");
	first = f.file.len;
	/* A record that is not yet whole is read once it is. */
	put(&f, first - 1);
	assert_int_equal(update(&f, d), 0);
	put(&f, first);
	assert_true(update(&f, d) > 0);
	assert_int_equal(update(&f, d), 0);
	/* Nobody was seen here. */
	add_load(&f.file, 20, 0x3000, 2, "two");
	put(&f, f.file.len);
	assert_int_equal(update(&f, d), 0);
	f.addresses[2] = 0x300f;
	f.process.jit_count = 3;
	assert_true(update(&f, d) > 0);
	/* Moved to where somebody was. */
	add_move(&f.file, 30, 0x5000, 2);
	add_move(&f.file, 30, 0x5000, 77);
	put(&f, f.file.len);
	assert_true(update(&f, d) > 0);
	assert_int_equal(update(&f, d), 0);
	/* A new segment needs all of them again. */
	rec_jitdump_restart(d);
	assert_true(update(&f, d) > 0);
	assert_false(rec_jitdump_is_cut(d));
	rec_jitdump_free(d);
	end(&f);
}

static void what_is_no_jitdump(void **state)
{
	struct rec_jitdump *d;
	struct fixture f;

	(void)state;
	begin(&f);
	add_header(&f.file, 0);
	add_load(&f.file, 10, 0x1000, 1, "one");
	f.file.data[0] ^= 1;
	put(&f, f.file.len);
	d = rec_jitdump_new(f.fd);
	assert_int_equal(update(&f, d), 0);
	assert_true(rec_jitdump_is_cut(d));
	rec_jitdump_free(d);
	end(&f);
}

/* Any byte changed to anything: no crash, and it ends. */
static void damaged(void **state)
{
	struct fixture f;
	size_t i;
	int bit;

	(void)state;
	begin(&f);
	add_header(&f.file, 0);
	add_load(&f.file, 10, 0x1000, 1, "one");
	add_move(&f.file, 30, 0x5000, 1);
	add_load(&f.file, 40, 0xfffffffffffffff8, 2, "at the end of all addresses");
	for (i = 0; i < f.file.len; i++) {
		for (bit = 0; bit < 8; bit++) {
			struct rec_jitdump *d = rec_jitdump_new(f.fd);

			f.file.data[i] ^= (uint8_t)(1 << bit);
			put(&f, f.file.len);
			update(&f, d);
			f.file.data[i] ^= (uint8_t)(1 << bit);
			rec_jitdump_free(d);
		}
	}
	end(&f);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_of_files),
		cmocka_unit_test(while_it_grows),
		cmocka_unit_test(what_is_no_jitdump),
		cmocka_unit_test(damaged),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
