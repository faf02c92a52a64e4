// SPDX-License-Identifier: GPL-2.0-or-later
/* A copy of a trace without what tells of people and machines. Only record types that are listed here
 * get into it. */
#include "report/scrub.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "format/util/buf.h"
#include "report/scrub_copies.h"
#include "report/scrub_kernel.h"
#include "report/xmem.h"

struct scrub {
	struct pa_reader *r;
	struct pa_writer *w;
	struct rpt_kernel_mover kernel;
	struct rpt_scrub_copies copies;
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
		if (text[i] == '/' && (i == 0 || ends_path(text[i - 1]))) {
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
		return rpt_scrub_copies_walk(&s->copies, r);
	case PA_REC_SAMPLE:
		r->sample.ustack = rpt_scrub_copies_map(&s->copies, r->sample.ustack);
		return true;
	case PA_REC_BLOCK:
		r->block.ustack = rpt_scrub_copies_map(&s->copies, r->block.ustack);
		return true;
	case PA_REC_BLOCK_SUM:
		r->block_sum.ustack = rpt_scrub_copies_map(&s->copies, r->block_sum.ustack);
		return true;
	case PA_REC_OPEN_BLOCK:
		r->open_block.ustack = rpt_scrub_copies_map(&s->copies, r->open_block.ustack);
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

static int copy_all(struct scrub *s)
{
	const struct pa_record *record;
	int n;

	while ((n = pa_reader_next(s->r, &record)) > 0) {
		struct pa_record r = *record;

		rpt_scrub_copies_note(&s->copies, record);
		/* Texts are written anew, where they are used. */
		if (r.id != PA_REC_STRING && scrub_record(s, &r) && !s->error)
			s->error = pa_writer_add(s->w, &r);
		if (s->error)
			return s->error;
	}
	return n < 0 ? n : pa_writer_flush(s->w);
}

/* --- the file --- */

static int write_fd(void *ctx, const void *data, size_t len)
{
	const char *p = data;

	while (len) {
		ssize_t n = write(*(int *)ctx, p, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		p += n;
		len -= (size_t)n;
	}
	return 0;
}

int rpt_scrub_to_sink(struct pa_reader *reader, const struct rpt_symbol_options *options,
		      pa_sink_fn *sink, void *ctx)
{
	struct scrub s = {.r = reader, .w = pa_writer_new(sink, ctx, NULL)};
	int err = -ENOMEM;

	pa_buf_init(&s.text);
	rpt_scrub_copies_init(&s.copies, reader, options);
	if (s.w)
		err = copy_all(&s);
	pa_writer_free(s.w);
	rpt_kernel_mover_fini(&s.kernel);
	rpt_scrub_copies_fini(&s.copies);
	free(s.frames);
	pa_buf_fini(&s.text);
	return err;
}

int rpt_scrub(struct pa_reader *reader, const struct rpt_symbol_options *options, const char *path)
{
	struct pa_buf name;
	int fd = STDOUT_FILENO, err;

	if (strcmp(path, "-") == 0)
		return rpt_scrub_to_sink(reader, options, write_fd, &fd);
	pa_buf_init(&name);
	pa_buf_addf(&name, "%s.XXXXXX", path);
	rpt_xcheck(pa_buf_error(&name));
	fd = mkostemp((char *)name.data, O_CLOEXEC); /* mode 0600 */
	err = fd < 0 ? -errno : rpt_scrub_to_sink(reader, options, write_fd, &fd);
	if (fd >= 0 && fsync(fd) && !err)
		err = -errno;
	if (fd >= 0 && close(fd) && !err)
		err = -errno;
	if (!err && rename((char *)name.data, path))
		err = -errno;
	if (err && fd >= 0)
		unlink((char *)name.data);
	pa_buf_fini(&name);
	return err;
}
