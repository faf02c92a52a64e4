/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The files that the user names: opening them, and the order in which they are read. */
#ifndef RPT_FILES_H
#define RPT_FILES_H

#include "format/pa-format.h"

typedef int rpt_file_fn(void *ctx, struct pa_reader *reader, const char *file);

/*
 * Opens a trace ("-" is standard input), and hands its reader to use(). 0, or, after a message, the error
 * of the file or of use().
 */
int rpt_file_read(const char *file, rpt_file_fn *use, void *ctx);

/*
 * Puts segments of the same recording behind each other, in their order, at the place of the first of
 * them; everything else stays where it is. Standard input is not looked into. Where recordings is not
 * NULL, element i becomes the number of the recording that file i, in the new order, belongs to. 0, or
 * negative after a message when a segment is named twice.
 */
int rpt_files_order(char **files, int count, int *recordings);

#endif
