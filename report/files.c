// SPDX-License-Identifier: GPL-2.0-or-later
/* The files that the user names. */
#include "report/files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "format/cli/log.h"
#include "format/util/cleanup.h"
#include "format/util/err.h"
#include "report/xmem.h"

PA_DEFINE_CLEANUP(struct pa_reader, pa_reader_free)

static int64_t read_fd(void *ctx, void *data, size_t len)
{
	ssize_t n;

	do {
		n = read(*(int *)ctx, data, len);
	} while (n < 0 && errno == EINTR);
	return n < 0 ? -errno : n;
}

/* As rpt_file_read(), without a message. */
static int read_quietly(const char *file, rpt_file_fn *use, void *ctx)
{
	PA_CLEANUP(pa_reader_free_ptr) struct pa_reader *reader = NULL;
	PA_CLEANUP(pa_close_fd) int opened = -1;
	int fd = STDIN_FILENO, err;

	if (strcmp(file, "-") != 0) {
		opened = open(file, O_RDONLY | O_CLOEXEC);
		if (opened < 0)
			return -errno;
		fd = opened;
	}
	err = pa_reader_new(read_fd, &fd, &reader);
	return err < 0 ? err : use(ctx, reader, file);
}

int rpt_file_read(const char *file, rpt_file_fn *use, void *ctx)
{
	int err = read_quietly(file, use, ctx);

	if (err < 0)
		pa_error("cannot read '%s': %s", file, pa_strerror(err));
	return err;
}

/* --- order --- */

struct entry {
	char *file;
	size_t place; /* of the first segment of the same recording, else its own */
	bool is_segment;
	uint64_t start_ns, start_wall_ns; /* of the recording */
	uint32_t segment;
};

static int find_session(void *ctx, struct pa_reader *reader, const char *file)
{
	const struct pa_record *record;
	struct entry *e = ctx;
	int n;

	(void)file;
	do
		n = pa_reader_next(reader, &record);
	while (n > 0 && record->id == PA_REC_STRING);
	if (n <= 0 || record->id != PA_REC_SESSION)
		return n;
	e->is_segment = record->session.segment_start_ns != 0;
	e->start_ns = record->session.start_ns;
	e->start_wall_ns = record->session.start_wall_ns;
	e->segment = record->session.segment;
	return 0;
}

static bool same_recording(const struct entry *a, const struct entry *b)
{
	return a->is_segment && b->is_segment && a->start_ns == b->start_ns &&
	       a->start_wall_ns == b->start_wall_ns;
}

static int by_place(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	if (x->place != y->place)
		return x->place < y->place ? -1 : 1;
	return x->segment < y->segment ? -1 : x->segment > y->segment;
}

static void find_places(struct entry *entries, size_t count)
{
	size_t i, k;

	for (i = 0; i < count; i++) {
		entries[i].place = i;
		for (k = 0; k < i && !same_recording(&entries[k], &entries[i]); k++)
			;
		if (k < i)
			entries[i].place = entries[k].place;
	}
}

int rpt_files_order(char **files, int count, int *recordings)
{
	struct entry *entries = rpt_xcalloc((size_t)count, sizeof(*entries));
	int i, err = 0;

	for (i = 0; i < count; i++) {
		entries[i].file = files[i];
		/* What can't be read is reported when its turn comes. */
		if (count > 1 && strcmp(files[i], "-") != 0)
			(void)read_quietly(files[i], find_session, &entries[i]);
	}
	find_places(entries, (size_t)count);
	qsort(entries, (size_t)count, sizeof(*entries), by_place);
	for (i = 0; i < count; i++) {
		files[i] = entries[i].file;
		if (recordings)
			recordings[i] = (int)entries[i].place;
		if (i == 0 || entries[i - 1].place != entries[i].place ||
		    entries[i - 1].segment != entries[i].segment)
			continue;
		pa_error("'%s' and '%s' are the same segment of one recording", files[i - 1],
			 files[i]);
		err = PA_E_UNSUPPORTED;
	}
	free(entries);
	return err;
}
