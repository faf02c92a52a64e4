// SPDX-License-Identifier: GPL-2.0-or-later
/* The rules file that the user names. */
#include "report/rules_file.h"

#include <errno.h>
#include <stdio.h>

#include "format/cli/log.h"
#include "format/util/buf.h"
#include "format/util/err.h"
#include "report/analyse/rules.h"

#define MAX_BYTES (1u << 20)

static int read_all(const char *file, struct pa_buf *text)
{
	FILE *f = fopen(file, "re");
	char block[4096];
	int err = 0;
	size_t n;

	if (!f)
		return -errno;
	while (!err && (n = fread(block, 1, sizeof(block), f)) > 0) {
		pa_buf_add(text, block, n);
		err = text->len > MAX_BYTES ? PA_E_LIMIT : pa_buf_error(text);
	}
	if (!err && ferror(f))
		err = errno ? -errno : -EIO;
	fclose(f);
	return err;
}

int rpt_rules_load(struct rpt_rules *rules, const char *file)
{
	struct pa_buf text, mistake;
	int err;

	pa_buf_init(&text);
	pa_buf_init(&mistake);
	err = read_all(file, &text);
	if (err)
		pa_error("cannot read the rules '%s': %s", file, pa_strerror(err));
	if (!err) {
		err = rpt_rules_parse(rules, file, pa_buf_str(&text), text.len, &mistake);
		if (err)
			pa_error("%s; see pa-rules(5)", pa_buf_str(&mistake));
	}
	pa_buf_fini(&text);
	pa_buf_fini(&mistake);
	return err;
}
