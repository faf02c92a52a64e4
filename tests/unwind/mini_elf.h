/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Small ELF files in memory around hand-written unwind information. Addresses equal file offsets. */
#ifndef TEST_UNWIND_MINI_ELF_H
#define TEST_UNWIND_MINI_ELF_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "format/util/buf.h"

#define MINI_TEXT 0x1000 /* address of the code */
#define MINI_TEXT_BYTES 0x200
#define MINI_HDR 0x1800 /* .eh_frame_hdr */
#define MINI_EH_FRAME 0x2000

struct mini_elf {
	bool aarch64;
	bool go; /* has a section that Go's linker makes */
	bool no_sections; /* .eh_frame is to be found by PT_GNU_EH_FRAME */
	const uint8_t *code; /* at MINI_TEXT; the rest is instructions that mean nothing */
	size_t code_len;
	const struct pa_buf *eh_frame, *debug_frame; /* NULL = none */
	const char *debug_name; /* instead of .debug_frame */
	uint64_t debug_flags;
};

static inline void mini_pad(struct pa_buf *out, size_t to)
{
	while (out->len < to && !pa_buf_error(out))
		pa_buf_add_u8(out, 0);
}

static inline void mini_section(struct pa_buf *out, uint32_t name, uint64_t flags, uint64_t at,
				uint64_t bytes)
{
	Elf64_Shdr sh = {
		.sh_name = name,
		.sh_type = SHT_PROGBITS,
		.sh_flags = flags,
		.sh_addr = flags & SHF_ALLOC ? at : 0,
		.sh_offset = at,
		.sh_size = bytes,
	};

	pa_buf_add(out, &sh, sizeof(sh));
}

static inline void mini_segments(struct pa_buf *out, const struct mini_elf *m)
{
	uint64_t frame_bytes = m->eh_frame ? m->eh_frame->len : 0;
	Elf64_Phdr ph[3] = {
		{.p_type = PT_LOAD,
		 .p_flags = PF_R | PF_X,
		 .p_offset = MINI_TEXT,
		 .p_vaddr = MINI_TEXT,
		 .p_filesz = MINI_TEXT_BYTES,
		 .p_memsz = MINI_TEXT_BYTES},
		{.p_type = PT_LOAD,
		 .p_flags = PF_R,
		 .p_offset = MINI_HDR,
		 .p_vaddr = MINI_HDR,
		 .p_filesz = MINI_EH_FRAME - MINI_HDR + frame_bytes,
		 .p_memsz = MINI_EH_FRAME - MINI_HDR + frame_bytes},
		{.p_type = PT_GNU_EH_FRAME,
		 .p_flags = PF_R,
		 .p_offset = MINI_HDR,
		 .p_vaddr = MINI_HDR,
		 .p_filesz = 8,
		 .p_memsz = 8},
	};

	pa_buf_add(out, ph, sizeof(ph));
}

/* Sections: their content, their names, then the headers, whose place is returned. */
static inline uint64_t mini_sections(struct pa_buf *out, const struct mini_elf *m)
{
	static const char names[] = "\0.eh_frame\0.shstrtab\0.gopclntab";
	const char *debug_name = m->debug_name ? m->debug_name : ".debug_frame";
	uint64_t debug_at = out->len, names_at, headers_at;

	if (m->debug_frame)
		pa_buf_add(out, m->debug_frame->data, m->debug_frame->len);
	names_at = out->len;
	pa_buf_add(out, names, sizeof(names));
	pa_buf_add(out, debug_name, strlen(debug_name) + 1);
	headers_at = out->len;
	mini_section(out, 0, 0, 0, 0);
	mini_section(out, 11, 0, names_at, headers_at - names_at);
	mini_section(out, m->eh_frame ? 1 : 0, SHF_ALLOC, MINI_EH_FRAME,
		     m->eh_frame ? m->eh_frame->len : 0);
	mini_section(out, m->debug_frame ? sizeof(names) : 0, m->debug_flags, debug_at,
		     m->debug_frame ? m->debug_frame->len : 0);
	mini_section(out, m->go ? 21 : 0, 0, 0, 0);
	return headers_at;
}

/* Appends the file to out, which must be empty. */
static inline void mini_elf_build(struct pa_buf *out, const struct mini_elf *m)
{
	Elf64_Ehdr eh = {
		.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB,
			    EV_CURRENT},
		.e_type = ET_DYN,
		.e_machine = m->aarch64 ? EM_AARCH64 : EM_X86_64,
		.e_phoff = sizeof(eh),
		.e_phentsize = sizeof(Elf64_Phdr),
		.e_phnum = m->eh_frame ? 3 : 1,
		.e_shentsize = sizeof(Elf64_Shdr),
	};

	pa_buf_add(out, &eh, sizeof(eh));
	mini_segments(out, m);
	mini_pad(out, MINI_TEXT);
	if (m->code)
		pa_buf_add(out, m->code, m->code_len);
	while (out->len < MINI_TEXT + MINI_TEXT_BYTES && !pa_buf_error(out))
		pa_buf_add_u8(out, 0xc3);
	mini_pad(out, MINI_HDR);
	pa_buf_add(out, "\x01\x1b\xff\xff", 4);
	pa_buf_add_u32(out, MINI_EH_FRAME - (MINI_HDR + 4));
	mini_pad(out, MINI_EH_FRAME);
	if (m->eh_frame)
		pa_buf_add(out, m->eh_frame->data, m->eh_frame->len);
	if (m->no_sections || pa_buf_error(out))
		return;
	eh.e_shoff = mini_sections(out, m);
	eh.e_shnum = 5;
	eh.e_shstrndx = 1;
	if (!pa_buf_error(out))
		memcpy(out->data, &eh, sizeof(eh));
}

#endif
