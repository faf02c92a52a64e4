// SPDX-License-Identifier: GPL-2.0-or-later
/* A pprof file as it is written. Protobuf joins the repeated fields of messages that follow each other. */
#include "report/output/pprof_parts.h"

#include <stdlib.h>

#include "format/util/buf.h"
#include "format/util/err.h"
#include "report/output/units.h"
#include "report/xmem.h"

/* Readers refuse what is larger. */
#define MAX_RAW_BYTES ((uint64_t)INT32_MAX)

int rpt_pprof_begin(struct rpt_pprof_parts *p, const struct rpt_model *m, FILE *out)
{
	int err;

	*p = (struct rpt_pprof_parts){.m = m};
	err = rpt_gzip_begin(&p->gzip, out);
	if (err < 0)
		return err;
	rpt_strings_init(&p->strings);
	p->taken = rpt_xcalloc(m->strings.count, sizeof(*p->taken));
	return 0;
}

void rpt_pprof_add(struct rpt_pprof_parts *p, const Pprof__Profile *part)
{
	size_t len = pprof__profile__get_packed_size(part);
	uint8_t *data;

	if (p->gzip.raw_bytes + len > MAX_RAW_BYTES)
		p->too_large = true;
	if (p->too_large)
		return;
	data = rpt_xmalloc(len);
	pprof__profile__pack(part, data);
	rpt_gzip_write(&p->gzip, data, len);
	free(data);
}

int64_t rpt_pprof_string(struct rpt_pprof_parts *p, const char *text)
{
	struct pa_buf clean;
	uint32_t id;

	pa_buf_init(&clean);
	rpt_add_text(&clean, text, 0);
	rpt_xcheck(pa_buf_error(&clean));
	id = rpt_strings_add(&p->strings, pa_buf_str(&clean));
	pa_buf_fini(&clean);
	return id;
}

int64_t rpt_pprof_take(struct rpt_pprof_parts *p, uint32_t string)
{
	if (!p->taken[string])
		p->taken[string] = (uint32_t)rpt_pprof_string(p, rpt_text(p->m, string));
	return p->taken[string];
}

int rpt_pprof_end(struct rpt_pprof_parts *p)
{
	Pprof__Profile part = PPROF__PROFILE__INIT;
	int err;

	part.n_string_table = p->strings.count;
	part.string_table = p->strings.items;
	rpt_pprof_add(p, &part);
	err = rpt_gzip_end(&p->gzip);
	rpt_strings_fini(&p->strings);
	free(p->taken);
	return p->too_large ? PA_E_LIMIT : err;
}
