/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The files of a process under /proc: pure parsers over buffers, and readers that take a descriptor
 * or a directory, so that the recorder may read by itself or through the broker.
 */
#ifndef REC_PROCFS_H
#define REC_PROCFS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct pa_buf;

/* --- maps --- */

struct rec_maps_line {
	uint64_t start, end;
	uint64_t offset_bytes;
	uint64_t device; /* major << 32 | minor */
	uint64_t inode;
	uint32_t prot; /* 1 read, 2 write, 4 execute, as in the trace */
	bool shared;
	bool deleted; /* the path ended in " (deleted)", which is cut off */
	const char *path; /* points into the text; not terminated; newlines are still "\012" */
	size_t path_len;
};

struct rec_maps_cursor {
	const char *text;
	size_t len;
	size_t pos;
	uint64_t malformed; /* lines that were skipped */
};

/* The next well-formed line; false at the end. A last line without newline counts as malformed. */
bool rec_maps_next(struct rec_maps_cursor *c, struct rec_maps_line *line);
/* Appends the path with "\012" turned into newlines. */
void rec_maps_add_path(struct pa_buf *out, const struct rec_maps_line *line);
/* enum pa_module_kind of a mapping's path, as maps and mmap events show it. */
uint32_t rec_path_module_kind(const char *path, size_t len);

/* --- status --- */

#define REC_NS_PIDS 32

struct rec_proc_status {
	char name[64]; /* unescaped; empty when absent */
	uint32_t tgid, pid, ppid;
	uint32_t uid[4], gid[4]; /* real, effective, saved, file system */
	bool uid_known;
	uint32_t ns_pids[REC_NS_PIDS]; /* outermost first */
	uint32_t ns_pid_count;
	uint32_t threads;
	bool kernel_thread; /* it has no memory of its own */
};

/* Unknown lines are skipped; PA_E_CORRUPT when there is no Tgid or Pid. */
int rec_status_parse(const char *text, size_t len, struct rec_proc_status *status);

/* --- others --- */

/*
 * The path in the unified cgroup hierarchy; on hosts without one, the longest path of the old
 * hierarchies. *path points into the text. False when there is none.
 */
bool rec_cgroup_parse(const char *text, size_t len, const char **path, size_t *path_len);
/* Appends the arguments, separated by spaces, quoted for a shell where needed. */
void rec_cmdline_add(struct pa_buf *out, const char *text, size_t len);

/* --- reading --- */

/*
 * Opens the directory of a process; it stays that process's even if the pid is reused. fd or
 * -errno.
 */
int rec_procfs_open(pid_t pid);
/*
 * The same for its memory: of a process whose main thread has ended while others live, the directory of
 * one of those, since maps, root and exe of the dead one are empty. fd or -errno.
 */
int rec_procfs_open_memory(pid_t pid);
/* Appends what is left to read from fd, at most max bytes (then PA_E_LIMIT). 0 or -errno. */
int rec_procfs_read_fd(int fd, struct pa_buf *out, size_t max);
/* The same for a file of a directory; dir may be AT_FDCWD with an absolute name. */
int rec_procfs_read(int dir, const char *name, struct pa_buf *out, size_t max);
/* Appends the text of a link. -ENAMETOOLONG when it is longer than PATH_MAX. */
int rec_procfs_read_link(int dir, const char *name, struct pa_buf *out);
/* Cuts a trailing " (deleted)" off; true when it was there. */
bool rec_procfs_cut_deleted(const char *path, size_t *len);

#endif
