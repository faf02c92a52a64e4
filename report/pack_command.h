/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pa-report --pack: from the command line to the packed trace. */
#ifndef RPT_PACK_COMMAND_H
#define RPT_PACK_COMMAND_H

#include "report/options.h"

/* Exit status, after a message when it is not 0. */
int rpt_pack_command(const struct rpt_config *config);

#endif
