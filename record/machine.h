/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The machine and the session: records that stand at the head of every trace. */
#ifndef REC_MACHINE_H
#define REC_MACHINE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/utsname.h>

#include "record/elfid.h"

struct pa_writer;
struct rec_config;
struct rec_kallsyms;

/* What is read while files can be opened. */
struct rec_machine {
	struct utsname name;
	char cpu_model[256];
	struct rec_build_id kernel; /* empty when not known */
};
void rec_machine_read(struct rec_machine *m);
/* A moment of CLOCK_MONOTONIC on the wall's clock, as that goes now. */
uint64_t rec_machine_wall_ns(uint64_t monotonic_ns);

struct rec_machine_session {
	const struct rec_machine *machine;
	const struct rec_config *config;
	const char *target; /* in words, for the SESSION record */
	uint64_t start_ns; /* CLOCK_MONOTONIC */
	uint64_t start_wall_ns;
	uint32_t cpus;
	uint32_t segment;
	uint64_t segment_start_ns; /* 0 = the recording is not in segments */
};

/* Writes SESSION and the TAGs. 0 or -errno. */
int rec_machine_write_session(struct pa_writer *writer, const struct rec_machine_session *session);
/* Writes the ranges of the kernel and its modules, or that they are hidden. 0 or -errno. */
int rec_machine_write_kernel(struct pa_writer *writer, const struct rec_kallsyms *kallsyms);
/* Writes a FEATURE record. reason may be "". 0 or -errno. */
int rec_machine_write_feature(struct pa_writer *writer, const char *name, const char *value,
			      const char *reason);

#endif
