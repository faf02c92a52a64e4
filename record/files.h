/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Further files of a recording, NAME.0.pa, NAME.1.pa and so on. Once the recorder has given up its
 * privileges it can open nothing; a helper that is the caller, with his rights and no others, and can do
 * nothing else, creates them and hands over the descriptors.
 */
#ifndef REC_FILES_H
#define REC_FILES_H

#include <stdint.h>
#include <sys/types.h>

#include "record/channel.h"

struct pa_buf;
struct rec_privilege;

struct rec_files {
	struct rec_channel channel; /* to the helper */
	pid_t pid; /* of it; 0 = not running */
	char *path; /* owned; without the number */
	struct rec_reply *reply; /* owned */
};

/*
 * Starts the helper for files that are named after path, in its directory: app.pa gives app.0.pa. 0 or
 * -errno. The fork comes before anything that is secret is in memory.
 */
int rec_files_open(struct rec_files *f, const char *path, const struct rec_privilege *p);
/* Creates file number: *fd is the caller's. 0, or an error as from rec_output_create(). */
int rec_files_create(struct rec_files *f, uint32_t number, int *fd);
/* Appends the path of file number. */
void rec_files_add_path(const struct rec_files *f, uint32_t number, struct pa_buf *to);
/* Ends the helper. Legal on a zeroed struct, and twice. */
void rec_files_close(struct rec_files *f);

#endif
