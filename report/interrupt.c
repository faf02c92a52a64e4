// SPDX-License-Identifier: GPL-2.0-or-later
/* SIGINT is noticed, for a while. */
#include "report/interrupt.h"

#include <stdbool.h>
#include <stddef.h>

volatile sig_atomic_t rpt_interrupted;

static struct sigaction before;
static bool changed;

static void note(int number)
{
	(void)number;
	rpt_interrupted = 1;
}

void rpt_interrupt_begin(void)
{
	struct sigaction action = {.sa_handler = note, .sa_flags = SA_RESETHAND | SA_RESTART};

	/* Who started the program in the background wants it to go on. */
	if (sigaction(SIGINT, NULL, &before) < 0 || before.sa_handler == SIG_IGN)
		return;
	changed = sigaction(SIGINT, &action, NULL) == 0;
}

void rpt_interrupt_end(void)
{
	if (changed)
		sigaction(SIGINT, &before, NULL);
	changed = false;
}
