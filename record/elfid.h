/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Build ID of an ELF file, read from untrusted bytes: 32 and 64 bits, either byte order. On foreign
 * files this runs in the sandbox only; the kernel's own notes may be parsed anywhere.
 */
#ifndef REC_ELFID_H
#define REC_ELFID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/pa-format.h"

struct rec_build_id {
	uint32_t kind; /* enum pa_build_id_kind */
	uint32_t len; /* at most PA_MAX_BUILD_ID_BYTES */
	uint8_t bytes[PA_MAX_BUILD_ID_BYTES];
};

/*
 * Reads the build ID of an open file with pread. The GNU note wins over Go's; of a Go ID that is
 * longer than the limit, the last bytes are kept, since its last part stands for the content of the
 * binary. 0 with kind PA_BUILD_ID_NONE when the file has no note; PA_E_BAD_MAGIC when it is no ELF
 * file; PA_E_CORRUPT, PA_E_TRUNCATED or -errno.
 */
int rec_elfid_read(int fd, struct rec_build_id *id);

/*
 * Looks through ELF notes. id is filled in when a build ID is found that is better than what it
 * holds; so it has to be initialised. Stops at the first note that is malformed. align is 4 or 8.
 */
void rec_elfid_from_notes(const void *notes, size_t len, bool big_endian, unsigned align,
			  struct rec_build_id *id);

#endif
