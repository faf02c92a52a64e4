// SPDX-License-Identifier: GPL-2.0-or-later
/* The programs in the kernel, by way of libbpf and the generated skeleton. */
#include "record/programs.h"

#include <errno.h>
#include <linux/types.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "bpf/codes.h"
#include "bpf/events.h"
#include "bpf/pa.skel.h"
#include "format/pa-format.h"
#include "format/util/buf.h"
#include "format/util/mem.h"
#include "record/perf.h"
#include "record/queue.h"

/* The programs' copies of the format's numbers are the format's numbers. */
#define CHECK_CODE(name, value) _Static_assert((name) == (value), #name);
EV_CODES(CHECK_CODE)
_Static_assert(EV_LOSS_KINDS >= PA_LOSS_KINDS_, "losses are counted by kind");

#define SUM_BATCH 1024

struct rec_programs {
	struct pa *skel;
	struct ring_buffer *ring;
	struct rec_queue *queue; /* while draining */
	unsigned cpus;
	struct rec_programs_features has;
	struct ev_cpu *cpu_states; /* one per possible CPU */
};

static struct pa_buf *log_target;

/* libbpf's messages are kept for the one sentence that may be needed of them. */
static int keep_message(enum libbpf_print_level level, const char *fmt, va_list ap)
	__attribute__((format(printf, 2, 0)));
static int keep_message(enum libbpf_print_level level, const char *fmt, va_list ap)
{
	if (log_target && level <= LIBBPF_WARN && log_target->len < (64u << 10))
		pa_buf_vaddf(log_target, fmt, ap);
	return 0;
}

static uint64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000ull + (uint64_t)ts.tv_nsec;
}

static uint32_t ring_bytes(uint64_t asked, unsigned cpus, bool copies)
{
	uint64_t bytes = copies ? 32u << 20 : 4u << 20;

	if (asked)
		return (uint32_t)asked;
	while (bytes < (uint64_t)cpus << 19 && bytes < (64u << 20))
		bytes <<= 1;
	return (uint32_t)bytes;
}

static void choose(struct pa *skel, const struct rec_programs_settings *settings, bool names,
		   bool sleepers)
{
	bool sched = settings->offcpu || settings->statistics;
	bool follow = !settings->snapshot || settings->owner_only;

	bpf_program__set_autoload(skel->progs.on_sample, settings->profile);
	bpf_program__set_autoload(skel->progs.on_switch, sched);
	bpf_program__set_autoload(skel->progs.on_wakeup, sched);
	bpf_program__set_autoload(skel->progs.on_wakeup_new, sched);
	bpf_program__set_autoload(skel->progs.on_waking, settings->offcpu);
	bpf_program__set_autoload(skel->progs.dump_threads, sched);
	bpf_program__set_autoload(skel->progs.dump_sleepers, sleepers && settings->offcpu);
	bpf_program__set_autoload(skel->progs.dump_snapshot, sleepers && settings->snapshot);
	bpf_program__set_autoload(skel->progs.dump_snapshot_plain, !sleepers && settings->snapshot);
	bpf_program__set_autoload(skel->progs.name_ksym, names);
	bpf_program__set_autoload(skel->progs.find_kernel_text, names);
	/* A snapshot is over before much happens, and attaching to a tracepoint stops every CPU. */
	bpf_program__set_autoload(skel->progs.on_fork, follow);
	bpf_program__set_autoload(skel->progs.on_exit, follow);
	bpf_program__set_autoload(skel->progs.on_exec,
				  settings->snapshot ? settings->owner_only :
						       settings->tables || settings->owner_only ||
							       settings->command_pid);
}

static void set_constants(const struct rec_programs *p,
			  const struct rec_programs_settings *settings, uint32_t ring)
{
	struct pa__rodata *c = p->skel->rodata;
	uint64_t seed = 0;

	if (getrandom(&seed, sizeof(seed), GRND_NONBLOCK) != sizeof(seed))
		seed = now_ns();
	c->record_all = settings->all;
	c->owner_only = settings->owner_only;
	c->owner_uid = settings->owner_uid;
	c->command_pid = settings->command_pid;
	c->record_offcpu = settings->offcpu;
	c->record_wakers = settings->wakers;
	c->observe_threads = settings->offcpu || settings->statistics;
	c->counter_count = settings->counters;
	c->sample_counters = settings->profile && settings->counters && p->has.task_storage;
	c->cpu_count = p->cpus;
	c->hash_seed = seed;
	c->ring_wake_bytes = ring / 4;
	c->have_task_storage = p->has.task_storage;
	c->have_task_pt_regs = p->has.task_pt_regs;
	c->use_tables = settings->tables;
	c->use_frame_pointers = settings->frame_pointers;
	c->copy_always = settings->copy_always;
	c->copy_broken = settings->copy_broken;
}

/* The maps of chunks are filled one after the other: all but the last ones hold 1 << chunk_map_shift. */
#define CHUNK_MAPS(skel)                                                           \
	{                                                                          \
		(skel)->maps.unwind_chunks_0, (skel)->maps.unwind_chunks_1,        \
			(skel)->maps.unwind_chunks_2, (skel)->maps.unwind_chunks_3 \
	}

static int size_chunk_maps(struct pa *skel, const struct rec_programs_settings *settings)
{
	struct bpf_map *const maps[EV_CHUNK_MAPS] = CHUNK_MAPS(skel);
	uint64_t left = skel->rodata->use_tables ?
				settings->table_bytes / sizeof(struct ev_unwind_chunk) :
				0;
	uint32_t shift = 0;
	int err = 0;
	size_t i;

	while (((uint64_t)EV_CHUNK_MAPS << shift) < left && shift < 31)
		shift++;
	skel->rodata->chunk_map_shift = shift;
	for (i = 0; i < EV_CHUNK_MAPS && !err; i++) {
		uint64_t entries = PA_MIN(left, 1ull << shift);

		err = bpf_map__set_max_entries(maps[i], PA_MAX((uint32_t)entries, 1u));
		left -= entries;
	}
	return err;
}

/* What is not used need not be paid for. */
static int size_maps(const struct rec_programs *p, const struct rec_programs_settings *settings,
		     uint32_t ring)
{
	struct pa *skel = p->skel;
	bool tables = skel->rodata->use_tables;
	uint32_t walkers = p->cpus * 2 + 1;
	const struct {
		struct bpf_map *map;
		uint32_t entries; /* 0 = as they are */
	} sizes[] = {
		{skel->maps.ring, ring},
		{skel->maps.walkers, walkers},
		{skel->maps.copies, settings->copy_always || settings->copy_broken ? walkers : 0},
		/* In a snapshot each stack is there once or so, and all memory is made at once. */
		{skel->maps.seen_stacks, settings->snapshot ? 1024 : 0},
		{skel->maps.unwind_mappings, tables ? 0 : 1},
		{skel->maps.unwind_processes, tables ? 0 : 1},
		{skel->maps.sums_even, settings->offcpu ? 0 : 1},
		{skel->maps.sums_odd, settings->offcpu ? 0 : 1},
		{skel->maps.counters, PA_MAX(settings->counters, 1u) * p->cpus},
	};
	int err = size_chunk_maps(skel, settings);
	size_t i;

	for (i = 0; i < PA_ARRAY_LEN(sizes) && !err; i++)
		if (sizes[i].entries)
			err = bpf_map__set_max_entries(sizes[i].map, sizes[i].entries);
	if (!err && !p->has.sparse_maps)
		err = bpf_map__set_map_flags(skel->maps.unwind_processes, 0);
	if (!err && !p->has.sparse_maps)
		err = bpf_map__set_map_flags(skel->maps.targets, 0);
	return err;
}

static int set_up(struct rec_programs *p, const struct rec_programs_settings *settings)
{
	struct pa *skel = p->skel;
	bool copies = settings->copy_always || settings->copy_broken;
	uint32_t ring = ring_bytes(settings->buffer_bytes, p->cpus, copies);
	int err;

	set_constants(p, settings, ring);
	err = bpf_map__set_autocreate(
		p->has.task_storage ? skel->maps.threads_by_id : skel->maps.threads, false);
	return err ? err : size_maps(p, settings, ring);
}

static int load(struct rec_programs *p, const struct rec_programs_settings *settings, bool sleepers)
{
	int err;

	p->skel = pa__open();
	if (!p->skel)
		return -errno;
	choose(p->skel, settings, p->has.names, sleepers);
	err = set_up(p, settings);
	if (!err)
		err = pa__load(p->skel);
	if (err) {
		pa__destroy(p->skel);
		p->skel = NULL;
	}
	return err;
}

static int on_ring_event(void *ctx, void *data, size_t len)
{
	struct rec_programs *p = ctx;
	const struct ev_head *head = data;
	uint64_t time_ns = head->time_ns;

	/* A block is sent when it ends, and belongs there in the order of events. */
	if (head->kind == EV_BLOCK)
		time_ns += ((const struct ev_block *)data)->duration_ns;
	return rec_queue_add(p->queue, REC_QUEUE_BPF, time_ns, data, len);
}

const struct rec_programs_features *rec_programs_features(const struct rec_programs *p)
{
	return &p->has;
}

/* Whether programs of perf events may use hash maps that get their memory when it is needed (6.1). */
static bool probe_sparse_maps(void)
{
	LIBBPF_OPTS(bpf_map_create_opts, sparse, .map_flags = BPF_F_NO_PREALLOC);
	int map = bpf_map_create(BPF_MAP_TYPE_HASH, "probe", 4, 4, 1, &sparse), program;
	struct bpf_insn code[] = {
		{.code = BPF_LD | BPF_DW | BPF_IMM,
		 .dst_reg = BPF_REG_1,
		 .src_reg = BPF_PSEUDO_MAP_FD,
		 .imm = map},
		{0},
		{.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0},
		{.code = BPF_JMP | BPF_EXIT},
	};

	program = bpf_prog_load(BPF_PROG_TYPE_PERF_EVENT, "probe", "GPL", code, PA_ARRAY_LEN(code),
				NULL);
	if (map >= 0)
		close(map);
	if (program >= 0)
		close(program);
	return program >= 0;
}

/* Each is found out by trying it, not by the kernel's version. */
static void probe(struct rec_programs_features *has)
{
	has->sparse_maps = probe_sparse_maps();
	has->task_storage = libbpf_probe_bpf_map_type(BPF_MAP_TYPE_TASK_STORAGE, NULL) == 1 &&
			    libbpf_probe_bpf_helper(BPF_PROG_TYPE_PERF_EVENT,
						    BPF_FUNC_task_storage_get, NULL) == 1;
	has->task_pt_regs =
		libbpf_probe_bpf_helper(BPF_PROG_TYPE_PERF_EVENT, BPF_FUNC_task_pt_regs, NULL) == 1;
	/* Of helpers of a type of program that is not known it says that they are. */
	has->names = libbpf_probe_bpf_prog_type(BPF_PROG_TYPE_SYSCALL, NULL) == 1 &&
		     libbpf_probe_bpf_helper(BPF_PROG_TYPE_SYSCALL, BPF_FUNC_kallsyms_lookup_name,
					     NULL) == 1;
}

int rec_programs_open(const struct rec_programs_settings *settings, struct rec_programs **programs,
		      struct pa_buf *log)
{
	struct rec_programs *p = calloc(1, sizeof(*p));
	int err;

	if (!p)
		return -ENOMEM;
	log_target = log;
	libbpf_set_print(keep_message);
	p->cpus = (unsigned)libbpf_num_possible_cpus();
	probe(&p->has);
	p->has.sleepers = (settings->offcpu || settings->snapshot) && p->has.task_pt_regs;
	err = load(p, settings, p->has.sleepers);
	if (err && p->has.sleepers) {
		/* Sleepable iterators came with 5.18; all else works without. */
		p->has.sleepers = false;
		pa_buf_reset(log);
		err = load(p, settings, false);
	}
	log_target = NULL;
	if (!err) {
		p->cpu_states = calloc(p->cpus, sizeof(*p->cpu_states));
		p->ring = ring_buffer__new(bpf_map__fd(p->skel->maps.ring), on_ring_event, p, NULL);
		err = !p->cpu_states ? -ENOMEM : !p->ring ? -errno : 0;
	}
	if (err) {
		rec_programs_close(p);
		return err;
	}
	*programs = p;
	return 0;
}

uint32_t rec_programs_verified(const struct rec_programs *p, const char **most)
{
	struct bpf_program *program;
	uint32_t max = 0;

	bpf_object__for_each_program(program, p->skel->obj)
	{
		struct bpf_prog_info info = {};
		uint32_t bytes = sizeof(info);

		if (!bpf_program__autoload(program) ||
		    bpf_obj_get_info_by_fd(bpf_program__fd(program), &info, &bytes) < 0 ||
		    info.verified_insns < max)
			continue;
		max = info.verified_insns;
		*most = bpf_program__name(program);
	}
	return max;
}

void rec_programs_close(struct rec_programs *p)
{
	if (!p)
		return;
	ring_buffer__free(p->ring);
	pa__destroy(p->skel);
	free(p->cpu_states);
	free(p);
}

int rec_programs_add_target(struct rec_programs *p, uint32_t pid)
{
	uint8_t one = 1;

	return bpf_map_update_elem(bpf_map__fd(p->skel->maps.targets), &pid, &one, BPF_ANY);
}

int rec_programs_set_counter(struct rec_programs *p, uint32_t counter, int cpu, int fd)
{
	uint32_t index = counter * p->cpus + (uint32_t)cpu;

	return bpf_map_update_elem(bpf_map__fd(p->skel->maps.counters), &index, &fd, BPF_ANY);
}

int rec_programs_sampler_fd(const struct rec_programs *p)
{
	return bpf_program__fd(p->skel->progs.on_sample);
}

/* --- the kernel's symbols --- */

static int run(const struct bpf_program *program)
{
	LIBBPF_OPTS(bpf_test_run_opts, opts);
	int err = bpf_prog_test_run_opts(bpf_program__fd(program), &opts);

	return err ? err : opts.retval ? -EINVAL : 0;
}

int rec_programs_kernel_text(struct rec_programs *p, uint64_t text[3])
{
	int err = p->has.names ? run(p->skel->progs.find_kernel_text) : -EOPNOTSUPP;

	if (!err)
		err = (int)p->skel->bss->kernel_text_error;
	if (!err)
		memcpy(text, p->skel->bss->kernel_text, sizeof(p->skel->bss->kernel_text));
	return err;
}

const char *rec_programs_name_ksym(void *ctx, uint64_t address)
{
	struct rec_programs *p = ctx;

	p->skel->bss->ksym_address = address;
	return run(p->skel->progs.name_ksym) ? NULL : p->skel->bss->ksym_text;
}

static int attach(struct bpf_program *program, struct bpf_link **link)
{
	if (!bpf_program__autoload(program))
		return 0;
	*link = bpf_program__attach(program);
	return *link ? 0 : -errno;
}

int rec_programs_attach(struct rec_programs *p)
{
	struct pa *skel = p->skel;
	int err = attach(skel->progs.on_fork, &skel->links.on_fork);

	if (!err)
		err = attach(skel->progs.on_exit, &skel->links.on_exit);
	if (!err)
		err = attach(skel->progs.on_exec, &skel->links.on_exec);
	if (!err)
		err = attach(skel->progs.on_wakeup_new, &skel->links.on_wakeup_new);
	if (!err)
		err = attach(skel->progs.on_waking, &skel->links.on_waking);
	if (!err)
		err = attach(skel->progs.on_wakeup, &skel->links.on_wakeup);
	if (!err)
		err = attach(skel->progs.on_switch, &skel->links.on_switch);
	if (!err)
		err = attach(skel->progs.list_tasks, &skel->links.list_tasks);
	if (!err)
		err = attach(skel->progs.dump_threads, &skel->links.dump_threads);
	if (!err)
		err = attach(skel->progs.dump_sleepers, &skel->links.dump_sleepers);
	if (!err)
		err = attach(skel->progs.dump_snapshot, &skel->links.dump_snapshot);
	if (!err)
		err = attach(skel->progs.dump_snapshot_plain, &skel->links.dump_snapshot_plain);
	/* Nothing is recorded yet: this run gives no rows, and finds our pid namespace. */
	return err ? err : rec_programs_list_tasks(p, NULL, NULL);
}

void rec_programs_start(struct rec_programs *p, uint64_t *start_ns)
{
	*start_ns = now_ns();
	__atomic_store_n(&p->skel->bss->recording, true, __ATOMIC_SEQ_CST);
}

void rec_programs_stop(struct rec_programs *p, uint64_t *stop_ns)
{
	*stop_ns = now_ns();
	p->skel->bss->stop_ns = *stop_ns;
	__atomic_store_n(&p->skel->bss->recording, false, __ATOMIC_SEQ_CST);
	p->skel->bss->final_flush = true;
	/* A program that saw the old value is done within microseconds: they run with preemption off. */
	nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

int rec_programs_poll_fd(const struct rec_programs *p)
{
	return ring_buffer__epoll_fd(p->ring);
}

int rec_programs_drain(struct rec_programs *p, struct rec_queue *queue)
{
	int n;

	p->queue = queue;
	n = ring_buffer__consume(p->ring);
	p->queue = NULL;
	return n < 0 ? n : 0;
}

/* --- iterators: rows of one size, read as a stream --- */

typedef int row_fn(void *ctx, const void *row, void *fn);

static int iterate(struct bpf_link *link, size_t row_bytes, row_fn *each, void *fn, void *ctx)
{
	static uint64_t buffer[8192]; /* 64 KiB: more than an iterator gives at a time */
	size_t held = 0, at;
	ssize_t n = 1;
	int fd = bpf_iter_create(bpf_link__fd(link)), err = 0;

	if (fd < 0)
		return fd;
	while (!err) {
		n = read(fd, (uint8_t *)buffer + held, sizeof(buffer) - held);
		if (n < 0 && (errno == EINTR || errno == EAGAIN))
			continue;
		if (n <= 0)
			break;
		held += (size_t)n;
		for (at = 0; held - at >= row_bytes && !err; at += row_bytes)
			err = each(ctx, (uint8_t *)buffer + at, fn);
		memmove(buffer, (uint8_t *)buffer + at, held - at);
		held -= at;
	}
	if (n < 0)
		err = -errno;
	close(fd);
	return err;
}

static int each_task(void *ctx, const void *row, void *fn)
{
	return ((rec_task_fn *)fn)(ctx, row);
}

int rec_programs_list_tasks(struct rec_programs *p, rec_task_fn *fn, void *ctx)
{
	return iterate(p->skel->links.list_tasks, sizeof(struct ev_task), each_task, (void *)fn,
		       ctx);
}

static int each_thread(void *ctx, const void *row, void *fn)
{
	return ((rec_thread_stat_fn *)fn)(ctx, row);
}

int rec_programs_dump_threads(struct rec_programs *p, rec_thread_stat_fn *fn, void *ctx)
{
	if (!p->skel->links.dump_threads)
		return 0;
	return iterate(p->skel->links.dump_threads, sizeof(struct ev_thread_stat), each_thread,
		       (void *)fn, ctx);
}

static int each_sleeper(void *ctx, const void *row, void *fn)
{
	return ((rec_sleeper_fn *)fn)(ctx, row);
}

int rec_programs_dump_sleepers(struct rec_programs *p, rec_sleeper_fn *fn, void *ctx)
{
	if (!p->skel->links.dump_sleepers)
		return 0;
	return iterate(p->skel->links.dump_sleepers, sizeof(struct ev_frames), each_sleeper,
		       (void *)fn, ctx);
}

/* A row of a snapshot: two structs, one behind the other. */
struct snapshot_row {
	struct ev_frames stacks;
	struct ev_snapshot snapshot;
};

static int each_snapshot(void *ctx, const void *row, void *fn)
{
	const struct snapshot_row *r = row;

	return ((rec_snapshot_fn *)fn)(ctx, &r->stacks, &r->snapshot);
}

int rec_programs_dump_snapshot(struct rec_programs *p, rec_snapshot_fn *fn, void *ctx)
{
	struct bpf_link *link = p->skel->links.dump_snapshot ? p->skel->links.dump_snapshot :
							       p->skel->links.dump_snapshot_plain;

	return iterate(link, sizeof(struct snapshot_row), each_snapshot, (void *)fn, ctx);
}

/* --- maps --- */

void rec_programs_end_epoch(struct rec_programs *p)
{
	__atomic_store_n(&p->skel->bss->epoch, p->skel->bss->epoch + 1, __ATOMIC_SEQ_CST);
	/* Programs that still add to the ended one are done before it is read. */
	nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL);
}

int rec_programs_take_sums(struct rec_programs *p, rec_sum_fn *fn, void *ctx)
{
	static struct ev_sum_key keys[SUM_BATCH];
	static struct ev_sum sums[SUM_BATCH];
	uint32_t ended = p->skel->bss->epoch - 1;
	int fd = bpf_map__fd(ended & 1 ? p->skel->maps.sums_odd : p->skel->maps.sums_even);
	uint32_t count, i;
	int err = 0, got;
	__u64 cursor = 0;
	bool first = true;

	do {
		count = SUM_BATCH;
		got = bpf_map_lookup_and_delete_batch(fd, first ? NULL : &cursor, &cursor, keys,
						      sums, &count, NULL);
		first = false;
		if (got < 0 && errno != ENOENT)
			return -errno;
		for (i = 0; i < count && !err; i++)
			err = fn(ctx, &keys[i], &sums[i]);
	} while (!got && !err);
	return err;
}

int rec_programs_read_cpus(struct rec_programs *p, rec_cpu_fn *fn, void *ctx)
{
	uint32_t zero = 0, cpu;
	int err;

	if (bpf_map_lookup_elem(bpf_map__fd(p->skel->maps.cpus), &zero, p->cpu_states) < 0)
		return -errno;
	for (cpu = 0, err = 0; cpu < p->cpus && !err; cpu++)
		err = fn(ctx, cpu, &p->cpu_states[cpu]);
	return err;
}

static int set(struct bpf_map *map, uint32_t index, const void *value)
{
	return bpf_map_update_elem(bpf_map__fd(map), &index, value, BPF_ANY) < 0 ? -errno : 0;
}

int rec_programs_set_chunk(struct rec_programs *p, uint32_t index,
			   const struct ev_unwind_chunk *chunk)
{
	struct bpf_map *const maps[EV_CHUNK_MAPS] = CHUNK_MAPS(p->skel);
	uint32_t shift = p->skel->rodata->chunk_map_shift;

	if (index >> shift >= EV_CHUNK_MAPS)
		return -E2BIG;
	return set(maps[index >> shift], index & ((1u << shift) - 1), chunk);
}

int rec_programs_set_side(struct rec_programs *p, uint32_t index, const struct ev_unwind_side *side)
{
	return set(p->skel->maps.unwind_sides, index, side);
}

int rec_programs_set_module(struct rec_programs *p, uint32_t index,
			    const struct ev_unwind_module *module)
{
	return set(p->skel->maps.unwind_modules, index, module);
}

int rec_programs_get_module(struct rec_programs *p, uint32_t index, struct ev_unwind_module *module)
{
	return bpf_map_lookup_elem(bpf_map__fd(p->skel->maps.unwind_modules), &index, module);
}

int rec_programs_set_mapping(struct rec_programs *p, uint32_t index,
			     const struct ev_unwind_mapping *mapping)
{
	return set(p->skel->maps.unwind_mappings, index, mapping);
}

int rec_programs_set_process(struct rec_programs *p, uint32_t pid, uint32_t first, uint32_t count)
{
	struct ev_unwind_process process = {first, count};

	return set(p->skel->maps.unwind_processes, pid, &process);
}

void rec_programs_delete_process(struct rec_programs *p, uint32_t pid)
{
	bpf_map_delete_elem(bpf_map__fd(p->skel->maps.unwind_processes), &pid);
}

uint64_t rec_programs_lost(const struct rec_programs *p, uint32_t kind)
{
	return kind < EV_LOSS_KINDS ? p->skel->bss->lost[kind] : 0;
}
