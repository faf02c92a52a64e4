/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whole files that are compressed: MiniDebugInfo, and modules of the kernel as they are installed. */
#ifndef RPT_DECOMPRESS_H
#define RPT_DECOMPRESS_H

#include "report/symbols/elf.h"

/*
 * What is in bytes that are compressed as the name's end says (".xz", ".zst", ".gz"), which the caller
 * frees; NULL when it is broken or unreasonably large.
 */
uint8_t *rpt_unpack(const char *name, struct rpt_bytes in, size_t *out_bytes);

/* The length of name without ".xz", ".zst" or ".gz"; that of all of it when it has none of these. */
size_t rpt_packed_stem(const char *name);
bool rpt_is_packed(const char *name);
/* Opens an ELF file that is compressed as its name says. NULL when it is none. */
struct rpt_elf *rpt_elf_open_packed(const char *path);

#endif
