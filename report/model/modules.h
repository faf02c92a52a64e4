/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files and special memory that code was in, once each for a session: a file that many processes map,
 * or that two traces have in common, is one module. Its code's addresses are made comparable by the
 * offset in the file.
 */
#ifndef RPT_MODULES_H
#define RPT_MODULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/pa-format.h"
#include "format/util/htab.h"
#include "report/model/strings.h"

/* What only this program makes up, beside enum pa_module_kind. */
enum rpt_module_kind {
	RPT_MODULE_KERNEL = 100, /* the kernel, or a kernel module */
	RPT_MODULE_JIT, /* code that a JIT map names */
	RPT_MODULE_UNMAPPED, /* addresses in no mapping */
	RPT_MODULE_MARKER, /* no code: stands for frames that are missing */
};

/* A part of a file that is mapped in one piece, as far as samples touch it. */
struct rpt_module_range {
	uint64_t first; /* offset in the file */
	uint64_t end;
	uint64_t base; /* address of offset 0 where it was seen first */
	uint32_t image; /* and the image in which that was */
};

struct rpt_module {
	uint32_t kind; /* enum pa_module_kind or rpt_module_kind */
	uint32_t flags; /* PA_MODULE_* */
	uint32_t path; /* string */
	uint32_t name; /* string: short, as shown before "+0x123" */
	uint8_t build_id[PA_MAX_BUILD_ID_BYTES];
	uint32_t build_id_bytes;
	uint32_t build_id_kind;
	uint64_t device;
	uint64_t inode;
	uint8_t *image; /* owned: the file itself where the trace holds it; else NULL */
	size_t image_bytes;
	uint64_t start, end; /* kernel: its address range; 0 when unknown */
	struct rpt_module_range *ranges; /* owned, sorted */
	size_t range_count;
	size_t range_cap;
};

struct rpt_modules {
	struct rpt_module *items; /* owned; [0] is none */
	size_t count;
	size_t cap;
	struct pa_htab index;
};

void rpt_modules_init(struct rpt_modules *m);
void rpt_modules_fini(struct rpt_modules *m);
/*
 * Index of the module that wanted describes (kind, flags, path, build ID, device, inode); it is added
 * when it is new. Kind, path and name are put right on the way: "//anon" is anonymous memory whatever
 * the trace calls it, " (deleted)" is a flag.
 */
uint32_t rpt_modules_add(struct rpt_modules *m, struct rpt_strings *strings,
			 const struct rpt_module *wanted);
/* Whether a file stands behind it, so that offsets in it mean something. */
bool rpt_module_is_file(const struct rpt_module *module);
/* Notes that [first, end) of the file was mapped in one piece at base + first. */
void rpt_module_note_range(struct rpt_module *module, const struct rpt_module_range *range);

#endif
