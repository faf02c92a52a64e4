/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The parts of an untrusted ELF file that unwind tables are made of: executable segments, .eh_frame and
 * .debug_frame. 64-bit little-endian x86-64 and AArch64, linked files only.
 */
#ifndef REC_UNWIND_IMAGE_H
#define REC_UNWIND_IMAGE_H

#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bpf/unwind_table.h"

#define REC_MAX_DEBUG_FRAME_BYTES (256u << 20) /* after decompression */

struct rec_image_section {
	const uint8_t *data; /* NULL = there is no such section */
	size_t len;
	uint64_t vaddr;
	bool zero_ends; /* its length is not known: an entry of length 0 is the last */
};

struct rec_image {
	const uint8_t *data; /* borrowed */
	size_t len;
	uint32_t arch; /* enum ev_unwind_arch */
	uint32_t exec_count;
	struct ev_unwind_segment exec[EV_UNWIND_MAX_SEGMENTS]; /* by ascending address, disjoint */
	bool go; /* made by the Go linker, whose .debug_frame does not say where rbp is saved */
	struct rec_image_section eh_frame;
	struct rec_image_section debug_frame;
	uint8_t *inflated; /* owned: debug_frame, when it was compressed */
};

/*
 * Finds the parts. The file's bytes stay the caller's and must outlive the image. PA_E_BAD_MAGIC,
 * PA_E_UNSUPPORTED (class, machine, type), PA_E_CORRUPT, PA_E_TRUNCATED, PA_E_LIMIT or -ENOMEM; nothing
 * is left to close then. Missing sections are no error.
 */
int rec_image_open(struct rec_image *im, const void *data, size_t len);
void rec_image_close(struct rec_image *im);

/* The segment that an address lies in, or NULL. */
const struct ev_unwind_segment *rec_image_segment(const struct rec_image *im, uint64_t vaddr);
/* Code at an address, *left bytes up to its segment's end; NULL (and *left = 0) outside of all code. */
const uint8_t *rec_image_code(const struct rec_image *im, uint64_t vaddr, size_t *left);

#endif
