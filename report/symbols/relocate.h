/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files that were never linked, such as modules of the kernel: their sections get addresses of our own,
 * one behind the other, and what refers to them in debug information is put right. All else then works as
 * with a program.
 */
#ifndef RPT_RELOCATE_H
#define RPT_RELOCATE_H

#include "report/symbols/elf.h"

/* Does nothing to a file that was linked. */
void rpt_elf_lay_out(struct rpt_elf *e);

#endif
