/* SPDX-License-Identifier: GPL-2.0-or-later */
/* DWARF register numbers of the machines. */
#ifndef REC_UNWIND_ARCH_H
#define REC_UNWIND_ARCH_H

#include <linux/types.h>
#include <stdint.h>

#include "bpf/unwind_table.h"

#define REC_X86_RBP 6
#define REC_X86_RSP 7
#define REC_X86_RIP 16
#define REC_NO_REGISTER UINT32_MAX
#define REC_ARM_FP 29
#define REC_ARM_LR 30
#define REC_ARM_SP 31

static inline uint32_t rec_arch_fp(uint32_t arch)
{
	return arch == EV_UNWIND_AARCH64 ? REC_ARM_FP : REC_X86_RBP;
}

static inline uint32_t rec_arch_sp(uint32_t arch)
{
	return arch == EV_UNWIND_AARCH64 ? REC_ARM_SP : REC_X86_RSP;
}

/* The one more register that a dynamic linker's frames need; see EV_UNWIND_TRACKS_RBX. */
static inline uint32_t rec_arch_rbx(uint32_t arch)
{
	return arch == EV_UNWIND_X86_64 ? EV_UNWIND_RBX : REC_NO_REGISTER;
}

#endif
