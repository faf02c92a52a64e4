// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A processed profile of the Firefox profiler (docs-developer/processed-profile-format.md of its sources,
 * version 47 of the format): a thread each, its samples over
 * time. Compressed where the file's name ends in ".gz".
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "report/analyse/calltree.h"
#include "report/analyse/slices.h"
#include "report/analyse/waits.h"
#include "report/output/gzip.h"
#include "report/output/json_text.h"
#include "report/output/outputs.h"
#include "report/xmem.h"

#define PROCESSED_VERSION 47
#define GECKO_VERSION 27
/* Categories, in the order of their table. */
enum category { CATEGORY_OTHER, CATEGORY_USER, CATEGORY_KERNEL, CATEGORY_JIT };

struct sample {
	uint32_t thread, row;
	uint64_t time_ns, value, count;
};

struct writer {
	const struct rpt_session *s;
	const struct rpt_output_options *options;
	struct rpt_calltree tree;
	struct pa_buf out;
	struct sample *samples; /* thread by thread, each in the order of time */
	size_t sample_count, sample_cap;
	/* Tables of the thread that is being written. */
	uint32_t *node_ids, *function_ids, *nodes, *functions;
	size_t node_count, function_count;
	uint32_t *strings, *texts; /* by string of the session: index + 1; and the other way */
	size_t text_count;
};

static const struct rpt_profile *profile_of(const struct writer *w)
{
	return w->options->offcpu ? &w->s->offcpu : &w->s->oncpu;
}

/* --- samples by thread --- */

static void take_sample(struct writer *w, const struct sample *sample)
{
	rpt_xgrow(&w->samples, &w->sample_cap, w->sample_count + 1, sizeof(*w->samples));
	w->samples[w->sample_count++] = *sample;
}

static void take_part(void *ctx, const struct rpt_slice_part *part)
{
	struct writer *w = ctx;
	const struct rpt_model *m = &w->s->model;
	const struct rpt_points *points = w->options->offcpu ? &m->block_points : &m->sample_points;
	struct sample sample = {
		.thread = profile_of(w)->rows[part->row].thread,
		.row = part->row,
		.time_ns = points->items[part->slice].time_ns,
		.value = part->value,
		.count = part->count,
	};

	take_sample(w, &sample);
}

static int compare(const void *a, const void *b)
{
	const struct sample *x = a, *y = b;

	if (x->thread != y->thread)
		return x->thread < y->thread ? -1 : 1;
	if (x->time_ns != y->time_ns)
		return x->time_ns < y->time_ns ? -1 : 1;
	return x->row < y->row ? -1 : x->row > y->row;
}

/* Time that no interval was recorded for stands at the beginning. */
static void take_samples(struct writer *w)
{
	const struct rpt_profile *p = profile_of(w);
	struct sample sample = {0};
	size_t i;

	rpt_points_for_each(&w->s->model, p, take_part, w);
	for (i = 0; i < p->row_count; i++) {
		if (p->rows[i].group != RPT_NO_GROUP)
			continue;
		sample.thread = p->rows[i].thread;
		sample.row = (uint32_t)i;
		sample.value = p->rows[i].value;
		sample.count = p->rows[i].count;
		take_sample(w, &sample);
	}
	if (w->sample_count)
		qsort(w->samples, w->sample_count, sizeof(*w->samples), compare);
}

/* --- tables of a thread --- */

static uint32_t take_text(struct writer *w, uint32_t string)
{
	if (!w->strings[string]) {
		w->texts[w->text_count++] = string;
		w->strings[string] = (uint32_t)w->text_count;
	}
	return w->strings[string] - 1;
}

static void take_node(struct writer *w, uint32_t node)
{
	uint32_t function;

	if (!node || w->node_ids[node])
		return;
	take_node(w, w->tree.nodes[node].parent);
	function = w->tree.nodes[node].function;
	if (!w->function_ids[function]) {
		w->functions[w->function_count++] = function;
		w->function_ids[function] = (uint32_t)w->function_count;
		take_text(w, w->s->code.functions[function].name);
	}
	w->nodes[w->node_count++] = node;
	w->node_ids[node] = (uint32_t)w->node_count;
}

static void forget_tables(struct writer *w)
{
	size_t i;

	for (i = 0; i < w->node_count; i++)
		w->node_ids[w->nodes[i]] = 0;
	for (i = 0; i < w->function_count; i++)
		w->function_ids[w->functions[i]] = 0;
	for (i = 0; i < w->text_count; i++)
		w->strings[w->texts[i]] = 0;
	w->node_count = w->function_count = w->text_count = 0;
}

/* --- JSON --- */

static void add_column(struct writer *w, const char *name)
{
	rpt_json_add_key(&w->out, name);
	pa_buf_add_char(&w->out, '[');
}

static void end_column(struct writer *w)
{
	pa_buf_add_char(&w->out, ']');
}

static void add_number(struct writer *w, uint64_t number)
{
	rpt_json_add_comma(&w->out);
	rpt_json_add_u64(&w->out, number);
}

static void add_word(struct writer *w, const char *word)
{
	rpt_json_add_comma(&w->out);
	pa_buf_add_str(&w->out, word);
}

static void add_repeated(struct writer *w, const char *name, const char *word, size_t count)
{
	add_column(w, name);
	while (count--)
		add_word(w, word);
	end_column(w);
}

static void add_text(struct writer *w, const char *name, const char *text)
{
	rpt_json_add_key(&w->out, name);
	rpt_json_add_string(&w->out, text);
}

static void add_raw(struct writer *w, const char *text)
{
	pa_buf_add_str(&w->out, text);
}

static void begin_table(struct writer *w, const char *name, size_t length)
{
	rpt_json_add_key(&w->out, name);
	pa_buf_addf(&w->out, "{\"length\":%zu", length);
}

static enum category category_of(const struct rpt_session *s, uint32_t function)
{
	const struct rpt_module *module =
		&s->model.modules.items[s->code.functions[function].module];

	switch (module->kind) {
	case RPT_MODULE_KERNEL:
		return CATEGORY_KERNEL;
	case RPT_MODULE_JIT:
		return CATEGORY_JIT;
	case RPT_MODULE_MARKER:
	case RPT_MODULE_UNMAPPED:
		return CATEGORY_OTHER;
	default:
		return CATEGORY_USER;
	}
}

static void add_categories(struct writer *w, const uint32_t *functions, const uint32_t *nodes,
			   size_t count)
{
	size_t i;

	add_column(w, "category");
	for (i = 0; functions && i < count; i++)
		add_number(w, category_of(w->s, functions[i]));
	for (i = 0; nodes && i < count; i++)
		add_number(w, category_of(w->s, w->tree.nodes[nodes[i]].function));
	end_column(w);
	add_repeated(w, "subcategory", "0", count);
}

static void add_stack_table(struct writer *w)
{
	size_t i;

	begin_table(w, "stackTable", w->node_count);
	add_column(w, "prefix");
	for (i = 0; i < w->node_count; i++) {
		uint32_t parent = w->tree.nodes[w->nodes[i]].parent;

		if (parent)
			add_number(w, w->node_ids[parent] - 1);
		else
			add_word(w, "null");
	}
	end_column(w);
	add_column(w, "frame");
	for (i = 0; i < w->node_count; i++)
		add_number(w, w->function_ids[w->tree.nodes[w->nodes[i]].function] - 1);
	end_column(w);
	add_categories(w, NULL, w->nodes, w->node_count);
	add_raw(w, "}");
}

static void add_frame_table(struct writer *w)
{
	static const char *const empty[] = {"nativeSymbol", "innerWindowID", "implementation",
					    "line", "column"};
	size_t i;

	begin_table(w, "frameTable", w->function_count);
	add_repeated(w, "address", "-1", w->function_count);
	add_repeated(w, "inlineDepth", "0", w->function_count);
	add_categories(w, w->functions, NULL, w->function_count);
	add_column(w, "func");
	for (i = 0; i < w->function_count; i++)
		add_number(w, i);
	end_column(w);
	for (i = 0; i < PA_ARRAY_LEN(empty); i++)
		add_repeated(w, empty[i], "null", w->function_count);
	add_raw(w, "}");
}

static void add_function_table(struct writer *w)
{
	const struct rpt_code *c = &w->s->code;
	size_t i;

	begin_table(w, "funcTable", w->function_count);
	add_column(w, "name");
	for (i = 0; i < w->function_count; i++)
		add_number(w, take_text(w, c->functions[w->functions[i]].name));
	end_column(w);
	add_repeated(w, "isJS", "false", w->function_count);
	add_repeated(w, "relevantForJS", "false", w->function_count);
	/* Resources are libraries: here one for each module, in the order of the modules. */
	add_column(w, "resource");
	for (i = 0; i < w->function_count; i++)
		add_number(w, c->functions[w->functions[i]].module);
	end_column(w);
	add_column(w, "fileName");
	for (i = 0; i < w->function_count; i++) {
		uint32_t file = c->functions[w->functions[i]].file;

		if (file)
			add_number(w, take_text(w, file));
		else
			add_word(w, "null");
	}
	end_column(w);
	add_column(w, "lineNumber");
	for (i = 0; i < w->function_count; i++) {
		uint32_t line = c->functions[w->functions[i]].start_line;

		if (line)
			add_number(w, line);
		else
			add_word(w, "null");
	}
	end_column(w);
	add_repeated(w, "columnNumber", "null", w->function_count);
	add_raw(w, "}");
}

static void add_resources(struct writer *w)
{
	const struct rpt_modules *modules = &w->s->model.modules;
	size_t i;

	begin_table(w, "resourceTable", modules->count);
	add_repeated(w, "lib", "null", modules->count);
	add_column(w, "name");
	for (i = 0; i < modules->count; i++)
		add_number(w, take_text(w, modules->items[i].name));
	end_column(w);
	add_repeated(w, "host", "null", modules->count);
	add_repeated(w, "type", "1", modules->count); /* a library */
	add_raw(w, "}");
}

static uint64_t since_start(const struct writer *w, uint64_t time_ns)
{
	uint64_t start_ns = w->s->model.traces[0].start_ns;

	return time_ns > start_ns ? time_ns - start_ns : 0;
}

static void add_samples(struct writer *w, const struct sample *samples, size_t count)
{
	const struct rpt_profile *p = profile_of(w);
	size_t i;

	begin_table(w, "samples", count);
	add_text(w, "weightType", p->by_time ? "tracing-ms" : "samples");
	add_column(w, "stack");
	for (i = 0; i < count; i++) {
		uint32_t leaf = w->tree.leaf[p->rows[samples[i].row].call];

		if (leaf)
			add_number(w, w->node_ids[leaf] - 1);
		else
			add_word(w, "null");
	}
	end_column(w);
	add_column(w, "time");
	for (i = 0; i < count; i++) {
		rpt_json_add_comma(&w->out);
		rpt_json_add_ms(&w->out, since_start(w, samples[i].time_ns));
	}
	end_column(w);
	add_column(w, "weight");
	for (i = 0; i < count; i++) {
		rpt_json_add_comma(&w->out);
		if (p->by_time)
			rpt_json_add_ms(&w->out, samples[i].value);
		else
			rpt_json_add_u64(&w->out, samples[i].value);
	}
	end_column(w);
	add_raw(w, "}");
}

static void add_thread(struct writer *w, const struct sample *samples, size_t count)
{
	uint32_t thread = samples[0].thread;
	const struct rpt_processes *all = &w->s->model.processes;
	const struct rpt_thread *t = &all->threads[thread];
	const struct rpt_process *process = &all->processes[t->process];
	const struct rpt_profile *p = profile_of(w);
	size_t i;

	for (i = 0; i < count; i++)
		take_node(w, w->tree.leaf[p->rows[samples[i].row].call]);
	rpt_json_add_comma(&w->out);
	add_raw(w, "{");
	add_text(w, "processType", "default");
	add_text(w, "processName", rpt_text(&w->s->model, rpt_process_name(all, t->process)));
	add_text(w, "name", rpt_text(&w->s->model, rpt_thread_name(all, thread)));
	pa_buf_addf(&w->out, ",\"isMainThread\":%s,\"pid\":\"%u\",\"tid\":%u",
		    t->tid == process->pid ? "true" : "false", process->pid, t->tid);
	add_raw(w,
		",\"processStartupTime\":0,\"processShutdownTime\":null,\"registerTime\":0,"
		"\"unregisterTime\":null,\"pausedRanges\":[],"
		"\"markers\":{\"length\":0,\"category\":[],\"data\":[],\"endTime\":[],\"name\":[],"
		"\"phase\":[],\"startTime\":[]},"
		"\"nativeSymbols\":{\"length\":0,\"libIndex\":[],\"address\":[],\"name\":[],"
		"\"functionSize\":[]}");
	add_samples(w, samples, count);
	add_stack_table(w);
	add_frame_table(w);
	add_function_table(w);
	add_resources(w);
	add_column(w, "stringArray");
	for (i = 0; i < w->text_count; i++) {
		rpt_json_add_comma(&w->out);
		rpt_json_add_string(&w->out, rpt_text(&w->s->model, w->texts[i]));
	}
	end_column(w);
	add_raw(w, "}");
	forget_tables(w);
}

static void add_meta(struct writer *w)
{
	const struct rpt_model *m = &w->s->model;
	const struct rpt_trace *t = &m->traces[0];

	add_raw(w, "\"meta\":{");
	pa_buf_addf(&w->out, "\"interval\":%.3f,\"startTime\":%llu.%06llu",
		    t->rate_hz ? 1000.0 / (double)t->rate_hz : 1.0,
		    (unsigned long long)(t->start_wall_ns / 1000000),
		    (unsigned long long)(t->start_wall_ns % 1000000));
	pa_buf_addf(&w->out, ",\"version\":%d,\"preprocessedProfileVersion\":%d", GECKO_VERSION,
		    PROCESSED_VERSION);
	add_text(w, "product", rpt_text(m, t->command ? t->command : t->target));
	add_text(w, "oscpu", rpt_text(m, t->kernel));
	add_text(w, "platform", "Linux");
	add_text(w, "CPUName", rpt_text(m, t->cpu_model));
	add_text(w, "importedFrom", rpt_text(m, t->recorder));
	pa_buf_addf(&w->out, ",\"logicalCPUs\":%u", t->cpus);
	add_raw(w, ",\"processType\":0,\"stackwalk\":1,\"debug\":false,\"symbolicated\":true,"
		   "\"extensions\":{\"length\":0,\"baseURL\":[],\"id\":[],\"name\":[]},"
		   "\"markerSchema\":[],\"categories\":["
		   "{\"name\":\"Other\",\"color\":\"grey\",\"subcategories\":[\"Other\"]},"
		   "{\"name\":\"User\",\"color\":\"yellow\",\"subcategories\":[\"Other\"]},"
		   "{\"name\":\"Kernel\",\"color\":\"orange\",\"subcategories\":[\"Other\"]},"
		   "{\"name\":\"JIT\",\"color\":\"green\",\"subcategories\":[\"Other\"]}]}");
}

static void add_profile(struct writer *w)
{
	size_t i, end;

	add_raw(w, "{");
	add_meta(w);
	add_raw(w, ",\"libs\":[],\"pages\":[],\"counters\":[],\"threads\":[");
	for (i = 0; i < w->sample_count; i = end) {
		for (end = i;
		     end < w->sample_count && w->samples[end].thread == w->samples[i].thread;)
			end++;
		add_thread(w, &w->samples[i], end - i);
	}
	add_raw(w, "]}\n");
}

static int write_bytes(const struct pa_buf *b, bool compressed, FILE *out)
{
	struct rpt_gzip gzip;
	int err = pa_buf_error(b);

	if (err < 0)
		return err;
	if (!compressed) {
		errno = 0;
		return fwrite(b->data, 1, b->len, out) == b->len ? 0 : errno ? -errno : -EIO;
	}
	err = rpt_gzip_begin(&gzip, out);
	if (err < 0)
		return err;
	rpt_gzip_write(&gzip, b->data, b->len);
	return rpt_gzip_end(&gzip);
}

static int write_firefox(const struct rpt_session *s, const struct rpt_output_options *options,
			 FILE *out)
{
	struct writer w = {.s = s, .options = options};
	int err;

	if (!s->model.trace_count)
		return 0;
	rpt_calltree_init(&w.tree, &s->code);
	w.node_ids = rpt_xcalloc(w.tree.count + 1, sizeof(*w.node_ids));
	w.nodes = rpt_xcalloc(w.tree.count + 1, sizeof(*w.nodes));
	w.function_ids = rpt_xcalloc(s->code.function_count + 1, sizeof(*w.function_ids));
	w.functions = rpt_xcalloc(s->code.function_count + 1, sizeof(*w.functions));
	w.strings = rpt_xcalloc(s->model.strings.count + 1, sizeof(*w.strings));
	w.texts = rpt_xcalloc(s->model.strings.count + 1, sizeof(*w.texts));
	pa_buf_init(&w.out);
	take_samples(&w);
	add_profile(&w);
	err = write_bytes(&w.out, options->compressed, out);
	pa_buf_fini(&w.out);
	free(w.samples);
	free(w.texts);
	free(w.strings);
	free(w.functions);
	free(w.function_ids);
	free(w.nodes);
	free(w.node_ids);
	rpt_calltree_fini(&w.tree);
	return err;
}

const struct rpt_output rpt_out_firefox = {
	.name = "firefox",
	.help = "a profile for the Firefox profiler",
	.needs_points = true,
	.write = write_firefox,
};
