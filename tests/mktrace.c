// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Builds a trace from its text form: mktrace [TEXT [TRACE]], standard input and output by default.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/pa-format.h"
#include "format/util/buf.h"
#include "format/util/err.h"

static int write_out(void *ctx, const void *data, size_t len)
{
	return fwrite(data, 1, len, ctx) == len ? 0 : -EIO;
}

static int convert(FILE *in, const char *in_name, struct pa_writer *w)
{
	struct pa_buf error;
	char *line = NULL;
	size_t cap = 0;
	unsigned long number = 0;
	int err = 0;

	pa_buf_init(&error);
	while (err == 0 && getline(&line, &cap, in) >= 0) {
		number++;
		err = pa_text_to_writer(w, line, &error);
	}
	if (err == 0)
		err = pa_writer_flush(w);
	if (err < 0)
		fprintf(stderr, "mktrace: %s:%lu: %s\n", in_name, number,
			err == PA_E_SYNTAX ? pa_buf_str(&error) : pa_strerror(err));
	free(line);
	pa_buf_fini(&error);
	return err;
}

static FILE *open_or(FILE *standard, const char *name, const char *mode)
{
	FILE *f = name && strcmp(name, "-") != 0 ? fopen(name, mode) : standard;

	if (!f)
		fprintf(stderr, "mktrace: cannot open '%s': %s\n", name, strerror(errno));
	return f;
}

int main(int argc, char **argv)
{
	const char *in_name = argc > 1 ? argv[1] : NULL;
	FILE *in = open_or(stdin, in_name, "r");
	FILE *out = in ? open_or(stdout, argc > 2 ? argv[2] : NULL, "w") : NULL;
	struct pa_writer *w = out ? pa_writer_new(write_out, out, NULL) : NULL;
	int err = -ENOMEM;

	if (w)
		err = convert(in, in_name ? in_name : "standard input", w);
	pa_writer_free(w);
	if (out && fclose(out) != 0 && err == 0) {
		fprintf(stderr, "mktrace: cannot write: %s\n", strerror(errno));
		err = -EIO;
	}
	if (in)
		fclose(in);
	return err < 0 ? 1 : 0;
}
