// SPDX-License-Identifier: GPL-2.0-or-later
/* Jitdump files, read in small pieces: most of them is code, which nobody needs here. */
#include "record/jitdump.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "format/pa-format.h"
#include "format/util/mem.h"
#include "record/jit.h"
#include "record/world.h"

/* The file's numbers are in its machine's byte order, which is ours. */
#define MAGIC 0x4a695444u
#define ARCH_CLOCK 1u /* flag: times are the processor's, which is not our clock */
#define MAX_NAME 1024
#define MAX_FUNCTIONS 1000000u
#define MAX_RECORDS 20000u /* in one go: others are waiting */

enum { CODE_LOAD = 0, CODE_MOVE = 1 };

struct file_header {
	uint32_t magic, version, total_bytes, machine, padding, pid;
	uint64_t time_ns, flags;
};

struct record_header {
	uint32_t id, total_bytes;
	uint64_t time_ns;
};

struct code_load {
	uint32_t pid, tid;
	uint64_t vma, address, length_bytes, index;
};

struct code_move {
	uint32_t pid, tid;
	uint64_t vma, old_address, address, length_bytes, index;
};

/* A function, as far as it has to be remembered. */
struct function {
	uint64_t time_ns, start, length_bytes, index;
	uint64_t record; /* offset of the CODE_LOAD with its name, whose length is total_bytes */
	uint32_t total_bytes;
	bool written;
};

struct rec_jitdump {
	int fd;
	bool begun; /* the header was read */
	bool has_times;
	bool cut;
	bool more; /* there was no time for all of it */
	uint64_t at; /* offset of the first record that was not read */
	size_t addresses_seen; /* of the process, when functions were compared with them last */
	struct function *functions; /* owned */
	size_t count, cap;
	char name[MAX_NAME];
};

bool rec_jitdump_is_path(const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	size_t digits;

	if (strncmp(name, "jit-", 4) != 0)
		return false;
	digits = strspn(name + 4, "0123456789");
	return digits && strcmp(name + 4 + digits, ".dump") == 0;
}

struct rec_jitdump *rec_jitdump_new(int fd)
{
	struct rec_jitdump *d = calloc(1, sizeof(*d));

	if (d)
		d->fd = fd;
	return d;
}

void rec_jitdump_free(struct rec_jitdump *d)
{
	if (d)
		free(d->functions);
	free(d);
}

static bool read_at(const struct rec_jitdump *d, uint64_t offset, void *out, size_t bytes)
{
	ssize_t n;

	if (offset > INT64_MAX / 2)
		return false;
	do
		n = pread(d->fd, out, bytes, (off_t)offset);
	while (n < 0 && errno == EINTR);
	return n == (ssize_t)bytes;
}

static int add_function(struct rec_jitdump *d, const struct function *f)
{
	int err;

	if (d->count == MAX_FUNCTIONS) {
		d->cut = true;
		return 0;
	}
	err = pa_grow(&d->functions, &d->cap, d->count + 1, sizeof(*d->functions));
	if (!err)
		d->functions[d->count++] = *f;
	return err;
}

static int take_load(struct rec_jitdump *d, const struct record_header *header)
{
	struct code_load load;

	if (header->total_bytes < sizeof(*header) + sizeof(load) ||
	    !read_at(d, d->at + sizeof(*header), &load, sizeof(load)))
		return 0;
	return add_function(d, &(struct function){
				       .time_ns = header->time_ns,
				       .start = load.address,
				       .length_bytes = load.length_bytes,
				       .index = load.index,
				       .record = d->at,
				       .total_bytes = header->total_bytes,
			       });
}

/* The code of a function goes elsewhere; its name stays where it is. */
static int take_move(struct rec_jitdump *d, const struct record_header *header)
{
	struct code_move move;
	struct function f;
	size_t i;

	if (header->total_bytes < sizeof(*header) + sizeof(move) ||
	    !read_at(d, d->at + sizeof(*header), &move, sizeof(move)))
		return 0;
	for (i = d->count; i > 0 && d->functions[i - 1].index != move.index; i--)
		;
	if (i == 0)
		return 0;
	f = d->functions[i - 1];
	f.time_ns = header->time_ns;
	f.start = move.address;
	f.length_bytes = move.length_bytes;
	f.written = false;
	return add_function(d, &f);
}

/* Up to the end, or to a record that is not yet whole. */
static int read_new(struct rec_jitdump *d, uint64_t file_bytes)
{
	struct record_header record;
	struct file_header header;
	unsigned left = MAX_RECORDS;
	int err = 0;

	if (!d->begun) {
		if (!read_at(d, 0, &header, sizeof(header)))
			return 0;
		d->begun = true;
		d->has_times = !(header.flags & ARCH_CLOCK);
		d->at = header.total_bytes;
		d->cut = header.magic != MAGIC || header.total_bytes < sizeof(header);
	}
	d->more = false;
	while (!err && !d->cut && read_at(d, d->at, &record, sizeof(record))) {
		if (left-- == 0) {
			d->more = true;
			break;
		}
		if (record.total_bytes < sizeof(record)) {
			d->cut = true;
			break;
		}
		if (d->at + record.total_bytes > file_bytes)
			break;
		if (record.id == CODE_LOAD)
			err = take_load(d, &record);
		else if (record.id == CODE_MOVE)
			err = take_move(d, &record);
		d->at += record.total_bytes;
	}
	return err;
}

/* The name behind a CODE_LOAD, cut where it is longer than anybody would read. */
static bool read_name(struct rec_jitdump *d, const struct function *f)
{
	size_t fixed = sizeof(struct record_header) + sizeof(struct code_load), room;

	if (f->total_bytes <= fixed)
		return false;
	room = PA_MIN(f->total_bytes - fixed, sizeof(d->name) - 1);
	if (!read_at(d, f->record + fixed, d->name, room))
		return false;
	d->name[room] = '\0';
	return d->name[0] != '\0';
}

static int write_function(struct rec_jitdump *d, struct pa_writer *writer,
			  const struct rec_process *p, struct function *f)
{
	struct pa_record rec = {.id = PA_REC_JIT_SYMBOL};
	int err;

	f->written = true;
	if (!read_name(d, f))
		return 0;
	err = pa_writer_string(writer, d->name, strlen(d->name), &rec.jit_symbol.name);
	if (err)
		return err;
	rec.jit_symbol.time_ns = d->has_times ? f->time_ns : 0;
	rec.jit_symbol.process = p->id;
	rec.jit_symbol.start = f->start;
	rec.jit_symbol.length_bytes = f->length_bytes;
	return pa_writer_add(writer, &rec);
}

int rec_jitdump_update(struct rec_jitdump *d, struct pa_writer *writer, const struct rec_process *p)
{
	size_t before = d->count, i, at;
	uint64_t *addresses;
	struct stat st;
	int err;

	err = fstat(d->fd, &st) < 0 || st.st_size < 0 ? 0 : read_new(d, (uint64_t)st.st_size);
	if (err || (d->count == before && d->addresses_seen == p->jit_count))
		return err;
	addresses = rec_jit_sorted(p);
	if (!addresses)
		return -ENOMEM;
	/* In the order of the file, which is that of time. */
	for (i = 0; i < d->count && !err; i++) {
		struct function *f = &d->functions[i];

		at = rec_jit_first_at(addresses, p->jit_count, f->start);
		if (!f->written && at < p->jit_count && addresses[at] - f->start < f->length_bytes)
			err = write_function(d, writer, p, f);
	}
	d->addresses_seen = p->jit_count;
	free(addresses);
	return err;
}

void rec_jitdump_restart(struct rec_jitdump *d)
{
	size_t i;

	for (i = 0; i < d->count; i++)
		d->functions[i].written = false;
	d->addresses_seen = 0;
}

bool rec_jitdump_is_cut(const struct rec_jitdump *d)
{
	return d->cut || d->more;
}
