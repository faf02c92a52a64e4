// SPDX-License-Identifier: GPL-2.0-or-later
/* Gaps in the unwind information. */
#include "record/unwind/gap.h"

#include <string.h>

#include "format/util/mem.h"

#define MAX_PADDING 4096 /* bytes: alignment to pages is the most that compilers ask for */
#define NO_RULE EV_UNWIND_NUMBERED(EV_UNWIND_NONE, EV_UNWIND_GAP)

struct trampoline {
	const uint8_t *code;
	size_t len;
	struct ev_unwind_side side;
};

#define WORD_AT_SP(at)                                                \
	{                                                             \
		.base = EV_UNWIND_BASE_SP, .offset = (at), .deref = 1 \
	}

/* mov $15, %rax; syscall: sp is at the ucontext, whose layout is the kernel's promise. */
static const struct trampoline x86_64_sigreturn = {
	.code = (const uint8_t *)"\x48\xc7\xc0\x0f\x00\x00\x00\x0f\x05",
	.len = 9,
	.side =
		{
			.cfa = WORD_AT_SP(160),
			.ra = WORD_AT_SP(168),
			.fp = WORD_AT_SP(120),
			.lr = {.base = EV_UNWIND_BASE_LOST},
			.flags = EV_UNWIND_SIGNAL,
		},
};

/* mov x8, #139; svc #0: sp is at the siginfo, 128 bytes below the ucontext. */
static const struct trampoline aarch64_sigreturn = {
	.code = (const uint8_t *)"\x68\x11\x80\xd2\x01\x00\x00\xd4",
	.len = 8,
	.side =
		{
			.cfa = WORD_AT_SP(560),
			.ra = WORD_AT_SP(568),
			.fp = WORD_AT_SP(544),
			.lr = WORD_AT_SP(552),
			.flags = EV_UNWIND_SIGNAL,
		},
};

static const struct trampoline *trampoline_of(const struct rec_image *im)
{
	return im->arch == EV_UNWIND_AARCH64 ? &aarch64_sigreturn : &x86_64_sigreturn;
}

/* Length of the x86 filling instruction at p, 0 when it is none. */
static size_t x86_filling(const uint8_t *p, size_t left)
{
	/* Bytes behind 0f 1f by the addressing byte: nopw, nopl with ever longer operands. */
	static const struct {
		uint8_t modrm, len;
	} nops[] = {{0x00, 3}, {0x40, 4}, {0x44, 5}, {0x80, 7}, {0x84, 8}};
	size_t prefixes = 0, i;

	while (prefixes < left && (p[prefixes] == 0x66 || p[prefixes] == 0x2e))
		prefixes++;
	p += prefixes;
	left -= prefixes;
	if (left >= 1 && p[0] == 0x90)
		return prefixes + 1;
	if (left >= 1 && prefixes == 0 && (p[0] == 0xcc || p[0] == 0x00))
		return 1;
	if (left < 3 || p[0] != 0x0f || p[1] != 0x1f)
		return 0;
	for (i = 0; i < PA_ARRAY_LEN(nops); i++)
		if (p[2] == nops[i].modrm && left >= nops[i].len)
			return prefixes + nops[i].len;
	return 0;
}

/* nop, or zeros, which are no instruction. */
static size_t aarch64_filling(const uint8_t *p, size_t left)
{
	if (left < 4)
		return 0;
	return memcmp(p, "\x1f\x20\x03\xd5", 4) == 0 || memcmp(p, "\0\0\0", 4) == 0 ? 4 : 0;
}

static bool is_filling(const struct rec_image *im, uint64_t from, uint64_t to)
{
	size_t left, len;
	const uint8_t *p = rec_image_code(im, from, &left);

	if (!p || to - from > left || to - from > MAX_PADDING)
		return false;
	for (left = to - from; left > 0; p += len, left -= len) {
		len = im->arch == EV_UNWIND_AARCH64 ? aarch64_filling(p, left) :
						      x86_filling(p, left);
		if (len == 0)
			return false;
	}
	return true;
}

bool rec_gap_is_trampoline(const struct rec_image *im, uint64_t addr)
{
	const struct trampoline *t = trampoline_of(im);
	size_t left;
	const uint8_t *p = rec_image_code(im, addr, &left);

	return p && left >= t->len && memcmp(p, t->code, t->len) == 0;
}

int rec_gap_add_trampoline(struct rec_builder *b, const struct rec_image *im, uint64_t addr,
			   uint64_t min, uint64_t *end)
{
	const struct trampoline *t = trampoline_of(im);
	uint32_t rule;
	int err;

	*end = addr + t->len;
	err = rec_builder_side(b, &t->side, &rule);
	if (err)
		return err;
	b->stats->trampolines++;
	return rec_builder_add(b, addr > min ? addr - 1 : addr, rule, EV_UNWIND_RBX_LOST);
}

/* Rows for a gap within one segment. */
static int fill_segment(struct rec_builder *b, const struct rec_image *im, uint64_t from,
			uint64_t to)
{
	const struct trampoline *t = trampoline_of(im);
	uint64_t min = from, at;
	const uint8_t *p, *found;
	size_t left;
	int err = 0;

	for (;;) {
		p = rec_image_code(im, from, &left);
		left = PA_MIN(left, to - from);
		found = p && left ? memmem(p, left, t->code, t->len) : NULL;
		if (!found || err)
			return err;
		at = from + (uint64_t)(found - p);
		err = rec_gap_add_trampoline(b, im, at, min, &from);
		if (!err)
			err = rec_builder_add(b, from, NO_RULE, EV_UNWIND_RBX_LOST);
		min = from;
	}
}

int rec_gap_fill(struct rec_builder *b, const struct rec_image *im, uint64_t from, uint64_t to)
{
	uint32_t i;
	int err = 0;

	if (from >= to)
		return 0;
	if (b->rows && is_filling(im, from, to)) {
		b->stats->paddings++;
		return 0;
	}
	if (b->rows)
		err = rec_builder_add(b, from, NO_RULE, EV_UNWIND_RBX_LOST);
	for (i = 0; i < im->exec_count && !err; i++) {
		const struct ev_unwind_segment *s = &im->exec[i];
		uint64_t low = PA_MAX(from, s->vaddr), high = PA_MIN(to, s->vaddr + s->bytes);

		if (low < high)
			err = fill_segment(b, im, low, high);
	}
	return err;
}
