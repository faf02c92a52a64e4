// SPDX-License-Identifier: GPL-2.0-or-later
/* Capability sets of this process. */
#include "record/caps.h"

#include <errno.h>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

int rec_caps_get(struct rec_caps *caps)
{
	struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct data[2];

	if (syscall(SYS_capget, &header, data) < 0)
		return -errno;
	caps->effective = data[0].effective | (uint64_t)data[1].effective << 32;
	caps->permitted = data[0].permitted | (uint64_t)data[1].permitted << 32;
	caps->inheritable = data[0].inheritable | (uint64_t)data[1].inheritable << 32;
	return 0;
}

int rec_caps_set(const struct rec_caps *caps)
{
	struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct data[2] = {
		{(uint32_t)caps->effective, (uint32_t)caps->permitted, (uint32_t)caps->inheritable},
		{(uint32_t)(caps->effective >> 32), (uint32_t)(caps->permitted >> 32),
		 (uint32_t)(caps->inheritable >> 32)},
	};

	return syscall(SYS_capset, &header, data) < 0 ? -errno : 0;
}

int rec_caps_set_effective(uint64_t effective)
{
	struct rec_caps caps = {0};
	int err = rec_caps_get(&caps);

	if (err < 0)
		return err;
	caps.effective = effective & caps.permitted;
	return rec_caps_set(&caps);
}

int rec_caps_drop_inherited(void)
{
	int capability;

	if (prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) < 0)
		return -errno;
	/* The kernel's last capability is where PR_CAPBSET_READ begins to fail. */
	for (capability = 0; prctl(PR_CAPBSET_READ, capability, 0, 0, 0) >= 0; capability++)
		if (prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) < 0 && errno != EPERM)
			return -errno;
	return 0;
}
