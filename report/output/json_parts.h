/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Between the files of the JSON output: its parts. */
#ifndef RPT_JSON_PARTS_H
#define RPT_JSON_PARTS_H

#include "report/output/json_write.h"
#include "report/session.h"

/* "modules", "functions", "frames", "stacks", "on_cpu", "off_cpu", "waits". */
void rpt_json_profiles(struct rpt_json *j, const struct rpt_session *s);
/* "coverage", "verdicts", "scheduler", "counters". */
void rpt_json_health(struct rpt_json *j, const struct rpt_session *s);
/* The id of what has this index: the index itself; null for 0. */
static inline void rpt_json_id(struct rpt_json *j, const char *key, uint32_t index)
{
	rpt_json_int_if(j, key, index, index);
}
/* A string of the session, null for the empty one. */
static inline void rpt_json_string(struct rpt_json *j, const char *key, const struct rpt_session *s,
				   uint32_t string)
{
	rpt_json_text(j, key, string ? rpt_text(&s->model, string) : NULL);
}
/* Hexadecimal, null where there is none. */
void rpt_json_build_id(struct rpt_json *j, const char *key, const uint8_t *id, size_t bytes);

#endif
