/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pa-report --pack-files: the files that names come from, in a tree that --symbols reads. */
#ifndef RPT_COLLECT_H
#define RPT_COLLECT_H

#include "report/options.h"

/* Exit status, after a message when it is not 0. */
int rpt_collect_command(const struct rpt_config *config);

#endif
