// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A trace for Perfetto: samples with their stacks, blocked intervals as slices of their thread's track, and
 * a track for each CPU with the threads that were sampled on it. The messages and their numbers are
 * those of protos/perfetto/trace/ in Perfetto's sources.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "report/analyse/calltree.h"
#include "report/analyse/slices.h"
#include "report/analyse/waits.h"
#include "report/output/outputs.h"
#include "report/output/protobuf.h"
#include "report/output/units.h"
#include "report/xmem.h"

#define SEQUENCE 1
#define CLOCK_REALTIME_ID 1
#define CLOCK_MONOTONIC_ID 3
#define CLOCK_BOOTTIME_ID 6
#define STATE_CLEARED 1
#define STATE_NEEDED 2

enum packet_field {
	PACKET_CLOCK_SNAPSHOT = 6,
	PACKET_TIMESTAMP = 8,
	PACKET_SEQUENCE_ID = 10,
	PACKET_TRACK_EVENT = 11,
	PACKET_INTERNED_DATA = 12,
	PACKET_SEQUENCE_FLAGS = 13,
	PACKET_CLOCK_ID = 58,
	PACKET_DEFAULTS = 59,
	PACKET_TRACK_DESCRIPTOR = 60,
	PACKET_PERF_SAMPLE = 66,
};

enum interned_field {
	INTERNED_FUNCTIONS = 5,
	INTERNED_FRAMES = 6,
	INTERNED_CALLSTACKS = 7,
	INTERNED_BUILD_IDS = 16,
	INTERNED_PATHS = 17,
	INTERNED_MAPPINGS = 19,
};

enum event_type { EVENT_BEGIN = 1, EVENT_END = 2, EVENT_INSTANT = 3 };

/* Tracks by what they are of; the numbers only have to be distinct. */
#define PROCESS_TRACK 0x1000000000ull
#define THREAD_TRACK 0x2000000000ull
#define CPUS_TRACK 0x3000000000ull
#define CPU_TRACK 0x4000000000ull

/* What runs on a CPU, as far as samples tell. */
struct running {
	uint32_t thread; /* 0 = nothing */
	uint64_t last_ns;
};

struct writer {
	const struct rpt_session *s;
	struct rpt_calltree tree;
	struct pa_buf packet;
	FILE *out;
	int error;
	bool *functions, *modules, *stacks, *threads, *processes, *cpus; /* what has been written */
	struct running *running; /* by CPU */
	uint32_t *path;
	size_t path_cap;
};

/* --- packets --- */

static void begin_packet(struct writer *w)
{
	pa_buf_reset(&w->packet);
	rpt_proto_u64(&w->packet, PACKET_SEQUENCE_ID, SEQUENCE);
	rpt_proto_u64(&w->packet, PACKET_SEQUENCE_FLAGS, STATE_NEEDED);
}

static void end_packet(struct writer *w)
{
	struct pa_buf head;

	pa_buf_init(&head);
	rpt_proto_bytes_head(&head, 1, w->packet.len);
	rpt_xcheck(pa_buf_error(&w->packet));
	rpt_xcheck(pa_buf_error(&head));
	errno = 0;
	if (fwrite(head.data, 1, head.len, w->out) != head.len ||
	    fwrite(w->packet.data, 1, w->packet.len, w->out) != w->packet.len)
		w->error = errno ? -errno : -EIO;
	pa_buf_fini(&head);
}

static void add_time(struct writer *w, uint64_t time_ns)
{
	rpt_proto_u64(&w->packet, PACKET_TIMESTAMP, time_ns);
	rpt_proto_u64(&w->packet, PACKET_CLOCK_ID, CLOCK_MONOTONIC_ID);
}

static void add_clock(struct pa_buf *out, uint32_t id, uint64_t ns)
{
	struct pa_buf clock;

	pa_buf_init(&clock);
	rpt_proto_u64(&clock, 1, id);
	rpt_proto_u64(&clock, 2, ns);
	rpt_proto_message(out, 1, &clock);
}

static void add_clocks(struct writer *w, const struct rpt_trace *t)
{
	struct pa_buf clocks;

	pa_buf_reset(&w->packet);
	rpt_proto_u64(&w->packet, PACKET_SEQUENCE_ID, SEQUENCE);
	rpt_proto_u64(&w->packet, PACKET_SEQUENCE_FLAGS, STATE_CLEARED);
	pa_buf_init(&clocks);
	add_clock(&clocks, CLOCK_BOOTTIME_ID, t->start_ns);
	add_clock(&clocks, CLOCK_MONOTONIC_ID, t->start_ns);
	add_clock(&clocks, CLOCK_REALTIME_ID, t->start_wall_ns);
	rpt_proto_message(&w->packet, PACKET_CLOCK_SNAPSHOT, &clocks);
	end_packet(w);
}

/* --- tracks --- */

static void add_process(struct writer *w, uint32_t process)
{
	const struct rpt_processes *all = &w->s->model.processes;
	const struct rpt_process *p = &all->processes[process];
	struct pa_buf track, about;

	if (w->processes[process])
		return;
	w->processes[process] = true;
	pa_buf_init(&track);
	pa_buf_init(&about);
	rpt_proto_u64(&about, 1, p->pid);
	rpt_proto_text(&about, 6, rpt_text(&w->s->model, rpt_process_name(all, process)));
	rpt_proto_u64(&track, 1, PROCESS_TRACK + process);
	rpt_proto_message(&track, 3, &about);
	begin_packet(w);
	rpt_proto_message(&w->packet, PACKET_TRACK_DESCRIPTOR, &track);
	end_packet(w);
}

static void add_thread(struct writer *w, uint32_t thread)
{
	const struct rpt_processes *all = &w->s->model.processes;
	const struct rpt_thread *t = &all->threads[thread];
	struct pa_buf track, about;

	if (w->threads[thread])
		return;
	w->threads[thread] = true;
	add_process(w, t->process);
	pa_buf_init(&track);
	pa_buf_init(&about);
	rpt_proto_u64(&about, 1, all->processes[t->process].pid);
	rpt_proto_u64(&about, 2, t->tid);
	rpt_proto_text(&about, 5, rpt_text(&w->s->model, rpt_thread_name(all, thread)));
	rpt_proto_u64(&track, 1, THREAD_TRACK + thread);
	rpt_proto_u64(&track, 5, PROCESS_TRACK + t->process);
	rpt_proto_message(&track, 4, &about);
	begin_packet(w);
	rpt_proto_message(&w->packet, PACKET_TRACK_DESCRIPTOR, &track);
	end_packet(w);
}

static void add_named_track(struct writer *w, uint64_t track_id, uint64_t parent, const char *name)
{
	struct pa_buf track;

	pa_buf_init(&track);
	rpt_proto_u64(&track, 1, track_id);
	rpt_proto_text(&track, 2, name);
	if (parent)
		rpt_proto_u64(&track, 5, parent);
	begin_packet(w);
	rpt_proto_message(&w->packet, PACKET_TRACK_DESCRIPTOR, &track);
	end_packet(w);
}

static void add_cpu(struct writer *w, uint32_t cpu)
{
	char name[32];

	if (w->cpus[cpu])
		return;
	w->cpus[cpu] = true;
	snprintf(name, sizeof(name), "CPU %u", cpu);
	add_named_track(w, CPU_TRACK + cpu, CPUS_TRACK, name);
}

static void add_event(struct writer *w, uint64_t track, enum event_type type, uint64_t time_ns,
		      const char *name)
{
	struct pa_buf event;

	pa_buf_init(&event);
	rpt_proto_u64(&event, 9, type);
	rpt_proto_u64(&event, 11, track);
	if (name)
		rpt_proto_text(&event, 23, name);
	begin_packet(w);
	add_time(w, time_ns);
	rpt_proto_message(&w->packet, PACKET_TRACK_EVENT, &event);
	end_packet(w);
}

/* --- stacks --- */

static void intern_text(struct pa_buf *out, uint32_t field, uint64_t id, const char *text)
{
	struct pa_buf string;

	pa_buf_init(&string);
	rpt_proto_u64(&string, 1, id);
	rpt_proto_text(&string, 2, text);
	rpt_proto_message(out, field, &string);
}

/* Ids are indexes plus 1: they must not be 0. */
static void intern_module(struct writer *w, struct pa_buf *out, uint32_t module)
{
	const struct rpt_module *m = &w->s->model.modules.items[module];
	struct pa_buf id, mapping;

	if (w->modules[module])
		return;
	w->modules[module] = true;
	pa_buf_init(&id);
	rpt_proto_u64(&id, 1, module + 1u);
	rpt_proto_bytes_head(&id, 2, m->build_id_bytes);
	pa_buf_add(&id, m->build_id, m->build_id_bytes);
	rpt_proto_message(out, INTERNED_BUILD_IDS, &id);
	intern_text(out, INTERNED_PATHS, module + 1u,
		    rpt_text(&w->s->model, rpt_module_is_file(m) && m->path ? m->path : m->name));
	pa_buf_init(&mapping);
	rpt_proto_u64(&mapping, 1, module + 1u);
	rpt_proto_u64(&mapping, 2, module + 1u);
	rpt_proto_u64(&mapping, 7, module + 1u);
	rpt_proto_message(out, INTERNED_MAPPINGS, &mapping);
}

static void intern_function(struct writer *w, struct pa_buf *out, uint32_t function)
{
	const struct rpt_function *f = &w->s->code.functions[function];
	struct pa_buf frame;

	if (w->functions[function])
		return;
	w->functions[function] = true;
	intern_module(w, out, f->module);
	intern_text(out, INTERNED_FUNCTIONS, function + 1u, rpt_text(&w->s->model, f->name));
	pa_buf_init(&frame);
	rpt_proto_u64(&frame, 1, function + 1u);
	rpt_proto_u64(&frame, 2, function + 1u);
	rpt_proto_u64(&frame, 3, f->module + 1u);
	rpt_proto_message(out, INTERNED_FRAMES, &frame);
}

/* Frames from the outermost to the innermost. */
static void add_stack(struct writer *w, uint32_t leaf)
{
	struct pa_buf interned, stack;
	size_t depth = 0;
	uint32_t node;

	if (!leaf || w->stacks[leaf])
		return;
	w->stacks[leaf] = true;
	pa_buf_init(&interned);
	pa_buf_init(&stack);
	rpt_proto_u64(&stack, 1, leaf);
	for (node = leaf; node; node = w->tree.nodes[node].parent) {
		rpt_xgrow(&w->path, &w->path_cap, depth + 1, sizeof(*w->path));
		w->path[depth++] = w->tree.nodes[node].function;
		intern_function(w, &interned, w->tree.nodes[node].function);
	}
	while (depth)
		rpt_proto_u64(&stack, 2, w->path[--depth] + 1u);
	rpt_proto_message(&interned, INTERNED_CALLSTACKS, &stack);
	begin_packet(w);
	rpt_proto_message(&w->packet, PACKET_INTERNED_DATA, &interned);
	end_packet(w);
}

/* --- what happened --- */

static void stop_running(struct writer *w, uint32_t cpu, uint64_t period_ns, uint64_t before_ns)
{
	struct running *r = &w->running[cpu];

	if (r->thread)
		add_event(w, CPU_TRACK + cpu, EVENT_END, PA_MIN(r->last_ns + period_ns, before_ns),
			  NULL);
	r->thread = 0;
}

/* Samples of one thread that follow each other on a CPU are one slice there. */
static void note_running(struct writer *w, const struct rpt_point *point, uint32_t thread,
			 uint64_t period_ns)
{
	const struct rpt_processes *all = &w->s->model.processes;
	struct running *r = &w->running[point->cpu];

	add_cpu(w, point->cpu);
	if (r->thread != thread || point->time_ns > r->last_ns + period_ns + period_ns / 2) {
		stop_running(w, point->cpu, period_ns, point->time_ns);
		add_event(w, CPU_TRACK + point->cpu, EVENT_BEGIN, point->time_ns,
			  rpt_text(&w->s->model, rpt_thread_name(all, thread)));
	}
	r->thread = thread;
	r->last_ns = point->time_ns;
}

static void add_sample(void *ctx, const struct rpt_slice_part *part)
{
	struct writer *w = ctx;
	const struct rpt_model *m = &w->s->model;
	const struct rpt_point *point = &m->sample_points.items[part->slice];
	const struct rpt_row *row = &w->s->oncpu.rows[part->row];
	uint64_t rate = m->traces[m->processes.processes[row->process].trace].rate_hz;
	uint32_t leaf = w->tree.leaf[row->call];
	struct pa_buf sample;

	add_thread(w, row->thread);
	add_stack(w, leaf);
	pa_buf_init(&sample);
	rpt_proto_u64(&sample, 1, point->cpu);
	rpt_proto_u64(&sample, 2, m->processes.processes[row->process].pid);
	rpt_proto_u64(&sample, 3, m->processes.threads[row->thread].tid);
	if (leaf)
		rpt_proto_u64(&sample, 4, leaf);
	rpt_proto_u64(&sample, 6, part->value);
	begin_packet(w);
	add_time(w, point->time_ns);
	rpt_proto_message(&w->packet, PACKET_PERF_SAMPLE, &sample);
	end_packet(w);
	if (point->cpu < PA_MAX_CPUS)
		note_running(w, point, row->thread, rate ? 1000000000 / rate : 1000000);
}

/* An interval is a slice; many short ones, of which only the sum is known, are an instant that says so. */
static void add_block(void *ctx, const struct rpt_slice_part *part)
{
	struct writer *w = ctx;
	const struct rpt_point *point = &w->s->model.block_points.items[part->slice];
	const struct rpt_row *row = &w->s->offcpu.rows[part->row];
	uint64_t track = THREAD_TRACK + row->thread;
	const char *class = rpt_wait_classes[row->class].name;
	struct pa_buf name;

	add_thread(w, row->thread);
	if (!(point->flags & RPT_POINT_SUM)) {
		add_event(w, track, EVENT_BEGIN, point->time_ns, class);
		add_event(w, track, EVENT_END, point->time_ns + point->value, NULL);
		return;
	}
	pa_buf_init(&name);
	pa_buf_addf(&name, "%s, short: ", class);
	rpt_add_count(&name, part->count, "time");
	pa_buf_add_str(&name, ", ");
	rpt_add_duration(&name, part->value);
	add_event(w, track, EVENT_INSTANT, point->time_ns, pa_buf_str(&name));
	pa_buf_fini(&name);
}

static void add_all(struct writer *w)
{
	uint32_t cpu;
	size_t i;

	for (i = 0; i < w->s->model.trace_count; i++)
		add_clocks(w, &w->s->model.traces[i]);
	add_named_track(w, CPUS_TRACK, 0, "CPUs, by sample");
	rpt_points_for_each(&w->s->model, &w->s->oncpu, add_sample, w);
	for (cpu = 0; cpu < PA_MAX_CPUS; cpu++)
		stop_running(w, cpu, 1000000, UINT64_MAX);
	rpt_points_for_each(&w->s->model, &w->s->offcpu, add_block, w);
}

static int write_perfetto(const struct rpt_session *s, const struct rpt_output_options *options,
			  FILE *out)
{
	const struct rpt_model *m = &s->model;
	struct writer w = {.s = s, .out = out};

	(void)options;
	rpt_calltree_init(&w.tree, &s->code);
	pa_buf_init(&w.packet);
	w.functions = rpt_xcalloc(s->code.function_count + 1, sizeof(*w.functions));
	w.modules = rpt_xcalloc(m->modules.count + 1, sizeof(*w.modules));
	w.stacks = rpt_xcalloc(w.tree.count + 1, sizeof(*w.stacks));
	w.threads = rpt_xcalloc(m->processes.thread_count + 1, sizeof(*w.threads));
	w.processes = rpt_xcalloc(m->processes.process_count + 1, sizeof(*w.processes));
	w.cpus = rpt_xcalloc(PA_MAX_CPUS, sizeof(*w.cpus));
	w.running = rpt_xcalloc(PA_MAX_CPUS, sizeof(*w.running));
	add_all(&w);
	free(w.running);
	free(w.cpus);
	free(w.processes);
	free(w.threads);
	free(w.stacks);
	free(w.modules);
	free(w.functions);
	free(w.path);
	pa_buf_fini(&w.packet);
	rpt_calltree_fini(&w.tree);
	return w.error;
}

const struct rpt_output rpt_out_perfetto = {
	.name = "perfetto",
	.help = "a trace for Perfetto",
	.needs_points = true,
	.write = write_perfetto,
};
