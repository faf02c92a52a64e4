/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Messages to the person at the terminal: "PROGRAM: text" on standard error. Lower case, no full stop,
 * what failed first, subjects in single quotes.
 */
#ifndef PA_LOG_H
#define PA_LOG_H

enum pa_exit_status {
	PA_EXIT_OK = 0,
	PA_EXIT_FAILURE = 1,
	PA_EXIT_USAGE = 2,
	PA_EXIT_CHECK = 3, /* pa-report --check: something is to be investigated */
};

enum pa_log_level { PA_LOG_QUIET = 0, PA_LOG_NORMAL = 1, PA_LOG_VERBOSE = 2 };

/* Sets the name that messages begin with, and what is shown. program must stay valid. */
void pa_log_init(const char *program, enum pa_log_level level);
enum pa_log_level pa_log_get_level(void);
void pa_error(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void pa_warn(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* Shown from PA_LOG_NORMAL, respectively PA_LOG_VERBOSE, on. */
void pa_info(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void pa_verbose(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* Rewrites one status line on a terminal; nothing elsewhere. "" clears it. Other messages clear it. */
void pa_status(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif
