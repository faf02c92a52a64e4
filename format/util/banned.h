/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions that this project does not use; force-included everywhere outside of bpf/. */
#ifndef PA_BANNED_H
#define PA_BANNED_H

/* The C library's own headers come first, so that their declarations survive the poison. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Macros where the compiler is clang and the library is fortified. */
#undef sprintf
#undef vsprintf
#pragma GCC poison gets strcpy strcat strncpy strncat sprintf vsprintf
#pragma GCC poison strtok atoi atol atoll asctime ctime

#endif
