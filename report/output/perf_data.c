// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * perf.data: samples with their stacks, and what perf needs to find names itself: who ran, what was
 * mapped, build IDs. Addresses are those of the plan that profiles for pprof have, too: a file is at
 * the same place in all processes.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "report/output/perf_data.h"
#include "report/xmem.h"

#define HEADER_BYTES 104
#define SECTION_BYTES 16
#define FEATURE_WORDS 4
/* MMAP2 with a build ID in place of device and inode; since Linux 5.12. */
#define MISC_MMAP_BUILD_ID (1u << 14)
#define MAX_BUILD_ID 20
/* A record has 16 bits for its size; the outermost frames of deeper stacks are left out. */
#define MAX_CHAIN_BYTES 65000u

struct writer {
	struct rpt_perf p;
	struct pa_htab mapped; /* which mappings of which processes have been written */
	struct {
		uint32_t process, mapping;
	} * pairs;
	size_t pair_count, pair_cap;
	bool *threads, *processes; /* those that have been introduced */
};

static uint64_t trace_start(const struct rpt_session *s, uint32_t process)
{
	const struct rpt_model *m = &s->model;

	return m->traces[m->processes.processes[process].trace].start_ns;
}

static void add_comm(struct writer *w, uint32_t thread, uint32_t name, uint64_t time_ns)
{
	const struct rpt_processes *all = &w->p.s->model.processes;
	const struct rpt_thread *t = &all->threads[thread];

	rpt_perf_begin(&w->p, PERF_RECORD_COMM, 0);
	pa_buf_add_u32(&w->p.record, all->processes[t->process].pid);
	pa_buf_add_u32(&w->p.record, t->tid);
	rpt_perf_add_text(&w->p.record, rpt_text(&w->p.s->model, name), 8);
	rpt_perf_add_trailer(&w->p, t->process, t->tid, time_ns);
	rpt_perf_end(&w->p);
}

static void add_fork(struct writer *w, uint32_t process, uint32_t ppid, uint32_t ptid, uint32_t tid,
		     uint64_t time_ns)
{
	uint32_t pid = w->p.s->model.processes.processes[process].pid;

	rpt_perf_begin(&w->p, PERF_RECORD_FORK, 0);
	pa_buf_add_u32(&w->p.record, pid);
	pa_buf_add_u32(&w->p.record, ppid);
	pa_buf_add_u32(&w->p.record, tid);
	pa_buf_add_u32(&w->p.record, ptid);
	pa_buf_add_u64(&w->p.record, time_ns);
	rpt_perf_add_trailer(&w->p, process, tid, time_ns);
	rpt_perf_end(&w->p);
}

/* A process is there before its threads, and has its name. */
static void introduce_process(struct writer *w, uint32_t process)
{
	const struct rpt_processes *all = &w->p.s->model.processes;
	const struct rpt_process *p = &all->processes[process];
	uint64_t start_ns = PA_MAX(p->start_ns, trace_start(w->p.s, process));

	if (w->processes[process])
		return;
	w->processes[process] = true;
	add_fork(w, process, all->processes[p->parent].pid, all->processes[p->parent].pid, p->pid,
		 start_ns);
	rpt_perf_begin(&w->p, PERF_RECORD_COMM, 0);
	pa_buf_add_u32(&w->p.record, p->pid);
	pa_buf_add_u32(&w->p.record, p->pid);
	rpt_perf_add_text(&w->p.record, rpt_text(&w->p.s->model, rpt_process_name(all, process)),
			  8);
	rpt_perf_add_trailer(&w->p, process, p->pid, start_ns);
	rpt_perf_end(&w->p);
}

static void introduce_thread(struct writer *w, uint32_t thread)
{
	const struct rpt_processes *all = &w->p.s->model.processes;
	const struct rpt_thread *t = &all->threads[thread];
	uint64_t first_ns = trace_start(w->p.s, t->process);
	uint32_t pid = all->processes[t->process].pid;
	uint64_t start_ns = PA_MAX(t->start_ns, first_ns);
	size_t i;

	if (w->threads[thread])
		return;
	w->threads[thread] = true;
	introduce_process(w, t->process);
	if (t->tid != pid)
		add_fork(w, t->process, pid, pid, t->tid, start_ns);
	for (i = 0; i < t->name_count; i++)
		add_comm(w, thread, t->names[i].name, PA_MAX(t->names[i].since.time_ns, start_ns));
}

static bool equal_pair(const void *ctx, uint32_t value, const void *key)
{
	const struct writer *w = ctx;

	return memcmp(&w->pairs[value], key, sizeof(*w->pairs)) == 0;
}

static void add_build_id(struct pa_buf *out, const struct rpt_module *module)
{
	uint8_t id[MAX_BUILD_ID] = {0};
	uint32_t len = PA_MIN(module->build_id_bytes, (uint32_t)MAX_BUILD_ID);

	memcpy(id, module->build_id, len);
	pa_buf_add_u8(out, (uint8_t)len);
	pa_buf_add_u8(out, 0);
	pa_buf_add_u16(out, 0);
	pa_buf_add(out, id, sizeof(id));
}

static void add_user_mapping(struct writer *w, uint32_t process,
			     const struct rpt_pprof_mapping *mapping,
			     const struct rpt_module *module)
{
	uint32_t pid = w->p.s->model.processes.processes[process].pid;
	struct pa_buf *r = &w->p.record;

	rpt_perf_begin(&w->p, PERF_RECORD_MMAP2,
		       PERF_RECORD_MISC_USER | (module->build_id_bytes ? MISC_MMAP_BUILD_ID : 0));
	pa_buf_add_u32(r, pid);
	pa_buf_add_u32(r, pid);
	pa_buf_add_u64(r, mapping->start);
	pa_buf_add_u64(r, mapping->limit - mapping->start);
	pa_buf_add_u64(r, mapping->offset);
	if (module->build_id_bytes) {
		add_build_id(r, module);
	} else {
		pa_buf_add_u32(r, (uint32_t)(module->device >> 32));
		pa_buf_add_u32(r, (uint32_t)module->device);
		pa_buf_add_u64(r, module->inode);
		pa_buf_add_u64(r, 0);
	}
	pa_buf_add_u32(r, 5); /* PROT_READ | PROT_EXEC */
	pa_buf_add_u32(r, 2); /* MAP_PRIVATE */
	rpt_perf_add_text(r, rpt_perf_module_name(w->p.s, module), 8);
	rpt_perf_add_trailer(&w->p, process, pid, trace_start(w->p.s, process));
	rpt_perf_end(&w->p);
}

static void add_kernel_mapping(struct writer *w, uint32_t process,
			       const struct rpt_pprof_mapping *mapping,
			       const struct rpt_module *module)
{
	const char *name = rpt_perf_module_name(w->p.s, module);
	struct pa_buf *r = &w->p.record, text;

	rpt_perf_begin(&w->p, PERF_RECORD_MMAP, PERF_RECORD_MISC_KERNEL);
	pa_buf_add_u32(r, UINT32_MAX);
	pa_buf_add_u32(r, 0);
	pa_buf_add_u64(r, mapping->start);
	pa_buf_add_u64(r, mapping->limit - mapping->start);
	pa_buf_add_u64(r, mapping->start);
	pa_buf_init(&text);
	pa_buf_addf(&text, "%s%s", name, strcmp(name, "[kernel.kallsyms]") ? "" : "_text");
	rpt_perf_add_text(r, pa_buf_str(&text), 8);
	pa_buf_fini(&text);
	rpt_perf_add_trailer(&w->p, process, 0, trace_start(w->p.s, process));
	rpt_perf_end(&w->p);
}

/* Before the first sample that needs it. The kernel is one for all processes. */
static void map_location(struct writer *w, uint32_t process, uint32_t location)
{
	const struct rpt_session *s = w->p.s;
	uint32_t mapping = w->p.plan.mapping_of[location], found;
	const struct rpt_module *module =
		&s->model.modules.items[s->code.locations[location].module];
	bool kernel = module->kind == RPT_MODULE_KERNEL;
	uint64_t hash;

	if (!mapping)
		return;
	rpt_xgrow(&w->pairs, &w->pair_cap, w->pair_count + 1, sizeof(*w->pairs));
	w->pairs[w->pair_count].process = kernel ? 0 : process;
	w->pairs[w->pair_count].mapping = mapping;
	hash = pa_hash_bytes(&w->pairs[w->pair_count], sizeof(*w->pairs), 0);
	if (pa_htab_get(&w->mapped, hash, equal_pair, w, &w->pairs[w->pair_count], &found))
		return;
	rpt_xcheck(pa_htab_add(&w->mapped, hash, (uint32_t)w->pair_count++));
	if (kernel)
		add_kernel_mapping(w, process, &w->p.plan.mappings[mapping - 1], module);
	else
		add_user_mapping(w, process, &w->p.plan.mappings[mapping - 1], module);
}

struct sample {
	uint32_t row, cpu;
	uint64_t time_ns, period;
};

/* The row's frames with a mark where the kernel's or the program's begin. Returns the cpumode. */
static uint16_t add_chain(struct writer *w, const struct rpt_row *row, uint64_t *first,
			  struct pa_buf *chain)
{
	const struct rpt_session *s = w->p.s;
	uint64_t context = 0, wanted;
	uint16_t mode = PERF_RECORD_MISC_USER;
	uint32_t call;

	*first = 0;
	for (call = row->call; call && chain->len < MAX_CHAIN_BYTES;
	     call = s->code.calls[call].parent) {
		uint32_t location = s->code.calls[call].location;
		const struct rpt_module *module =
			&s->model.modules.items[s->code.locations[location].module];
		uint64_t address = rpt_pprof_address(&w->p.plan, s, location);

		if (module->kind == RPT_MODULE_MARKER)
			continue;
		map_location(w, row->process, location);
		wanted = module->kind == RPT_MODULE_KERNEL ? (uint64_t)PERF_CONTEXT_KERNEL :
							     (uint64_t)PERF_CONTEXT_USER;
		if (!context) {
			*first = address;
			mode = wanted == (uint64_t)PERF_CONTEXT_KERNEL ? PERF_RECORD_MISC_KERNEL :
									 PERF_RECORD_MISC_USER;
		}
		if (context != wanted)
			pa_buf_add_u64(chain, wanted);
		context = wanted;
		pa_buf_add_u64(chain, address);
	}
	return mode;
}

static void add_sample(struct writer *w, const struct sample *sample)
{
	const struct rpt_row *row = &w->p.profile->rows[sample->row];
	const struct rpt_processes *all = &w->p.s->model.processes;
	struct pa_buf chain, *r = &w->p.record;
	uint64_t first;
	uint16_t mode;

	introduce_thread(w, row->thread);
	pa_buf_init(&chain);
	mode = add_chain(w, row, &first, &chain);
	rpt_xcheck(pa_buf_error(&chain));
	rpt_perf_begin(&w->p, PERF_RECORD_SAMPLE, mode);
	pa_buf_add_u64(r, first);
	pa_buf_add_u32(r, all->processes[row->process].pid);
	pa_buf_add_u32(r, all->threads[row->thread].tid);
	pa_buf_add_u64(r, sample->time_ns);
	pa_buf_add_u32(r, sample->cpu);
	pa_buf_add_u32(r, 0);
	pa_buf_add_u64(r, sample->period);
	pa_buf_add_u64(r, chain.len / sizeof(uint64_t));
	pa_buf_add(r, chain.data, chain.len);
	rpt_perf_end(&w->p);
	pa_buf_fini(&chain);
}

/* Samples one by one. Of blocked time, whose shares are partly estimates, there is one for each stack. */
static void add_events(struct writer *w)
{
	const struct rpt_session *s = w->p.s;
	const struct rpt_profile *p = w->p.profile;
	const struct rpt_points *points = &s->model.sample_points;
	uint32_t *rows = rpt_xcalloc(s->model.samples.count + 1, sizeof(*rows));
	struct sample sample = {0};
	uint32_t i;
	size_t k;

	for (i = 0; i < p->row_count; i++) {
		if (!p->offcpu && p->rows[i].group != RPT_NO_GROUP) {
			rows[p->rows[i].group] = i + 1;
			continue;
		}
		sample.row = i;
		sample.time_ns = trace_start(s, p->rows[i].process);
		sample.period = p->rows[i].value;
		add_sample(w, &sample);
	}
	for (k = 0; !p->offcpu && k < points->count; k++) {
		if (!rows[points->items[k].group])
			continue;
		sample.row = rows[points->items[k].group] - 1;
		sample.time_ns = points->items[k].time_ns;
		sample.cpu = points->items[k].cpu;
		sample.period = points->items[k].value ? points->items[k].value : 1;
		add_sample(w, &sample);
	}
	free(rows);
}

static uint64_t pass(struct writer *w, FILE *out)
{
	const struct rpt_processes *all = &w->p.s->model.processes;

	w->p.out = out;
	w->p.bytes = 0;
	w->pair_count = 0;
	w->threads = rpt_xcalloc(all->thread_count, sizeof(*w->threads));
	w->processes = rpt_xcalloc(all->process_count, sizeof(*w->processes));
	pa_htab_init(&w->mapped);
	add_events(w);
	pa_htab_fini(&w->mapped);
	free(w->threads);
	free(w->processes);
	return w->p.bytes;
}

static void add_section(struct pa_buf *out, uint64_t offset, uint64_t bytes)
{
	pa_buf_add_u64(out, offset);
	pa_buf_add_u64(out, bytes);
}

static void add_header(struct writer *w, struct pa_buf *out, uint64_t data_bytes)
{
	uint64_t features[FEATURE_WORDS] = {0}, attrs = RPT_PERF_ATTR_BYTES + SECTION_BYTES;
	struct pa_buf content;
	unsigned bit;
	size_t i;

	pa_buf_init(&content);
	for (i = 0; rpt_perf_feature(&w->p, i, &bit, &content); i++)
		features[bit / 64] |= 1ull << bit % 64;
	pa_buf_fini(&content);
	pa_buf_add(out, "PERFILE2", 8);
	pa_buf_add_u64(out, HEADER_BYTES);
	pa_buf_add_u64(out, attrs);
	add_section(out, HEADER_BYTES, attrs);
	add_section(out, HEADER_BYTES + attrs, data_bytes);
	add_section(out, 0, 0);
	for (i = 0; i < FEATURE_WORDS; i++)
		pa_buf_add_u64(out, features[i]);
	rpt_perf_add_attr(out, &w->p);
	add_section(out, 0, 0);
}

static void add_features(struct writer *w, struct pa_buf *out, uint64_t offset)
{
	struct pa_buf table, content;
	unsigned bit;
	size_t i, start, count = 0;

	pa_buf_init(&content);
	while (rpt_perf_feature(&w->p, count, &bit, &content))
		count++;
	pa_buf_reset(&content);
	pa_buf_init(&table);
	for (i = 0; i < count; i++) {
		start = content.len;
		rpt_perf_feature(&w->p, i, &bit, &content);
		add_section(&table, offset + count * SECTION_BYTES + start, content.len - start);
	}
	pa_buf_add(out, table.data, table.len);
	pa_buf_add(out, content.data, content.len);
	pa_buf_fini(&table);
	pa_buf_fini(&content);
}

static void write_all(struct rpt_perf *p, const struct pa_buf *b)
{
	rpt_xcheck(pa_buf_error(b));
	errno = 0;
	if (b->len && fwrite(b->data, 1, b->len, p->out) != b->len)
		p->error = errno ? -errno : -EIO;
}

static int write_perf_data(const struct rpt_session *s, const struct rpt_output_options *options,
			   FILE *out)
{
	struct writer w = {.p = {.s = s, .profile = options->offcpu ? &s->offcpu : &s->oncpu}};
	struct pa_buf b;
	uint64_t bytes;

	rpt_pprof_plan_init(&w.p.plan, s, w.p.profile);
	pa_buf_init(&w.p.record);
	pa_buf_init(&b);
	/* The header has the length of the events, and what is written to may be a pipe. */
	bytes = pass(&w, NULL);
	add_header(&w, &b, bytes);
	w.p.out = out;
	write_all(&w.p, &b);
	pass(&w, out);
	pa_buf_reset(&b);
	add_features(&w, &b, HEADER_BYTES + RPT_PERF_ATTR_BYTES + SECTION_BYTES + bytes);
	write_all(&w.p, &b);
	pa_buf_fini(&b);
	pa_buf_fini(&w.p.record);
	free(w.pairs);
	rpt_pprof_plan_fini(&w.p.plan);
	return w.p.error;
}

const struct rpt_output rpt_out_perf_data = {
	.name = "perf-data",
	.help = "a file as perf record writes it",
	.needs_points = true,
	.write = write_perf_data,
};
