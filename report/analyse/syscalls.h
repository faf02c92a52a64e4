/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of system calls, by the machine that a trace was recorded on. */
#ifndef RPT_SYSCALLS_H
#define RPT_SYSCALLS_H

#include <stdbool.h>
#include <stdint.h>

/*
 * The name of a system call as records have it (number + 1), for uname's name of the machine; static. NULL
 * when it has none: no call, or a number or a machine that is not known.
 */
const char *rpt_syscall_name(const char *machine, uint32_t syscall);

#endif
