/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Between the files of the perf.data output: records as perf lays them out. The file's format is that of
 * tools/perf/Documentation/perf.data-file-format.txt in the kernel's sources, its records that of
 * include/uapi/linux/perf_event.h.
 */
#ifndef RPT_PERF_DATA_H
#define RPT_PERF_DATA_H

#include <linux/perf_event.h>
#include <stdint.h>
#include <stdio.h>

#include "format/util/buf.h"
#include "report/output/outputs.h"
#include "report/output/pprof_plan.h"

/* perf before 6.3 refuses attributes that are longer than it knows. */
#define RPT_PERF_ATTR_BYTES PERF_ATTR_SIZE_VER5

struct rpt_perf {
	const struct rpt_session *s;
	const struct rpt_profile *profile;
	struct rpt_pprof_plan plan;
	struct pa_buf record; /* that is being made */
	FILE *out; /* NULL: bytes are only counted */
	uint64_t bytes;
	int error;
};

/* A record: begin, add to p->record, end. */
void rpt_perf_begin(struct rpt_perf *p, uint32_t type, uint16_t misc);
void rpt_perf_end(struct rpt_perf *p);
/* Text with its NUL, filled up to a multiple of so many bytes. */
void rpt_perf_add_text(struct pa_buf *out, const char *text, size_t multiple);
/* What stands at the end of each record that is no sample: who, when, on which CPU. */
void rpt_perf_add_trailer(struct rpt_perf *p, uint32_t process, uint32_t tid, uint64_t time_ns);
void rpt_perf_add_attr(struct pa_buf *out, const struct rpt_perf *p);
const char *rpt_perf_event_name(const struct rpt_perf *p);
/* What is known besides events, one section each: bit of the header, content; false after the last. */
bool rpt_perf_feature(const struct rpt_perf *p, size_t index, unsigned *bit, struct pa_buf *out);
/* The name that perf knows a module by. */
const char *rpt_perf_module_name(const struct rpt_session *s, const struct rpt_module *module);

#endif
