/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An assembler of call frame information: CIEs, FDEs, and the instructions that tests use. */
#ifndef TEST_UNWIND_MINI_CFI_H
#define TEST_UNWIND_MINI_CFI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "format/util/buf.h"
#include "tests/unwind/mini_elf.h"

/* A string literal of instructions and its length. */
#define CFI(bytes) (bytes), sizeof(bytes) - 1

/* What compilers begin with: CFA = rsp + 8, return address at CFA - 8; CFA = sp. */
#define CIE_X86 "\x0c\x07\x08\x90\x01"
#define CIE_ARM "\x0c\x1f\x00"

struct mini_cfi {
	struct pa_buf bytes;
	bool debug; /* .debug_frame; else .eh_frame */
	bool wide; /* 64-bit lengths */
	size_t cie; /* place of the last CIE */
};

static inline void mini_cfi_init(struct mini_cfi *c, bool debug)
{
	*c = (struct mini_cfi){.debug = debug};
	pa_buf_init(&c->bytes);
}

static inline void mini_entry(struct mini_cfi *c, uint64_t id, const struct pa_buf *body)
{
	size_t id_bytes = c->wide && c->debug ? 8 : 4;

	if (c->wide)
		pa_buf_add_u32(&c->bytes, 0xffffffff);
	if (c->wide)
		pa_buf_add_u64(&c->bytes, id_bytes + body->len);
	else
		pa_buf_add_u32(&c->bytes, (uint32_t)(id_bytes + body->len));
	if (id_bytes == 8)
		pa_buf_add_u64(&c->bytes, id);
	else
		pa_buf_add_u32(&c->bytes, (uint32_t)id);
	pa_buf_add(&c->bytes, body->data, body->len);
}

/* A CIE of version 1 with the augmentation and its data, and initial instructions. */
static inline void mini_cie(struct mini_cfi *c, const char *augmentation, const char *data,
			    size_t len, uint8_t ra, const char *insns, size_t insns_len)
{
	struct pa_buf body;

	pa_buf_init(&body);
	pa_buf_add_u8(&body, 1);
	pa_buf_add(&body, augmentation, strlen(augmentation) + 1);
	pa_buf_add_u8(&body, 1); /* code alignment */
	pa_buf_add_u8(&body, 0x78); /* data alignment: -8 */
	pa_buf_add_u8(&body, ra);
	if (augmentation[0] == 'z') {
		pa_buf_add_u8(&body, (uint8_t)len);
		pa_buf_add(&body, data, len);
	}
	pa_buf_add(&body, insns, insns_len);
	c->cie = c->bytes.len;
	mini_entry(c, c->debug ? (c->wide ? UINT64_MAX : UINT32_MAX) : 0, &body);
	pa_buf_fini(&body);
}

/* The usual CIE: absolute pointers, and what the machine's compilers begin with. */
static inline void mini_cie_x86(struct mini_cfi *c)
{
	mini_cie(c, c->debug ? "" : "zR", CFI("\0"), 16, CFI(CIE_X86));
}

static inline void mini_cie_arm(struct mini_cfi *c)
{
	mini_cie(c, c->debug ? "" : "zR", CFI("\0"), 30, CFI(CIE_ARM));
}

/* An FDE of the last CIE, for the code at MINI_TEXT + at; z: the CIE has an augmentation. */
static inline void mini_fde(struct mini_cfi *c, uint64_t at, uint64_t len, const char *insns,
			    size_t insns_len)
{
	size_t id_at = c->bytes.len + (c->wide ? 12 : 4);
	struct pa_buf body;

	pa_buf_init(&body);
	pa_buf_add_u64(&body, MINI_TEXT + at);
	pa_buf_add_u64(&body, len);
	if (!c->debug)
		pa_buf_add_u8(&body, 0);
	pa_buf_add(&body, insns, insns_len);
	mini_entry(c, c->debug ? c->cie : id_at - c->cie, &body);
	pa_buf_fini(&body);
}

#endif
