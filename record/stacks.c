// SPDX-License-Identifier: GPL-2.0-or-later
/* Stacks on their way into the trace. */
#include "record/stacks.h"

#include <errno.h>
#include <linux/types.h>
#include <stdlib.h>
#include <string.h>

#include "bpf/events.h"
#include "format/util/mem.h"
#include "record/kallsyms.h"
#include "record/vdso.h"

void rec_stacks_init(struct rec_stacks *s, struct rec_world *world, struct pa_writer *writer,
		     const struct rec_kallsyms *kallsyms)
{
	*s = (struct rec_stacks){.world = world, .writer = writer, .kallsyms = kallsyms};
}

void rec_stacks_fini(struct rec_stacks *s)
{
	pa_htab_fini(&s->cache);
	free(s->entries);
	pa_htab_fini(&s->sent_by_id);
	free(s->sent);
	free(s->frames);
	rec_copies_fini(&s->copies);
	pa_htab_fini(&s->symbols);
	free(s->symbol_starts);
	*s = (struct rec_stacks){0};
}

void rec_stacks_begin_segment(struct rec_stacks *s)
{
	pa_htab_fini(&s->cache);
	s->entry_count = 0;
	pa_htab_fini(&s->symbols);
	s->symbol_count = 0;
	s->vdso_written = false;
	rec_copies_begin_segment(&s->copies);
}

/* --- the cache from what a stack is to its id in the trace --- */

static bool same_key(const void *ctx, uint32_t value, const void *key)
{
	return ((const struct rec_stacks *)ctx)->entries[value].key == *(const uint64_t *)key;
}

static bool cache_get(const struct rec_stacks *s, uint64_t key, uint32_t *id)
{
	uint32_t index;

	if (!pa_htab_get(&s->cache, key, same_key, s, &key, &index))
		return false;
	*id = s->entries[index].stack_id;
	return true;
}

static int cache_add(struct rec_stacks *s, uint64_t key, uint32_t id)
{
	int err = pa_grow(&s->entries, &s->entry_cap, s->entry_count + 1, sizeof(*s->entries));

	if (!err)
		err = pa_htab_add(&s->cache, key, (uint32_t)s->entry_count);
	if (!err)
		s->entries[s->entry_count++] = (struct rec_stack_entry){key, id};
	return err;
}

/* --- kernel --- */

static bool same_symbol(const void *ctx, uint32_t value, const void *key)
{
	return ((const struct rec_stacks *)ctx)->symbol_starts[value] == *(const uint64_t *)key;
}

static int write_kernel_symbol(struct rec_stacks *s, uint64_t address)
{
	struct pa_record rec = {.id = PA_REC_KERNEL_SYMBOL};
	struct rec_kernel_symbol sym;
	uint32_t index;
	uint64_t hash;
	int err;

	if (!s->kallsyms || !rec_kallsyms_find(s->kallsyms, address, &sym))
		return 0;
	hash = pa_hash_u64(sym.start);
	if (pa_htab_get(&s->symbols, hash, same_symbol, s, &sym.start, &index))
		return 0;
	err = pa_grow(&s->symbol_starts, &s->symbol_cap, s->symbol_count + 1,
		      sizeof(*s->symbol_starts));
	if (!err)
		err = pa_htab_add(&s->symbols, hash, (uint32_t)s->symbol_count);
	if (err)
		return err;
	s->symbol_starts[s->symbol_count++] = sym.start;
	err = pa_writer_string(s->writer, sym.name, strlen(sym.name), &rec.kernel_symbol.name);
	if (!err)
		err = pa_writer_string(s->writer, sym.module, strlen(sym.module),
				       &rec.kernel_symbol.module);
	if (err)
		return err;
	rec.kernel_symbol.start = sym.start;
	rec.kernel_symbol.length_bytes = sym.length_bytes;
	return pa_writer_add(s->writer, &rec);
}

/* Stacks taken at a switch begin in our own program; they are of interest from __schedule on. */
static size_t own_frames(const struct rec_stacks *s, const __u64 *frames, size_t count)
{
	struct rec_kernel_symbol sym;
	size_t i;

	for (i = 0; s->kallsyms && i < count && i < 16; i++)
		if (rec_kallsyms_find(s->kallsyms, frames[i], &sym) &&
		    strcmp(sym.name, "__schedule") == 0)
			return i;
	return 0;
}

static int intern(struct rec_stacks *s, uint32_t end, const __u64 *frames, size_t count,
		  uint32_t *id)
{
	uint64_t outermost_first[EV_USER_FRAMES];
	size_t i;

	if (count > EV_USER_FRAMES)
		return -EINVAL;
	for (i = 0; i < count; i++)
		outermost_first[i] = frames[count - 1 - i];
	return pa_writer_stack(s->writer, end, outermost_first, count, id);
}

/* Frames innermost first, here and below. */
static int add_kernel(struct rec_stacks *s, const __u64 *frames, size_t count, uint32_t end,
		      uint32_t *id)
{
	uint64_t key = pa_hash_bytes(frames, count * sizeof(*frames), end);
	size_t skip, i;
	int err = 0;

	/* Who may not see the kernel's symbols may not see its addresses either. */
	if (count == 0 || !s->kallsyms) {
		*id = end;
		return 0;
	}
	if (cache_get(s, key, id))
		return 0;
	skip = own_frames(s, frames, count);
	for (i = skip; i < count && !err; i++)
		err = write_kernel_symbol(s, frames[i] - (i > skip));
	if (!err)
		err = intern(s, end, frames + skip, count - skip, id);
	return err ? err : cache_add(s, key, *id);
}

/* --- user --- */

/*
 * How many frames can be trusted: a chain of frame pointers that goes astray picks up words that are
 * no return addresses; the first one that lies in no executable mapping ends it.
 */
static size_t trusted_frames(const struct rec_stacks *s, const struct rec_process *p,
			     const __u64 *frames, size_t count)
{
	size_t i;

	if (s->mappings_lost || p->mapping_count == 0)
		return count;
	for (i = 1; i < count; i++)
		if (!rec_process_mapping(p, frames[i] - 1))
			return i;
	return count;
}

/* What else has to be in the trace so that the report can name this address. */
static int note_module(struct rec_stacks *s, struct rec_process *p, uint64_t address)
{
	const struct rec_mapping *m = rec_process_mapping(p, address);
	struct rec_module *module = m ? rec_world_module(s->world, m) : NULL;

	if (!module)
		return 0;
	if (module->kind == PA_MODULE_VDSO && !s->vdso_written && module->id) {
		s->vdso_written = true;
		return rec_vdso_write(s->writer, module->id);
	}
	if (module->kind == PA_MODULE_ANON || module->kind == PA_MODULE_MEMFD)
		return rec_process_add_jit(p, address);
	return 0;
}

static int note_modules(struct rec_stacks *s, struct rec_process *p, const __u64 *frames,
			size_t count)
{
	size_t i;
	int err = 0;

	for (i = 0; i < count && !err; i++)
		err = note_module(s, p, frames[i] - (i > 0));
	return err;
}

/* A stack is looked at once for each process, since what lies at its addresses depends on that. */
static uint64_t process_key(const struct rec_process *p)
{
	return pa_hash_u64(p->pid ^ pa_hash_u64(p->time_ns));
}

static int add_user(struct rec_stacks *s, struct rec_process *p, const __u64 *frames, size_t count,
		    uint32_t end, uint32_t *id)
{
	uint64_t key = pa_hash_bytes(frames, count * sizeof(*frames), process_key(p) + end);
	size_t trusted;
	int err;

	if (count == 0) {
		*id = end;
		return 0;
	}
	if (cache_get(s, key, id))
		return 0;
	err = rec_world_write_mappings(s->world, p);
	if (err)
		return err;
	trusted = trusted_frames(s, p, frames, count);
	if (trusted < count && end != PA_STACK_NO_TABLE && end != PA_STACK_NO_RULE)
		end = PA_STACK_FP_LOST;
	err = note_modules(s, p, frames, trusted);
	if (!err)
		err = intern(s, end, frames, trusted, id);
	return err ? err : cache_add(s, key, *id);
}

/* --- stacks that are sent once and then referred to --- */

static bool same_sent(const void *ctx, uint32_t value, const void *key)
{
	return ((const struct rec_stacks *)ctx)->sent[value].id == *(const uint64_t *)key;
}

int rec_stacks_both(struct rec_stacks *s, struct rec_process *p, const struct ev_frames *frames,
		    uint32_t *ustack, uint32_t *kstack)
{
	int err;

	if (frames->user_frames > EV_USER_FRAMES || frames->kernel_frames > EV_KERNEL_FRAMES)
		return -EINVAL;
	err = add_kernel(s, frames->frames + frames->user_frames, frames->kernel_frames,
			 frames->kernel_end, kstack);
	if (!err && frames->id >= PA_STACK_FIRST_ID)
		return rec_stacks_sent(s, p, frames->id, ustack);
	return err ? err :
		     add_user(s, p, frames->frames, frames->user_frames, frames->user_end, ustack);
}

int rec_stacks_add_sent(struct rec_stacks *s, const struct ev_frames *stack)
{
	bool kernel = stack->kernel_frames > 0;
	size_t count = kernel ? stack->kernel_frames : stack->user_frames;
	uint64_t hash = pa_hash_u64(stack->id);
	uint32_t index;
	int err;

	if (count > EV_USER_FRAMES ||
	    pa_htab_get(&s->sent_by_id, hash, same_sent, s, &stack->id, &index))
		return 0;
	err = pa_grow(&s->sent, &s->sent_cap, s->sent_count + 1, sizeof(*s->sent));
	if (!err)
		err = pa_grow(&s->frames, &s->frame_cap, s->frame_count + count,
			      sizeof(*s->frames));
	if (!err)
		err = pa_htab_add(&s->sent_by_id, hash, (uint32_t)s->sent_count);
	if (err)
		return err;
	memcpy(s->frames + s->frame_count, stack->frames, count * sizeof(*s->frames));
	s->sent[s->sent_count++] = (struct rec_sent_stack){
		.id = stack->id,
		.offset = s->frame_count,
		.count = (uint32_t)count,
		.end = kernel ? stack->kernel_end : stack->user_end,
		.kernel = kernel,
	};
	s->frame_count += count;
	return 0;
}

int rec_stacks_add_copy(struct rec_stacks *s, struct rec_process *p, uint32_t thread,
			const struct ev_copy *copy)
{
	uint32_t walked;
	uint64_t word;
	size_t i;
	int err = rec_stacks_sent(s, p, copy->walked, &walked);

	if (!err && p)
		err = rec_world_write_mappings(s->world, p);
	if (!err && p)
		err = note_module(s, p, copy->ip);
	/* Whatever looks like one may be a return address. */
	for (i = 0; p && i + sizeof(word) <= copy->bytes && i < EV_COPY_BYTES && !err;
	     i += sizeof(word)) {
		memcpy(&word, copy->data + i, sizeof(word));
		err = note_module(s, p, word - 1);
	}
	return err ? err : rec_copies_write(&s->copies, s->writer, copy, thread, walked);
}

int rec_stacks_sent(struct rec_stacks *s, struct rec_process *p, uint64_t sent_id, uint32_t *id)
{
	const struct rec_sent_stack *sent;
	const struct rec_copy *copy;
	uint32_t index;
	bool here;

	if (sent_id < PA_STACK_FIRST_ID) {
		*id = (uint32_t)sent_id;
		return 0;
	}
	copy = rec_copies_get(&s->copies, sent_id, &here);
	if (copy && !here)
		return rec_stacks_sent(s, p, copy->walked, id);
	if (copy) {
		*id = copy->node;
		return 0;
	}
	if (!pa_htab_get(&s->sent_by_id, pa_hash_u64(sent_id), same_sent, s, &sent_id, &index)) {
		*id = PA_STACK_LOST;
		return 0;
	}
	sent = &s->sent[index];
	if (sent->kernel)
		return add_kernel(s, s->frames + sent->offset, sent->count, sent->end, id);
	if (!p) {
		*id = PA_STACK_UNKNOWN_END;
		return 0;
	}
	return add_user(s, p, s->frames + sent->offset, sent->count, sent->end, id);
}
