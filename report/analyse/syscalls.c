// SPDX-License-Identifier: GPL-2.0-or-later
/* The tables of system calls. */
#include "report/analyse/syscalls.h"

#include <stddef.h>
#include <string.h>

#include "format/util/mem.h"

struct syscall_name {
	int x86_64, aarch64; /* numbers, -1 = there is none */
	const char *name;
};

static const struct syscall_name names[] = {
#define X(name, x86_64, aarch64) {x86_64, aarch64, #name},
#include "report/analyse/syscalls.def"
#undef X
};

const char *rpt_syscall_name(const char *machine, uint32_t syscall)
{
	bool x86 = strcmp(machine, "x86_64") == 0;
	size_t i;

	if (syscall == 0 || (!x86 && strcmp(machine, "aarch64") != 0))
		return NULL;
	for (i = 0; i < PA_ARRAY_LEN(names); i++)
		if ((uint32_t)(x86 ? names[i].x86_64 : names[i].aarch64) == syscall - 1)
			return names[i].name;
	return NULL;
}
