/* SPDX-License-Identifier: GPL-2.0-or-later */
/* MiniDebugInfo: a compressed symbol table that some distributions leave in stripped files. */
#ifndef RPT_MINIDEBUG_H
#define RPT_MINIDEBUG_H

#include "report/symbols/elf.h"

/* The ELF file within .gnu_debugdata, or NULL when there is none or it cannot be read. */
struct rpt_elf *rpt_minidebug_open(const struct rpt_elf *e);

#endif
