// SPDX-License-Identifier: GPL-2.0-or-later
/* Messages on standard error. */
#include "format/cli/log.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

static struct {
	const char *program;
	enum pa_log_level level;
	bool status_shown;
} state = {"pa", PA_LOG_NORMAL, false};

void pa_log_init(const char *program, enum pa_log_level level)
{
	state.program = program;
	state.level = level;
}

enum pa_log_level pa_log_get_level(void)
{
	return state.level;
}

static void clear_status(void)
{
	if (state.status_shown)
		fputs("\r\033[K", stderr);
	state.status_shown = false;
}

static void message(const char *fmt, va_list ap) __attribute__((format(printf, 1, 0)));
static void message(const char *fmt, va_list ap)
{
	clear_status();
	fprintf(stderr, "%s: ", state.program);
	vfprintf(stderr, fmt, ap);
	fputc('\n', stderr);
}

void pa_error(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	message(fmt, ap);
	va_end(ap);
}

void pa_warn(const char *fmt, ...)
{
	va_list ap;

	if (state.level < PA_LOG_NORMAL)
		return;
	va_start(ap, fmt);
	message(fmt, ap);
	va_end(ap);
}

void pa_info(const char *fmt, ...)
{
	va_list ap;

	if (state.level < PA_LOG_NORMAL)
		return;
	va_start(ap, fmt);
	message(fmt, ap);
	va_end(ap);
}

void pa_verbose(const char *fmt, ...)
{
	va_list ap;

	if (state.level < PA_LOG_VERBOSE)
		return;
	va_start(ap, fmt);
	message(fmt, ap);
	va_end(ap);
}

void pa_status(const char *fmt, ...)
{
	va_list ap;

	if (state.level < PA_LOG_NORMAL || !isatty(STDERR_FILENO))
		return;
	clear_status();
	va_start(ap, fmt);
	state.status_shown = vfprintf(stderr, fmt, ap) > 0;
	va_end(ap);
	fflush(stderr);
}
