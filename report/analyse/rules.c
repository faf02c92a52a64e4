// SPDX-License-Identifier: GPL-2.0-or-later
/* The rules in force, and which of them fits. */
#include "report/analyse/rules.h"

#include <stdlib.h>
#include <string.h>

#include "format/util/buf.h"
#include "report/analyse/waits.h"
#include "report/xmem.h"

#include "rules-default.h"

struct rpt_rules *rpt_rules_new(void)
{
	struct rpt_rules *r = rpt_xcalloc(1, sizeof(*r));
	struct pa_buf error;

	pa_buf_init(&error);
	/* A unit test sees to it that there is no mistake in it. */
	rpt_xcheck(rpt_rules_parse(r, "default", rpt_rules_default, strlen(rpt_rules_default),
				   &error));
	pa_buf_fini(&error);
	return r;
}

static void fini_hint(struct rpt_hint_rule *h)
{
	free(h->kind);
	free(h->functions);
	free(h->advice);
}

static void fini_thread(struct rpt_thread_rule *t)
{
	free(t->name);
	free(t->process);
	free(t->calls);
	free(t->functions);
	free(t->never);
}

void rpt_rules_free(struct rpt_rules *r)
{
	size_t i;

	if (!r)
		return;
	for (i = 0; i < r->hint_count; i++)
		fini_hint(&r->hints[i]);
	for (i = 0; i < r->thread_count; i++)
		fini_thread(&r->threads[i]);
	free(r->hints);
	free(r->threads);
	free(r->file);
	free(r);
}

const struct rpt_thread_rule *rpt_rules_thread(const struct rpt_rules *r, const char *thread,
					       const char *process)
{
	size_t i;

	for (i = 0; i < r->thread_count; i++) {
		const struct rpt_thread_rule *t = &r->threads[i];

		if (rpt_matches(t->name, strlen(t->name), thread) &&
		    (!t->process || rpt_matches(t->process, strlen(t->process), process)))
			return t;
	}
	return NULL;
}

const struct rpt_hint_rule *rpt_rules_hint(const struct rpt_rules *r, const char *function)
{
	size_t i;

	for (i = 0; i < r->hint_count; i++)
		if (r->hints[i].functions && rpt_matches_any(r->hints[i].functions, function))
			return &r->hints[i];
	return NULL;
}
