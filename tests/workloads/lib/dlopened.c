// SPDX-License-Identifier: GPL-2.0-or-later
/* A library that is loaded while the recording runs. */
#include "../workload.h"

uint64_t library_burn(uint64_t ns);

NOINLINE uint64_t library_burn(uint64_t ns)
{
	return burn_cpu_ns(ns);
}
