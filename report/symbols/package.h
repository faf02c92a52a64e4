/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which package of this host a file came from, and which one has its debug information. */
#ifndef RPT_PACKAGE_H
#define RPT_PACKAGE_H

/* The debug package of the file at path, by dpkg's lists below root ("" = this host's). The caller frees
 * it; NULL when no package is known to have the file. */
char *rpt_package_find_debug(const char *root, const char *path);
/* The debug package of a kernel release, where its name is one of Debian's; else NULL. The caller frees it. */
char *rpt_package_of_kernel(const char *release);

#endif
