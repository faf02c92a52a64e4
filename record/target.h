/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whom to record: processes by pid or name, everything, or a command that is started for it. */
#ifndef REC_TARGET_H
#define REC_TARGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct pa_buf;
struct rec_caller;
struct rec_config;
struct rec_privilege;

struct rec_target {
	uint32_t *pids; /* owned; with a command its pid, with --all none */
	size_t count, cap;
	char name[64]; /* for the default name of the trace */
	char *text; /* owned; for the SESSION record */
	pid_t child; /* the command; 0 = none */
	int release_fd; /* closed to let it run; -1 = none */
	int failure_fd; /* gives the errno of a failed exec */
};

/*
 * Finds the processes, or forks the command, which waits until it is released. caller is for
 * the command. 0, or an error code with a sentence in error.
 */
int rec_target_resolve(struct rec_target *t, const struct rec_config *config,
		       const struct rec_privilege *privilege, const struct rec_caller *caller,
		       struct pa_buf *error);
/* Lets the command run. 0, or the -errno with which it could not be executed. */
int rec_target_release(struct rec_target *t);
/* Whether the command has ended; *status is then as wait(2) gives it. */
bool rec_target_ended(struct rec_target *t, int *status);
/* A command that was never released is ended. */
void rec_target_fini(struct rec_target *t);

#endif
