// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Owners of locks, from the memory at the futex that a thread waits for. What a word means is up to whoever
 * uses it, so an owner is named only where all of it fits, and where it is a thread of the same process.
 */
#include <stdlib.h>
#include <string.h>

#include "report/analyse/snapshot.h"
#include "report/analyse/waits.h"
#include "report/xmem.h"

/* include/uapi/linux/futex.h */
#define FUTEX_WAIT 0
#define FUTEX_LOCK_PI 6
#define FUTEX_WAIT_BITSET 9
#define FUTEX_LOCK_PI2 13
#define FUTEX_COMMAND 0x7f
#define FUTEX_TID 0x3fffffffu
#define FUTEX_WAITERS 0x80000000u

/* glibc's pthread_mutex_t on 64-bit machines (struct __pthread_mutex_s): the word is 2 where somebody
 * waits. */
#define MUTEX_OWNER 8
#define MUTEX_USERS 12
#define MUTEX_KIND 16
#define MUTEX_KINDS 512
/* glibc's pthread_rwlock_t: __cur_writer behind the two words that are waited for. */
#define RWLOCK_WRITER_FROM_PHASE 16
#define RWLOCK_WRITER_FROM_WRITERS 12

static uint32_t word_at(const struct rpt_task *t, uint32_t offset)
{
	const uint8_t *p = t->memory + offset;

	if (offset + 4 > t->memory_bytes)
		return 0;
	return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static bool stack_has(const struct rpt_model *m, const struct rpt_code *c, uint32_t call,
		      const char *patterns)
{
	uint32_t i;

	for (; call; call = c->calls[call].parent) {
		const struct rpt_location *l = &c->locations[c->calls[call].location];

		for (i = 0; i < l->line_count; i++)
			if (rpt_matches_any(
				    patterns,
				    rpt_text(m, c->functions[c->lines[l->first_line + i].function]
							.name)))
				return true;
	}
	return false;
}

/* --- threads by the ids that locks have them by --- */

struct owner_key {
	uint32_t process, tid;
};

struct owners {
	const struct rpt_snapshot *s;
	const struct rpt_model *m;
	struct pa_htab index;
};

static uint32_t process_of(const struct owners *o, uint32_t thread)
{
	return o->m->processes.threads[o->s->threads[thread].task->thread].process;
}

static bool owner_equal(const void *ctx, uint32_t value, const void *key)
{
	const struct owners *o = ctx;
	const struct owner_key *k = key;

	return process_of(o, value) == k->process && o->s->threads[value].task->own_tid == k->tid;
}

static uint64_t owner_hash(struct owner_key key)
{
	return pa_hash_u64((uint64_t)key.process << 32 | key.tid);
}

/* Place of the thread of that id in the process of another one, plus 1; 0 = there is none. */
static uint32_t find_owner(const struct owners *o, uint32_t waiter, uint32_t tid)
{
	struct owner_key key = {process_of(o, waiter), tid};
	uint32_t i;

	if (tid == 0 || !pa_htab_get(&o->index, owner_hash(key), owner_equal, o, &key, &i))
		return 0;
	return i + 1;
}

static uint32_t owner_of(const struct owners *o, const struct rpt_code *c, uint32_t waiter)
{
	const struct rpt_snapshot_thread *t = &o->s->threads[waiter];
	const struct rpt_task *task = t->task;
	uint64_t command = task->args[1] & FUTEX_COMMAND;
	uint32_t word = word_at(task, 0), owner;

	if (command == FUTEX_LOCK_PI || command == FUTEX_LOCK_PI2)
		return find_owner(o, waiter, word & FUTEX_TID);
	if (command != FUTEX_WAIT && command != FUTEX_WAIT_BITSET)
		return 0;
	if (stack_has(o->m, c, t->call, "*pthread_rwlock_*")) {
		owner = find_owner(o, waiter, word_at(task, RWLOCK_WRITER_FROM_PHASE));
		return owner ? owner :
			       find_owner(o, waiter, word_at(task, RWLOCK_WRITER_FROM_WRITERS));
	}
	if (word == 2 && (uint32_t)task->args[2] == 2 && word_at(task, MUTEX_USERS) &&
	    word_at(task, MUTEX_KIND) < MUTEX_KINDS)
		return find_owner(o, waiter, word_at(task, MUTEX_OWNER));
	/* musl, and robust mutexes. */
	if ((word & FUTEX_WAITERS) && word == (uint32_t)task->args[2])
		return find_owner(o, waiter, word & FUTEX_TID);
	return 0;
}

/* --- circles: every thread waits for one other at most --- */

static void find_cycles(struct rpt_snapshot *s)
{
	uint32_t *seen_from = rpt_xcalloc(s->count, sizeof(*seen_from)), i, at;

	for (i = 0; i < s->count; i++) {
		for (at = i + 1; at && !seen_from[at - 1]; at = s->threads[at - 1].owner)
			seen_from[at - 1] = i + 1;
		if (!at || seen_from[at - 1] != i + 1)
			continue;
		s->cycle_count++;
		for (; !s->threads[at - 1].cycle; at = s->threads[at - 1].owner)
			s->threads[at - 1].cycle = s->cycle_count;
	}
	free(seen_from);
}

void rpt_snapshot_find_locks(struct rpt_snapshot *s, const struct rpt_model *m,
			     const struct rpt_code *c)
{
	struct owners o = {.s = s, .m = m};
	struct owner_key key;
	uint32_t i;

	pa_htab_init(&o.index);
	for (i = 0; i < s->count; i++) {
		key = (struct owner_key){process_of(&o, i), s->threads[i].task->own_tid};
		if (key.tid && !find_owner(&o, i, key.tid))
			rpt_xcheck(pa_htab_add(&o.index, owner_hash(key), i));
	}
	for (i = 0; i < s->count; i++) {
		struct rpt_snapshot_thread *t = &s->threads[i];

		if (!t->blocked || !t->syscall || strcmp(t->syscall, "futex") != 0)
			continue;
		t->lock = t->task->args[0];
		t->owner = owner_of(&o, c, i);
		if (t->owner)
			s->threads[t->owner - 1].waiters++;
	}
	find_cycles(s);
	pa_htab_fini(&o.index);
}
