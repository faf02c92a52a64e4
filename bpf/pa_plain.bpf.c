// SPDX-License-Identifier: GPL-2.0-or-later
/* The programs for kernels without bpf_loop (5.17): the same ones, without callbacks. */
#define EV_PLAIN
#include "pa.bpf.c"
