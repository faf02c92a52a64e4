// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Any bytes are compiled as an ELF file, as .eh_frame or .debug_frame of a good one, and opened as a
 * table, without a crash. What comes out is valid, and every row of it can be stepped by.
 */
#include <stdlib.h>

#include "record/unwind/unwind.h"
#include "tests/unwind/mini_elf.h"

struct walk {
	const struct rec_unwind_view *view;
	uint64_t seed;
};

static uint64_t next_random(struct walk *w)
{
	w->seed = w->seed * 6364136223846793005u + 1442695040888963407u;
	return w->seed >> 11;
}

static int read_side(struct walk *w, uint32_t index, struct ev_unwind_side *out)
{
	if (index >= w->view->head->sides)
		abort();
	*out = w->view->sides[index];
	return 0;
}

static int read_rbx(struct walk *w, uint32_t index, uint16_t *out)
{
	if (!w->view->rbx)
		return -1;
	*out = w->view->rbx[index];
	return 0;
}

static int read_random(struct walk *w, __u64 *out)
{
	*out = next_random(w);
	return *out % 16 == 0;
}

#define EV_UNWIND_READ_KEY(ctx, index, out) (*(out) = ((struct walk *)(ctx))->view->keys[index], 0)
#define EV_UNWIND_READ_RULE(ctx, index, out) \
	(*(out) = ((struct walk *)(ctx))->view->rules[index], 0)
#define EV_UNWIND_READ_SIDE(ctx, index, out) read_side(ctx, index, out)
#define EV_UNWIND_READ_RBX(ctx, index, out) read_rbx(ctx, index, out)
#define EV_UNWIND_READ_WORD(ctx, addr, out) ((void)(addr), read_random(ctx, out))
#define EV_UNWIND_READ_REG(ctx, number, out) \
	((number) >= EV_UNWIND_REGS ? -1 : read_random(ctx, out))
#include "bpf/unwind_step.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void step_all(const struct rec_unwind_view *v)
{
	struct walk w = {.view = v, .seed = v->head->rows};
	uint32_t i, row;

	for (i = 0; i < v->head->rows; i++) {
		struct ev_unwind_regs r = {
			.ip = next_random(&w),
			.sp = next_random(&w),
			.fp = next_random(&w),
			.lr = next_random(&w),
			.known = next_random(&w) & 31,
			.arch = v->head->arch,
		};
		struct ev_unwind_regs before = r;

		if (ev_unwind_find(&w, v->head->base, v->head->rows, v->head->base + v->keys[i],
				   &row) ||
		    row != i)
			abort();
		if (ev_unwind_step(&w, &r, row) && memcmp(&r, &before, sizeof(r)) != 0)
			abort();
	}
}

static void compile(const void *elf, size_t len)
{
	struct rec_unwind_stats stats;
	struct rec_unwind_view view;
	struct pa_buf table;

	pa_buf_init(&table);
	if (rec_unwind_compile(elf, len, &table, &stats) == 0) {
		if (rec_unwind_open(table.data, table.len, &view) || stats.rows != view.head->rows)
			abort();
		step_all(&view);
	}
	pa_buf_fini(&table);
}

/* The bytes as unwind information; sizes and flags of the file around them come from the first byte. */
static void compile_section(const uint8_t *data, size_t size)
{
	struct pa_buf section, elf;
	struct mini_elf m = {
		.aarch64 = data[0] & 1,
		.go = data[0] & 2,
		.no_sections = data[0] & 4,
		.eh_frame = data[0] & 8 ? NULL : &section,
		.debug_frame = data[0] & 24 ? &section : NULL,
		.debug_flags = data[0] & 32 ? SHF_COMPRESSED : 0,
		.debug_name = data[0] & 64 ? ".zdebug_frame" : NULL,
	};

	pa_buf_init(&section);
	pa_buf_init(&elf);
	pa_buf_add(&section, data + 1, size - 1);
	mini_elf_build(&elf, &m);
	if (!pa_buf_error(&elf))
		compile(elf.data, elf.len);
	pa_buf_fini(&elf);
	pa_buf_fini(&section);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct rec_unwind_view view;

	compile(data, size);
	if (size > 0)
		compile_section(data, size);
	if ((uintptr_t)data % 8 == 0 && rec_unwind_open(data, size, &view) == 0)
		step_all(&view);
	return 0;
}
