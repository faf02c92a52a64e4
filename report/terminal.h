/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What standard output is: a terminal, and how wide; or not. And the pager, as git has it. */
#ifndef RPT_TERMINAL_H
#define RPT_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>

struct rpt_terminal {
	bool is_terminal;
	bool colour; /* it may be used: NO_COLOR is not set, and the terminal is not dumb */
	size_t columns; /* its width; 0 when it is no terminal, or not known */
};

void rpt_terminal_look(struct rpt_terminal *t);
/*
 * Lets standard output go through $PA_PAGER, $PAGER or less, unless it is no terminal, or the pager is "" or
 * "cat". rpt_pager_end() waits until it has been left.
 */
void rpt_pager_begin(void);
void rpt_pager_end(void);

#endif
