// SPDX-License-Identifier: GPL-2.0-or-later
/* Rows, merged and packed. */
#include "record/unwind/builder.h"

#include <stdlib.h>
#include <string.h>

#include "format/util/err.h"
#include "format/util/mem.h"

void rec_builder_init(struct rec_builder *b, struct rec_unwind_stats *stats)
{
	*b = (struct rec_builder){.stats = stats};
	pa_htab_init(&b->side_index);
}

void rec_builder_fini(struct rec_builder *b)
{
	pa_htab_fini(&b->side_index);
	free(b->keys);
	free(b->rules);
	free(b->rbx);
	free(b->sides);
	*b = (struct rec_builder){0};
}

void rec_builder_restart(struct rec_builder *b)
{
	pa_htab_fini(&b->side_index);
	pa_htab_init(&b->side_index);
	b->rows = 0;
	b->side_count = 0;
}

static bool goes_on(const struct rec_builder *b, uint32_t rule, uint16_t rbx)
{
	return b->rows && b->rules[b->rows - 1] == rule &&
	       (!b->tracks_rbx || b->rbx[b->rows - 1] == rbx);
}

int rec_builder_add(struct rec_builder *b, uint64_t addr, uint32_t rule, uint16_t rbx)
{
	int err;

	b->stats->rows_written++;
	if (b->rows == 0)
		b->base = addr;
	if (addr - b->base > UINT32_MAX)
		return PA_E_LIMIT;
	/* A row that would hold nowhere gives way, and may have been all that parted its neighbours. */
	if (b->rows && b->keys[b->rows - 1] == addr - b->base)
		b->rows--;
	if (goes_on(b, rule, rbx))
		return 0;
	if (b->rows == EV_UNWIND_MAX_ROWS)
		return PA_E_LIMIT;
	err = pa_grow(&b->keys, &b->keys_cap, b->rows + 1, sizeof(*b->keys));
	if (!err)
		err = pa_grow(&b->rules, &b->rules_cap, b->rows + 1, sizeof(*b->rules));
	if (!err && b->tracks_rbx)
		err = pa_grow(&b->rbx, &b->rbx_cap, b->rows + 1, sizeof(*b->rbx));
	if (err)
		return err;
	if (b->tracks_rbx)
		b->rbx[b->rows] = rbx;
	b->keys[b->rows] = (uint32_t)(addr - b->base);
	b->rules[b->rows++] = rule;
	return 0;
}

static bool same_side(const void *ctx, uint32_t value, const void *key)
{
	const struct rec_builder *b = ctx;

	return memcmp(&b->sides[value], key, sizeof(*b->sides)) == 0;
}

int rec_builder_side(struct rec_builder *b, const struct ev_unwind_side *side, uint32_t *rule)
{
	uint64_t hash = pa_hash_bytes(side, sizeof(*side), 0);
	uint32_t index = (uint32_t)b->side_count;
	int err;

	if (!pa_htab_get(&b->side_index, hash, same_side, b, side, &index)) {
		if (b->side_count == EV_UNWIND_MAX_SIDES)
			return PA_E_LIMIT;
		err = pa_grow(&b->sides, &b->sides_cap, b->side_count + 1, sizeof(*b->sides));
		if (!err)
			err = pa_htab_add(&b->side_index, hash, index);
		if (err)
			return err;
		b->sides[b->side_count++] = *side;
	}
	*rule = EV_UNWIND_NUMBERED(EV_UNWIND_SIDE, index);
	return 0;
}

int rec_builder_pack(const struct rec_builder *b, const struct rec_image *im, struct pa_buf *out)
{
	struct ev_unwind_table head = {
		.magic = EV_UNWIND_MAGIC,
		.version = EV_UNWIND_VERSION,
		.arch = (uint16_t)im->arch,
		.base = b->base,
		.rows = (uint32_t)b->rows,
		.sides = (uint32_t)b->side_count,
		.segments = im->exec_count,
		.flags = b->tracks_rbx ? EV_UNWIND_TRACKS_RBX : 0,
	};

	pa_buf_add(out, &head, sizeof(head));
	pa_buf_add(out, im->exec, im->exec_count * sizeof(*im->exec));
	pa_buf_add(out, b->keys, b->rows * sizeof(*b->keys));
	pa_buf_add(out, b->rules, b->rows * sizeof(*b->rules));
	pa_buf_add(out, b->sides, b->side_count * sizeof(*b->sides));
	if (b->tracks_rbx)
		pa_buf_add(out, b->rbx, b->rows * sizeof(*b->rbx));
	return pa_buf_error(out);
}
