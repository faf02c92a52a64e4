// SPDX-License-Identifier: GPL-2.0-or-later
/* A thread other than the main one loads --library, burns --ms of CPU time in it and unloads it. */
#include <dlfcn.h>

#include "workload.h"

struct plan {
	const char *library;
	uint64_t ns;
	uint64_t burnt_ns;
};

static NOINLINE void load_and_burn(struct plan *plan)
{
	uint64_t (*burn)(uint64_t);
	void *library = dlopen(plan->library, RTLD_NOW);

	if (!library) {
		fprintf(stderr, "%s\n", dlerror());
		exit(1);
	}
	*(void **)&burn = dlsym(library, "library_burn");
	plan->burnt_ns = burn(plan->ns);
	dlclose(library);
}

static void *run(void *arg)
{
	thread_name("loader");
	load_and_burn(arg);
	return NULL;
}

int main(int argc, char **argv)
{
	struct plan plan = {
		.library = option_text(argc, argv, "--library"),
		.ns = option_number(argc, argv, "--ms", 500) * MS,
	};

	pthread_join(thread_start(run, &plan), NULL);
	printf("library_ns=%llu\n", (unsigned long long)plan.burnt_ns);
	return 0;
}
