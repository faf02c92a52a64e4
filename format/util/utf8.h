/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Recognizing well-formed UTF-8. */
#ifndef PA_UTF8_H
#define PA_UTF8_H

#include <stddef.h>

/*
 * Length (1 to 4) of the well-formed UTF-8 character that text begins with; 0 when there is none.
 */
size_t pa_utf8_char_len(const char *text, size_t len);

#endif
