// SPDX-License-Identifier: GPL-2.0-or-later
/* The kernel's count of processes killed for lack of memory (4.13), whichever cgroup it was that lacked it. */
#include "record/oom.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "format/util/buf.h"
#include "record/procfs.h"

#define MAX_BYTES (64u << 10)

static bool read_kills(int fd, uint64_t *kills)
{
	static const char key[] = "\noom_kill ";
	struct pa_buf text;
	const char *at = NULL;

	pa_buf_init(&text);
	if (fd >= 0 && lseek(fd, 0, SEEK_SET) == 0 && rec_procfs_read_fd(fd, &text, MAX_BYTES) == 0)
		at = strstr(pa_buf_str(&text), key);
	if (at)
		*kills = strtoull(at + strlen(key), NULL, 10);
	pa_buf_fini(&text);
	return at != NULL;
}

void rec_oom_open(struct rec_oom *oom)
{
	oom->fd = open("/proc/vmstat", O_RDONLY | O_CLOEXEC);
	oom->known = read_kills(oom->fd, &oom->before);
}

uint64_t rec_oom_kills(const struct rec_oom *oom)
{
	uint64_t now;

	if (!oom->known || !read_kills(oom->fd, &now) || now < oom->before)
		return 0;
	return now - oom->before + 1;
}

void rec_oom_close(struct rec_oom *oom)
{
	if (oom->fd >= 0)
		close(oom->fd);
	oom->fd = -1;
}
