// SPDX-License-Identifier: GPL-2.0-or-later
/* Reading of CIEs and FDEs. */
#include "record/unwind/cfi.h"

#include <stdlib.h>
#include <string.h>

#include "format/util/cursor.h"
#include "format/util/err.h"
#include "format/util/mem.h"
#include "record/unwind/dwarf.h"

#define DEBUG_ID (1ull << 63) /* in rec_cie.id: of .debug_frame */

/* One entry of a section, the length and the CIE pointer behind it. */
struct entry {
	struct pa_cursor
		body; /* over the section up to the entry's end, so that pos is the place */
	bool is_cie;
	uint64_t cie_at; /* an FDE's CIE, as a place in the section */
};

/* What the functions below work on. */
struct section {
	const struct rec_image_section *bytes;
	const struct rec_image *image;
	bool debug;
	struct rec_unwind_stats *stats;
};

void rec_cfi_init(struct rec_cfi *cfi)
{
	*cfi = (struct rec_cfi){0};
	pa_htab_init(&cfi->cie_index);
}

void rec_cfi_fini(struct rec_cfi *cfi)
{
	pa_htab_fini(&cfi->cie_index);
	free(cfi->cies);
	free(cfi->fdes);
	*cfi = (struct rec_cfi){0};
}

/*
 * Reads the head of the entry at *pos and moves *pos to the next one. 1, 0 at an entry of length 0, or
 * PA_E_* when the section cannot be followed any further.
 */
static int read_entry(const struct section *s, size_t *pos, struct entry *e)
{
	struct pa_cursor c;
	uint64_t len, id, id_at;
	bool wide;

	pa_cursor_init(&c, s->bytes->data, s->bytes->len);
	c.pos = *pos;
	len = pa_cursor_u32(&c);
	wide = len == 0xffffffff;
	if (wide)
		len = pa_cursor_u64(&c);
	*pos = c.pos;
	if (pa_cursor_error(&c))
		return pa_cursor_error(&c);
	if (len == 0)
		return 0;
	if (len > pa_cursor_left(&c))
		return PA_E_TRUNCATED;
	*pos += len;
	c.len = *pos;
	id_at = c.pos;
	/* .eh_frame has 32 bits there in either case. */
	id = wide && s->debug ? pa_cursor_u64(&c) : pa_cursor_u32(&c);
	e->body = c;
	if (s->debug) {
		e->is_cie = id == (wide ? UINT64_MAX : UINT32_MAX);
		e->cie_at = id;
	} else {
		e->is_cie = id == 0;
		e->cie_at = id_at - id;
	}
	return 1;
}

/* The letters after 'z' say what stands in the augmentation data. */
static void read_augmentation(struct rec_cie *cie, const char *letters, struct pa_cursor *data)
{
	uint8_t encoding;

	for (; *letters; letters++) {
		switch (*letters) {
		case 'P':
			encoding = pa_cursor_u8(data);
			rec_dwarf_value(data, encoding);
			if ((encoding & REC_PE_APPLICATION) > 0x40)
				pa_cursor_fail(data, PA_E_UNSUPPORTED);
			break;
		case 'L':
			pa_cursor_u8(data);
			break;
		case 'R':
			cie->fde_encoding = pa_cursor_u8(data);
			break;
		case 'S':
			cie->signal = true;
			break;
		case 'B': /* the other key signs return addresses; stripped all the same */
		case 'G': /* memory tagging */
			break;
		default:
			pa_cursor_fail(data, PA_E_UNSUPPORTED);
			break;
		}
	}
}

static void read_cie(struct rec_cie *cie, struct pa_cursor *c)
{
	uint8_t version = pa_cursor_u8(c);
	const char *letters = (const char *)c->data + c->pos;
	size_t len = strnlen(letters, pa_cursor_left(c));
	struct pa_cursor data;

	pa_cursor_bytes(c, len + 1);
	if (version != 1 && version != 3 && version != 4)
		pa_cursor_fail(c, PA_E_UNSUPPORTED);
	if (version == 4 && (pa_cursor_u8(c) != 8 || pa_cursor_u8(c) != 0))
		pa_cursor_fail(c, PA_E_UNSUPPORTED);
	cie->code_align = pa_cursor_varint(c);
	cie->data_align = rec_dwarf_sleb(c);
	cie->ra_reg = version == 1 ? pa_cursor_u8(c) : (uint32_t)pa_cursor_varint(c);
	cie->fde_encoding = REC_PE_ABSPTR;
	if (!pa_cursor_error(c) && letters[0] == 'z') {
		cie->augmented = true;
		data = pa_cursor_sub(c, pa_cursor_varint(c));
		if (!pa_cursor_error(c))
			read_augmentation(cie, letters + 1, &data);
		pa_cursor_fail(c, pa_cursor_error(&data));
	} else if (!pa_cursor_error(c) && letters[0] != '\0') {
		pa_cursor_fail(c, PA_E_UNSUPPORTED);
	}
	cie->insns_len = pa_cursor_left(c);
	cie->insns = pa_cursor_bytes(c, cie->insns_len);
	cie->error = pa_cursor_error(c);
}

static bool same_cie(const void *ctx, uint32_t value, const void *key)
{
	const struct rec_cfi *cfi = ctx;

	return cfi->cies[value].id == *(const uint64_t *)key;
}

/* Finds the CIE at a place of the section, reading it the first time. An index, or -ENOMEM. */
static int64_t get_cie(struct rec_cfi *cfi, const struct section *s, uint64_t at)
{
	uint64_t id = at | (s->debug ? DEBUG_ID : 0);
	struct rec_cie *cie;
	struct entry e = {0};
	size_t pos = at;
	uint32_t index;
	int err;

	if (cfi->cie_count && cfi->cies[cfi->cie_count - 1].id == id)
		return (int64_t)cfi->cie_count - 1;
	if (pa_htab_get(&cfi->cie_index, pa_hash_u64(id), same_cie, cfi, &id, &index))
		return index;
	err = pa_grow(&cfi->cies, &cfi->cie_cap, cfi->cie_count + 1, sizeof(*cfi->cies));
	if (!err)
		err = pa_htab_add(&cfi->cie_index, pa_hash_u64(id), (uint32_t)cfi->cie_count);
	if (err)
		return err;
	cie = &cfi->cies[cfi->cie_count];
	*cie = (struct rec_cie){.id = id, .error = PA_E_CORRUPT};
	if (at < s->bytes->len && read_entry(s, &pos, &e) == 1 && e.is_cie)
		read_cie(cie, &e.body);
	return (int64_t)cfi->cie_count++;
}

static int add_fde(struct rec_cfi *cfi, const struct section *s, struct entry *e)
{
	int64_t index = get_cie(cfi, s, e->cie_at);
	const struct ev_unwind_segment *segment;
	struct pa_cursor *c = &e->body;
	const struct rec_cie *cie;
	struct rec_fde fde;
	uint64_t bytes;
	int err;

	if (index < 0)
		return (int)index;
	cie = &cfi->cies[index];
	pa_cursor_fail(c, cie->error);
	fde.start = rec_dwarf_pointer(c, cie->fde_encoding, s->bytes->vaddr);
	bytes = rec_dwarf_value(c, cie->fde_encoding);
	if (cie->augmented)
		pa_cursor_bytes(c, pa_cursor_varint(c));
	if (pa_cursor_error(c) || pa_cursor_left(c) > UINT32_MAX) {
		s->stats->fdes_bad++;
		return 0;
	}
	segment = rec_image_segment(s->image, fde.start);
	if (!segment || bytes == 0) {
		s->stats->fdes_outside++;
		return 0;
	}
	fde.end = fde.start + PA_MIN(bytes, segment->bytes - (fde.start - segment->vaddr));
	fde.insns_len = (uint32_t)pa_cursor_left(c);
	fde.insns = pa_cursor_bytes(c, fde.insns_len);
	fde.cie = (uint32_t)index;
	fde.debug = s->debug;
	err = pa_grow(&cfi->fdes, &cfi->fde_cap, cfi->fde_count + 1, sizeof(*cfi->fdes));
	if (!err)
		cfi->fdes[cfi->fde_count++] = fde;
	return err;
}

int rec_cfi_read(struct rec_cfi *cfi, const struct rec_image *im, bool debug,
		 struct rec_unwind_stats *stats)
{
	struct section s = {debug ? &im->debug_frame : &im->eh_frame, im, debug, stats};
	struct entry e = {0};
	size_t pos = 0;
	int err = 0, got;

	while (s.bytes->data && pos < s.bytes->len && !err) {
		got = read_entry(&s, &pos, &e);
		if (got < 0) {
			stats->sections_cut++;
			return 0;
		}
		if (got == 0 && s.bytes->zero_ends)
			return 0;
		if (got && !e.is_cie)
			err = add_fde(cfi, &s, &e);
	}
	return err;
}

static bool goes_before(const struct rec_fde *a, const struct rec_fde *b)
{
	return a->start != b->start ? a->start < b->start : a->debug < b->debug;
}

/* Merges two sorted neighbours, from[0..left) and from[left..len), into to. */
static void merge(const struct rec_fde *from, size_t left, size_t len, struct rec_fde *to)
{
	size_t a = 0, b = left, i;

	for (i = 0; i < len; i++) {
		if (b >= len || (a < left && !goes_before(&from[b], &from[a])))
			to[i] = from[a++];
		else
			to[i] = from[b++];
	}
}

int rec_cfi_sort(struct rec_cfi *cfi)
{
	size_t n = cfi->fde_count, cap = 0, width, i, len;
	struct rec_fde *from = cfi->fdes, *to = NULL, *swap;
	int err = pa_grow(&to, &cap, cfi->fde_cap, sizeof(*to));

	if (err)
		return err;
	for (width = 1; width < n; width *= 2) {
		for (i = 0; i < n; i += 2 * width) {
			len = PA_MIN(2 * width, n - i);
			merge(from + i, PA_MIN(width, len), len, to + i);
		}
		swap = from;
		from = to;
		to = swap;
	}
	cfi->fdes = from;
	free(to);
	return 0;
}
