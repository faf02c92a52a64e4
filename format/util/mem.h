/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Overflow-checked sizes and growth of arrays. */
#ifndef PA_MEM_H
#define PA_MEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PA_ARRAY_LEN(a) (sizeof(a) / sizeof((a)[0]))
#define PA_MIN(a, b) ((a) < (b) ? (a) : (b))
#define PA_MAX(a, b) ((a) > (b) ? (a) : (b))

/* True when a * b (a + b) fits into *r. */
#define pa_mul_ok(a, b, r) (!__builtin_mul_overflow((a), (b), (r)))
#define pa_add_ok(a, b, r) (!__builtin_add_overflow((a), (b), (r)))

/*
 * Makes room for at least need elements in the array *items of *cap elements, doubling. Returns 0,
 * or -ENOMEM with the array untouched. items is the address of a pointer (T **).
 */
int pa_grow(void *items, size_t *cap, size_t need, size_t item_bytes);

#endif
