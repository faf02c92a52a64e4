// SPDX-License-Identifier: GPL-2.0-or-later
/* The terminal that the report is read on. */
#include "report/terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define MIN_COLUMNS 60
#define MAX_COLUMNS 400
/* A machine without less does without. */
#define DEFAULT_PAGER "command -v less >/dev/null && exec less || exec cat"

static pid_t pager;

static bool is_dumb(void)
{
	const char *term = getenv("TERM");

	return !term || strcmp(term, "dumb") == 0;
}

void rpt_terminal_look(struct rpt_terminal *t)
{
	const char *no_color = getenv("NO_COLOR");
	struct winsize size;

	*t = (struct rpt_terminal){.is_terminal = isatty(STDOUT_FILENO) == 1};
	if (!t->is_terminal)
		return;
	t->colour = !(no_color && *no_color) && !is_dumb();
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) || !size.ws_col)
		return;
	t->columns = size.ws_col < MIN_COLUMNS ? MIN_COLUMNS :
		     size.ws_col > MAX_COLUMNS ? MAX_COLUMNS :
						 size.ws_col;
}

static const char *pager_command(void)
{
	const char *command = getenv("PA_PAGER");

	if (!command)
		command = getenv("PAGER");
	return command ? command : DEFAULT_PAGER;
}

static void run_pager(const char *command, int in)
{
	if (dup2(in, STDIN_FILENO) < 0)
		_exit(127);
	/* What git sets: end when it fits on a screen, show colours, leave the text there. */
	setenv("LESS", "FRX", 0);
	setenv("LV", "-c", 0);
	execl("/bin/sh", "sh", "-c", command, (char *)NULL);
	_exit(127);
}

void rpt_pager_begin(void)
{
	const char *command = pager_command();
	int ends[2];

	if (pager || !*command || strcmp(command, "cat") == 0 || is_dumb() ||
	    !isatty(STDOUT_FILENO))
		return;
	fflush(stdout);
	if (pipe2(ends, O_CLOEXEC))
		return;
	pager = fork();
	if (pager == 0)
		run_pager(command, ends[0]);
	if (pager > 0)
		dup2(ends[1], STDOUT_FILENO);
	else
		pager = 0;
	close(ends[0]);
	close(ends[1]);
}

void rpt_pager_end(void)
{
	if (!pager)
		return;
	fclose(stdout);
	while (waitpid(pager, NULL, 0) < 0 && errno == EINTR)
		;
	pager = 0;
}
