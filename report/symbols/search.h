/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where files are found. A file is used when its build ID is the wanted one, and for nothing else: its
 * name and place only say where to look. In this order:
 *
 *   1. each --symbols DIR: DIR/.build-id/xx/yyy[.debug], DIR/xx/yyy[.debug], then any file below DIR
 *   2. /usr/lib/debug/.build-id/xx/yyy[.debug], below the sysroot, then on this host
 *   3. the recorded path below the sysroot, then on this host
 *
 * and for the separate debug file of a file FILE that was found, whose .gnu_debuglink names NAME:
 *
 *   4. dirname(FILE)/NAME, dirname(FILE)/.debug/NAME, DEBUG/dirname(PATH)/NAME, DEBUG/NAME, where DEBUG
 *      is each --symbols DIR, then /usr/lib/debug, and PATH is where the file was recorded
 *
 * and at last, where that was asked for, by debuginfod.
 *
 * A debug file without a build ID is accepted in 4 when its CRC is the one in .gnu_debuglink.
 */
#ifndef RPT_SEARCH_H
#define RPT_SEARCH_H

#include "report/symbols/elf.h"
#include "report/symbols/symbols.h"
#include "report/symbols/trail.h"

struct rpt_debuginfod;
struct rpt_search;

struct rpt_wanted {
	const char *path; /* recorded path, or NULL */
	struct rpt_build_id id;
	struct rpt_trail *trail; /* gets each place that was tried; or NULL */
};

/* The options' strings are borrowed. */
struct rpt_search *rpt_search_new(const struct rpt_symbol_options *options);
void rpt_search_free(struct rpt_search *s);
/* What is not found here is asked for there; it has to live as long as the search. */
void rpt_search_set_debuginfod(struct rpt_search *s, struct rpt_debuginfod *d);

/*
 * The functions below may be called from several threads at once; what they return is the caller's.
 */
/* The file with the wanted build ID that holds code, or NULL with *reason set. other_id is that of the
 * file at the recorded path where the reason is RPT_SYM_MISMATCH. */
struct rpt_elf *rpt_search_code(struct rpt_search *s, const struct rpt_wanted *wanted,
				enum rpt_symbol_reason *reason, struct rpt_build_id *other_id);
/* Of the files below --symbols one with the name that was recorded, but another build ID: its path, or NULL. */
const char *rpt_search_namesake(struct rpt_search *s, const struct rpt_wanted *wanted,
				struct rpt_build_id *id);
/* The debug file with the wanted build ID; code is the file it belongs to, or NULL when that is missing. */
struct rpt_elf *rpt_search_debug(struct rpt_search *s, const struct rpt_wanted *wanted,
				 const struct rpt_elf *code);
/*
 * The file that describes the kernel, or, when the path does not begin with '[', the module of the kernel
 * with that name. Beside the places of debug files it is looked for where distributions have it, for the
 * options' release of the kernel; a module's file may be compressed (.ko.xz, .ko.zst, .ko.gz).
 */
struct rpt_elf *rpt_search_kernel(struct rpt_search *s, const struct rpt_wanted *wanted);
/* The file that the .gnu_debugaltlink of e names, or NULL. trail as in rpt_wanted. */
struct rpt_elf *rpt_search_alternate(struct rpt_search *s, const struct rpt_elf *e,
				     struct rpt_trail *trail);

/*
 * Files of split DWARF, which have no build ID: candidates are handed to take(), which looks for the id
 * within and returns true when it is the right one.
 */
struct rpt_split_wanted {
	const char *directory; /* of compilation, or NULL */
	const char *name; /* of the .dwo file, or NULL when a package is looked for */
	const struct rpt_elf *owner; /* the file whose code it describes */
	struct rpt_trail *trail; /* as in rpt_wanted */
};
typedef bool rpt_take_fn(void *ctx, struct rpt_elf *candidate); /* true: it keeps the file */
bool rpt_search_split(struct rpt_search *s, const struct rpt_split_wanted *wanted,
		      rpt_take_fn *take, void *ctx);

#endif
