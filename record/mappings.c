// SPDX-License-Identifier: GPL-2.0-or-later
/* The executable mappings of one process. */
#include "record/mappings.h"

#include <errno.h>
#include <string.h>

#include "format/util/mem.h"

/* Index of the first mapping that ends after address. */
static size_t mapping_after(const struct rec_process *p, uint64_t address)
{
	size_t lo = 0, hi = p->mapping_count;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (p->mappings[mid].end <= address)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

const struct rec_mapping *rec_process_mapping(const struct rec_process *p, uint64_t address)
{
	size_t i = mapping_after(p, address);

	return i < p->mapping_count && p->mappings[i].start <= address ? &p->mappings[i] : NULL;
}

/* Cuts the range out of the process's mappings; a mapping around it leaves two. 0 or -ENOMEM. */
static int cut_out(struct rec_process *p, uint64_t start, uint64_t end)
{
	size_t i = mapping_after(p, start), last;
	struct rec_mapping *m;

	if (i < p->mapping_count && p->mappings[i].start < start && p->mappings[i].end > end) {
		if (pa_grow(&p->mappings, &p->mapping_cap, p->mapping_count + 1,
			    sizeof(*p->mappings)) < 0)
			return -ENOMEM;
		m = &p->mappings[i];
		memmove(m + 1, m, (p->mapping_count - i) * sizeof(*m));
		p->mapping_count++;
		m[0].end = start;
		m[1].offset_bytes += end - m[1].start;
		m[1].start = end;
		return 0;
	}
	if (i < p->mapping_count && p->mappings[i].start < start)
		p->mappings[i++].end = start;
	for (last = i; last < p->mapping_count && p->mappings[last].end <= end; last++)
		;
	if (last < p->mapping_count && p->mappings[last].start < end) {
		m = &p->mappings[last];
		m->offset_bytes += end - m->start;
		m->start = end;
	}
	if (last == i)
		return 0;
	memmove(&p->mappings[i], &p->mappings[last],
		(p->mapping_count - last) * sizeof(*p->mappings));
	p->mapping_count -= last - i;
	return 0;
}

int rec_mappings_replace(struct rec_process *p, const struct rec_mapping *fresh, size_t *index)
{
	size_t i;
	int err = cut_out(p, fresh->start, fresh->end);

	if (!err)
		err = pa_grow(&p->mappings, &p->mapping_cap, p->mapping_count + 1,
			      sizeof(*p->mappings));
	if (err)
		return err;
	i = mapping_after(p, fresh->start);
	memmove(&p->mappings[i + 1], &p->mappings[i], (p->mapping_count - i) * sizeof(*fresh));
	p->mappings[i] = *fresh;
	p->mapping_count++;
	*index = i;
	return 0;
}

static bool same_address(const void *ctx, uint32_t value, const void *key)
{
	return ((const struct rec_process *)ctx)->jit[value] == *(const uint64_t *)key;
}

int rec_process_add_jit(struct rec_process *p, uint64_t address)
{
	uint64_t hash = pa_hash_u64(address);
	uint32_t value;
	int err;

	if (pa_htab_get(&p->jit_set, hash, same_address, p, &address, &value))
		return 0;
	err = pa_grow(&p->jit, &p->jit_cap, p->jit_count + 1, sizeof(*p->jit));
	if (!err)
		err = pa_htab_add(&p->jit_set, hash, (uint32_t)p->jit_count);
	if (!err)
		p->jit[p->jit_count++] = address;
	return err;
}
