/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The programs in the kernel: loaded, attached, switched on and off, and everything that is read from them. */
#ifndef REC_PROGRAMS_H
#define REC_PROGRAMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ev_cpu;
struct ev_frames;
struct ev_sum;
struct ev_sum_key;
struct ev_snapshot;
struct ev_task;
struct ev_thread_stat;
struct ev_unwind_chunk;
struct ev_unwind_mapping;
struct ev_unwind_module;
struct ev_unwind_side;
struct pa_buf;
struct rec_programs;
struct rec_queue;

struct rec_programs_settings {
	bool all;
	bool profile;
	bool offcpu;
	bool wakers; /* the stacks of who wakes blocked threads; with offcpu */
	bool snapshot; /* what all threads do at one moment, and nothing else */
	bool statistics; /* scheduler statistics per thread; implied by offcpu */
	uint32_t counters; /* hardware counters that rec_programs_set_counter() will bring */
	bool owner_only; /* what is no longer wholly owner_uid's is not recorded */
	uint32_t owner_uid;
	uint32_t command_pid; /* becomes a target when it executes the command; 0 = none */
	bool tables; /* walk by unwind tables where there are some */
	bool frame_pointers; /* and by frame pointers where there are none */
	bool copy_always; /* copy user stacks */
	bool copy_broken; /* copy those that could not be walked to their end */
	uint64_t buffer_bytes; /* of the ring; 0 = chosen by the number of CPUs */
	uint64_t table_bytes; /* for unwind tables */
};

/* Which way is taken where kernels differ. */
struct rec_programs_features {
	bool task_storage; /* state of threads in task storage, else in a hash table */
	bool task_pt_regs; /* saved registers found by a helper, else by the stack's size */
	bool names; /* symbols of the kernel can be asked for one by one; else from /proc/kallsyms */
	bool sparse_maps; /* hash maps take memory as they fill, else at once */
	bool sleepers; /* user stacks of threads that are off the CPU can be walked */
};
/* Borrowed. */
/*
 * How many instructions the kernel's verifier looked at in the program of which they were the most (*most, which
 * lives as long as p): it refuses those of more than 1 000 000. 0 where it does not say (before 5.16).
 */
uint32_t rec_programs_verified(const struct rec_programs *p, const char **most);

const struct rec_programs_features *rec_programs_features(const struct rec_programs *p);

/* Opens and loads. 0 and *programs, or -errno with libbpf's own words in log. */
int rec_programs_open(const struct rec_programs_settings *settings, struct rec_programs **programs,
		      struct pa_buf *log);
void rec_programs_close(struct rec_programs *p);

/*
 * The kernel's own code, for rec_kallsyms_load_asking(): addresses of _text, _stext and _etext. 0; -EPERM when
 * the kernel hides its addresses; or -errno when it cannot be asked.
 */
int rec_programs_kernel_text(struct rec_programs *p, uint64_t text[3]);
/* A rec_ksyms_ask_fn; ctx is struct rec_programs. */
const char *rec_programs_name_ksym(void *ctx, uint64_t address);

/* Before the start: whom to record (pid in our own namespace), and a hardware counter's descriptor. */
int rec_programs_add_target(struct rec_programs *p, uint32_t pid);
int rec_programs_set_counter(struct rec_programs *p, uint32_t counter, int cpu, int fd);
/* Descriptor of the program for sampling events. */
int rec_programs_sampler_fd(const struct rec_programs *p);
/* Attaches the tracepoints; nothing is recorded before the start. 0 or -errno. */
int rec_programs_attach(struct rec_programs *p);

/* Recording begins now; *start_ns is that moment. */
void rec_programs_start(struct rec_programs *p, uint64_t *start_ns);
/* Recording has ended; *stop_ns is that moment, at which all that is open is clipped. */
void rec_programs_stop(struct rec_programs *p, uint64_t *stop_ns);

/* Becomes readable when the ring should be drained before its time. */
int rec_programs_poll_fd(const struct rec_programs *p);
/* Moves what is in the ring into the queue. 0 or -errno. */
int rec_programs_drain(struct rec_programs *p, struct rec_queue *queue);

/* Each hands rows to fn, and stops at its first negative result, which it returns; or -errno. */
typedef int rec_task_fn(void *ctx, const struct ev_task *task);
int rec_programs_list_tasks(struct rec_programs *p, rec_task_fn *fn, void *ctx);
typedef int rec_thread_stat_fn(void *ctx, const struct ev_thread_stat *stat);
int rec_programs_dump_threads(struct rec_programs *p, rec_thread_stat_fn *fn, void *ctx);
typedef int rec_sleeper_fn(void *ctx, const struct ev_frames *row);
typedef int rec_snapshot_fn(void *ctx, const struct ev_frames *stacks,
			    const struct ev_snapshot *snapshot);
int rec_programs_dump_snapshot(struct rec_programs *p, rec_snapshot_fn *fn, void *ctx);
/* Nothing where the kernel has no sleepable iterators. */
int rec_programs_dump_sleepers(struct rec_programs *p, rec_sleeper_fn *fn, void *ctx);
typedef int rec_sum_fn(void *ctx, const struct ev_sum_key *key, const struct ev_sum *sum);
/* Begins another epoch; what the sums of the old one refer to is in the ring when this returns. */
void rec_programs_end_epoch(struct rec_programs *p);
/* Takes the sums of the epoch that has ended. */
int rec_programs_take_sums(struct rec_programs *p, rec_sum_fn *fn, void *ctx);
typedef int rec_cpu_fn(void *ctx, uint32_t cpu, const struct ev_cpu *state);
int rec_programs_read_cpus(struct rec_programs *p, rec_cpu_fn *fn, void *ctx);
/* Unwind tables: parts of the maps of bpf/walk.h. 0 or -errno. */
int rec_programs_set_chunk(struct rec_programs *p, uint32_t index,
			   const struct ev_unwind_chunk *chunk);
int rec_programs_set_side(struct rec_programs *p, uint32_t index,
			  const struct ev_unwind_side *side);
int rec_programs_set_module(struct rec_programs *p, uint32_t index,
			    const struct ev_unwind_module *module);
int rec_programs_get_module(struct rec_programs *p, uint32_t index,
			    struct ev_unwind_module *module);
int rec_programs_set_mapping(struct rec_programs *p, uint32_t index,
			     const struct ev_unwind_mapping *mapping);
int rec_programs_set_process(struct rec_programs *p, uint32_t pid, uint32_t first, uint32_t count);
void rec_programs_delete_process(struct rec_programs *p, uint32_t pid);
/* What was lost of a kind (enum pa_loss_kind) so far. */
uint64_t rec_programs_lost(const struct rec_programs *p, uint32_t kind);

#endif
