// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Any trace is loaded, analysed and put out in every form without a crash. What does not begin like a
 * trace is taken for the text form, line by line, since no mutation finds a right checksum.
 */
#include <stdlib.h>
#include <string.h>

#include "format/pa-format.h"
#include "format/util/buf.h"
#include "report/output/outputs.h"
#include "report/scrub.h"
#include "report/session.h"
#include "report/symbols/symbols.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* How a trace begins; text never does. */
static const uint8_t magic[] = {0x89, 'p', 'a', 't'};

struct bytes_source {
	const uint8_t *data;
	size_t len;
	size_t pos;
};

static int64_t read_bytes(void *ctx, void *data, size_t len)
{
	struct bytes_source *s = ctx;
	size_t n = s->len - s->pos < len ? s->len - s->pos : len;

	if (n)
		memcpy(data, s->data + s->pos, n);
	s->pos += n;
	return (int64_t)n;
}

static int write_bytes(void *ctx, const void *data, size_t len)
{
	pa_buf_add(ctx, data, len);
	return pa_buf_error(ctx);
}

/* Lines that make no sense are left out, as are those over a limit. */
static void assemble(struct pa_buf *trace, const uint8_t *data, size_t size)
{
	struct pa_writer *w =
		pa_writer_new(write_bytes, trace, &(struct pa_writer_options){.level = 1});
	char *text = strndup((const char *)data, size), *line, *next;
	struct pa_buf error;

	if (!w || !text)
		abort();
	pa_buf_init(&error);
	for (line = text; *line; line = next) {
		next = line + strcspn(line, "\n");
		if (*next)
			*next++ = 0;
		pa_text_to_writer(w, line, &error);
		pa_buf_reset(&error);
	}
	pa_writer_flush(w);
	pa_writer_free(w);
	pa_buf_fini(&error);
	free(text);
}

static void write_all(const struct rpt_session *s, FILE *out)
{
	static const struct rpt_output_options choices[] = {
		{.top = 20},
		{.top = 1, .offcpu = true, .verbose = true},
		{.top = 20, .pmu = true, .per_pid = true},
		{.top = 20, .per_pid = true},
	};
	size_t i, k;

	for (i = 0; rpt_outputs[i]; i++) {
		/* Databases are files, and a comparison takes two sessions. */
		if (!rpt_outputs[i]->write || rpt_outputs[i]->needs_before)
			continue;
		for (k = 0; k < sizeof(choices) / sizeof(choices[0]); k++)
			if (rpt_outputs[i]->write(s, &choices[k], out) < 0)
				abort();
	}
}

/* As two traces, of which the second may go on with the first. */
static void load_twice(struct rpt_session *s, struct bytes_source source)
{
	struct bytes_source again = source;
	struct pa_reader *reader;

	if (pa_reader_new(read_bytes, &source, &reader) == 0) {
		rpt_session_load(s, reader, "fuzz.0.pa");
		pa_reader_free(reader);
	}
	if (pa_reader_new(read_bytes, &again, &reader) == 0) {
		rpt_session_load(s, reader, "fuzz.1.pa");
		pa_reader_free(reader);
	}
}

/* The copy without what is private is itself a trace. */
static void scrub(struct bytes_source source)
{
	const struct rpt_symbol_options symbols = {.no_host_files = true};
	struct pa_reader *reader;
	struct pa_buf copy;

	if (pa_reader_new(read_bytes, &source, &reader) != 0)
		return;
	pa_buf_init(&copy);
	if (rpt_scrub_to_sink(reader, &symbols, write_bytes, &copy) != 0)
		abort();
	pa_reader_free(reader);
	pa_buf_fini(&copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct rpt_symbol_options symbols = {.no_host_files = true, .threads = 1};
	struct rpt_session *s = rpt_session_new();
	struct bytes_source source = {.data = data, .len = size};
	struct pa_buf trace;
	FILE *out = fopen("/dev/null", "we");

	if (!out)
		abort();
	pa_buf_init(&trace);
	if (size < sizeof(magic) || memcmp(data, magic, sizeof(magic)) != 0) {
		assemble(&trace, data, size);
		source = (struct bytes_source){.data = trace.data, .len = trace.len};
	}
	rpt_session_walk_copies(s, &symbols);
	load_twice(s, source);
	scrub(source);
	rpt_session_analyse(s, &symbols, true);
	write_all(s, out);
	rpt_session_free(s);
	fclose(out);
	pa_buf_fini(&trace);
	return 0;
}
