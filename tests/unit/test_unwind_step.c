// SPDX-License-Identifier: GPL-2.0-or-later
/* One step up a made-up stack, by every kind of rule, and every way in which a walk ends. */
#include <linux/types.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bpf/unwind_table.h"
#include "format/util/mem.h"

#define STACK 0x7000 /* address of the first word */
#define WORDS 32
#define RA 0x401234
#define FP 0x7f80

struct machine {
	uint32_t keys[4], rules[4];
	uint16_t rbx[4];
	uint32_t rows;
	struct ev_unwind_side side;
	uint64_t words[WORDS]; /* readable from STACK on */
	uint64_t registers[EV_UNWIND_REGS];
};

static int read_word(const struct machine *m, uint64_t addr, __u64 *out)
{
	uint64_t index = (addr - STACK) / EV_UNWIND_WORD;

	if (addr < STACK || index >= WORDS)
		return -1;
	*out = m->words[index];
	return 0;
}

#define MACHINE(ctx) ((struct machine *)(ctx))
#define EV_UNWIND_READ_KEY(ctx, index, out) (*(out) = MACHINE(ctx)->keys[index], 0)
#define EV_UNWIND_READ_RULE(ctx, index, out) (*(out) = MACHINE(ctx)->rules[index], 0)
#define EV_UNWIND_READ_SIDE(ctx, index, out) ((index) ? -1 : (*(out) = MACHINE(ctx)->side, 0))
#define EV_UNWIND_READ_RBX(ctx, index, out) (*(out) = MACHINE(ctx)->rbx[index], 0)
#define EV_UNWIND_READ_WORD(ctx, addr, out) read_word(ctx, addr, out)
#define EV_UNWIND_READ_REG(ctx, number, out) (*(out) = MACHINE(ctx)->registers[number], 0)
#include "bpf/unwind_step.h"

#define AT_SP(o)                                                     \
	{                                                            \
		.base = EV_UNWIND_BASE_SP, .offset = (o), .deref = 1 \
	}
#define AT_CFA(o)                                                     \
	{                                                             \
		.base = EV_UNWIND_BASE_CFA, .offset = (o), .deref = 1 \
	}

/* A frame at the stack's start, of which everything is known. */
static struct ev_unwind_regs frame(uint32_t arch)
{
	return (struct ev_unwind_regs){
		.ip = 0x400010,
		.sp = STACK,
		.fp = STACK + 0x40,
		.lr = RA,
		.rbx = 0xb,
		.known = EV_UNWIND_FP_KNOWN | EV_UNWIND_LR_KNOWN | EV_UNWIND_RBX_KNOWN |
			 EV_UNWIND_IP_EXACT | EV_UNWIND_INNERMOST,
		.arch = arch,
	};
}

static int step(struct machine *m, struct ev_unwind_regs *r, uint32_t rule)
{
	m->rules[0] = rule;
	return ev_unwind_step(m, r, 0);
}

static void expect_caller(const struct ev_unwind_regs *r, uint64_t sp, uint64_t fp)
{
	assert_int_equal(r->ip, RA);
	assert_int_equal(r->sp, sp);
	assert_int_equal(r->fp, fp);
	/* It was called: its ip is a return address, and registers that calls change are gone. */
	assert_int_equal(r->known & (EV_UNWIND_IP_EXACT | EV_UNWIND_INNERMOST | EV_UNWIND_LR_KNOWN),
			 0);
	assert_int_equal(r->known & EV_UNWIND_FP_KNOWN, EV_UNWIND_FP_KNOWN);
	assert_int_equal(ev_unwind_lookup_ip(r), RA - 1);
}

static void rows_are_found(void **state)
{
	struct machine m = {.keys = {0, 0x10, 0x20, 0xfffffff0}, .rows = 4};
	static const struct {
		uint64_t vaddr;
		int result;
		uint32_t row;
	} cases[] = {
		{0x1000, EV_UNWIND_STEPPED, 0},      {0x100f, EV_UNWIND_STEPPED, 0},
		{0x1010, EV_UNWIND_STEPPED, 1},      {0x1fff, EV_UNWIND_STEPPED, 2},
		{0x100000ff0, EV_UNWIND_STEPPED, 3}, {0x100000fff, EV_UNWIND_STEPPED, 3},
		{0xfff, EV_UNWIND_NO_RULE, 0},       {0x100001000, EV_UNWIND_NO_RULE, 0},
	};
	uint32_t row;
	size_t i;

	(void)state;
	for (i = 0; i < PA_ARRAY_LEN(cases); i++) {
		row = 0;
		assert_int_equal(ev_unwind_find(&m, 0x1000, m.rows, cases[i].vaddr, &row),
				 cases[i].result);
		assert_int_equal(row, cases[i].row);
	}
	assert_int_equal(ev_unwind_find(&m, 0x1000, 0, 0x1000, &row), EV_UNWIND_NO_RULE);
	assert_int_equal(ev_unwind_find(&m, 0x1000, 1, 0x5000, &row), EV_UNWIND_STEPPED);
	assert_int_equal(row, 0);
}

static void short_rules_step(void **state)
{
	static const struct {
		uint32_t rule;
		uint64_t sp, fp; /* of the caller */
		size_t ra_word; /* where its address is */
	} cases[] = {
		{EV_UNWIND_RULE(EV_UNWIND_SP, EV_UNWIND_RA_TOP, 3, 0), STACK + 24, STACK + 0x40, 2},
		{EV_UNWIND_RULE(EV_UNWIND_SP, EV_UNWIND_RA_TOP_FP_SLOT, 3, 2), STACK + 24, FP, 2},
		{EV_UNWIND_RULE(EV_UNWIND_FP, EV_UNWIND_RA_TOP_FP_SLOT, 2, 2), STACK + 0x50, FP, 9},
		{EV_UNWIND_RULE(EV_UNWIND_FP, EV_UNWIND_RA_TOP, -2, 0), STACK + 0x30, STACK + 0x40,
		 5},
		{EV_UNWIND_RULE(EV_UNWIND_FP_DEREF, EV_UNWIND_RA_TOP_FP_AT_FP, -1, 0), STACK + 0x80,
		 FP, 15},
		{EV_UNWIND_RULE(EV_UNWIND_PLT, EV_UNWIND_RA_TOP, 1, 11), STACK + 8, STACK + 0x40,
		 0},
		{EV_UNWIND_RULE(EV_UNWIND_PLT, EV_UNWIND_RA_TOP, 1, 0), STACK + 16, STACK + 0x40,
		 1},
		{EV_UNWIND_RULE(EV_UNWIND_SP, EV_UNWIND_RECORD_SLOT, 4, 3), STACK + 32, FP, 2},
		{EV_UNWIND_RULE(EV_UNWIND_SP, EV_UNWIND_RA_SLOT, 4, 4), STACK + 32, STACK + 0x40,
		 0},
	};
	size_t i, w;

	(void)state;
	for (i = 0; i < PA_ARRAY_LEN(cases); i++) {
		struct ev_unwind_regs r = frame(EV_UNWIND_X86_64);
		struct machine m = {0};

		/* All words but one would be a saved frame pointer. */
		for (w = 0; w < WORDS; w++)
			m.words[w] = w == cases[i].ra_word ? RA : FP;
		m.words[7] = STACK + 0x80;
		assert_int_equal(step(&m, &r, cases[i].rule), EV_UNWIND_STEPPED);
		expect_caller(&r, cases[i].sp, cases[i].fp);
	}
}

static void leaves_of_aarch64_return_by_register(void **state)
{
	struct ev_unwind_regs r = frame(EV_UNWIND_AARCH64);
	struct machine m = {.words = {FP}};
	uint32_t leaf = EV_UNWIND_RULE(EV_UNWIND_SP, EV_UNWIND_RA_LR, 0, 0);

	(void)state;
	/* Signed, that is with bits above the address. */
	r.lr |= 0x003a000000000000;
	assert_int_equal(step(&m, &r, leaf), EV_UNWIND_STEPPED);
	expect_caller(&r, STACK, STACK + 0x40);
	/* It made a call itself, so that can't be true again. */
	assert_int_equal(step(&m, &r, leaf), EV_UNWIND_LOST);
	r = frame(EV_UNWIND_AARCH64);
	assert_int_equal(step(&m, &r, EV_UNWIND_RULE(EV_UNWIND_SP, EV_UNWIND_RA_LR_FP_SLOT, 1, 1)),
			 EV_UNWIND_STEPPED);
	expect_caller(&r, STACK + 8, FP);
}

static void signal_frames_restore_the_interrupted(void **state)
{
	struct ev_unwind_regs r = frame(EV_UNWIND_AARCH64);
	struct machine m = {
		.side = {.cfa = AT_SP(0),
			 .ra = AT_SP(8),
			 .fp = AT_SP(16),
			 .lr = AT_SP(24),
			 .flags = EV_UNWIND_SIGNAL},
		/* The handler has a stack of its own, above the interrupted one. */
		.words = {STACK - 0x1000, RA, FP, 0x77},
	};

	(void)state;
	r.known = 0;
	assert_int_equal(step(&m, &r, EV_UNWIND_NUMBERED(EV_UNWIND_SIDE, 0)), EV_UNWIND_STEPPED);
	assert_int_equal(r.ip, RA);
	assert_int_equal(r.sp, STACK - 0x1000);
	assert_int_equal(r.fp, FP);
	assert_int_equal(r.lr, 0x77);
	assert_int_equal(r.known, EV_UNWIND_FP_KNOWN | EV_UNWIND_LR_KNOWN | EV_UNWIND_IP_EXACT);
	assert_int_equal(ev_unwind_lookup_ip(&r), RA);
}

static void other_registers_are_known_innermost_only(void **state)
{
	struct ev_unwind_regs r = frame(EV_UNWIND_X86_64);
	struct machine m = {
		.side = {.cfa = {.base = EV_UNWIND_BASE_REG + 10, .offset = 16},
			 .ra = AT_CFA(-8),
			 .fp = {.base = EV_UNWIND_BASE_LOST}},
		.registers[10] = STACK,
		.words = {0, RA, 0, RA},
	};

	(void)state;
	assert_int_equal(step(&m, &r, EV_UNWIND_NUMBERED(EV_UNWIND_SIDE, 0)), EV_UNWIND_STEPPED);
	assert_int_equal(r.sp, STACK + 16);
	assert_int_equal(r.known & EV_UNWIND_FP_KNOWN, 0);
	assert_int_equal(step(&m, &r, EV_UNWIND_NUMBERED(EV_UNWIND_SIDE, 0)), EV_UNWIND_LOST);
	/* A word behind a pointer, and a constant more. */
	m.side.cfa = (struct ev_unwind_loc)AT_SP(0);
	m.side.cfa.add = 8;
	m.words[2] = STACK + 24;
	assert_int_equal(step(&m, &r, EV_UNWIND_NUMBERED(EV_UNWIND_SIDE, 0)), EV_UNWIND_STEPPED);
	assert_int_equal(r.sp, STACK + 32);
}

static void rbx_is_followed(void **state)
{
	uint32_t call = EV_UNWIND_RULE(EV_UNWIND_SP, EV_UNWIND_RA_TOP, 4, 0);
	struct ev_unwind_regs r = frame(EV_UNWIND_X86_64);
	struct machine m = {
		.side = {.cfa = {.base = EV_UNWIND_BASE_REG + EV_UNWIND_RBX, .offset = 24},
			 .ra = AT_CFA(-8)},
		.rbx = {2},
		.words = {0, 0, STACK + 0x50, RA, [12] = RA},
	};

	(void)state;
	assert_int_equal(step(&m, &r, call), EV_UNWIND_STEPPED);
	assert_int_equal(r.rbx, STACK + 0x50);
	m.rbx[0] = EV_UNWIND_RBX_LOST;
	assert_int_equal(step(&m, &r, EV_UNWIND_NUMBERED(EV_UNWIND_SIDE, 0)), EV_UNWIND_STEPPED);
	assert_int_equal(r.sp, STACK + 0x50 + 24);
	assert_int_equal(step(&m, &r, EV_UNWIND_NUMBERED(EV_UNWIND_SIDE, 0)), EV_UNWIND_LOST);
	/* Unchanged. */
	r = frame(EV_UNWIND_X86_64);
	m.rbx[0] = 0;
	assert_int_equal(step(&m, &r, call), EV_UNWIND_STEPPED);
	assert_int_equal(r.rbx, 0xb);
	assert_int_equal(r.known & EV_UNWIND_RBX_KNOWN, EV_UNWIND_RBX_KNOWN);
}

static void every_end_has_its_name(void **state)
{
	static const struct {
		uint32_t rule;
		int result;
	} cases[] = {
		{EV_UNWIND_RULE(EV_UNWIND_ROOT, 0, 0, 0), EV_UNWIND_AT_ROOT},
		{EV_UNWIND_NUMBERED(EV_UNWIND_NONE, EV_UNWIND_GAP), EV_UNWIND_NO_RULE},
		{EV_UNWIND_NUMBERED(EV_UNWIND_NONE, EV_UNWIND_RANGE), EV_UNWIND_NO_RULE},
		{7, EV_UNWIND_NO_RULE},
		{EV_UNWIND_NUMBERED(EV_UNWIND_SIDE, 1), EV_UNWIND_NO_RULE},
		{EV_UNWIND_RULE(EV_UNWIND_SP, EV_UNWIND_RA_TOP, 2, 0), EV_UNWIND_AT_ZERO},
		{EV_UNWIND_RULE(EV_UNWIND_SP, EV_UNWIND_RA_TOP, 100, 0), EV_UNWIND_BAD_MEMORY},
		{EV_UNWIND_RULE(EV_UNWIND_FP_DEREF, EV_UNWIND_RA_TOP, 100, 0),
		 EV_UNWIND_BAD_MEMORY},
		/* The stack would not grow. */
		{EV_UNWIND_RULE(EV_UNWIND_SP, EV_UNWIND_RA_TOP, 0, 0), EV_UNWIND_LOST},
		{EV_UNWIND_RULE(EV_UNWIND_FP, EV_UNWIND_RA_TOP, -9, 0), EV_UNWIND_LOST},
	};
	struct ev_unwind_regs before = frame(EV_UNWIND_X86_64), r = before;
	struct machine m = {0};
	size_t i;

	(void)state;
	for (i = 0; i < PA_ARRAY_LEN(cases); i++) {
		assert_int_equal(step(&m, &r, cases[i].rule), cases[i].result);
		assert_memory_equal(&r, &before, sizeof(r));
	}
	r.known = EV_UNWIND_INNERMOST;
	assert_int_equal(step(&m, &r, EV_UNWIND_RULE(EV_UNWIND_FP, EV_UNWIND_RA_TOP, 2, 0)),
			 EV_UNWIND_LOST);
}

static void a_frame_pointer_that_cannot_be_read_is_lost_alone(void **state)
{
	struct ev_unwind_regs r = frame(EV_UNWIND_X86_64);
	struct machine m = {.words = {0, RA}};

	(void)state;
	r.fp = 0x40;
	m.words[0] = STACK + 16;
	assert_int_equal(
		step(&m, &r, EV_UNWIND_RULE(EV_UNWIND_SP, EV_UNWIND_RA_TOP_FP_AT_FP, 2, 0)),
		EV_UNWIND_STEPPED);
	assert_int_equal(r.ip, RA);
	assert_int_equal(r.known & EV_UNWIND_FP_KNOWN, 0);
	r = frame(EV_UNWIND_X86_64);
	assert_int_equal(step(&m, &r, EV_UNWIND_RULE(EV_UNWIND_SP, EV_UNWIND_RA_TOP_FP_LOST, 2, 0)),
			 EV_UNWIND_STEPPED);
	assert_int_equal(r.known & EV_UNWIND_FP_KNOWN, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_are_found),
		cmocka_unit_test(short_rules_step),
		cmocka_unit_test(leaves_of_aarch64_return_by_register),
		cmocka_unit_test(signal_frames_restore_the_interrupted),
		cmocka_unit_test(other_registers_are_known_innermost_only),
		cmocka_unit_test(rbx_is_followed),
		cmocka_unit_test(every_end_has_its_name),
		cmocka_unit_test(a_frame_pointer_that_cannot_be_read_is_lost_alone),
	};

	return cmocka_run_group_tests_name("unwind/step", tests, NULL, NULL);
}
