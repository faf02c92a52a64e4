// SPDX-License-Identifier: GPL-2.0-or-later
/* One recording from its set-up to the last record. */
#include "record/recorder.h"

#include <errno.h>
#include <linux/types.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "bpf/events.h"
#include "format/cli/log.h"
#include "format/util/buf.h"
#include "format/util/err.h"
#include "format/util/mem.h"
#include "record/kallsyms.h"
#include "record/ksyms.h"
#include "record/perf.h"
#include "record/programs.h"
#include "record/tables.h"

#define DRAIN_NS 100000000ull
/* The trace is flushed at least once a second: a drain's length and the flush itself come on top. */
#define FLUSH_NS 750000000ull
#define BUSY_NS 10000000ull /* between drains while unwind tables are being made */
#define EXEC_NS 2000000ull /* between drains while a new image's libraries are being mapped */
#define EXEC_SPAN_NS 14000000ull /* for so long */
#define TABLES_NS 500000000ull /* that the start may wait for the targets' tables */

static volatile sig_atomic_t ending_signal;
static volatile sig_atomic_t dump_wanted;

static void on_signal(int number)
{
	if (number == SIGUSR2)
		dump_wanted = 1;
	else if (number != SIGCHLD)
		ending_signal = number;
}

uint64_t rec_now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000ull + (uint64_t)ts.tv_nsec;
}

static int watch_signals(void)
{
	static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGCHLD, SIGUSR2};
	struct sigaction action = {.sa_handler = on_signal};
	size_t i;

	signal(SIGPIPE, SIG_IGN);
	for (i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		if (sigaction(numbers[i], &action, NULL) < 0)
			return -errno;
	return 0;
}

/* Two events and a counter set per CPU may be more than the usual 1024 descriptors. */
static void raise_file_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < limit.rlim_max) {
		limit.rlim_cur = limit.rlim_max;
		setrlimit(RLIMIT_NOFILE, &limit);
	}
}

/* --- open --- */

static void describe_programs(const struct recorder *r)
{
	const char *most = "";
	uint32_t verified = rec_programs_verified(r->programs, &most);

	if (verified)
		pa_verbose(
			"programs: the verifier followed %u instructions of %s, of 1000000 allowed",
			verified, most);
}

static int open_programs(struct recorder *r)
{
	struct rec_programs_settings settings = {
		.all = r->config->all,
		.profile = r->config->profile,
		.offcpu = r->config->offcpu,
		.wakers = r->config->wakers,
		.snapshot = r->config->snapshot,
		.statistics = r->config->pmu || r->config->offcpu,
		.counters = r->config->pmu && rec_perf_probe_cycles() == 0 ?
				    (uint32_t)rec_perf_counter_count :
				    0,
		.buffer_bytes = r->config->buffer_bytes,
		.owner_only = r->privilege.deputy && !rec_privilege_may_record_all(&r->privilege),
		.owner_uid = r->privilege.real_uid,
		.command_pid = (uint32_t)r->target.child,
		.tables = rec_unwind_uses_tables(r->config->unwind),
		.frame_pointers = r->config->unwind != REC_UNWIND_DWARF,
		.copy_always = r->config->unwind == REC_UNWIND_COPY,
		.copy_broken = r->config->unwind == REC_UNWIND_AUTO_COPY,
		.table_bytes = r->config->unwind_memory_bytes,
	};
	struct pa_buf log;
	size_t i;
	int err;

	pa_buf_init(&log);
	err = rec_programs_open(&settings, &r->programs, &log);
	if (err) {
		pa_error("cannot load the programs into the kernel: %s%s", pa_strerror(err),
			 err == -EMFILE ? "; raise the limit of open files (ulimit -n)" : "");
		pa_verbose("libbpf said:\n%s", pa_buf_str(&log));
	}
	for (i = 0; !r->config->command && i < r->target.count && !err; i++)
		err = rec_programs_add_target(r->programs, r->target.pids[i]);
	if (!err) {
		err = rec_programs_attach(r->programs);
		if (err)
			pa_error("cannot attach to the scheduler's tracepoints: %s",
				 pa_strerror(err));
	}
	if (!err && r->config->verbose)
		describe_programs(r);
	pa_buf_fini(&log);
	return err;
}

static int load_kallsyms(struct recorder *r)
{
	struct rec_ksyms *ksyms;
	uint64_t text[3];

	/* Hidden symbols or no way to ask: the file shows which. */
	if (rec_programs_kernel_text(r->programs, text) < 0 || !text[2])
		return rec_kallsyms_load(r->kallsyms);
	ksyms = rec_ksyms_new(rec_programs_name_ksym, r->programs);
	return ksyms ? rec_kallsyms_load_asking(r->kallsyms, ksyms, text) : -ENOMEM;
}

static int open_kallsyms(struct recorder *r)
{
	if (!rec_privilege_may_see_kernel(&r->privilege))
		return 0;
	r->kallsyms = rec_kallsyms_new();
	if (!r->kallsyms)
		return -ENOMEM;
	if (load_kallsyms(r) < 0)
		pa_warn("cannot read the kernel's symbols; kernel frames will have no names");
	else if (rec_kallsyms_is_hidden(r->kallsyms))
		pa_warn("kernel addresses are hidden (kptr_restrict is %d, or CAP_SYSLOG is missing); "
			"kernel frames will have no names",
			r->privilege.kptr_restrict);
	return 0;
}

static int open_events(struct recorder *r)
{
	int err = rec_cpus_online(&r->cpus, &r->cpu_count);

	if (!err) {
		r->cpu_sums = calloc(rec_cpus_possible() + 1, sizeof(*r->cpu_sums));
		err = r->cpu_sums ? 0 : -ENOMEM;
	}
	if (err) {
		pa_error("cannot find out which CPUs are on line: %s", pa_strerror(err));
		return err;
	}
	err = rec_sideband_open(&r->sideband);
	if (err) {
		pa_error(
			"cannot open perf events for mappings: %s; kernel.perf_event_paranoid is %d: run as "
			"root, or set it to 2 or less",
			pa_strerror(err), r->privilege.perf_event_paranoid);
		return err;
	}
	err = open_programs(r);
	if (!err)
		err = rec_setup_samplers(r);
	if (!err)
		err = rec_setup_counters(r);
	return err;
}

/*
 * The targets' tables are there when recording starts, so that there is no gap; what is slow to compile,
 * or comes later, is walked by frame pointers meanwhile.
 */
static int open_tables(struct recorder *r)
{
	uint64_t now = rec_now_ns(), end = now + TABLES_NS;
	size_t i;
	int err = 0;

	r->tables = rec_tables_new(r->world, r->programs, &r->helpers,
				   r->config->unwind_memory_bytes, !r->config->all);
	if (!r->tables)
		return -ENOMEM;
	for (i = 0; i < r->target.count && !err; i++) {
		uint32_t pid = r->target.pids[i];
		struct rec_process *p;

		err = rec_world_present(r->world, pid, pid, r->target.name, false, now);
		if (!err && rec_host_read_maps(r->world, pid, now) == -ENOMEM)
			err = -ENOMEM;
		p = rec_world_get_process(r->world, pid);
		if (!err && p)
			err = rec_tables_want(r->tables, p, 0);
	}
	while (!err && rec_now_ns() < end) {
		struct pollfd fd = {.fd = rec_tables_poll_fd(r->tables), .events = POLLIN};

		err = rec_tables_work(r->tables);
		if (rec_tables_idle(r->tables))
			break;
		poll(&fd, 1, 10);
	}
	/* A command's process is ours until it executes the command, and no part of the recording: it was
	 * of use only since most of what we are linked with will be in the command, too. */
	if (!err && r->config->command) {
		err = rec_world_leave(r->world, r->target.pids[0], now);
		rec_world_forget(r->world, UINT64_MAX);
	}
	return err;
}

int rec_recorder_open(struct recorder *r)
{
	int err;

	raise_file_limit();
	rec_machine_read(&r->machine);
	rec_oom_open(&r->oom);
	err = watch_signals();
	if (!err)
		err = open_events(r);
	/* Before the kernel's symbols are read: it may fork a helper that is not to have them. */
	if (!err)
		err = rec_segments_open(r);
	if (!err)
		err = open_kallsyms(r);
	if (err)
		return err;
	r->writer = pa_writer_new(rec_segments_write, r, NULL);
	r->host = (struct rec_host){.helpers = &r->helpers, .writer = r->writer};
	r->world = r->writer ? rec_world_new(r->writer, &rec_host_ops, &r->host) : NULL;
	if (!r->world) {
		pa_error("out of memory");
		return -ENOMEM;
	}
	rec_stacks_init(&r->stacks, r->world, r->writer, r->kallsyms);
	r->sched.world = r->world;
	r->sched.stacks = &r->stacks;
	r->sched.writer = r->writer;
	r->sched.offcpu = r->config->offcpu;
	r->sched.statistics = r->config->offcpu || r->config->pmu;
	if (!rec_unwind_uses_tables(r->config->unwind))
		return 0;
	err = open_tables(r);
	if (err)
		pa_error("cannot make room for unwind tables: %s", pa_strerror(err));
	return err;
}

/* --- start --- */

static int add_task(void *ctx, const struct ev_task *task)
{
	struct recorder *r = ctx;
	struct rec_process *p = rec_world_get_process(r->world, task->pid);
	bool fresh = !p || p->mapping_count == 0;
	int err = rec_world_present(r->world, task->pid, task->tid, task->comm, task->kernel_thread,
				    r->start_ns);

	if (err || !fresh || task->kernel_thread)
		return err;
	err = rec_host_read_maps(r->world, task->pid, r->start_ns);
	if (err && err != -ENOMEM) {
		/* It has ended meanwhile, or is somebody's whose mappings we may not see. */
		if (err != -ENOENT && err != -ESRCH)
			r->host.maps_lost++;
		err = 0;
	}
	return err;
}

int rec_recorder_start(struct recorder *r)
{
	size_t i;
	int err = 0;

	if (r->config->command)
		rec_world_expect(r->world, r->target.pids[0]);
	rec_programs_start(r->programs, &r->start_ns);
	r->start_wall_ns = rec_machine_wall_ns(r->start_ns);
	r->changed_ns = r->start_ns;
	r->sched.start_ns = r->start_ns;
	for (i = 0; r->samplers && i < r->cpu_count && !err; i++)
		if (r->samplers[i] >= 0)
			err = rec_perf_enable(r->samplers[i]);
	if (!err)
		err = rec_segments_start(r);
	if (!err)
		err = rec_setup_write_head(r);
	if (!err)
		err = rec_programs_list_tasks(r->programs, add_task, r);
	if (!err)
		err = rec_take_sleepers(r);
	/* Whatever happens from here on, there is a trace. */
	return err ? err : pa_writer_flush(r->writer);
}

/* --- run --- */

static void end_with(struct recorder *r, enum pa_end_reason reason, const char *detail)
{
	r->end.reason = reason;
	r->end_detail = detail;
}

/* Whether the recording is over. */
static bool is_over(struct recorder *r, uint64_t now_ns)
{
	int status;

	if (ending_signal) {
		end_with(r, PA_END_SIGNAL,
			 ending_signal == SIGINT  ? "SIGINT" :
			 ending_signal == SIGTERM ? "SIGTERM" :
						    "SIGHUP");
		return true;
	}
	if (rec_target_ended(&r->target, &status)) {
		r->command_ended = true;
		r->command_status = status;
		r->end.status_known = 1;
		r->end.status = (uint32_t)status;
		end_with(r, PA_END_TARGET, "the command ended");
		return true;
	}
	if (!r->config->all && !r->config->command && rec_world_living(r->world) == 0) {
		end_with(r, PA_END_TARGET, "all recorded processes ended");
		return true;
	}
	if (r->config->duration_ns && now_ns - r->start_ns >= r->config->duration_ns) {
		end_with(r, PA_END_DURATION, "");
		return true;
	}
	return rec_segments_over(r);
}

static void show_status(const struct recorder *r, uint64_t now_ns)
{
	pa_status("recording %.0f s: %llu samples, %llu lost, %llu KiB",
		  (double)(now_ns - r->start_ns) / 1e9, (unsigned long long)r->samples,
		  (unsigned long long)r->losses[PA_LOSS_SAMPLES],
		  (unsigned long long)r->output.bytes / 1024);
}

/* Sleeps until the next drain is due, the ring fills, a table is ready, or a signal comes. */
static void wait_for_events(struct recorder *r, uint64_t now_ns)
{
	struct pollfd fds[] = {
		{.fd = rec_programs_poll_fd(r->programs), .events = POLLIN},
		{.fd = r->tables ? rec_tables_poll_fd(r->tables) : -1, .events = POLLIN},
	};
	uint64_t wait = r->tables && !rec_tables_idle(r->tables) ? BUSY_NS : DRAIN_NS;
	uint64_t end = r->start_ns + r->config->duration_ns;
	struct timespec ts;

	if (now_ns - r->exec_ns < EXEC_SPAN_NS)
		wait = EXEC_NS;
	if (r->config->duration_ns)
		wait = end <= now_ns ? 0 : end - now_ns < wait ? end - now_ns : wait;
	ts = (struct timespec){.tv_sec = 0, .tv_nsec = (long)wait};
	(void)ppoll(fds, PA_ARRAY_LEN(fds), &ts, NULL);
}

int rec_recorder_run(struct recorder *r)
{
	uint64_t now_ns = rec_now_ns(), flushed_ns = r->start_ns;
	int err = rec_target_release(&r->target);

	if (err) {
		pa_error("cannot run '%s': %s", r->config->command[0], pa_strerror(err));
		return err;
	}
	while (!err && !is_over(r, now_ns)) {
		wait_for_events(r, now_ns);
		now_ns = rec_now_ns();
		err = rec_drain(r, now_ns);
		if (!err && (now_ns - flushed_ns >= FLUSH_NS || dump_wanted)) {
			err = rec_flush(r, now_ns);
			if (!err)
				err = rec_segments_tick(r, now_ns, dump_wanted);
			dump_wanted = 0;
			flushed_ns = now_ns;
			show_status(r, now_ns);
		}
	}
	pa_status("%s", "");
	return err;
}

/* --- finish --- */

int rec_recorder_finish(struct recorder *r)
{
	size_t i;
	int err;

	rec_programs_stop(r->programs, &r->stop_ns);
	for (i = 0; r->samplers && i < r->cpu_count; i++)
		if (r->samplers[i] >= 0)
			rec_perf_disable(r->samplers[i]);
	err = rec_drain(r, UINT64_MAX);
	if (!err)
		err = rec_flush_last(r);
	if (!err) {
		rec_world_finish(r->world);
		err = r->host.error;
	}
	r->end.oom_kills = rec_oom_kills(&r->oom);
	return err ? err : rec_segments_finish(r);
}

void rec_recorder_close(struct recorder *r)
{
	size_t i;

	for (i = 0; r->samplers && i < r->cpu_count; i++)
		if (r->samplers[i] >= 0)
			close(r->samplers[i]);
	for (i = 0; i < r->counter_fd_count; i++)
		close(r->counter_fds[i]);
	free(r->samplers);
	free(r->counter_fds);
	free(r->cpus);
	free(r->cpu_sums);
	rec_tables_free(r->tables);
	rec_programs_close(r->programs);
	rec_sideband_close(&r->sideband);
	rec_queue_fini(&r->queue);
	rec_stacks_fini(&r->stacks);
	rec_world_free(r->world);
	pa_writer_free(r->writer);
	rec_kallsyms_free(r->kallsyms);
	rec_target_fini(&r->target);
	rec_segments_close(r);
	rec_oom_close(&r->oom);
	rec_helpers_stop(&r->helpers);
}
