// SPDX-License-Identifier: GPL-2.0-or-later
/* Allocation that ends the program with a message when there is no memory. */
#include "report/xmem.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "format/cli/log.h"
#include "format/util/err.h"

static void __attribute__((noreturn)) die(int err)
{
	pa_error("%s", pa_strerror(err));
	exit(PA_EXIT_FAILURE);
}

void *rpt_xmalloc(size_t bytes)
{
	void *p = malloc(bytes ? bytes : 1);

	if (!p)
		die(-ENOMEM);
	return p;
}

void *rpt_xcalloc(size_t count, size_t bytes)
{
	void *p = calloc(count ? count : 1, bytes ? bytes : 1);

	if (!p)
		die(-ENOMEM);
	return p;
}

void *rpt_xrealloc(void *old, size_t count, size_t bytes)
{
	size_t total;
	void *p;

	if (!pa_mul_ok(count, bytes, &total))
		die(-ENOMEM);
	p = realloc(old, total ? total : 1);
	if (!p)
		die(-ENOMEM);
	return p;
}

char *rpt_xstrdup(const char *text)
{
	return rpt_xstrndup(text, strlen(text));
}

char *rpt_xstrndup(const char *text, size_t len)
{
	char *p = strndup(text, len);

	if (!p)
		die(-ENOMEM);
	return p;
}

void rpt_xgrow(void *items, size_t *cap, size_t need, size_t item_bytes)
{
	rpt_xcheck(pa_grow(items, cap, need, item_bytes));
}

void rpt_xcheck(int err)
{
	if (err < 0)
		die(err);
}
