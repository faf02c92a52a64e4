// SPDX-License-Identifier: GPL-2.0-or-later
/* The records of a trace as text, one line each, as they stand in it. */
#include <errno.h>

#include "format/pa-format.h"
#include "format/util/buf.h"
#include "report/output/outputs.h"

#define FLUSH_BYTES 65536

static int flush_text(struct pa_buf *text, FILE *out)
{
	int err = pa_buf_error(text);

	if (err < 0)
		return err;
	if (text->len && fwrite(text->data, 1, text->len, out) != text->len)
		return errno ? -errno : -EIO;
	pa_buf_reset(text);
	return 0;
}

int rpt_dump(struct pa_reader *reader, FILE *out)
{
	const struct pa_record *record;
	struct pa_buf text;
	int err, failed = 0;

	pa_buf_init(&text);
	while ((err = pa_reader_next(reader, &record)) > 0) {
		pa_text_from_record(&text, reader, record);
		if (text.len >= FLUSH_BYTES)
			failed = flush_text(&text, out);
		if (failed)
			break;
	}
	if (!failed)
		failed = flush_text(&text, out);
	pa_buf_fini(&text);
	if (!failed && fflush(out))
		failed = -errno;
	return failed ? failed : err;
}
