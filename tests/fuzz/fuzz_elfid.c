// SPDX-License-Identifier: GPL-2.0-or-later
/* Any bytes are read as an ELF file without a crash, and an ID is never longer than it may be. */
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "record/elfid.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static int fd = -1;
	struct rec_build_id id;

	if (fd < 0)
		fd = memfd_create("elf", MFD_CLOEXEC);
	if (fd < 0 || ftruncate(fd, 0) < 0 || pwrite(fd, data, size, 0) != (ssize_t)size)
		abort();
	rec_elfid_read(fd, &id);
	if (id.len > PA_MAX_BUILD_ID_BYTES || (id.len == 0) != (id.kind == PA_BUILD_ID_NONE))
		abort();
	/* The same bytes as notes alone, which need no headers around them. */
	id = (struct rec_build_id){.kind = PA_BUILD_ID_NONE};
	rec_elfid_from_notes(data, size, size & 1, size & 2 ? 8 : 4, &id);
	return 0;
}
