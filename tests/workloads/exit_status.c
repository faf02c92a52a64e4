// SPDX-License-Identifier: GPL-2.0-or-later
/* Ends as asked: --exit N, --signal N, or --fsize PATH (by SIGXFSZ, for its file grew too large). */
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include "workload.h"

static void outgrow(const char *path)
{
	struct rlimit limit = {.rlim_cur = 4096, .rlim_max = 4096};
	static const char data[8192];
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	if (fd < 0 || setrlimit(RLIMIT_FSIZE, &limit) < 0)
		die(path);
	while (raw_write(fd, data, sizeof(data)) > 0)
		;
}

int main(int argc, char **argv)
{
	uint64_t number = option_number(argc, argv, "--signal", 0);
	const char *path = option_text(argc, argv, "--fsize");
	struct rlimit no_core = {0};

	setrlimit(RLIMIT_CORE, &no_core);
	burn_cpu_ns(option_number(argc, argv, "--ms", 50) * MS);
	if (path)
		outgrow(path);
	if (number)
		raise((int)number);
	return (int)option_number(argc, argv, "--exit", 0);
}
