/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rules file that the user names. */
#ifndef RPT_RULES_FILE_H
#define RPT_RULES_FILE_H

struct rpt_rules;

/* Reads a file of rules on top of those that are there. 0, or negative after a message that names file,
 * line and what was expected. */
int rpt_rules_load(struct rpt_rules *rules, const char *file);

#endif
