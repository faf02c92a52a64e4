/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The processes, threads, mappings and modules of the recorded host as they stand at the moment that is
 * being worked on. Events change it in the order of time; what a sample refers to is written to the
 * trace when it is first needed, so that processes that never appear in a stack cost nothing there. In
 * each segment of the trace this begins anew; ids stay the same.
 */
#ifndef REC_WORLD_H
#define REC_WORLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/pa-format.h"
#include "format/util/htab.h"
#include "record/regions.h"

#define REC_COMM_BYTES 16

struct rec_module {
	uint32_t id; /* in the trace; 0 = none yet */
	bool written; /* in this segment */
	uint32_t kind; /* enum pa_module_kind */
	uint32_t flags;
	uint32_t build_id_kind;
	uint8_t build_id[PA_MAX_BUILD_ID_BYTES];
	uint32_t build_id_bytes;
	bool identified; /* everything that can be found out about the build ID is known */
	uint64_t device;
	uint64_t inode;
	char *path; /* owned */
};

struct rec_mapping {
	uint64_t start, end;
	uint64_t offset_bytes;
	uint64_t time_ns;
	uint64_t
		elf_header; /* address in the process at which the file's start is mapped; 0 = not known */
	uint32_t module; /* index */
	uint32_t prot;
	uint32_t flags;
	bool written;
};

/* What is told about a process beyond its pid, looked up when it is first written. */
struct rec_process_info {
	char *exe, *cmdline, *cgroup; /* owned; NULL = not known */
	uint64_t ns_pids[8];
	uint32_t ns_pid_count;
	uint32_t uid; /* + 1; 0 = not known */
};

struct rec_process {
	uint32_t id; /* in the trace; 0 = none yet */
	bool written; /* in this segment */
	uint32_t pid;
	uint32_t parent_pid;
	uint32_t
		parent_id; /* id in the trace of the parent at the time of the fork, if it was written */
	uint32_t origin;
	uint64_t time_ns;
	uint64_t ended_ns; /* 0 = lives */
	uint64_t
		exec_ns; /* of an exec that is to be written, for older segments know another image; or 0 */
	uint32_t threads; /* living ones that are known */
	bool kernel; /* a kernel thread: there are no mappings */
	bool has_user_stacks; /* mappings are written as they come */
	bool info_known;
	char comm[REC_COMM_BYTES];
	struct rec_process_info info;
	struct rec_mapping *mappings; /* executable ones, by start, disjoint */
	size_t mapping_count, mapping_cap;
	uint64_t *jit; /* sampled addresses in anonymous executable memory */
	size_t jit_count, jit_cap;
	struct pa_htab jit_set;
	int jit_fd; /* the JIT's map, which can be opened while the process lives; -1 = not open */
	uint32_t jit_attempts; /* to open it */
	uint64_t jitdump; /* where the page of a jitdump is mapped; 0 = there was none */
	struct rec_jitdump *dump; /* owned; what was read of jit_fd, when that is one */
	/* record/tables.c: mappings as the programs in the kernel know them. */
	bool tables_wanted;
	bool tables_dirty; /* they have changed since */
	bool tables_all; /* the tables of all that it maps are wanted */
	uint32_t tables_missed; /* stacks that missed one */
	struct rec_region region;
};

struct rec_thread {
	uint32_t index; /* in the world's table */
	uint32_t id; /* in the trace; 0 = none yet */
	bool written; /* in this segment */
	uint32_t tid;
	uint32_t slot; /* of the programs in the kernel; 0 = none yet */
	uint32_t process; /* index */
	uint32_t origin;
	uint64_t time_ns;
	uint64_t ended_ns;
	uint64_t
		renamed_ns; /* of a new name that is to be written, for older segments know another; or 0 */
	char comm[REC_COMM_BYTES];
	struct rec_thread_sched *sched; /* owned; record/sched.c */
};

struct rec_world;

/* Looks things up on the host for the world; any of them may be unable to. */
struct rec_world_ops {
	/* Fills in info for a living process. */
	void (*process_info)(void *ctx, uint32_t pid, struct rec_process_info *info);
	/* Finds the module's build ID by way of a mapping of pid. */
	void (*identify)(void *ctx, uint32_t pid, const struct rec_mapping *mapping,
			 struct rec_module *module);
	/* Called for a process of the trace just before it is forgotten or the recording ends. */
	void (*process_done)(void *ctx, struct rec_process *process);
};

/* NULL when out of memory. writer and ops stay the caller's. */
struct rec_world *rec_world_new(struct pa_writer *writer, const struct rec_world_ops *ops,
				void *ctx);
void rec_world_free(struct rec_world *w);

/* --- events; all return 0 or -errno (out of memory, or the writer's error) --- */

int rec_world_present(struct rec_world *w, uint32_t pid, uint32_t tid, const char *comm,
		      bool kernel, uint64_t time_ns);
int rec_world_fork(struct rec_world *w, uint32_t pid, uint32_t tid, uint32_t parent_pid,
		   uint32_t parent_tid, uint64_t time_ns);
int rec_world_comm(struct rec_world *w, uint32_t pid, uint32_t tid, const char *comm, bool exec,
		   uint64_t time_ns);
int rec_world_exit(struct rec_world *w, uint32_t tid, uint64_t time_ns);
/* The exit status, which comes by another way than the exit. */
int rec_world_exit_status(struct rec_world *w, uint32_t tid, uint32_t status, bool process_ended,
			  uint64_t time_ns);

/* This process is recorded from its next exec on. */
void rec_world_expect(struct rec_world *w, uint32_t pid);
/* The process may no longer be recorded; for us it has ended. */
int rec_world_leave(struct rec_world *w, uint32_t pid, uint64_t time_ns);

/* A mapping; path and build_id are borrowed. Only executable ones are of interest. */
struct rec_mmap_event {
	uint64_t time_ns;
	uint32_t pid;
	uint64_t start, length_bytes, offset_bytes;
	uint32_t prot;
	uint32_t flags; /* PA_MAPPING_* */
	uint64_t device, inode;
	const uint8_t *build_id;
	uint32_t build_id_bytes;
	uint64_t elf_header;
	const char *path;
};
int rec_world_mmap(struct rec_world *w, const struct rec_mmap_event *event);

/* --- what is there --- */

/* Borrowed; NULL when not known. One that has ended is found until its id is somebody else's. */
struct rec_process *rec_world_get_process(struct rec_world *w, uint32_t pid);
struct rec_thread *rec_world_get_thread(struct rec_world *w, uint32_t tid);
struct rec_thread *rec_world_get_slot(struct rec_world *w, uint32_t slot);
struct rec_process *rec_world_process_of(struct rec_world *w, const struct rec_thread *t);
/* The thread, made known as discovered when it is not. NULL when out of memory. */
struct rec_thread *rec_world_find_thread(struct rec_world *w, uint32_t pid, uint32_t tid,
					 const char *comm, bool kernel, uint64_t time_ns);
/* Ties a slot to a thread. */
int rec_world_set_slot(struct rec_world *w, struct rec_thread *t, uint32_t slot);
/* Living processes that are under observation. */
size_t rec_world_living(const struct rec_world *w);

/* Writes the thread and its process where that was not done yet; sets *id. */
int rec_world_write_thread(struct rec_world *w, struct rec_thread *t, uint32_t *id);
/* From now on the mappings of the process are in the trace. */
int rec_world_write_mappings(struct rec_world *w, struct rec_process *p);
/* The executable mapping at an address, or NULL; its module. */
const struct rec_mapping *rec_process_mapping(const struct rec_process *p, uint64_t address);
struct rec_module *rec_world_module(struct rec_world *w, const struct rec_mapping *m);
/* Notes an address in anonymous executable memory. */
int rec_process_add_jit(struct rec_process *p, uint64_t address);

/* Finds out the build ID of what is mapped there, unless that was tried before. */
void rec_world_identify(struct rec_world *w, const struct rec_process *p,
			const struct rec_mapping *m);
/* A module by its index, as mappings have it. */
struct rec_module *rec_world_module_at(struct rec_world *w, uint32_t index);
typedef int rec_process_fn(void *ctx, struct rec_process *p);
int rec_world_for_each_process(struct rec_world *w, rec_process_fn *fn, void *ctx);
typedef int rec_thread_fn(void *ctx, struct rec_thread *t);
int rec_world_for_each_thread(struct rec_world *w, rec_thread_fn *fn, void *ctx);
/* Forgets threads and processes that ended before a time. */
void rec_world_forget(struct rec_world *w, uint64_t before_ns);
/* Ends the trace, or a segment of it: process_done for everything that lives. */
void rec_world_finish(struct rec_world *w);
/* Nothing is written yet in the segment that begins now. */
void rec_world_begin_segment(struct rec_world *w);

#endif
