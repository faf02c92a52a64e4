/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opening what foreign processes have at a path, without trusting it. For the broker. */
#ifndef REC_OPEN_H
#define REC_OPEN_H

#include <stdbool.h>

struct rec_maps_line;
struct stat;

/*
 * Opens a regular file below a root directory, which no link leads out of; with follow, its last
 * component may be a link as well. It is looked at before it is opened: opening a FIFO or a device
 * may block, or do something. A descriptor and *st, PA_E_NOT_FOUND when it is no regular file, or
 * -errno.
 */
int rec_open_regular(int root, const char *path, bool follow, struct stat *st);

/*
 * Opens the file of a mapping: dir is the /proc directory of the process, path that of the line. A
 * descriptor of the very file that is mapped, PA_E_MISMATCH when another one is there now, or
 * -errno.
 */
int rec_open_mapped(int dir, const struct rec_maps_line *line, const char *path);

#endif
