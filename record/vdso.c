// SPDX-License-Identifier: GPL-2.0-or-later
/* The vdso is the same in all processes of a kernel and word size: ours is read. */
#include "record/vdso.h"

#include <elf.h>
#include <errno.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>

#include "format/pa-format.h"

/* End of the section headers, which stand last in the image; the mapping is whole pages. */
static uint64_t image_bytes(const uint8_t *image)
{
	Elf64_Ehdr header;

	memcpy(&header, image, sizeof(header));
	if (memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64)
		return 0;
	return header.e_shoff + (uint64_t)header.e_shnum * header.e_shentsize;
}

int rec_vdso_write(struct pa_writer *writer, uint32_t module_id)
{
	const uint8_t *image = (const uint8_t *)getauxval(AT_SYSINFO_EHDR);
	struct pa_record rec = {.id = PA_REC_FILE_IMAGE};
	uint64_t bytes = image ? image_bytes(image) : 0;

	if (bytes == 0 || bytes > PA_MAX_BYTES_FIELD)
		return 0;
	rec.file_image.module = module_id;
	rec.file_image.data = (struct pa_bytes){image, (uint32_t)bytes};
	return pa_writer_add(writer, &rec);
}

int rec_vdso_open(void)
{
	const uint8_t *image = (const uint8_t *)getauxval(AT_SYSINFO_EHDR);
	uint64_t bytes = image ? image_bytes(image) : 0;
	int fd, err;

	if (bytes == 0)
		return -ENOENT;
	fd = memfd_create("vdso", MFD_CLOEXEC);
	if (fd >= 0 && write(fd, image, bytes) == (ssize_t)bytes)
		return fd;
	err = -errno;
	if (fd >= 0)
		close(fd);
	return err ? err : -EIO;
}
