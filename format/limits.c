// SPDX-License-Identifier: GPL-2.0-or-later
/* Limits that a single record must keep, for the writer and the reader alike. */
#include "format/fields.h"
#include "format/util/err.h"

/* The greatest value of a field that consumers use as an index or identity. */
struct limit {
	uint64_t max;
	uint32_t offset; /* of the field in the record's struct */
	uint32_t bytes; /* of the field; 0 ends a list */
};

/* clang-format off */
#define MAX_OF(record, field, max_) \
	{.max = (max_), .offset = offsetof(struct pa_##record, field), \
	 .bytes = sizeof(((struct pa_##record *)0)->field)}
#define TABLE(record, field) MAX_OF(record, field, PA_MAX_TABLE_ID)
#define CPU(record, field) MAX_OF(record, field, PA_MAX_CPUS - 1)
#define STACKS(record) \
	MAX_OF(record, ustack, PA_MAX_STACK_ID), MAX_OF(record, kstack, PA_MAX_STACK_ID)
#define WAKER(record) \
	TABLE(record, waker), MAX_OF(record, waker_ustack, PA_MAX_STACK_ID), \
		MAX_OF(record, waker_kstack, PA_MAX_STACK_ID)
#define LIMITS(...) (const struct limit[]){__VA_ARGS__, {0}}
/* clang-format on */

static const struct limit *const limits[PA_REC_IDS_] = {
	[PA_REC_MODULE] = LIMITS(TABLE(module, id)),
	[PA_REC_PROCESS] = LIMITS(TABLE(process, id), TABLE(process, parent)),
	[PA_REC_THREAD] = LIMITS(TABLE(thread, id), TABLE(thread, process)),
	[PA_REC_COMM] = LIMITS(TABLE(comm, thread)),
	[PA_REC_EXEC] = LIMITS(TABLE(exec, process)),
	[PA_REC_EXIT] = LIMITS(TABLE(exit, thread)),
	[PA_REC_MAPPING] = LIMITS(TABLE(mapping, process), TABLE(mapping, module)),
	[PA_REC_UNMAP] = LIMITS(TABLE(unmap, process)),
	[PA_REC_SAMPLE] = LIMITS(TABLE(sample, thread), STACKS(sample), CPU(sample, cpu)),
	[PA_REC_BLOCK] = LIMITS(TABLE(block, thread), STACKS(block), WAKER(block)),
	[PA_REC_BLOCK_SUM] = LIMITS(TABLE(block_sum, thread), STACKS(block_sum), WAKER(block_sum)),
	[PA_REC_THREAD_SUM] = LIMITS(TABLE(thread_sum, thread)),
	[PA_REC_HIST] = LIMITS(TABLE(hist, thread)),
	[PA_REC_CPU_SUM] = LIMITS(CPU(cpu_sum, cpu)),
	[PA_REC_COUNTER] = LIMITS(TABLE(counter, id)),
	[PA_REC_COUNT] = LIMITS(TABLE(count, thread), MAX_OF(count, cpu, PA_MAX_CPUS),
				TABLE(count, counter)),
	[PA_REC_FILE_IMAGE] = LIMITS(TABLE(file_image, module)),
	[PA_REC_JIT_SYMBOL] = LIMITS(TABLE(jit_symbol, process)),
	[PA_REC_SESSION] = LIMITS(MAX_OF(session, cpus, PA_MAX_CPUS)),
	[PA_REC_OPEN_BLOCK] = LIMITS(TABLE(open_block, thread), STACKS(open_block)),
	[PA_REC_TASK] = LIMITS(TABLE(task, thread), STACKS(task)),
	[PA_REC_STACK_COPY] = LIMITS(TABLE(stack_copy, thread)),
	[PA_REC_FUNCTION] = LIMITS(TABLE(function, id)),
	[PA_REC_LOCATION] = LIMITS(TABLE(location, module)),
	[PA_REC_NAMES] = LIMITS(TABLE(names, module)),
	[PA_REC_UNWIND_SUM] = LIMITS(TABLE(unwind_sum, module)),
};

static int check_values(const struct pa_record *r)
{
	const struct limit *limit;
	const char *base = (const char *)&r->string;

	for (limit = limits[r->id]; limit && limit->bytes; limit++) {
		const void *p = base + limit->offset;

		if ((limit->bytes == 4 ? *(const uint32_t *)p : *(const uint64_t *)p) > limit->max)
			return PA_E_LIMIT;
	}
	return 0;
}

static int check_lengths(const struct pa_record *r, const struct pa_record_type *type)
{
	uint32_t i;

	for (i = 0; i < type->count; i++) {
		const struct pa_field *f = &type->fields[i];

		if (f->kind == PA_FIELD_BYTES &&
		    ((const struct pa_bytes *)pa_field_at(r, f))->len > PA_MAX_BYTES_FIELD)
			return PA_E_LIMIT;
		if ((f->kind == PA_FIELD_ADDRS || f->kind == PA_FIELD_VALS) &&
		    ((const struct pa_list *)pa_field_at(r, f))->count > PA_MAX_LIST)
			return PA_E_LIMIT;
		if (f->kind == PA_FIELD_STR && pa_field_number(r, f) > PA_MAX_STRINGS)
			return PA_E_LIMIT;
	}
	return 0;
}

static int check_string(const struct pa_string *s)
{
	if (s->id == 0 || s->id > PA_MAX_STRINGS || s->text.len > PA_MAX_STRING_BYTES)
		return PA_E_LIMIT;
	return 0;
}

/* Parents are older than their children, so that no chain of nodes has a loop. */
static int check_stack(const struct pa_stack *s)
{
	if (s->id < PA_STACK_FIRST_ID || s->id > PA_MAX_STACK_ID || s->parent >= s->id ||
	    s->parent == PA_STACK_NONE || s->frames.count == 0 ||
	    s->frames.count > PA_MAX_STACK_DEPTH || s->frames.count - 1 > PA_MAX_STACK_ID - s->id)
		return PA_E_LIMIT;
	return 0;
}

static int check_stack_copy(const struct pa_stack_copy *s)
{
	if (s->id < PA_STACK_FIRST_ID || s->id > PA_MAX_STACK_ID || s->walked >= s->id ||
	    s->walked == PA_STACK_NONE || s->data.len > PA_MAX_STACK_COPY_BYTES)
		return PA_E_LIMIT;
	return 0;
}

static int check_build_id(const struct pa_bytes *id)
{
	return id->len > PA_MAX_BUILD_ID_BYTES ? PA_E_LIMIT : 0;
}

int pa_record_check(const struct pa_record *r)
{
	const struct pa_record_type *type = pa_record_type_get(r->id);
	int err;

	if (!type)
		return PA_E_UNSUPPORTED;
	err = check_lengths(r, type);
	return err < 0 ? err : pa_record_check_ids(r);
}

int pa_record_check_ids(const struct pa_record *r)
{
	int err = check_values(r);

	if (err < 0)
		return err;
	switch (r->id) {
	case PA_REC_STRING:
		return check_string(&r->string);
	case PA_REC_STACK:
		return check_stack(&r->stack);
	case PA_REC_STACK_COPY:
		return check_stack_copy(&r->stack_copy);
	case PA_REC_MODULE:
		return check_build_id(&r->module.build_id);
	case PA_REC_KERNEL_RANGE:
		return check_build_id(&r->kernel_range.build_id);
	case PA_REC_SESSION:
		return check_build_id(&r->session.kernel_build_id);
	default:
		return 0;
	}
}
