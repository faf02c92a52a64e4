/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The trace file: created afresh, mode 0600, with the caller's own rights, never through a link
 * that somebody planted.
 */
#ifndef REC_OUTPUT_H
#define REC_OUTPUT_H

#include <stddef.h>
#include <stdint.h>

struct pa_buf;
struct rec_privilege;

struct rec_output {
	int fd; /* -1 = not open */
	char *path; /* owned; "-" for standard output */
	uint64_t bytes; /* written so far */
};

/*
 * Opens path; "-" is standard output. A regular file of the caller's that is there is replaced;
 * anything else that is there is refused, but for /dev/null and the caller's own FIFOs. The program
 * must ignore SIGPIPE. 0 or an error code, with one sentence about the path in error.
 */
int rec_output_open(struct rec_output *out, const char *path, const struct rec_privilege *p,
		    struct pa_buf *error);
/*
 * Opens NAME-YYYYMMDDhhmmss.pa in the working directory, "-2" and so on added when that is taken.
 */
int rec_output_open_default(struct rec_output *out, const char *name, const struct rec_privilege *p,
			    struct pa_buf *error);
/*
 * Appends name with everything that is odd in a file name replaced by '_'; "trace" when nothing is
 * left.
 */
void rec_output_add_name(struct pa_buf *to, const char *name);

/* The sink of a pa_writer; ctx is a struct rec_output. Writes all of it, or -errno. */
int rec_output_write(void *ctx, const void *data, size_t len);
/* Closes; 0 or -errno of what was noticed only then. Legal when it is not open. */
int rec_output_close(struct rec_output *out);

#endif
