/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel's own library in every process, which exists in no file. */
#ifndef REC_VDSO_H
#define REC_VDSO_H

#include <stdint.h>

struct pa_writer;

/* Writes the image as the content of a module. 0, also where there is none, or the writer's error. */
int rec_vdso_write(struct pa_writer *writer, uint32_t module_id);

/* A descriptor of a copy of the image in memory, or -errno. */
int rec_vdso_open(void);

#endif
