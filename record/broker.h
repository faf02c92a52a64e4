/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The broker: opens and reads, for a recorder that has no privilege left, what a fixed list names.
 * It never takes a path, never writes, and answers a deputy only for processes of its caller. See
 * helpers.h for the errors that all requests have; -ESRCH is "no such process (any more)".
 */
#ifndef REC_BROKER_H
#define REC_BROKER_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct pa_buf;
struct rec_helpers;
struct rec_privilege;

/* What is read of a process that is new to the recorder. */
enum rec_broker_text {
	REC_BROKER_EXE, /* path of the executable, as the kernel shows it, less " (deleted)" */
	REC_BROKER_CMDLINE,
	REC_BROKER_CGROUP,
	REC_BROKER_STATUS,
	REC_BROKER_TEXTS_,
};

struct rec_broker_span {
	const char *text;
	size_t len; /* 0: it is empty, or could not be had */
};

/*
 * Reads all texts of a process at once; each is cut where it is longer than there is room for. They are
 * borrowed until the next request. 0 or an error.
 */
int rec_broker_read_texts(struct rec_helpers *h, pid_t pid,
			  struct rec_broker_span texts[REC_BROKER_TEXTS_]);
/*
 * Opens the regular file of the executable mapping that covers an address of the process. The file
 * opened is the one that is mapped (device and inode agree), else PA_E_MISMATCH; -ENOENT when it is
 * gone, PA_E_NOT_FOUND when there is no such mapping or no file behind it.
 */
int rec_broker_open_mapping(struct rec_helpers *h, pid_t pid, uint64_t address, int *fd);
/*
 * Opens /tmp/perf-NSPID.map in the root of the process: a regular file, no link, that belongs to
 * the user of the process, or to root and is readable by all. -ENOENT when there is none.
 */
int rec_broker_open_perf_map(struct rec_helpers *h, pid_t pid, int *fd);
/*
 * Appends the image of the process's vdso and sets *start to its address. PA_E_NOT_FOUND: it has
 * none.
 */
int rec_broker_read_vdso(struct rec_helpers *h, pid_t pid, uint64_t *start, struct pa_buf *out);

/*
 * Appends what a descriptor of a thread refers to, as /proc/PID/fd has it: "socket:[4711]", a path. Nothing
 * is opened. -ENOENT when it is closed.
 */
int rec_broker_read_fd(struct rec_helpers *h, pid_t pid, uint32_t number, struct pa_buf *out);

/* The process's body: answers on sock until it closes. Never returns. */
_Noreturn void rec_broker_run(int sock, const struct rec_privilege *p);

#endif
