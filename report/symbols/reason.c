// SPDX-License-Identifier: GPL-2.0-or-later
/* The sentences behind the reasons why an address has no name. */
#include "report/symbols/symbols.h"

const char *rpt_symbol_reason_text(enum rpt_symbol_reason reason)
{
	static const char *const texts[RPT_SYM_REASONS_] = {
		[RPT_SYM_OK] = "named",
		[RPT_SYM_NO_MAPPING] = "in no mapping of the process",
		[RPT_SYM_NO_FILE] = "no file with this build ID",
		[RPT_SYM_NO_BUILD_ID] = "no build ID in the trace, so that no file can be trusted",
		[RPT_SYM_MISMATCH] = "the file at the recorded path has another build ID",
		[RPT_SYM_UNREADABLE] = "the file could not be read as ELF",
		[RPT_SYM_NO_SYMBOL] = "no symbol covers the address",
		[RPT_SYM_OUTSIDE] = "in no executable segment of the file",
		[RPT_SYM_ANON] = "anonymous memory without a JIT map",
		[RPT_SYM_KERNEL_HIDDEN] = "kernel symbols were hidden from the recorder",
		[RPT_SYM_INTERRUPTED] = "the search for names was interrupted",
	};

	if ((unsigned)reason >= RPT_SYM_REASONS_)
		return "unknown reason";
	return texts[reason];
}
