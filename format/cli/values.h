/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers, durations and sizes as people write them; independent of the locale. */
#ifndef PA_VALUES_H
#define PA_VALUES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/cli/opts.h"

/* Decimal digits only. False when text is anything else, or does not fit. */
bool pa_value_uint(const char *text, uint64_t *value);
/* "500ms", "1.5s", "5m", "2h", "100us", "10ns"; nanoseconds. A bare number is seconds. */
bool pa_value_duration(const char *text, uint64_t *value_ns);
/* "4096", "64K", "10M", "2G" (powers of 1024); bytes. */
bool pa_value_size(const char *text, uint64_t *value_bytes);
/* A bound of an option of this kind, as in messages. */
void pa_value_print(enum pa_opt_kind kind, uint64_t value, char *out, size_t size);

#endif
