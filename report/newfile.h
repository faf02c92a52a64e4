/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A file that appears under its name only when it is whole; mode 0600, as a trace's. */
#ifndef RPT_NEWFILE_H
#define RPT_NEWFILE_H

#include <stddef.h>

struct rpt_new_file {
	const char *path; /* borrowed */
	char *temporary; /* owned; NULL for standard output */
	int fd;
};

/* "-" is standard output. 0 or -errno. To be closed in any case. */
int rpt_new_file_open(struct rpt_new_file *f, const char *path);
/* A pa_sink_fn, whose context is the file. */
int rpt_new_file_write(void *file, const void *data, size_t len);
/* Gives the file its name, in the place of what was there; when err is not 0, removes it instead. err, or
 * else -errno of what failed. */
int rpt_new_file_close(struct rpt_new_file *f, int err);

#endif
