/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How many processes the kernel kills for lack of memory: that explains a SIGKILL. */
#ifndef REC_OOM_H
#define REC_OOM_H

#include <stdbool.h>
#include <stdint.h>

struct rec_oom {
	int fd; /* of /proc/vmstat; -1 = not open */
	bool known;
	uint64_t before; /* kills since the machine was started */
};

/* While files can be opened. */
void rec_oom_open(struct rec_oom *oom);
/* Kills since then, on the whole machine, plus 1; 0 = not known. */
uint64_t rec_oom_kills(const struct rec_oom *oom);
void rec_oom_close(struct rec_oom *oom);

#endif
