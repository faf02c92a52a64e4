/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From an address in a module to its function, inline chain, file and line. It knows ELF and DWARF,
 * and nothing of traces, processes or stacks: the session describes modules and asks for file offsets.
 * Every answer is either right or a reason why there is none.
 */
#ifndef RPT_SYMBOLS_H
#define RPT_SYMBOLS_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/pa-format.h"

struct rpt_symbolizer;

struct rpt_symbol_options {
	const char *const
		*symbol_dirs; /* --symbols, in order; trees, build-id stores or single files */
	size_t symbol_dir_count;
	const char *sysroot; /* --sysroot, or NULL */
	const char *kernel_release; /* of the recorded host, or NULL */
	bool no_inlines; /* functions only: one frame an address, line of the address */
	bool no_lines; /* symbol tables only: DWARF is not read */
	bool no_demangle;
	bool no_host_files; /* look nowhere but below symbol_dirs (tests, foreign traces) */
	const char
		*debuginfod; /* servers that files are fetched from; "" = those that the environment
				 * names, NULL = none */
	uint64_t debuginfod_ns; /* how long all of that may take */
	const volatile sig_atomic_t *interrupted; /* ends the work when it is set; or NULL */
	bool keep_trail; /* of the places that were looked at, and where each answer came from */
	unsigned threads; /* modules resolved at the same time; 0 = as many as CPUs */
};

/* Why an address has no name: enum pa_no_name, which has a word on each. */
enum rpt_symbol_reason {
	RPT_SYM_OK = PA_NO_NAME_OK,
	RPT_SYM_NO_MAPPING = PA_NO_NAME_NO_MAPPING,
	RPT_SYM_NO_FILE = PA_NO_NAME_NO_FILE,
	RPT_SYM_NO_BUILD_ID = PA_NO_NAME_NO_BUILD_ID,
	RPT_SYM_MISMATCH = PA_NO_NAME_MISMATCH,
	RPT_SYM_UNREADABLE = PA_NO_NAME_UNREADABLE,
	RPT_SYM_NO_SYMBOL = PA_NO_NAME_NO_SYMBOL,
	RPT_SYM_OUTSIDE = PA_NO_NAME_OUTSIDE,
	RPT_SYM_ANON = PA_NO_NAME_ANON,
	RPT_SYM_KERNEL_HIDDEN = PA_NO_NAME_KERNEL_HIDDEN,
	RPT_SYM_INTERRUPTED = PA_NO_NAME_INTERRUPTED,
	RPT_SYM_REASONS_ = PA_NO_NAME_KINDS_
};
/* "no file with this build ID", ... as shown in coverage. */
const char *rpt_symbol_reason_text(enum rpt_symbol_reason reason);

enum rpt_module_source {
	RPT_SRC_FILE, /* find it by build ID */
	RPT_SRC_IMAGE, /* image/image_bytes hold the ELF file (vdso) */
	RPT_SRC_KERNEL, /* the kernel ("[...]"), or a module of it that path names; by build ID */
};

/* A part of a file that was mapped in one piece. */
struct rpt_map_range {
	uint64_t offset;
	uint64_t bytes;
};

struct rpt_module_desc {
	enum rpt_module_source source;
	const char *path; /* recorded path, for look-up and messages; borrowed during the call */
	const uint8_t *build_id; /* may be empty */
	size_t build_id_bytes;
	const uint8_t
		*image; /* the file, where it is at hand; borrowed for the life of the symbolizer */
	size_t image_bytes;
	/*
	 * Where the file's code was mapped from, as far as it is known; borrowed during the call. With it
	 * a separate debug file is enough, which alone does not say where in the file code is.
	 */
	const struct rpt_map_range *maps;
	size_t map_count;
};

/* What a file was looked for, or found to be good for. */
enum rpt_place_role {
	RPT_PLACE_CODE, /* the file itself */
	RPT_PLACE_DEBUG, /* its separate debug file */
	RPT_PLACE_ALTERNATE, /* what several debug files have in common (dwz) */
	RPT_PLACE_SPLIT, /* .dwo and .dwp files */
	RPT_PLACE_ROLES_
};

enum rpt_place_result {
	RPT_PLACE_USED,
	RPT_PLACE_ABSENT, /* there is no file, or none that may be read */
	RPT_PLACE_NO_ELF,
	RPT_PLACE_OTHER_ID,
	RPT_PLACE_LACKS, /* it is the right one, but what it was looked for is not in it */
	RPT_PLACE_OTHER_CRC, /* no build ID to go by, and .gnu_debuglink has another CRC */
	RPT_PLACE_OTHER_UNIT, /* split debug information of something else */
	RPT_PLACE_RESULTS_
};

struct rpt_place {
	const char *path;
	enum rpt_place_role role;
	enum rpt_place_result result;
	uint8_t build_id[PA_MAX_BUILD_ID_BYTES]; /* that was found there */
	size_t build_id_bytes; /* 0 = none, or not known */
};

/* "code", ... and "no such file", ... */
const char *rpt_place_role_text(enum rpt_place_role role);
const char *rpt_place_result_text(enum rpt_place_result result);

/* Where an answer came from. Strings are owned by the symbolizer; NULL where there is nothing. */
struct rpt_origin {
	const char *section; /* that the address is in */
	const char *symbol; /* of the symbol tables, and the addresses that it covers */
	uint64_t symbol_start;
	uint64_t symbol_end;
	const char *unit; /* of debug information: its source file */
	uint64_t unit_offset; /* in .debug_info */
	uint16_t unit_version; /* of DWARF */
};

/* One function at an address; inlined functions come first, the innermost at [0]. */
struct rpt_frame {
	const char *
		function; /* demangled unless asked otherwise; owned by the symbolizer, never NULL */
	const char *
		linkage_name; /* as in the symbol table or DW_AT_linkage_name; may equal function */
	const char *file; /* as in the line table; NULL when unknown */
	uint32_t line; /* of the address, or of the call to the frame before; 0 = unknown */
	uint32_t start_line; /* where the function is declared; 0 = unknown */
	bool inlined; /* into the next frame */
};

struct rpt_resolution {
	enum rpt_symbol_reason reason;
	uint64_t
		vaddr; /* the address in the ELF file's own terms (st_value's), valid for OK and NO_SYMBOL */
	const struct rpt_frame *frames; /* owned by the symbolizer; count is 0 unless OK */
	size_t frame_count;
	const struct rpt_origin *origin; /* with keep_trail, where a file was found; else NULL */
};

/* NULL when out of memory. The options' strings are borrowed for its life. */
struct rpt_symbolizer *rpt_symbolizer_new(const struct rpt_symbol_options *options);
void rpt_symbolizer_free(struct rpt_symbolizer *s);

/* Makes a module known; files are opened when it is first resolved. Returns its number, or -ENOMEM. */
int rpt_symbolizer_add(struct rpt_symbolizer *s, const struct rpt_module_desc *desc);

/* What there is to say of the search as a whole, NULL = nothing. */
const char *rpt_symbolizer_get_message(const struct rpt_symbolizer *s);

struct rpt_symbol_query {
	int module; /* number from rpt_symbolizer_add() */
	uint64_t
		file_offset; /* address - mapping start + mapping offset; for callers of the return address - 1 */
	/* In the kernel, the offset is the address itself, and this the symbol there, by the host. */
	const char *symbol; /* NULL = not known */
	uint64_t symbol_start;
	struct rpt_resolution result; /* filled in */
};
/*
 * Resolves all queries, modules in parallel; each distinct (module, offset) is worked on once.
 * progress, if not NULL, is called as work on a module begins, and with done == total at the end; when it
 * returns true the rest is left unresolved (RPT_SYM_INTERRUPTED). 0 or -ENOMEM.
 */
typedef bool rpt_symbol_progress_fn(void *ctx, const char *module, size_t done, size_t total);
int rpt_symbolizer_resolve(struct rpt_symbolizer *s, struct rpt_symbol_query *queries, size_t count,
			   rpt_symbol_progress_fn *progress, void *ctx);

struct rpt_module_state {
	const char *file; /* the file that was used, NULL = none */
	const char *debug_file; /* separate debug file, NULL = none */
	bool has_functions, has_lines, has_inlines; /* what could be read from them */
	enum rpt_symbol_reason reason; /* RPT_SYM_OK, or why no file was used */
	const char *message; /* one sentence with path and build IDs, NULL = nothing to say */
	bool refused; /* and it tells of a file that the user gave, but which is another build */
	const struct rpt_place *places; /* with keep_trail: in the order in which they were tried */
	size_t place_count;
};
void rpt_symbolizer_get_module(const struct rpt_symbolizer *s, int module,
			       struct rpt_module_state *state);

/* Demangles a C++, Rust or D name, bounded in length and time; a copy of name when it is none of these
 * or too hard. The caller frees it; NULL when out of memory. */
char *rpt_demangle(const char *name);
/* Whether it looks like a name of one of these languages. */
bool rpt_is_mangled(const char *name);

#endif
