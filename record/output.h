/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The trace file: created afresh, mode 0600, with the caller's own rights, never through a link
 * that somebody planted.
 */
#ifndef REC_OUTPUT_H
#define REC_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct pa_buf;
struct rec_privilege;

/* So much more can be written once full_error is set: for what is under way, and the end. */
#define REC_OUTPUT_RESERVE_BYTES (1u << 20)

struct rec_output {
	int fd; /* -1 = not open */
	char *path; /* owned; "-" for standard output */
	uint64_t bytes; /* written so far, to all files */
	uint64_t file_bytes; /* to this one */
	uint64_t reserved_bytes; /* up to here there is room on the disk for this file */
	int full_error; /* why the recording has to end now, in order: -ENOSPC and the like; 0 = it need not */
	bool regular; /* a file on a disk that may fill up */
	bool cannot_reserve; /* the file system does not let us */
};

/*
 * Opens path; "-" is standard output. A regular file of the caller's that is there is replaced;
 * anything else that is there is refused, but for /dev/null and the caller's own FIFOs. The program
 * must ignore SIGPIPE. 0 or an error code, with one sentence about the path in error.
 */
int rec_output_open(struct rec_output *out, const char *path, const struct rec_privilege *p,
		    struct pa_buf *error);
/*
 * Creates a file below a directory for whoever calls it; caller is who he is. A regular file of his that
 * is there is replaced; -EEXIST for anything else that is. A descriptor or -errno.
 */
int rec_output_create(int dir, const char *name, uid_t caller);
/*
 * Makes NAME-YYYYMMDDhhmmss.pa the path, with "-2" and so on added when that is taken. 0 or -ENOMEM.
 */
int rec_output_default_path(struct pa_buf *path, const char *name);
/*
 * Appends name with everything that is odd in a file name replaced by '_'; "trace" when nothing is
 * left.
 */
void rec_output_add_name(struct pa_buf *to, const char *name);

/* The sink of a pa_writer; ctx is a struct rec_output. Writes all of it, or -errno. */
int rec_output_write(void *ctx, const void *data, size_t len);
/* To be called once a file is open: makes room on its disk. */
void rec_output_start(struct rec_output *out);
/* Goes on in another file, which it owns from then on; -1 = in none. 0 or -errno of closing the old one. */
int rec_output_switch(struct rec_output *out, int fd);
/* Closes; 0 or -errno of what was noticed only then. Legal when it is not open. */
int rec_output_close(struct rec_output *out);

#endif
