/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How numbers and names are written for people: with a unit that fits, and in columns. */
#ifndef RPT_UNITS_H
#define RPT_UNITS_H

#include <stddef.h>
#include <stdint.h>

#include "format/util/buf.h"

/* "0 ns", "12.3 µs", "1.23 s", "12 m 05 s": three digits at least are significant. */
void rpt_add_duration(struct pa_buf *out, uint64_t ns);
/* "123", "12.3 k", "1.23 M", "4.56 G". */
void rpt_add_number(struct pa_buf *out, double number);
/* "1.23 MB". */
void rpt_add_bytes(struct pa_buf *out, uint64_t bytes);
/* "2026-12-01 03:42:06 UTC" of nanoseconds since 1970. */
void rpt_add_wall_time(struct pa_buf *out, uint64_t ns);
/* "1 sample", "2 samples". */
void rpt_add_count(struct pa_buf *out, uint64_t count, const char *noun);
void rpt_add_build_id(struct pa_buf *out, const uint8_t *id, size_t len);
/*
 * Text from outside: control characters and what is not UTF-8 become '?', so that it cannot command a
 * terminal or break a line. At most max columns (0 = all); what is cut ends in "…".
 */
void rpt_add_text(struct pa_buf *out, const char *text, size_t max);
/* Columns that what was added since byte start takes. */
size_t rpt_columns(const struct pa_buf *out, size_t start);
/* Text from outside as UTF-8 for programs: each byte that is not becomes U+FFFD; nothing is cut. */
void rpt_add_utf8(struct pa_buf *out, const char *text);
/* Adds spaces until the line, which began at byte start of out, is width columns wide. */
void rpt_pad(struct pa_buf *out, size_t start, size_t width);
/* Moves what was added since byte start to the right end of width columns. */
void rpt_align_right(struct pa_buf *out, size_t start, size_t width);

#endif
