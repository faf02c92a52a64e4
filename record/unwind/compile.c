// SPDX-License-Identifier: GPL-2.0-or-later
/* From an ELF file to an unwind table. */
#include <errno.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "format/util/err.h"
#include "format/util/mem.h"
#include "record/unwind/builder.h"
#include "record/unwind/cfi.h"
#include "record/unwind/cfi_run.h"
#include "record/unwind/gap.h"
#include "record/unwind/go.h"
#include "record/unwind/rule.h"
#include "record/unwind/unwind.h"

/* Instructions that a table may take for each byte of unwind information: real ones take under 1. */
#define WORK_PER_BYTE 16

struct compiler {
	const struct rec_image *image;
	const struct rec_cfi *cfi;
	struct rec_builder *builder;
	struct rec_cfi_machine machine;
	/* The FDE at work, and the part of it that is its own. */
	struct rec_rule_source source;
	uint64_t low, high;
	uint64_t outermost; /* from here on it is the outermost frame; UINT64_MAX = nowhere */
	/* The last row that was made a rule of: most rows change registers that are not kept. */
	struct rec_row row;
	uint32_t rule;
	uint16_t rbx;
	bool row_valid;
};

static bool same_rule(const struct rec_rule *a, const struct rec_rule *b)
{
	return a->kind == b->kind && a->reg == b->reg && a->value == b->value &&
	       a->expr == b->expr && a->expr_len == b->expr_len;
}

static bool same_row(const struct rec_row *a, const struct rec_row *b, bool rbx)
{
	return (!rbx || same_rule(&a->columns[REC_COLUMN_RBX], &b->columns[REC_COLUMN_RBX])) &&
	       same_rule(&a->cfa, &b->cfa) &&
	       same_rule(&a->columns[REC_COLUMN_RA], &b->columns[REC_COLUMN_RA]) &&
	       same_rule(&a->columns[REC_COLUMN_FP], &b->columns[REC_COLUMN_FP]) &&
	       same_rule(&a->columns[REC_COLUMN_SP], &b->columns[REC_COLUMN_SP]);
}

static int add_row(void *ctx, uint64_t addr, const struct rec_row *row, int error)
{
	struct compiler *c = ctx;
	int err;

	if (addr >= c->high)
		return 0;
	if (error) {
		c->builder->stats->unsupported[EV_UNWIND_BAD_CODE]++;
		c->rule = EV_UNWIND_NUMBERED(EV_UNWIND_NONE, EV_UNWIND_BAD_CODE);
		c->row_valid = false;
	} else if (addr >= c->outermost) {
		c->rule = EV_UNWIND_RULE(EV_UNWIND_ROOT, 0, 0, 0);
		c->rbx = EV_UNWIND_RBX_LOST;
		c->row_valid = false;
	} else if (!c->row_valid || !same_row(row, &c->row, c->builder->tracks_rbx)) {
		err = rec_rule_make(c->builder, &c->source, row, &c->rule);
		if (err)
			return err;
		c->rbx = c->source.cie->signal ? EV_UNWIND_RBX_LOST : rec_rule_rbx(row);
		c->row = *row;
		c->row_valid = true;
	}
	return rec_builder_add(c->builder, addr > c->low ? addr : c->low, c->rule, c->rbx);
}

/* Rows for the part of an FDE that is above low; *low moves to its end. */
static int add_fde(struct compiler *c, const struct rec_fde *fde, uint64_t *low)
{
	uint64_t end, min = *low;
	int err;

	if (fde->start > min) {
		err = rec_gap_fill(c->builder, c->image, min, fde->start);
		if (err)
			return err;
		*low = fde->start;
	}
	c->source.cie = &c->cfi->cies[fde->cie];
	c->source.fp_unsaid = fde->debug && c->image->go;
	c->low = *low;
	c->high = fde->end;
	c->outermost = rec_go_outermost(c->image, fde->start, fde->end);
	c->row_valid = false;
	c->builder->stats->fdes++;
	*low = fde->end;
	/* The code knows better than what some assemblers say about it. */
	if (c->low == fde->start && rec_gap_is_trampoline(c->image, fde->start)) {
		err = rec_gap_add_trampoline(c->builder, c->image, fde->start, min, &end);
		*low = end;
		return err;
	}
	return rec_cfi_run(&c->machine, fde);
}

/* The end of the i-th FDE, or where .debug_frame has to give way to .eh_frame before. */
static uint64_t end_of(const struct rec_cfi *cfi, size_t i, size_t *next_eh)
{
	const struct rec_fde *fdes = cfi->fdes;

	if (!fdes[i].debug)
		return fdes[i].end;
	while (*next_eh < cfi->fde_count && (*next_eh <= i || fdes[*next_eh].debug))
		++*next_eh;
	return *next_eh < cfi->fde_count ? PA_MIN(fdes[i].end, fdes[*next_eh].start) : fdes[i].end;
}

static int add_all(struct compiler *c)
{
	const struct ev_unwind_segment *last = &c->image->exec[c->image->exec_count - 1];
	const struct rec_cfi *cfi = c->cfi;
	uint64_t low = c->image->exec[0].vaddr;
	struct rec_fde fde;
	size_t i, next_eh = 0;
	int err = 0;

	for (i = 0; i < cfi->fde_count && !err; i++) {
		fde = cfi->fdes[i];
		fde.end = end_of(cfi, i, &next_eh);
		if (fde.end <= low)
			c->builder->stats->fdes_covered++;
		else
			err = add_fde(c, &fde, &low);
	}
	if (!err)
		err = rec_gap_fill(c->builder, c->image, low, last->vaddr + last->bytes);
	/* Nothing lies behind the last segment; the end is a row too. */
	if (!err && c->builder->rows)
		err = rec_builder_add(c->builder, last->vaddr + last->bytes,
				      EV_UNWIND_NUMBERED(EV_UNWIND_NONE, EV_UNWIND_GAP),
				      EV_UNWIND_RBX_LOST);
	return err;
}

static int compile(const struct rec_image *im, struct rec_cfi *cfi, struct rec_builder *b)
{
	struct compiler c = {
		.image = im,
		.cfi = cfi,
		.builder = b,
		.source = {.arch = im->arch},
		.machine =
			{
				.cfi = cfi,
				.arch = im->arch,
				.budget = WORK_PER_BYTE *
					  ((uint64_t)im->eh_frame.len + im->debug_frame.len),
				.initial_cie = REC_NO_CIE,
				.emit = add_row,
			},
	};
	struct rec_unwind_stats before;
	int err;

	c.machine.ctx = &c;
	err = rec_cfi_read(cfi, im, false, b->stats);
	if (!err)
		err = rec_cfi_read(cfi, im, true, b->stats);
	if (!err)
		err = rec_cfi_sort(cfi);
	before = *b->stats;
	if (!err)
		err = add_all(&c);
	/* That one of the rows needs rbx is known when they are all there: once more, with rbx. */
	if (!err && b->needs_rbx) {
		*b->stats = before;
		b->tracks_rbx = true;
		rec_builder_restart(b);
		err = add_all(&c);
	}
	b->stats->rows = b->rows;
	b->stats->sides = b->side_count;
	if (!err && b->rows == 0)
		err = PA_E_NOT_FOUND;
	return err;
}

int rec_unwind_compile(const void *elf, size_t len, struct pa_buf *out,
		       struct rec_unwind_stats *stats)
{
	struct rec_image im;
	struct rec_builder b;
	struct rec_cfi cfi;
	int err;

	*stats = (struct rec_unwind_stats){0};
	err = rec_image_open(&im, elf, len);
	if (err)
		return err;
	rec_builder_init(&b, stats);
	rec_cfi_init(&cfi);
	err = im.exec_count ? compile(&im, &cfi, &b) : PA_E_NOT_FOUND;
	if (!err)
		err = rec_builder_pack(&b, &im, out);
	rec_cfi_fini(&cfi);
	rec_builder_fini(&b);
	rec_image_close(&im);
	return err;
}

int rec_unwind_compile_fd(int fd, struct pa_buf *out, struct rec_unwind_stats *stats)
{
	struct stat st;
	void *map;
	int err;

	*stats = (struct rec_unwind_stats){0};
	if (fstat(fd, &st) < 0)
		return -errno;
	if (st.st_size <= 0)
		return PA_E_TRUNCATED;
	map = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (map == MAP_FAILED)
		return -errno;
	err = rec_unwind_compile(map, (size_t)st.st_size, out, stats);
	munmap(map, (size_t)st.st_size);
	return err;
}
