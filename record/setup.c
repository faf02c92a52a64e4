// SPDX-License-Identifier: GPL-2.0-or-later
/* Opening of sampling events and counters, and what the head of the trace says of them. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "format/cli/log.h"
#include "format/util/err.h"
#include "format/util/mem.h"
#include "record/machine.h"
#include "record/perf.h"
#include "record/programs.h"
#include "record/recorder.h"

/* Software counts that the kernel keeps for every task; their COUNTER ids follow the hardware's. */
static const char *const soft_counters[] = {"minor-faults", "major-faults", "migrations"};

/* perf's words for what refuses a hardware event. */
static const char *counter_refusal(int err)
{
	switch (-err) {
	case ENOENT:
	case EOPNOTSUPP:
	case ENODEV:
	case ENXIO:
		return "no hardware counters on this machine";
	case EACCES:
	case EPERM:
		return "not permitted";
	case EMFILE:
		return "too many open files";
	case EBUSY:
		return "in use by somebody else";
	default:
		return pa_strerror(err);
	}
}

static int open_samplers(struct recorder *r, bool cycles)
{
	size_t i;
	int err;

	for (i = 0; i < r->cpu_count; i++) {
		r->samplers[i] = rec_perf_open_sampler(
			r->cpus[i], cycles, r->config->sample_rate_hz, &r->sample_period);
		if (r->samplers[i] == -ENODEV)
			continue; /* gone off line */
		if (r->samplers[i] < 0)
			return r->samplers[i];
		err = rec_perf_attach_bpf(r->samplers[i], rec_programs_sampler_fd(r->programs));
		if (err)
			return err;
	}
	return 0;
}

int rec_setup_samplers(struct recorder *r)
{
	size_t i;
	int err;

	if (!r->config->profile)
		return 0;
	r->samplers = malloc(r->cpu_count * sizeof(*r->samplers));
	if (!r->samplers)
		return -ENOMEM;
	for (i = 0; i < r->cpu_count; i++)
		r->samplers[i] = -1;
	r->no_cycles_error = rec_perf_probe_cycles();
	r->cycles = r->no_cycles_error == 0;
	err = open_samplers(r, r->cycles);
	if (err == -EMFILE)
		pa_error(
			"cannot open perf events: too many open files; raise the limit (ulimit -n)");
	else if (err)
		pa_error(
			"cannot open perf events: %s; kernel.perf_event_paranoid is %d: run as root, or "
			"set it to 2 or less",
			pa_strerror(err), r->privilege.perf_event_paranoid);
	return err;
}

static int open_counter(struct recorder *r, const struct rec_perf_counter *counter, uint32_t index)
{
	size_t i;
	int err;

	for (i = 0; i < r->cpu_count; i++) {
		int fd = rec_perf_open_counter(counter, r->cpus[i]);

		if (fd == -ENODEV && i > 0)
			continue; /* gone off line */
		if (fd < 0)
			return fd;
		r->counter_fds[r->counter_fd_count++] = fd;
		err = rec_programs_set_counter(r->programs, index, r->cpus[i], fd);
		if (err)
			return err;
	}
	return 0;
}

int rec_setup_counters(struct recorder *r)
{
	uint32_t i;

	if (!r->config->pmu)
		return 0;
	r->counter_fds = calloc(r->cpu_count * rec_perf_counter_count, sizeof(*r->counter_fds));
	if (!r->counter_fds)
		return -ENOMEM;
	/* One that can't be had costs itself alone. */
	for (i = 0; i < rec_perf_counter_count; i++) {
		r->counter_errors[i] = open_counter(r, &rec_perf_counters[i], i);
		if (!r->counter_errors[i])
			r->sched.counters.hardware[i] = i + 1;
	}
	r->sched.counters.minor_faults = (uint32_t)rec_perf_counter_count + 1;
	r->sched.counters.major_faults = (uint32_t)rec_perf_counter_count + 2;
	r->sched.counters.migrations = (uint32_t)rec_perf_counter_count + 3;
	return 0;
}

static int write_counter(struct recorder *r, const struct pa_counter *counter, const char *name,
			 const char *reason)
{
	struct pa_record rec = {.id = PA_REC_COUNTER};
	int err;

	rec.counter = *counter;
	err = pa_writer_string(r->writer, name, strlen(name), &rec.counter.name);
	if (!err)
		err = pa_writer_string(r->writer, reason, strlen(reason), &rec.counter.reason);
	return err ? err : pa_writer_add(r->writer, &rec);
}

static int write_counters(struct recorder *r)
{
	uint32_t i;
	int err = 0;

	for (i = 0; i < rec_perf_counter_count && !err; i++) {
		const struct rec_perf_counter *c = &rec_perf_counters[i];
		struct pa_counter out = {.id = i + 1, .type = c->type, .config = c->config};

		out.error = (uint32_t)-r->counter_errors[i];
		err = write_counter(r, &out, c->name,
				    out.error ? counter_refusal(r->counter_errors[i]) : "");
	}
	for (i = 0; i < PA_ARRAY_LEN(soft_counters) && !err; i++) {
		struct pa_counter out = {.id = (uint32_t)rec_perf_counter_count + 1 + i, .type = 1};

		err = write_counter(r, &out, soft_counters[i], "");
	}
	return err;
}

static int write_sampling(struct recorder *r)
{
	struct pa_record rec = {.id = PA_REC_SAMPLING};
	const char *event = r->cycles ? "cycles" : "cpu-clock";
	const char *reason = r->cycles ? "" : counter_refusal(r->no_cycles_error);
	uint64_t ids[PA_ARRAY_LEN(r->sched.counters.hardware)];
	uint32_t count = 0, i;
	int err = pa_writer_string(r->writer, event, strlen(event), &rec.sampling.event);

	if (!err)
		err = pa_writer_string(r->writer, reason, strlen(reason), &rec.sampling.reason);
	rec.sampling.rate_hz = r->config->sample_rate_hz;
	rec.sampling.period = r->sample_period;
	/* Those that count, in the order in which samples carry them. */
	for (i = 0; r->config->pmu && i < PA_ARRAY_LEN(ids); i++)
		if (r->sched.counters.hardware[i])
			ids[count++] = r->sched.counters.hardware[i];
	rec.sampling.counters = (struct pa_list){ids, count};
	return err ? err : pa_writer_add(r->writer, &rec);
}

static const char *stack_feature(const struct recorder *r)
{
	if (r->config->unwind == REC_UNWIND_COPY)
		return "copied";
	return r->tables ? "unwind tables" : "frame pointers";
}

static int write_features(struct recorder *r)
{
	const struct rec_programs_features *has = rec_programs_features(r->programs);
	int err = rec_machine_write_feature(r->writer, "thread-state",
					    has->task_storage ? "task storage" : "hash table",
					    has->task_storage ? "" : "kernel older than 5.11");

	if (!err)
		err = rec_machine_write_feature(r->writer, "user-stacks", stack_feature(r), "");
	if (!err && r->config->offcpu)
		err = rec_machine_write_feature(r->writer, "sleeper-stacks",
						has->sleepers ? "user and kernel" : "none",
						has->sleepers ? "" : "kernel older than 5.18");
	return err;
}

int rec_setup_write_head(struct recorder *r)
{
	const struct rec_machine_session session = {
		.machine = &r->machine,
		.config = r->config,
		.target = r->target.text,
		.start_ns = r->start_ns,
		.start_wall_ns = r->start_wall_ns,
		.cpus = (uint32_t)r->cpu_count,
		.segment = r->segments.number,
		.segment_start_ns = r->segments.start_ns,
	};
	int err = rec_machine_write_session(r->writer, &session);

	/* Samples refer to counters. */
	if (!err && r->config->pmu)
		err = write_counters(r);
	if (!err && r->config->profile)
		err = write_sampling(r);
	if (!err)
		err = rec_machine_write_kernel(r->writer, r->kallsyms);
	if (!err)
		err = rec_machine_write_feature(
			r->writer, "mmap-build-ids", r->sideband.build_ids ? "kernel" : "files",
			r->sideband.build_ids ? "" : "kernel older than 5.12");
	return err ? err : write_features(r);
}
