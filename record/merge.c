// SPDX-License-Identifier: GPL-2.0-or-later
/* Several segments become one trace: ids of strings and stacks are moved, repeated tables left out. */
#include "record/merge.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "format/util/mem.h"

struct memory_source {
	const uint8_t *data;
	size_t left;
};

static int64_t read_memory(void *ctx, void *data, size_t len)
{
	struct memory_source *s = ctx;
	size_t n = PA_MIN(len, s->left);

	if (n)
		memcpy(data, s->data, n);
	s->data += n;
	s->left -= n;
	return (int64_t)n;
}

int rec_merge_init(struct rec_merge *m, pa_sink_fn *sink, void *ctx, uint32_t number)
{
	*m = (struct rec_merge){.writer = pa_writer_new(sink, ctx, NULL), .number = number};
	return m->writer ? 0 : -ENOMEM;
}

void rec_merge_fini(struct rec_merge *m)
{
	pa_writer_free(m->writer);
	free(m->modules.ids);
	free(m->images.ids);
	free(m->processes.ids);
	free(m->threads.ids);
}

/* Whether the id was there before; it is from now on. Negative: -ENOMEM. */
static int seen(struct rec_merge_seen *s, uint32_t id)
{
	size_t old = s->cap;
	int err = pa_grow(&s->ids, &s->cap, (size_t)id + 1, 1), was;

	if (err)
		return err;
	memset(s->ids + old, 0, s->cap - old);
	was = s->ids[id];
	s->ids[id] = 1;
	return was;
}

/* 1 when an earlier segment has this record already, 0, or -ENOMEM. */
static int is_repeated(struct rec_merge *m, const struct pa_record *r)
{
	switch (r->id) {
	case PA_REC_SESSION:
	case PA_REC_SAMPLING:
	case PA_REC_TAG:
	case PA_REC_FEATURE:
	case PA_REC_COUNTER:
	case PA_REC_KERNEL_RANGE:
		return m->segments > 0;
	case PA_REC_MODULE:
		return seen(&m->modules, r->module.id);
	case PA_REC_FILE_IMAGE:
		return seen(&m->images, r->file_image.module);
	case PA_REC_PROCESS:
		return seen(&m->processes, r->process.id);
	case PA_REC_THREAD:
		return seen(&m->threads, r->thread.id);
	case PA_REC_END:
		return 1;
	default:
		return 0;
	}
}

static int add(struct rec_merge *m, const struct pa_record *record)
{
	struct pa_record r = *record;
	int err = is_repeated(m, record);

	if (err)
		return err < 0 ? err : 0;
	err = pa_record_shift_ids(&r, m->string_base, m->stack_base);
	if (err)
		return err;
	if (r.id == PA_REC_STRING)
		m->string_top = PA_MAX(m->string_top, (uint32_t)r.string.id);
	else if (r.id == PA_REC_STACK)
		m->stack_top = PA_MAX(m->stack_top, (uint32_t)r.stack.id + r.stack.frames.count);
	else if (r.id == PA_REC_STACK_COPY)
		m->stack_top = PA_MAX(m->stack_top, (uint32_t)r.stack_copy.id + 1);
	else if (r.id == PA_REC_SESSION)
		r.session.segment = m->number;
	return pa_writer_add(m->writer, &r);
}

int rec_merge_add(struct rec_merge *m, const void *data, size_t len)
{
	struct memory_source source = {data, len};
	const struct pa_record *record;
	struct pa_reader *reader;
	int n = 0, err = pa_reader_new(read_memory, &source, &reader);

	if (err < 0)
		return err;
	while (!err && (n = pa_reader_next(reader, &record)) == 1)
		err = add(m, record);
	pa_reader_free(reader);
	m->segments++;
	m->string_base = m->string_top;
	m->stack_base = m->stack_top ? m->stack_top - PA_STACK_FIRST_ID : 0;
	return err ? err : n;
}

int rec_merge_end(struct rec_merge *m, const struct pa_end *end, const char *detail)
{
	struct pa_record string = {.id = PA_REC_STRING}, rec = {.id = PA_REC_END};
	int err;

	string.string.id = m->string_top + 1;
	string.string.text = (struct pa_bytes){(const uint8_t *)detail, (uint32_t)strlen(detail)};
	rec.end = *end;
	rec.end.detail = (uint32_t)string.string.id;
	err = pa_writer_add(m->writer, &string);
	if (!err)
		err = pa_writer_add(m->writer, &rec);
	return err ? err : pa_writer_flush(m->writer);
}
