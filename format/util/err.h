/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Error codes. Functions return 0 (or a count) on success and a negative code on failure: -errno
 * for what the system refused, PA_E_* for everything of ours. The numbers are append-only.
 */
#ifndef PA_ERR_H
#define PA_ERR_H

/* X(name, sentence): the sentence has no subject, the caller names it: "cannot read 'x.pa':
 * SENTENCE". */
#define PA_ERRORS(X)                                                             \
	X(TRUNCATED, "truncated")                                                \
	X(BAD_MAGIC, "not a trace (the magic number is missing)")                \
	X(VERSION, "the trace's major version is newer than this program reads") \
	X(CORRUPT, "corrupt data")                                               \
	X(CHECKSUM, "checksum mismatch")                                         \
	X(LIMIT, "a limit of the format is exceeded")                            \
	X(UNSUPPORTED, "not supported")                                          \
	X(NOT_FOUND, "not found")                                                \
	X(MISMATCH, "build ID mismatch")                                         \
	X(NO_PERM, "not permitted")                                              \
	X(SYNTAX, "syntax error")                                                \
	X(INTERRUPTED, "interrupted")

/* The first code is -4096, then down by one. */
#define PA_ERR_ENUM_(name, text) PA_E_INDEX_##name,
enum pa_err_index { PA_ERRORS(PA_ERR_ENUM_) PA_E_COUNT };
#undef PA_ERR_ENUM_

#define PA_E(name) (-4096 - (int)PA_E_INDEX_##name)
#define PA_E_TRUNCATED PA_E(TRUNCATED)
#define PA_E_BAD_MAGIC PA_E(BAD_MAGIC)
#define PA_E_VERSION PA_E(VERSION)
#define PA_E_CORRUPT PA_E(CORRUPT)
#define PA_E_CHECKSUM PA_E(CHECKSUM)
#define PA_E_LIMIT PA_E(LIMIT)
#define PA_E_UNSUPPORTED PA_E(UNSUPPORTED)
#define PA_E_NOT_FOUND PA_E(NOT_FOUND)
#define PA_E_MISMATCH PA_E(MISMATCH)
#define PA_E_NO_PERM PA_E(NO_PERM)
#define PA_E_SYNTAX PA_E(SYNTAX)
#define PA_E_INTERRUPTED PA_E(INTERRUPTED)

/*
 * A sentence for any code that this project returns, -errno included. Static storage, never NULL.
 */
const char *pa_strerror(int err);

#endif
