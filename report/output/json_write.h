/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * JSON (RFC 8259) onto a stream: values in the order in which they are written, commas and line ends in
 * between. A key is NULL within an array. Errors are sticky; the end tells them.
 */
#ifndef RPT_JSON_WRITE_H
#define RPT_JSON_WRITE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "format/util/buf.h"

struct rpt_json {
	FILE *out; /* borrowed */
	struct pa_buf text; /* not yet written */
	unsigned depth;
	bool has_elements; /* what is open has any yet */
	int err; /* 0 or -errno */
};

void rpt_json_begin(struct rpt_json *j, FILE *out);
/* 0 or the first error. */
int rpt_json_end(struct rpt_json *j);

/* Opens an object '{' or an array '['; and closes it by '}' or ']'. */
void rpt_json_open(struct rpt_json *j, const char *key, char bracket);
void rpt_json_close(struct rpt_json *j, char bracket);
/* Text, as rpt_add_utf8() has it; NULL is null. */
void rpt_json_text(struct rpt_json *j, const char *key, const char *text);
/* Exact integers. */
void rpt_json_int(struct rpt_json *j, const char *key, uint64_t number);
/* null unless known. */
void rpt_json_int_if(struct rpt_json *j, const char *key, bool known, uint64_t number);
/* So many digits that the number is read again as it is; what is no number is null. */
void rpt_json_real(struct rpt_json *j, const char *key, double number);
void rpt_json_bool(struct rpt_json *j, const char *key, bool value);
void rpt_json_null(struct rpt_json *j, const char *key);
/* "0x..." */
void rpt_json_address(struct rpt_json *j, const char *key, uint64_t address);

#endif
