// SPDX-License-Identifier: GPL-2.0-or-later
/* A copy of a trace without what tells of people and machines. Only record types that are listed here
 * get into it. */
#include "report/scrub.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "format/util/buf.h"
#include "report/newfile.h"
#include "report/scrub_kernel.h"
#include "report/unwind/unwinder.h"
#include "report/walked.h"
#include "report/xmem.h"

#define LOCK_BYTES 40 /* of a futex, in TASK records */

struct scrub {
	struct pa_reader *r;
	struct pa_writer *w;
	struct rpt_kernel_mover kernel;
	struct rpt_model model; /* of the source, for its mappings */
	struct rpt_load *load; /* owned */
	struct rpt_unwinder *unwinder; /* owned; or NULL */
	struct rpt_walked walked;
	uint64_t *frames; /* owned: of the stack that is being written */
	size_t frame_cap;
	struct pa_buf text;
	int error; /* the writer's, sticky */
};

/* --- texts --- */

/* Gives a field, an id of the source, the id of a text in the copy. */
static void put(struct scrub *s, uint32_t *id, const char *text, size_t len)
{
	int err = pa_writer_string(s->w, text, len, id);

	s->error = s->error ? s->error : err;
}

static void keep(struct scrub *s, uint32_t *id)
{
	size_t len;
	const char *text = pa_reader_string(s->r, *id, &len);

	put(s, id, text ? text : "", len);
}

/* Where the last name of a path begins. */
static size_t last_name(const char *text, size_t len)
{
	const char *slash = len ? memrchr(text, '/', len) : NULL;

	return slash ? (size_t)(slash + 1 - text) : 0;
}

static void keep_last_name(struct scrub *s, uint32_t *id)
{
	size_t len, cut;
	const char *text = pa_reader_string(s->r, *id, &len);

	cut = text ? last_name(text, len) : 0;
	put(s, id, text ? text + cut : "", len - cut);
}

static bool ends_path(char c)
{
	return strchr(" \t:;,()'\"<>", c) != NULL; /* or the text */
}

/* Of every absolute path in a text the last name stays: "LazyCompile:f /home/me/x.js:1". */
static void keep_without_paths(struct scrub *s, uint32_t *id)
{
	size_t len, i, end;
	const char *text = pa_reader_string(s->r, *id, &len);

	pa_buf_reset(&s->text);
	for (i = 0; text && i < len; i = end) {
		end = i + 1;
		if (text[i] == '/' && (i == 0 || ends_path(text[i - 1])) && i + 1 < len &&
		    !ends_path(text[i + 1])) {
			while (end < len && !ends_path(text[end]))
				end++;
			i += last_name(text + i, end - i);
		}
		pa_buf_add(&s->text, text + i, end - i);
	}
	rpt_xcheck(pa_buf_error(&s->text));
	put(s, id, pa_buf_str(&s->text), s->text.len);
}

/* --- records --- */

static void scrub_session(struct scrub *s, struct pa_session *r)
{
	keep(s, &r->recorder);
	keep(s, &r->arch);
	keep(s, &r->clock);
	keep(s, &r->kernel);
	keep(s, &r->cpu_model);
	keep(s, &r->target);
	keep(s, &r->unwind);
	r->host = 0;
	r->command = 0;
}

static void scrub_module(struct scrub *s, struct pa_module *r)
{
	if (r->kind == PA_MODULE_FILE)
		keep_last_name(s, &r->path);
	else
		keep_without_paths(s, &r->path);
	/* They would tell files of one name apart, if there is no build ID: now the module's id does. */
	r->device = 0;
	r->inode = r->id;
}

static void scrub_process(struct scrub *s, struct pa_process *r)
{
	keep(s, &r->comm);
	keep_last_name(s, &r->exe);
	keep_last_name(s, &r->cgroup);
	r->cmdline = 0;
	r->uid = 0;
}

static void scrub_exec(struct scrub *s, struct pa_exec *r)
{
	keep(s, &r->comm);
	keep_last_name(s, &r->exe);
	r->cmdline = 0;
}

static void scrub_stack(struct scrub *s, struct pa_stack *r)
{
	uint32_t i;

	rpt_xgrow(&s->frames, &s->frame_cap, r->frames.count, sizeof(*s->frames));
	for (i = 0; i < r->frames.count; i++)
		s->frames[i] = rpt_kernel_mover_move(&s->kernel, r->frames.items[i]);
	r->frames.items = s->frames;
}

static void scrub_kernel_range(struct scrub *s, struct pa_kernel_range *r)
{
	keep(s, &r->name);
	r->start = rpt_kernel_mover_add(&s->kernel, r->start, r->length_bytes);
}

static void scrub_kernel_symbol(struct scrub *s, struct pa_kernel_symbol *r)
{
	keep(s, &r->name);
	keep(s, &r->module);
	r->start = rpt_kernel_mover_add(&s->kernel, r->start, r->length_bytes);
}

/* Names of functions may hold paths: clang's of a lambda is where it stands. */
static void scrub_function(struct scrub *s, struct pa_function *r)
{
	keep_without_paths(s, &r->linkage_name);
	keep_without_paths(s, &r->name);
	keep_last_name(s, &r->file);
}

static void scrub_location(struct scrub *s, struct pa_location *r)
{
	if (r->module == 0)
		r->address = rpt_kernel_mover_move(&s->kernel, r->address);
}

static void scrub_names(struct scrub *s, struct pa_names *r)
{
	keep_last_name(s, &r->file);
	keep_without_paths(s, &r->message);
}

static void scrub_counter(struct scrub *s, struct pa_counter *r)
{
	keep(s, &r->name);
	keep(s, &r->pmu);
	keep(s, &r->reason);
}

static void scrub_pair(struct scrub *s, uint32_t *key, uint32_t *value)
{
	keep(s, key);
	keep(s, value);
}

/* Records about the trace as a whole. False when the type is not one of them. */
static bool scrub_whole(struct scrub *s, struct pa_record *r)
{
	switch (r->id) {
	case PA_REC_SESSION:
		scrub_session(s, &r->session);
		return true;
	case PA_REC_SAMPLING:
		scrub_pair(s, &r->sampling.event, &r->sampling.reason);
		return true;
	case PA_REC_TAG:
		scrub_pair(s, &r->tag.key, &r->tag.value);
		return true;
	case PA_REC_FEATURE:
		scrub_pair(s, &r->feature.name, &r->feature.value);
		keep_without_paths(s, &r->feature.reason);
		return true;
	case PA_REC_COUNTER:
		scrub_counter(s, &r->counter);
		return true;
	case PA_REC_KERNEL_RANGE:
		scrub_kernel_range(s, &r->kernel_range);
		return true;
	case PA_REC_KERNEL_SYMBOL:
		scrub_kernel_symbol(s, &r->kernel_symbol);
		return true;
	case PA_REC_LOSS:
		keep_without_paths(s, &r->loss.detail);
		return true;
	case PA_REC_END:
		keep_without_paths(s, &r->end.detail);
		return true;
	default:
		return false;
	}
}

/* What stacks are made of, and what refers to them. False when the type is not one of these. */
static bool scrub_stacks(struct scrub *s, struct pa_record *r)
{
	switch (r->id) {
	case PA_REC_STACK:
		scrub_stack(s, &r->stack);
		return true;
	case PA_REC_STACK_COPY:
		return rpt_walked_replace(&s->walked, s->load, r, 0);
	case PA_REC_SAMPLE:
	case PA_REC_BLOCK:
	case PA_REC_BLOCK_SUM:
	case PA_REC_OPEN_BLOCK:
		rpt_walked_map_record(&s->walked, r);
		return true;
	case PA_REC_TASK:
		rpt_walked_map_record(&s->walked, r);
		keep_without_paths(s, &r->task.target);
		/* Of a lock there is so much; anything else is an address on the network. */
		if (r->task.memory.len != LOCK_BYTES)
			r->task.memory.len = 0;
		return true;
	default:
		return false;
	}
}

/* All others. False when the type is not known. */
static bool scrub_event(struct scrub *s, struct pa_record *r)
{
	switch (r->id) {
	case PA_REC_MODULE:
		scrub_module(s, &r->module);
		return true;
	case PA_REC_PROCESS:
		scrub_process(s, &r->process);
		return true;
	case PA_REC_THREAD:
		keep(s, &r->thread.comm);
		return true;
	case PA_REC_COMM:
		keep(s, &r->comm.comm);
		return true;
	case PA_REC_EXEC:
		scrub_exec(s, &r->exec);
		return true;
	case PA_REC_JIT_SYMBOL:
		keep_without_paths(s, &r->jit_symbol.name);
		return true;
	case PA_REC_FUNCTION:
		scrub_function(s, &r->function);
		return true;
	case PA_REC_LOCATION:
		scrub_location(s, &r->location);
		return true;
	case PA_REC_NAMES:
		scrub_names(s, &r->names);
		return true;
	case PA_REC_FILE_IMAGE: /* the vdso, which is the kernel's */
	case PA_REC_EXIT:
	case PA_REC_MAPPING:
	case PA_REC_UNMAP:
	case PA_REC_THREAD_SUM:
	case PA_REC_HIST:
	case PA_REC_CPU_SUM:
	case PA_REC_COUNT:
	case PA_REC_COVERED:
	case PA_REC_UNWIND_SUM:
		return true;
	default:
		return false;
	}
}

/* False when the record is not to be in the copy. */
static bool scrub_record(struct scrub *s, struct pa_record *r)
{
	return scrub_whole(s, r) || scrub_stacks(s, r) || scrub_event(s, r);
}

/* Takes what a copied stack is walked with. */
static void note(struct scrub *s, const struct pa_record *record)
{
	switch (record->id) {
	case PA_REC_SESSION:
	case PA_REC_STACK:
	case PA_REC_STACK_COPY:
	case PA_REC_MODULE:
	case PA_REC_PROCESS:
	case PA_REC_THREAD:
	case PA_REC_EXEC:
	case PA_REC_MAPPING:
	case PA_REC_UNMAP:
	case PA_REC_FILE_IMAGE:
		rpt_load_record(s->load, record);
		break;
	default:
		break;
	}
}

static int copy_all(struct scrub *s)
{
	const struct pa_record *record;
	int n;

	while ((n = pa_reader_next(s->r, &record)) > 0) {
		struct pa_record r = *record;

		note(s, record);
		/* Texts are written anew, where they are used. */
		if (r.id != PA_REC_STRING && scrub_record(s, &r) && !s->error)
			s->error = pa_writer_add(s->w, &r);
		if (s->error)
			return s->error;
	}
	return n < 0 ? n : pa_writer_flush(s->w);
}

/* --- copied stacks need the mappings that they are walked with --- */

static void begin_walk(struct scrub *s, const struct rpt_symbol_options *options)
{
	rpt_model_init(&s->model);
	rpt_walked_init(&s->walked);
	s->load = rpt_load_new(&s->model);
	if (options) {
		s->unwinder = rpt_unwinder_new(options);
		rpt_load_set_unwinder(s->load, s->unwinder);
	}
	rpt_load_begin(s->load, s->r, "");
}

static void end_walk(struct scrub *s)
{
	rpt_load_free(s->load);
	rpt_unwinder_free(s->unwinder);
	rpt_walked_fini(&s->walked);
	rpt_model_fini(&s->model);
}

/* --- the file --- */

int rpt_scrub_to_sink(struct pa_reader *reader, const struct rpt_symbol_options *options,
		      pa_sink_fn *sink, void *ctx)
{
	struct scrub s = {.r = reader, .w = pa_writer_new(sink, ctx, NULL)};
	int err = -ENOMEM;

	pa_buf_init(&s.text);
	begin_walk(&s, options);
	if (s.w)
		err = copy_all(&s);
	pa_writer_free(s.w);
	rpt_kernel_mover_fini(&s.kernel);
	end_walk(&s);
	free(s.frames);
	pa_buf_fini(&s.text);
	return err;
}

int rpt_scrub(struct pa_reader *reader, const struct rpt_symbol_options *options, const char *path)
{
	struct rpt_new_file file;
	int err = rpt_new_file_open(&file, path);

	if (!err)
		err = rpt_scrub_to_sink(reader, options, rpt_new_file_write, &file);
	return rpt_new_file_close(&file, err);
}
