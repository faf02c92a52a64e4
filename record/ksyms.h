/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names of kernel addresses, each asked of the kernel when it first comes up: a recording meets some hundred
 * functions of the two hundred thousand that /proc/kallsyms would list. The answers are the kernel's own, and
 * trusted as such; an address of a module that has been unloaded since has no name.
 */
#ifndef REC_KSYMS_H
#define REC_KSYMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rec_kernel_symbol;
struct rec_ksyms;

/* "name+0x12/0x340 [module]" as printk has it for an address, or anything else when there is no name; borrowed
 * until the next call. NULL when the kernel cannot be asked. */
typedef const char *rec_ksyms_ask_fn(void *ctx, uint64_t address);

/* None known yet; NULL when out of memory. */
struct rec_ksyms *rec_ksyms_new(rec_ksyms_ask_fn *ask, void *ctx);
void rec_ksyms_free(struct rec_ksyms *k);
/* The symbol that covers an address; its strings are borrowed until the next call. False when there is none. */
bool rec_ksyms_find(struct rec_ksyms *k, uint64_t address, struct rec_kernel_symbol *symbol);
/* Answers held, those without a name among them, and the memory that they take. */
size_t rec_ksyms_count(const struct rec_ksyms *k);
size_t rec_ksyms_bytes(const struct rec_ksyms *k);

#endif
