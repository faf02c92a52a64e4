// SPDX-License-Identifier: GPL-2.0-or-later
/* Fills the table of kernel symbols from the running kernel. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "format/util/buf.h"
#include "record/kallsyms.h"
#include "record/procfs.h"

#define CHUNK_BYTES (64u << 10)
#define MAX_NOTES_BYTES (64u << 10)

static int load_file(struct rec_kallsyms *k, const char *path,
		     int (*add)(struct rec_kallsyms *k, const char *text, size_t len))
{
	char *chunk = malloc(CHUNK_BYTES);
	int fd = open(path, O_RDONLY | O_CLOEXEC), err = fd < 0 ? -errno : 0;
	ssize_t n = 1;

	if (!chunk && err == 0)
		err = -ENOMEM;
	while (err == 0 && n > 0) {
		n = read(fd, chunk, CHUNK_BYTES);
		if (n < 0 && errno == EINTR)
			n = 1;
		else
			err = n < 0 ? -errno : add(k, chunk, (size_t)n);
	}
	if (fd >= 0)
		close(fd);
	free(chunk);
	return err;
}

static int read_notes(const char *path, struct rec_build_id *id)
{
	struct pa_buf notes;
	int err;

	pa_buf_init(&notes);
	*id = (struct rec_build_id){.kind = PA_BUILD_ID_NONE};
	err = rec_procfs_read(AT_FDCWD, path, &notes, MAX_NOTES_BYTES);
	if (err == 0)
		rec_elfid_from_notes(pa_buf_str(&notes), notes.len,
				     __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__, 4, id);
	pa_buf_fini(&notes);
	return err;
}

int rec_kernel_build_id(struct rec_build_id *id)
{
	return read_notes("/sys/kernel/notes", id);
}

/* Build IDs are welcome, but no condition: a range without one is one of unknown origin. */
static void load_build_ids(struct rec_kallsyms *k)
{
	const struct rec_kernel_range *ranges;
	struct rec_build_id id;
	char path[256];
	size_t count, i;

	ranges = rec_kallsyms_ranges(k, &count);
	for (i = 0; i < count; i++) {
		int err;

		if (strcmp(ranges[i].name, REC_KERNEL_NAME) == 0) {
			err = rec_kernel_build_id(&id);
		} else {
			snprintf(path, sizeof(path), "/sys/module/%s/notes/.note.gnu.build-id",
				 ranges[i].name);
			err = read_notes(path, &id);
		}
		if (err == 0)
			rec_kallsyms_set_build_id(k, i, &id);
	}
}

static int load_ranges(struct rec_kallsyms *k)
{
	/* There is none in a kernel without modules. */
	int err = load_file(k, "/proc/modules", rec_kallsyms_add_modules);
	if (err < 0 && err != -ENOENT)
		return err;
	err = rec_kallsyms_finish(k);
	if (err == 0)
		load_build_ids(k);
	return err;
}

int rec_kallsyms_load(struct rec_kallsyms *k)
{
	int err = load_file(k, "/proc/kallsyms", rec_kallsyms_add_symbols);

	return err < 0 ? err : load_ranges(k);
}

int rec_kallsyms_load_asking(struct rec_kallsyms *k, struct rec_ksyms *ksyms,
			     const uint64_t text[3])
{
	rec_kallsyms_ask(k, ksyms, text);
	return load_ranges(k);
}
