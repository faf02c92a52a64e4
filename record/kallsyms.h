/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel's ranges, read once while there is privilege, and its code symbols: asked for as addresses come
 * up, or where the kernel cannot be asked, read likewise. Not on untrusted input: these are the kernel's own
 * files.
 */
#ifndef REC_KALLSYMS_H
#define REC_KALLSYMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "record/elfid.h"

struct rec_kallsyms;
struct rec_ksyms;

/* Name of the kernel's own range, as other tools have it. */
#define REC_KERNEL_NAME "[kernel.kallsyms]"

struct rec_kernel_symbol {
	uint64_t start;
	uint64_t length_bytes; /* up to the next symbol or the end of the range; 0 = not known */
	const char *name; /* borrowed */
	const char *module; /* "" = the kernel itself */
};

struct rec_kernel_range {
	uint64_t start;
	uint64_t length_bytes;
	const char *name; /* REC_KERNEL_NAME, or the module's name; borrowed */
	struct rec_build_id build_id;
};

/* An empty table, or NULL when out of memory. */
struct rec_kallsyms *rec_kallsyms_new(void);
void rec_kallsyms_free(struct rec_kallsyms *k);

/* Fills an empty table from /proc and /sys. 0 (also when the addresses are hidden) or -errno. */
int rec_kallsyms_load(struct rec_kallsyms *k);
/* The same, with symbols that will be asked for; takes ksyms. text are the addresses of the kernel's _text,
 * _stext and _etext, 0 where there is none. */
int rec_kallsyms_load_asking(struct rec_kallsyms *k, struct rec_ksyms *ksyms,
			     const uint64_t text[3]);
/* What that does with them. */
void rec_kallsyms_ask(struct rec_kallsyms *k, struct rec_ksyms *ksyms, const uint64_t text[3]);
/* The parts of it: text of /proc/kallsyms and of /proc/modules in any pieces, then the end. */
int rec_kallsyms_add_symbols(struct rec_kallsyms *k, const char *text, size_t len);
int rec_kallsyms_add_modules(struct rec_kallsyms *k, const char *text, size_t len);
int rec_kallsyms_finish(struct rec_kallsyms *k);
/* Notes the build ID of a range, by its index; after rec_kallsyms_finish(). */
void rec_kallsyms_set_build_id(struct rec_kallsyms *k, size_t range, const struct rec_build_id *id);

/* The kernel shows zeros instead of addresses: CAP_SYSLOG is missing, or kptr_restrict is 2. */
bool rec_kallsyms_is_hidden(const struct rec_kallsyms *k);
/* The symbol that covers an address; its strings are borrowed until the next call. False when there is none. */
bool rec_kallsyms_find(const struct rec_kallsyms *k, uint64_t address,
		       struct rec_kernel_symbol *symbol);
size_t rec_kallsyms_count(const struct rec_kallsyms *k);
/* Ranges of the kernel and its modules, by start. Borrowed. */
const struct rec_kernel_range *rec_kallsyms_ranges(const struct rec_kallsyms *k, size_t *count);
/* Memory held, for --verbose. */
size_t rec_kallsyms_bytes(const struct rec_kallsyms *k);

/* Build ID of the running kernel, from /sys/kernel/notes. 0 or -errno. */
int rec_kernel_build_id(struct rec_build_id *id);

#endif
