// SPDX-License-Identifier: GPL-2.0-or-later
/* build: -O2 -fomit-frame-pointer */
/*
 * Without frame pointers: after --after milliseconds it loads --library, whose library_burn() it calls for
 * --ms, below a function of its own.
 */
#include <dlfcn.h>
#include <unistd.h>

#include "workload.h"

static NOINLINE uint64_t call_late_code(void (*burn)(uint64_t), uint64_t ms)
{
	uint64_t begin = cpu_ns();

	burn(ms * MS);
	return cpu_ns() - begin;
}

int main(int argc, char **argv)
{
	void *library;
	void *symbol;

	usleep((useconds_t)option_number(argc, argv, "--after", 500) * 1000);
	library = dlopen(option_text(argc, argv, "--library"), RTLD_NOW);
	symbol = library ? dlsym(library, "library_burn") : NULL;
	if (!symbol)
		die("dlopen");
	printf("late_ns=%llu\n",
	       (unsigned long long)call_late_code((void (*)(uint64_t))symbol,
						  option_number(argc, argv, "--ms", 1000)));
	return 0;
}
