/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pieces of JSON text, for outputs that are written as JSON. */
#ifndef RPT_JSON_TEXT_H
#define RPT_JSON_TEXT_H

#include <stdint.h>

#include "format/util/buf.h"

/*
 * A string with its quotes. It can stand within HTML, too: '<' and '>' are escaped. What is not UTF-8
 * becomes U+FFFD.
 */
void rpt_json_add_string(struct pa_buf *out, const char *text);
/* "name": with a comma before it unless it is the first of its object. */
void rpt_json_add_key(struct pa_buf *out, const char *name);
/* A comma, unless an array or object has just begun. */
void rpt_json_add_comma(struct pa_buf *out);
void rpt_json_add_u64(struct pa_buf *out, uint64_t number);
/* Nanoseconds as milliseconds, all digits of them. */
void rpt_json_add_ms(struct pa_buf *out, uint64_t ns);

#endif
