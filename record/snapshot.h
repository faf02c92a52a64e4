/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A snapshot: what every thread of the targets does at one moment. */
#ifndef REC_SNAPSHOT_H
#define REC_SNAPSHOT_H

struct recorder;

/* Takes it, and writes it as TASK records; without privilege. 0 or -errno. */
int rec_snapshot_take(struct recorder *r);

#endif
