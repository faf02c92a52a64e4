/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Ctrl-C while names are looked for: what there is gets printed. A second one ends the program. */
#ifndef RPT_INTERRUPT_H
#define RPT_INTERRUPT_H

#include <signal.h>

/* Set once the user wants no more. */
extern volatile sig_atomic_t rpt_interrupted;

void rpt_interrupt_begin(void);
void rpt_interrupt_end(void);

#endif
