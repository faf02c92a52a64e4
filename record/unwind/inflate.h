/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Decompression of untrusted ELF sections. */
#ifndef REC_UNWIND_INFLATE_H
#define REC_UNWIND_INFLATE_H

#include <stddef.h>
#include <stdint.h>

/*
 * A section with SHF_COMPRESSED, and one of the older .zdebug kind. *out is the caller's to free. 0,
 * PA_E_UNSUPPORTED (not zlib), PA_E_LIMIT, PA_E_CORRUPT, PA_E_TRUNCATED or -ENOMEM, with *out untouched.
 */
int rec_inflate_section(const uint8_t *data, size_t len, uint8_t **out, size_t *out_len);
int rec_inflate_zdebug(const uint8_t *data, size_t len, uint8_t **out, size_t *out_len);

#endif
