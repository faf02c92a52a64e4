/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Gzip onto a stream. Errors are sticky; the end tells them. No time is in it: equal data, equal file. */
#ifndef RPT_GZIP_H
#define RPT_GZIP_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <zlib.h>

struct rpt_gzip {
	FILE *out; /* borrowed */
	z_stream z;
	uint64_t raw_bytes; /* written so far */
	int error; /* 0 or -errno */
};

/* 0 or -ENOMEM; rpt_gzip_end() is only called after 0. */
int rpt_gzip_begin(struct rpt_gzip *g, FILE *out);
void rpt_gzip_write(struct rpt_gzip *g, const void *data, size_t len);
/* Writes what is left, and frees. 0 or the first error. */
int rpt_gzip_end(struct rpt_gzip *g);

#endif
