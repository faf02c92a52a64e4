/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The frame of a trace: its prologue and the headers of its blocks, as bytes. */
#ifndef PA_BLOCK_H
#define PA_BLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pa_buf;

#define PA_PROLOGUE_BYTES 16u
#define PA_BLOCK_HEADER_BYTES 28u

#define PA_BLOCK_RECORDS 1u /* type: records */
#define PA_BLOCK_ZLIB 1u /* flag: the payload is a zlib stream */

/* First bytes of every block, by which a reader finds the next one after damage. */
extern const uint8_t pa_block_sync[4];

struct pa_block_header {
	uint8_t type;
	uint8_t flags;
	uint32_t sequence; /* from 0 */
	uint32_t payload_bytes;
	uint32_t raw_bytes; /* of the payload once decompressed */
	uint32_t payload_crc; /* CRC-32 of the payload as it stands in the file */
};

void pa_prologue_encode(struct pa_buf *out, uint16_t major, uint16_t minor);
/* 0, PA_E_BAD_MAGIC, PA_E_TRUNCATED (right as far as it goes) or PA_E_VERSION. */
int pa_prologue_decode(const uint8_t *data, size_t len, uint16_t *major, uint16_t *minor);

void pa_block_header_encode(struct pa_buf *out, const struct pa_block_header *h);
/*
 * data has PA_BLOCK_HEADER_BYTES. 0, or PA_E_CORRUPT when sync word, checksum or a length is wrong.
 */
int pa_block_header_decode(const uint8_t *data, struct pa_block_header *h);

uint32_t pa_crc32(const void *data, size_t len);

#endif
