// SPDX-License-Identifier: GPL-2.0-or-later
/* Copies of user stacks on their way into the trace. */
#include "record/copies.h"

#include <errno.h>
#include <linux/types.h>
#include <stdlib.h>
#include <string.h>

#include "bpf/events.h"
#include "format/pa-format.h"
#include "format/util/mem.h"

/* Registers that a copy has in the trace: the last one is where the thread was. */
#if defined(__x86_64__)
#define GENERAL_REGS 16
#elif defined(__aarch64__)
#define GENERAL_REGS 32
#else
#error "registers of this architecture are not known"
#endif

void rec_copies_fini(struct rec_copies *c)
{
	pa_htab_fini(&c->by_id);
	free(c->items);
	*c = (struct rec_copies){0};
}

void rec_copies_begin_segment(struct rec_copies *c)
{
	c->segment++;
}

static bool same_id(const void *ctx, uint32_t value, const void *key)
{
	return ((const struct rec_copies *)ctx)->items[value].id == *(const uint64_t *)key;
}

/* A place for one more, in place of the oldest once there are many. */
static int take_place(struct rec_copies *c, size_t *place)
{
	int err;

	if (c->count == REC_COPIES_KEPT) {
		*place = c->next;
		c->next = (c->next + 1) % REC_COPIES_KEPT;
		pa_htab_del(&c->by_id, pa_hash_u64(c->items[*place].id), same_id, c,
			    &c->items[*place].id);
		return 0;
	}
	err = pa_grow(&c->items, &c->cap, c->count + 1, sizeof(*c->items));
	if (!err)
		*place = c->count++;
	return err;
}

int rec_copies_write(struct rec_copies *c, struct pa_writer *writer, const struct ev_copy *copy,
		     uint32_t thread, uint32_t walked)
{
	uint64_t regs[GENERAL_REGS + 1];
	struct pa_record rec = {.id = PA_REC_STACK_COPY};
	size_t place;
	int err;

	if (copy->bytes > EV_COPY_BYTES)
		return 0;
	memcpy(regs, copy->regs, GENERAL_REGS * sizeof(*regs));
	regs[GENERAL_REGS] = copy->ip;
	rec.stack_copy.time_ns = copy->head.time_ns;
	rec.stack_copy.thread = thread;
	rec.stack_copy.walked = walked;
	rec.stack_copy.registers = (struct pa_list){regs, GENERAL_REGS + 1};
	rec.stack_copy.start = copy->start;
	rec.stack_copy.data = (struct pa_bytes){copy->data, copy->bytes};
	err = pa_writer_stack_copy(writer, &rec);
	if (!err)
		err = take_place(c, &place);
	if (err)
		return err;
	c->items[place] = (struct rec_copy){
		.id = copy->id,
		.walked = copy->walked,
		.node = (uint32_t)rec.stack_copy.id,
		.segment = c->segment,
	};
	return pa_htab_add(&c->by_id, pa_hash_u64(copy->id), (uint32_t)place);
}

const struct rec_copy *rec_copies_get(const struct rec_copies *c, uint64_t id, bool *here)
{
	uint32_t place;

	if (!pa_htab_get(&c->by_id, pa_hash_u64(id), same_id, c, &id, &place))
		return NULL;
	*here = c->items[place].segment == c->segment;
	return &c->items[place];
}
