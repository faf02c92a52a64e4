// SPDX-License-Identifier: GPL-2.0-or-later
/* What recording takes of memory: of processes by /proc/PID/status, of BPF by /proc/self/fdinfo. */
#include "record/memory.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "format/util/buf.h"
#include "record/procfs.h"

#define MAX_BYTES (64u << 10)

/* The number behind a key at the start of a line; 0 = there is none. */
static uint64_t number(const char *text, const char *key)
{
	const char *at = strstr(text, key);

	return at ? strtoull(at + strlen(key), NULL, 10) : 0;
}

static uint64_t peak_bytes(int fd)
{
	struct pa_buf text;
	uint64_t kib = 0;

	pa_buf_init(&text);
	if (fd >= 0 && lseek(fd, 0, SEEK_SET) == 0 && rec_procfs_read_fd(fd, &text, MAX_BYTES) == 0)
		kib = number(pa_buf_str(&text), "\nVmHWM:");
	pa_buf_fini(&text);
	return kib << 10;
}

/* What one of our descriptors stands for in the kernel, if it is a map or a program. */
static uint64_t bpf_bytes(int dir, const char *name)
{
	int fd = openat(dir, name, O_RDONLY | O_CLOEXEC);
	struct pa_buf text;
	uint64_t bytes = 0;

	pa_buf_init(&text);
	if (fd >= 0 && rec_procfs_read_fd(fd, &text, MAX_BYTES) == 0)
		bytes = number(pa_buf_str(&text), "\nmemlock:");
	pa_buf_fini(&text);
	if (fd >= 0)
		close(fd);
	return bytes;
}

void rec_memory_open(struct rec_memory *m, const pid_t helpers[REC_MEMORY_HELPERS])
{
	DIR *dir = opendir("/proc/self/fdinfo");
	struct dirent *entry;
	size_t i;

	m->self = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
	for (i = 0; i < REC_MEMORY_HELPERS; i++) {
		char path[64];

		snprintf(path, sizeof(path), "/proc/%d/status", (int)helpers[i]);
		m->helpers[i] = helpers[i] ? open(path, O_RDONLY | O_CLOEXEC) : -1;
	}
	m->bpf_bytes = 0;
	while (dir && (entry = readdir(dir)))
		m->bpf_bytes += bpf_bytes(dirfd(dir), entry->d_name);
	if (dir)
		closedir(dir);
}

uint64_t rec_memory_self_bytes(const struct rec_memory *m)
{
	return peak_bytes(m->self);
}

uint64_t rec_memory_helpers_bytes(const struct rec_memory *m)
{
	uint64_t sum = 0;
	size_t i;

	for (i = 0; i < REC_MEMORY_HELPERS; i++)
		sum += peak_bytes(m->helpers[i]);
	return sum;
}

void rec_memory_close(struct rec_memory *m)
{
	size_t i;

	if (m->self >= 0)
		close(m->self);
	m->self = -1;
	for (i = 0; i < REC_MEMORY_HELPERS; i++) {
		if (m->helpers[i] >= 0)
			close(m->helpers[i]);
		m->helpers[i] = -1;
	}
}
