/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Call frame information as it is written: CIEs and FDEs of .eh_frame and .debug_frame, collected,
 * checked against the file's code and sorted by address. See cfi_run.h for what they mean.
 */
#ifndef REC_UNWIND_CFI_H
#define REC_UNWIND_CFI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/util/htab.h"
#include "record/unwind/image.h"
#include "record/unwind/unwind.h"

/* A common information entry: what FDEs share. */
struct rec_cie {
	const uint8_t *insns; /* the initial instructions */
	size_t insns_len;
	uint64_t id; /* place and section */
	uint64_t code_align;
	int64_t data_align;
	uint32_t ra_reg;
	uint8_t fde_encoding;
	bool augmented; /* FDEs have augmentation data */
	bool signal;
	int error; /* 0, or why nothing can be had from it */
};

/* A frame description entry: a range of code. */
struct rec_fde {
	uint64_t start;
	uint64_t end; /* above start; within start's segment */
	const uint8_t *insns;
	uint32_t insns_len;
	uint32_t cie; /* index */
	bool debug; /* from .debug_frame, which gives way to .eh_frame */
};

struct rec_cfi {
	struct rec_cie *cies; /* owned */
	size_t cie_count, cie_cap;
	struct rec_fde *fdes; /* owned */
	size_t fde_count, fde_cap;
	struct pa_htab cie_index;
};

void rec_cfi_init(struct rec_cfi *cfi);
void rec_cfi_fini(struct rec_cfi *cfi);

/*
 * Adds all that a section says. An entry that is malformed is left out and counted; so is what follows
 * after a length that makes no sense. 0 or -ENOMEM.
 */
int rec_cfi_read(struct rec_cfi *cfi, const struct rec_image *im, bool debug,
		 struct rec_unwind_stats *stats);

/* Sorts the FDEs by start, .eh_frame's before .debug_frame's. 0 or -ENOMEM. */
int rec_cfi_sort(struct rec_cfi *cfi);

#endif
