// SPDX-License-Identifier: GPL-2.0-or-later
/* A fuzz target without libFuzzer: it is given each file that is named, and those in directories. */
#include <dirent.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "format/util/buf.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static unsigned long replayed;

static int replay_file(const char *path)
{
	FILE *f = fopen(path, "rb");
	uint8_t chunk[65536], *exact;
	struct pa_buf content;
	size_t n;

	if (!f) {
		fprintf(stderr, "cannot open '%s': %s\n", path, strerror(errno));
		return -1;
	}
	pa_buf_init(&content);
	while ((n = fread(chunk, 1, sizeof(chunk), f)) > 0)
		pa_buf_add(&content, chunk, n);
	fclose(f);
	/* A copy of exactly this size, so that a sanitizer sees the first byte that is read behind it. */
	exact = malloc(content.len ? content.len : 1);
	if (!exact || pa_buf_error(&content)) {
		fprintf(stderr, "cannot read '%s': out of memory\n", path);
		abort();
	}
	if (content.len)
		memcpy(exact, content.data, content.len);
	LLVMFuzzerTestOneInput(exact, content.len);
	free(exact);
	pa_buf_fini(&content);
	replayed++;
	return 0;
}

static int replay(const char *path)
{
	struct dirent *entry;
	struct stat st;
	int err = 0;
	DIR *dir;

	if (stat(path, &st) != 0 || !S_ISDIR(st.st_mode))
		return replay_file(path);
	dir = opendir(path);
	if (!dir) {
		fprintf(stderr, "cannot open '%s': %s\n", path, strerror(errno));
		return -1;
	}
	while (err == 0 && (entry = readdir(dir))) {
		struct pa_buf name;

		if (entry->d_name[0] == '.')
			continue;
		pa_buf_init(&name);
		pa_buf_addf(&name, "%s/%s", path, entry->d_name);
		err = replay(pa_buf_str(&name));
		pa_buf_fini(&name);
	}
	closedir(dir);
	return err;
}

int main(int argc, char **argv)
{
	int i;

	for (i = 1; i < argc; i++)
		if (replay(argv[i]) != 0)
			return 1;
	printf("%lu inputs\n", replayed);
	return 0;
}
