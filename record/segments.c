// SPDX-License-Identifier: GPL-2.0-or-later
/* Where the trace goes: one file, numbered files, or the ring of a flight recorder. */
#include "record/segments.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "format/cli/log.h"
#include "format/util/buf.h"
#include "format/util/err.h"
#include "format/util/mem.h"
#include "record/recorder.h"

/* A ring is dropped in so many parts. */
#define RING_PARTS 8
/* A ring's memory, where --max-size doesn't say it. */
#define RING_BYTES (256ull << 20)
/* What --max-size keeps for the end of a trace at least. */
#define MIN_RESERVE_BYTES (256u << 10)

static bool is_ring(const struct recorder *r)
{
	return r->config->ring_ns != 0;
}

static bool is_segmented(const struct recorder *r)
{
	return is_ring(r) || r->config->rotate_ns || r->config->rotate_bytes;
}

/* --- open --- */

/* Creates file number. */
static int create_number(struct recorder *r, uint32_t number, int *fd)
{
	int err = rec_files_create(&r->segments.files, number, fd);
	struct pa_buf path;

	if (!err)
		return 0;
	pa_buf_init(&path);
	rec_files_add_path(&r->segments.files, number, &path);
	pa_error("cannot write '%s': %s", pa_buf_str(&path), pa_strerror(err));
	pa_buf_fini(&path);
	return err;
}

/* Makes file number, which was created, the output. */
static int use_number(struct recorder *r, uint32_t number, int fd)
{
	int closed = rec_output_switch(&r->output, fd);
	struct pa_buf path;

	if (closed)
		pa_warn("cannot finish '%s': %s", r->output.path, pa_strerror(closed));
	pa_buf_init(&path);
	rec_files_add_path(&r->segments.files, number, &path);
	free(r->output.path);
	r->output.path = pa_buf_take(&path);
	r->segments.number = number;
	return r->output.path ? 0 : -ENOMEM;
}

static int open_number(struct recorder *r, uint32_t number)
{
	int fd = -1, err = create_number(r, number, &fd);

	return err ? err : use_number(r, number, fd);
}

static int open_path(struct recorder *r, const char *path)
{
	struct pa_buf error;
	int err;

	if (is_segmented(r)) {
		err = rec_files_open(&r->segments.files, path, &r->privilege);
		if (err)
			pa_error("cannot start the helper that makes files: %s", pa_strerror(err));
		/* A ring's, too: better than to find out at its end that it can't be written. */
		return err ? err : open_number(r, 0);
	}
	pa_buf_init(&error);
	err = rec_output_open(&r->output, path, &r->privilege, &error);
	if (err)
		pa_error("%s", pa_buf_str(&error));
	else
		rec_output_start(&r->output);
	pa_buf_fini(&error);
	return err;
}

int rec_segments_open(struct recorder *r)
{
	struct pa_buf path;
	int err = 0;

	pa_buf_init(&path);
	if (r->config->output)
		pa_buf_add_str(&path, r->config->output);
	else
		err = rec_output_default_path(&path, r->target.name);
	if (!err)
		err = pa_buf_error(&path);
	if (err)
		pa_error("cannot make a name for the trace: %s", pa_strerror(err));
	else
		err = open_path(r, pa_buf_str(&path));
	pa_buf_fini(&path);
	return err;
}

int rec_segments_start(struct recorder *r)
{
	if (is_segmented(r))
		r->segments.start_ns = r->start_ns;
	return is_ring(r) ? rec_ring_begin(&r->segments.ring, r->start_ns) : 0;
}

void rec_segments_close(struct recorder *r)
{
	rec_files_close(&r->segments.files);
	rec_ring_fini(&r->segments.ring);
}

/* --- writing --- */

static void watch_size(struct recorder *r)
{
	/* What is under way is about as much as came between two flushes. */
	uint64_t max = r->config->max_bytes, reserve = 2 * r->segments.burst_bytes;

	reserve = PA_MAX(reserve, (uint64_t)MIN_RESERVE_BYTES);
	if (max && r->output.bytes + reserve > max && !r->output.full_error)
		r->output.full_error = PA_E_LIMIT;
}

int rec_segments_write(void *ctx, const void *data, size_t len)
{
	struct recorder *r = ctx;
	int err;

	if (is_ring(r))
		return rec_ring_add(&r->segments.ring, data, len);
	err = rec_output_write(&r->output, data, len);
	watch_size(r);
	return err;
}

static int write_end(struct recorder *r, const struct pa_end *end, const char *detail)
{
	struct pa_record rec = {.id = PA_REC_END};
	int err;

	rec.end = *end;
	err = pa_writer_string(r->writer, detail, strlen(detail), &rec.end.detail);
	if (!err)
		err = pa_writer_add(r->writer, &rec);
	return err ? err : pa_writer_flush(r->writer);
}

/* --- from segment to segment --- */

/* Makes what was recorded so far a trace that is complete. */
static int end_segment(struct recorder *r, uint64_t now_ns)
{
	struct pa_end end = {.time_ns = now_ns, .reason = PA_END_ROTATED};
	bool sleepers = false;
	int err = rec_take_sleepers(r);

	/* Whoever is blocked now is to be seen in this segment; how long, the next ones say. */
	if (!err)
		err = rec_sched_announce(&r->sched, now_ns, REC_SCHED_LONG_NS, &sleepers);
	if (!err) {
		rec_world_finish(r->world);
		err = r->host.error;
	}
	if (!err)
		err = write_end(r, &end, "");
	return err ? err : pa_writer_restart(r->writer);
}

static int begin_segment(struct recorder *r, uint64_t now_ns)
{
	r->segments.start_ns = now_ns;
	rec_world_begin_segment(r->world);
	rec_stacks_begin_segment(&r->stacks);
	rec_sched_begin_segment(&r->sched);
	return rec_setup_write_head(r);
}

static uint64_t ring_bytes(const struct recorder *r)
{
	return r->config->max_bytes ? r->config->max_bytes : RING_BYTES;
}

static bool is_due(const struct recorder *r, uint64_t now_ns)
{
	const struct rec_config *c = r->config;
	uint64_t age_ns = now_ns - r->segments.start_ns;

	if (is_ring(r))
		return age_ns >= c->ring_ns / RING_PARTS ||
		       rec_ring_newest_bytes(&r->segments.ring) >= ring_bytes(r) / RING_PARTS;
	return (c->rotate_ns && age_ns >= c->rotate_ns) ||
	       (c->rotate_bytes && r->output.file_bytes >= c->rotate_bytes);
}

static int rotate(struct recorder *r, uint64_t now_ns)
{
	uint32_t number = r->segments.number + 1;
	int fd = -1, err;

	/* First: where there is no next file, this one is the last, and ends as such. */
	r->output.full_error = create_number(r, number, &fd);
	if (r->output.full_error)
		return 0;
	err = end_segment(r, now_ns);
	if (!err)
		err = use_number(r, number, fd);
	return err ? err : begin_segment(r, now_ns);
}

/* Writes what the ring holds of ended segments into a file. */
static int dump_ring(struct recorder *r, const struct pa_end *end, const char *detail)
{
	int err = r->output.fd >= 0 ? 0 : open_number(r, r->segments.number), closed;

	if (err)
		return err;
	err = rec_ring_write(&r->segments.ring, rec_output_write, &r->output, r->segments.number,
			     end, detail);
	closed = rec_output_switch(&r->output, -1);
	err = err ? err : closed;
	if (err)
		pa_error("cannot write '%s': %s", r->output.path, pa_strerror(err));
	else if (!r->stop_ns)
		pa_info("wrote '%s'", r->output.path);
	r->segments.number++;
	return err;
}

static int turn_ring(struct recorder *r, uint64_t now_ns, bool dump)
{
	const struct pa_end end = {.time_ns = now_ns, .reason = PA_END_ROTATED};
	struct rec_ring *ring = &r->segments.ring;
	int err = end_segment(r, now_ns);

	if (!err)
		err = rec_ring_begin(ring, now_ns);
	if (!err)
		err = begin_segment(r, now_ns);
	if (err)
		return err;
	/* Recording goes on, whether it could be written or not. */
	if (dump)
		(void)dump_ring(r, &end, "SIGUSR2");
	rec_ring_drop(ring, now_ns > r->config->ring_ns ? now_ns - r->config->ring_ns : 0,
		      ring_bytes(r));
	return 0;
}

int rec_segments_tick(struct recorder *r, uint64_t now_ns, bool dump)
{
	struct rec_segments *s = &r->segments;

	s->burst_bytes = PA_MAX(s->burst_bytes, r->output.bytes - s->flushed_bytes);
	s->flushed_bytes = r->output.bytes;
	if (!is_segmented(r) || r->output.full_error)
		return 0;
	if (is_ring(r))
		return dump || is_due(r, now_ns) ? turn_ring(r, now_ns, dump) : 0;
	return is_due(r, now_ns) ? rotate(r, now_ns) : 0;
}

/* --- the end --- */

bool rec_segments_over(struct recorder *r)
{
	int err = r->output.full_error;

	if (!err || is_ring(r))
		return false;
	r->end.reason = err == PA_E_LIMIT || err == -ENOSPC || err == -EDQUOT || err == -EFBIG ?
				PA_END_NO_SPACE :
				PA_END_ERROR;
	if (err == PA_E_LIMIT) {
		r->end_detail = "--max-size is reached";
		pa_warn("'%s': --max-size is reached, recording ends here", r->output.path);
	} else {
		r->end_detail = pa_strerror(err);
		r->segments.failed = true;
		pa_error("'%s': %s: recording ends here; the trace is complete up to now",
			 r->output.path, pa_strerror(err));
	}
	return true;
}

int rec_segments_finish(struct recorder *r)
{
	int err;

	r->end.time_ns = r->stop_ns;
	err = write_end(r, &r->end, r->end_detail);
	if (err || !is_ring(r))
		return err;
	err = rec_ring_begin(&r->segments.ring, r->stop_ns);
	return err ? err : dump_ring(r, &r->end, r->end_detail);
}
