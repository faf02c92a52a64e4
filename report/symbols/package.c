// SPDX-License-Identifier: GPL-2.0-or-later
/* Debug packages by dpkg's lists of files. */
#include "report/symbols/package.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "format/util/buf.h"
#include "report/symbols/elf.h"
#include "report/xmem.h"

/* Whether the file at path has text as a line of its own. */
static bool has_line(const char *path, const char *text)
{
	int fd = rpt_open_regular(path);
	size_t len = strlen(text);
	const char *data, *found;
	struct stat st;
	bool has = false;

	if (fd < 0)
		return false;
	data = fstat(fd, &st) == 0 ? mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0) :
				     MAP_FAILED;
	close(fd);
	if (data == MAP_FAILED)
		return false;
	for (found = data; !has;) {
		size_t left = (size_t)st.st_size - (size_t)(found - data);

		found = memmem(found, left, text, len);
		if (!found)
			break;
		has = (found == data || found[-1] == '\n') &&
		      (found + len == data + st.st_size || found[len] == '\n');
		found += len;
	}
	munmap((void *)(uintptr_t)data, (size_t)st.st_size);
	return has;
}

/* Packages that are older than the rule of NAME-dbgsym, with this beginning, have NAME-dbg. */
static const char *const dbg_packages[] = {"libc6", "python3.", "linux-image-"};

static char *name_debug_package(const char *package, size_t len)
{
	const char *suffix = "-dbgsym";
	struct pa_buf name;
	char *copy;
	size_t i;

	for (i = 0; i < PA_ARRAY_LEN(dbg_packages); i++)
		if (strncmp(package, dbg_packages[i], strlen(dbg_packages[i])) == 0)
			suffix = "-dbg";
	/* All parts of one version of Python are described in one package. */
	if (strncmp(package, "libpython3.", strlen("libpython3.")) == 0) {
		package += strlen("lib");
		len -= strlen("lib");
		suffix = "-dbg";
	}
	if (strncmp(package, "python3.", strlen("python3.")) == 0)
		len = PA_MIN(len,
			     strlen("python") + strspn(package + strlen("python"), ".0123456789"));
	pa_buf_init(&name);
	pa_buf_addf(&name, "%.*s%s", (int)len, package, suffix);
	rpt_xcheck(pa_buf_error(&name));
	copy = rpt_xstrdup(pa_buf_str(&name));
	pa_buf_fini(&name);
	return copy;
}

/* Looks for path in all lists of directory. */
static char *find_in_lists(const char *directory, const char *path)
{
	DIR *dir = opendir(directory);
	struct dirent *entry;
	struct pa_buf list;
	char *found = NULL;

	if (!dir)
		return NULL;
	pa_buf_init(&list);
	while (!found && (entry = readdir(dir))) {
		const char *dot = strrchr(entry->d_name, '.');

		if (!dot || strcmp(dot, ".list") != 0)
			continue;
		pa_buf_reset(&list);
		pa_buf_addf(&list, "%s/%s", directory, entry->d_name);
		rpt_xcheck(pa_buf_error(&list));
		/* The name may be followed by an architecture: "libc6:amd64". */
		if (has_line(pa_buf_str(&list), path))
			found = name_debug_package(
				entry->d_name,
				PA_MIN(strcspn(entry->d_name, ":"), (size_t)(dot - entry->d_name)));
	}
	pa_buf_fini(&list);
	closedir(dir);
	return found;
}

char *rpt_package_find_debug(const char *root, const char *path)
{
	struct pa_buf directory;
	char *found;

	if (path[0] != '/')
		return NULL;
	pa_buf_init(&directory);
	pa_buf_addf(&directory, "%s/var/lib/dpkg/info", root);
	rpt_xcheck(pa_buf_error(&directory));
	found = find_in_lists(pa_buf_str(&directory), path);
	/* Where /lib is a link to /usr/lib, a package may say either. */
	if (!found && strncmp(path, "/usr/", 5) == 0)
		found = find_in_lists(pa_buf_str(&directory), path + 4);
	pa_buf_fini(&directory);
	return found;
}

char *rpt_package_of_kernel(const char *release)
{
	static const char *const ends[] = {"-amd64", "-arm64"};
	size_t len = strlen(release), i;
	struct pa_buf name;
	char *copy;

	for (i = 0; i < PA_ARRAY_LEN(ends); i++)
		if (len > strlen(ends[i]) && strcmp(release + len - strlen(ends[i]), ends[i]) == 0)
			break;
	if (i == PA_ARRAY_LEN(ends))
		return NULL;
	pa_buf_init(&name);
	pa_buf_addf(&name, "linux-image-%s-dbg", release);
	rpt_xcheck(pa_buf_error(&name));
	copy = rpt_xstrdup(pa_buf_str(&name));
	pa_buf_fini(&name);
	return copy;
}
