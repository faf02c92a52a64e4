// SPDX-License-Identifier: GPL-2.0-or-later
/* Copied stacks: expressions, and a copy of this program's own stack, walked as its run time does. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <dwarf.h>
#include <sys/utsname.h>
#include <ucontext.h>
#include <unwind.h>

#include "format/util/mem.h"
#include "report/symbols/elf.h"
#include "report/symbols/symbols.h"
#include "report/unwind/expr.h"
#include "report/unwind/unwinder.h"

#define NOINLINE __attribute__((noinline))
#define MAX_DEPTH 128

/* --- expressions --- */

static const uint8_t words[16] = {0x11, 0, 0, 0, 0, 0, 0, 0, 0x22};
static const struct rpt_frame_memory memory = {
	.start = 0x1000, .data = words, .bytes = sizeof(words)};

static enum rpt_expr_result value_of(const Dwarf_Op *ops, size_t count, uint64_t *value)
{
	struct rpt_frame_regs regs = {.known = 1u << 7};
	struct rpt_expr_context ctx = {.regs = &regs, .memory = &memory, .cfa = 0x5000};

	regs.values[7] = 0x1000;
	return rpt_expr_value(&ctx, ops, count, value);
}

static void expressions(void **state)
{
	/* The CFA in a PLT: rsp + 8 + ((rip & 15) >= 11) << 3, with another register for rip. */
	const Dwarf_Op plt[] = {
		{.atom = DW_OP_breg7, .number = 8},
		{.atom = DW_OP_breg7, .number = 13},
		{.atom = DW_OP_lit15},
		{.atom = DW_OP_and},
		{.atom = DW_OP_lit11},
		{.atom = DW_OP_ge},
		{.atom = DW_OP_lit3},
		{.atom = DW_OP_shl},
		{.atom = DW_OP_plus},
	};
	const Dwarf_Op deref[] = {{.atom = DW_OP_breg7, .number = 8}, {.atom = DW_OP_deref}};
	const Dwarf_Op cfa[] = {{.atom = DW_OP_call_frame_cfa},
				{.atom = DW_OP_plus_uconst, .number = 4}};
	const Dwarf_Op unknown_register[] = {{.atom = DW_OP_breg3}};
	const Dwarf_Op outside[] = {{.atom = DW_OP_lit1}, {.atom = DW_OP_deref}};
	const Dwarf_Op too_little[] = {{.atom = DW_OP_lit1}, {.atom = DW_OP_plus}};
	Dwarf_Op too_much[64];
	uint64_t value = 0;
	size_t i;

	(void)state;
	assert_int_equal(value_of(plt, PA_ARRAY_LEN(plt), &value), RPT_EXPR_OK);
	assert_int_equal(value, 0x1010);
	assert_int_equal(value_of(deref, 2, &value), RPT_EXPR_OK);
	assert_int_equal(value, 0x22);
	assert_int_equal(value_of(cfa, 2, &value), RPT_EXPR_OK);
	assert_int_equal(value, 0x5004);
	assert_int_equal(value_of(unknown_register, 1, &value), RPT_EXPR_REGISTER);
	assert_int_equal(value_of(outside, 2, &value), RPT_EXPR_MEMORY);
	assert_int_equal(value_of(too_little, 2, &value), RPT_EXPR_UNSUPPORTED);
	assert_int_equal(value_of(NULL, 0, &value), RPT_EXPR_UNSUPPORTED);
	for (i = 0; i < PA_ARRAY_LEN(too_much); i++)
		too_much[i] = (Dwarf_Op){.atom = DW_OP_lit0};
	assert_int_equal(value_of(too_much, PA_ARRAY_LEN(too_much), &value), RPT_EXPR_UNSUPPORTED);
}

static void memory_ends(void **state)
{
	uint64_t word;

	(void)state;
	assert_true(rpt_frame_read(&memory, 0x1008, &word));
	assert_false(rpt_frame_read(&memory, 0x1009, &word));
	assert_false(rpt_frame_read(&memory, 0xfff, &word));
	assert_false(rpt_frame_read(&memory, UINT64_MAX, &word));
	assert_null(rpt_machine_get("pdp11"));
}

/* --- this program's own stack --- */

struct truth {
	uint64_t frames[MAX_DEPTH]; /* innermost first */
	size_t count;
	uint64_t regs[RPT_MACHINE_REGS];
	uint32_t reg_count;
	uint8_t stack[PA_MAX_STACK_COPY_BYTES];
	size_t bytes;
	uint64_t start;
};

static _Unwind_Reason_Code note_frame(struct _Unwind_Context *ctx, void *arg)
{
	struct truth *t = arg;

	if (t->count < MAX_DEPTH)
		t->frames[t->count++] = (uint64_t)_Unwind_GetIP(ctx);
	return _URC_NO_REASON;
}

static void take_registers(struct truth *t, const ucontext_t *uc)
{
#if defined(__x86_64__)
	static const int order[] = {REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI,
				    REG_RBP, REG_RSP, REG_R8,  REG_R9,  REG_R10, REG_R11,
				    REG_R12, REG_R13, REG_R14, REG_R15, REG_RIP};

	for (t->reg_count = 0; t->reg_count < PA_ARRAY_LEN(order); t->reg_count++)
		t->regs[t->reg_count] = (uint64_t)uc->uc_mcontext.gregs[order[t->reg_count]];
	t->start = t->regs[7];
#else
	memcpy(t->regs, uc->uc_mcontext.regs, 31 * sizeof(*t->regs));
	t->regs[31] = uc->uc_mcontext.sp;
	t->regs[32] = uc->uc_mcontext.pc;
	t->reg_count = 33;
	t->start = t->regs[31];
#endif
}

/* The end of the mapping that an address lies in. */
static uint64_t mapping_end(uint64_t address)
{
	FILE *f = fopen("/proc/self/maps", "re");
	unsigned long long start, end, found = 0;
	char line[512];

	assert_non_null(f);
	while (fgets(line, sizeof(line), f))
		if (sscanf(line, "%llx-%llx", &start, &end) == 2 && address >= start &&
		    address < end)
			found = end;
	fclose(f);
	return found;
}

/* What stands beside variables is read too. */
static NOINLINE __attribute__((no_sanitize_address)) void take_truth(struct truth *t)
{
	ucontext_t uc;
	size_t i;

	_Unwind_Backtrace(note_frame, t);
	getcontext(&uc);
	take_registers(t, &uc);
	t->bytes = (size_t)PA_MIN(mapping_end(t->start) - t->start, (uint64_t)sizeof(t->stack));
	for (i = 0; i < t->bytes; i++)
		t->stack[i] = ((const volatile uint8_t *)(uintptr_t)t->start)[i];
}

static NOINLINE int deeper(struct truth *t, int depth)
{
	volatile char room[64];

	room[depth] = 1;
	if (depth)
		return deeper(t, depth - 1) + room[depth];
	take_truth(t);
	return room[0];
}

static int compare(const void *a, const void *b, void *arg)
{
	struct truth *t = arg;

	if (t->count == 0)
		deeper(t, 20);
	return *(const int *)a - *(const int *)b;
}

/* This process in a model: one executable mapping after the other. Returns its image. */
static uint32_t add_self(struct rpt_model *m)
{
	const struct rpt_moment begin = {.time_ns = 1};
	const struct rpt_process process = {.pid = 1};
	uint32_t index = rpt_process_add(&m->processes, &process, begin);
	unsigned long long start, end, offset;
	FILE *f = fopen("/proc/self/maps", "re");
	char line[4600], path[4096];

	assert_non_null(f);
	while (fgets(line, sizeof(line), f)) {
		struct rpt_module module = {.kind = PA_MODULE_FILE};
		struct rpt_mapping mapping = {.start = 0};
		struct rpt_build_id id;

		if (sscanf(line, "%llx-%llx r-xp %llx %*s %*s %4095s", &start, &end, &offset,
			   path) != 4 ||
		    !rpt_elf_read_build_id(path, &id))
			continue;
		module.path = rpt_strings_add(&m->strings, path);
		memcpy(module.build_id, id.data, id.len);
		module.build_id_bytes = (uint32_t)id.len;
		module.build_id_kind = PA_BUILD_ID_GNU;
		mapping = (struct rpt_mapping){
			.start = start,
			.end = end,
			.offset = offset,
			.module = rpt_modules_add(&m->modules, &m->strings, &module),
		};
		rpt_process_map(&m->processes, index, &mapping, true, begin);
	}
	fclose(f);
	return rpt_image_at(&m->processes, index, (struct rpt_moment){.time_ns = 2});
}

/* Sanitizers' run time has functions that unwinders don't agree on; of the rest all have to be equal. */
static void own_stack(void **state)
{
	static struct truth truth;
	const struct rpt_symbol_options options = {.threads = 1};
	struct pa_stack_copy copy = {.walked = PA_STACK_UNKNOWN_END};
	struct rpt_unwinder *unwinder = rpt_unwinder_new(&options);
	int values[] = {3, 1, 2};
	struct rpt_model model;
	struct utsname name;
	uint32_t node;
	size_t i;

	(void)state;
	qsort_r(values, PA_ARRAY_LEN(values), sizeof(*values), compare, &truth);
	assert_in_range(truth.count, 23, MAX_DEPTH - 1);
	copy.registers = (struct pa_list){truth.regs, truth.reg_count};
	copy.start = truth.start;
	copy.data = (struct pa_bytes){truth.stack, (uint32_t)truth.bytes};
	rpt_model_init(&model);
	assert_int_equal(uname(&name), 0);
	node = rpt_unwinder_walk(unwinder, &model, &copy, name.machine, add_self(&model));
	assert_true(node >= PA_STACK_FIRST_ID);
	assert_int_equal(rpt_stacks_end(&model.stacks, node), PA_STACK_COMPLETE);
	/* The innermost frame is elsewhere in the same function; the run time may see one more at the end. */
	for (i = 1, node = model.stacks.nodes[node].parent; node >= PA_STACK_FIRST_ID;
	     i++, node = model.stacks.nodes[node].parent)
		assert_int_equal(model.stacks.nodes[node].address, truth.frames[i]);
	assert_in_range(i, truth.count - 1, truth.count);
	rpt_model_fini(&model);
	rpt_unwinder_free(unwinder);
}

static void nonsense(void **state)
{
	const struct rpt_symbol_options options = {.threads = 1, .no_host_files = true};
	const uint64_t registers[17] = {[6] = 8, [7] = 0x1000, [16] = 0x4000};
	struct pa_stack_copy copy = {
		.registers = {registers, 17}, .start = 0x1000, .data = {words, 16}};
	struct rpt_unwinder *unwinder = rpt_unwinder_new(&options);
	struct rpt_model model;
	uint32_t node;

	(void)state;
	rpt_model_init(&model);
	/* Nothing is mapped there: one frame, and no more. */
	node = rpt_unwinder_walk(unwinder, &model, &copy, "x86_64", 0);
	assert_int_equal(rpt_stacks_end(&model.stacks, node), PA_STACK_FP_LOST);
	assert_int_equal(model.stacks.nodes[node].depth, 1);
	copy.registers.count = 3;
	assert_int_equal(rpt_unwinder_walk(unwinder, &model, &copy, "x86_64", 0),
			 PA_STACK_UNKNOWN_END);
	assert_int_equal(rpt_unwinder_walk(unwinder, &model, &copy, "pdp11", 0),
			 PA_STACK_UNKNOWN_END);
	rpt_model_fini(&model);
	rpt_unwinder_free(unwinder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(expressions),
		cmocka_unit_test(memory_ends),
		cmocka_unit_test(own_stack),
		cmocka_unit_test(nonsense),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
