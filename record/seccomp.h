/* SPDX-License-Identifier: GPL-2.0-or-later */
/* System-call filters: an allow list for each of the recorder's processes. */
#ifndef REC_SECCOMP_H
#define REC_SECCOMP_H

/* In builds with the address sanitizer, which has needs of its own. */
#if defined(__SANITIZE_ADDRESS__)
#define REC_ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define REC_ADDRESS_SANITIZER 1
#endif
#endif

enum rec_seccomp_filter {
	REC_SECCOMP_LOOP, /* pa-record after set-up: what is not on the list fails with EPERM */
	REC_SECCOMP_BROKER, /* from here on, it kills the process */
	REC_SECCOMP_BROKER_PARENT, /* as its worker, and may fork another one */
	REC_SECCOMP_SANDBOX,
	REC_SECCOMP_SANDBOX_PARENT,
	REC_SECCOMP_FILES,
};

/*
 * Puts a filter on this process for good; no_new_privs must be set. 0, or -errno: -EINVAL where the
 * kernel has no seccomp filters.
 */
int rec_seccomp_install(enum rec_seccomp_filter filter);

#endif
