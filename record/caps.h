/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Capability sets of this process, by the system calls themselves. */
#ifndef REC_CAPS_H
#define REC_CAPS_H

#include <stdint.h>

struct rec_caps {
	uint64_t effective, permitted, inheritable; /* one bit a capability */
};

#define REC_CAP_BIT(capability) (UINT64_C(1) << (capability))

/* All return 0 or -errno. */
int rec_caps_get(struct rec_caps *caps);
int rec_caps_set(const struct rec_caps *caps);
/* Changes the effective set alone; only what is permitted is taken. */
int rec_caps_set_effective(uint64_t effective);
/* Clears the ambient set, and the bounding set as far as CAP_SETPCAP is there to do so. */
int rec_caps_drop_inherited(void);

#endif
