// SPDX-License-Identifier: GPL-2.0-or-later
/* pa-record: its phases, from privilege to none. */
#include <errno.h>
#include <malloc.h>
#include <string.h>
#include <sys/wait.h>

#include "format/cli/log.h"
#include "format/util/buf.h"
#include "format/util/err.h"
#include "record/memory.h"
#include "record/recorder.h"
#include "record/snapshot.h"
#include "record/tables.h"

static int check_privilege(struct rec_privilege *p)
{
	struct pa_buf text;
	int err = 0;

	rec_privilege_check(p);
	pa_buf_init(&text);
	rec_privilege_explain(p, &text);
	if (!rec_privilege_suffices(p)) {
		pa_error("%s", pa_buf_str(&text));
		err = PA_E_NO_PERM;
	} else if (text.len) {
		pa_verbose("%s", pa_buf_str(&text));
	}
	pa_buf_fini(&text);
	return err;
}

static int resolve_target(struct recorder *r, const struct rec_caller *caller)
{
	struct pa_buf error;
	int err;

	pa_buf_init(&error);
	err = rec_target_resolve(&r->target, r->config, &r->privilege, caller, &error);
	if (err)
		pa_error("%s", pa_buf_str(&error));
	pa_buf_fini(&error);
	return err;
}

static void summarize(const struct recorder *r)
{
	uint64_t lost = 0;
	size_t i;

	for (i = 0; i < PA_LOSS_KINDS_; i++)
		if (i != PA_LOSS_THROTTLED)
			lost += r->losses[i];
	pa_info("%s: %.1f s, %llu samples, %llu lost, %llu bytes", r->output.path,
		(double)(r->stop_ns - r->start_ns) / 1e9, (unsigned long long)r->samples,
		(unsigned long long)lost, (unsigned long long)r->output.bytes);
}

static void describe_tables(const struct recorder *r)
{
	struct rec_tables_stats stats;

	if (!r->tables)
		return;
	rec_tables_get_stats(r->tables, &stats);
	pa_verbose(
		"unwind tables: %llu modules, %llu rows; %llu have none, %llu failed, %llu without room, %llu gave theirs up",
		(unsigned long long)stats.compiled, (unsigned long long)stats.rows,
		(unsigned long long)stats.without, (unsigned long long)stats.failed,
		(unsigned long long)stats.full, (unsigned long long)stats.evicted);
}

static void describe_memory(const struct rec_memory *memory)
{
	const double mib = 1 << 20;

	pa_verbose(
		"memory: %.1f MiB at most in the recorder, %.1f MiB in its helpers, %.1f MiB of maps and programs in the kernel",
		(double)rec_memory_self_bytes(memory) / mib,
		(double)rec_memory_helpers_bytes(memory) / mib, (double)memory->bpf_bytes / mib);
}

/* Everything from the first event to the last; without privilege but for its start. */
static int record(struct recorder *r)
{
	struct rec_privilege_dropped dropped;
	struct rec_memory memory;
	int err = rec_recorder_start(r);

	rec_memory_open(&memory, (const pid_t[]){r->helpers.broker_pid, r->helpers.sandbox_pid,
						 r->helpers.compiler_pid});
	if (!err) {
		err = rec_privilege_drop(&r->privilege, &dropped);
		if (err)
			pa_error("cannot give up privileges: %s", pa_strerror(err));
	}
	if (!err)
		err = r->config->snapshot ? rec_snapshot_take(r) : rec_recorder_run(r);
	if (!err)
		err = rec_recorder_finish(r);
	if (err && !r->segments.failed) /* that has been said */
		pa_error("recording ended early: '%s': %s; what was written so far can be reported",
			 r->output.path, pa_strerror(err));
	else if (!err)
		summarize(r);
	describe_tables(r);
	describe_memory(&memory);
	rec_memory_close(&memory);
	return err;
}

/* As a shell would have it: the command's exit status is ours. */
static int exit_status(const struct recorder *r)
{
	if (r->segments.failed)
		return PA_EXIT_FAILURE;
	if (!r->command_ended)
		return PA_EXIT_OK;
	return WIFSIGNALED(r->command_status) ? 128 + WTERMSIG(r->command_status) :
						WEXITSTATUS(r->command_status);
}

int main(int argc, char **argv)
{
	struct rec_config config;
	struct recorder r = {.config = &config, .end_detail = "", .output.fd = -1, .oom.fd = -1};
	struct rec_caller caller;
	int err, closed, result;

	pa_log_init("pa-record", PA_LOG_NORMAL);
	/* Left to itself, malloc copies growing tables of megabytes; what has pages of its own is moved. */
	mallopt(M_MMAP_THRESHOLD, 128 << 10);
	err = rec_privilege_begin(&caller);
	if (err) {
		pa_error("cannot make the surroundings safe: %s", pa_strerror(err));
		return PA_EXIT_FAILURE;
	}
	result = rec_options_parse(argc, argv, &config);
	if (result)
		return result - 1;
	pa_log_init("pa-record", config.quiet   ? PA_LOG_QUIET :
				 config.verbose ? PA_LOG_VERBOSE :
						  PA_LOG_NORMAL);
	err = check_privilege(&r.privilege);
	if (!err) {
		err = rec_helpers_start(&r.helpers, &r.privilege);
		if (err)
			pa_error("cannot start the helper processes: %s", pa_strerror(err));
	}
	if (!err)
		err = resolve_target(&r, &caller);
	if (!err)
		err = rec_recorder_open(&r);
	if (!err)
		err = record(&r);
	closed = rec_output_close(&r.output);
	if (closed && !err) {
		pa_error("cannot finish the trace: %s", pa_strerror(closed));
		err = closed;
	}
	result = err ? PA_EXIT_FAILURE : exit_status(&r);
	rec_recorder_close(&r);
	rec_config_fini(&config);
	return result;
}
