// SPDX-License-Identifier: GPL-2.0-or-later
/* The table of outputs, and how one gets into a file. */
#include "report/output/outputs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "format/util/buf.h"
#include "report/xmem.h"

const struct rpt_output *const rpt_outputs[] = {
	&rpt_out_text,
	&rpt_out_pprof,
	&rpt_out_html,
	&rpt_out_perfetto,
	&rpt_out_firefox,
	&rpt_out_perf_data,
	&rpt_out_stat,
	&rpt_out_missing,
	&rpt_out_explain,
	&rpt_out_folded,
	NULL,
};

const struct rpt_output *rpt_output_find(const char *name)
{
	size_t i;

	for (i = 0; rpt_outputs[i]; i++)
		if (strcmp(rpt_outputs[i]->name, name) == 0)
			return rpt_outputs[i];
	return NULL;
}

int rpt_output_put(struct pa_buf *text, FILE *out)
{
	int err = pa_buf_error(text);

	errno = 0;
	if (err == 0 && fwrite(text->data, 1, text->len, out) != text->len)
		err = errno ? -errno : -EIO;
	pa_buf_fini(text);
	return err;
}

static int write_and_flush(const struct rpt_output *output, const struct rpt_session *s,
			   const struct rpt_output_options *options, FILE *out)
{
	int err = output->write(s, options, out);

	if (err < 0)
		return err;
	errno = 0;
	if (fflush(out) || ferror(out))
		return errno ? -errno : -EIO;
	return 0;
}

/* As a new file would have been made: 0666 less the umask. */
static void set_mode(int fd)
{
	mode_t mask = umask(0);

	umask(mask);
	/* A file system without modes is no reason to give up. */
	(void)!fchmod(fd, 0666 & ~mask);
}

static int write_temporary(const struct rpt_output *output, const struct rpt_session *s,
			   const struct rpt_output_options *options, char *name)
{
	int fd = mkostemp(name, O_CLOEXEC), err;
	FILE *out;

	if (fd < 0)
		return -errno;
	set_mode(fd);
	out = fdopen(fd, "w");
	if (!out) {
		err = -errno;
		close(fd);
		return err;
	}
	err = write_and_flush(output, s, options, out);
	if (fclose(out) && err == 0)
		err = -errno;
	return err;
}

static bool is_special(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && !S_ISREG(st.st_mode);
}

/* A pipe or device can only be written to as it is. */
static int write_in_place(const struct rpt_output *output, const struct rpt_session *s,
			  const struct rpt_output_options *options, const char *path)
{
	FILE *out = fopen(path, "we");
	int err;

	if (!out)
		return -errno;
	err = write_and_flush(output, s, options, out);
	if (fclose(out) && err == 0)
		err = -errno;
	return err;
}

int rpt_output_to_file(const struct rpt_output *output, const struct rpt_session *s,
		       const struct rpt_output_options *options, const char *path)
{
	struct pa_buf name;
	int err;

	if (strcmp(path, "-") == 0)
		return write_and_flush(output, s, options, stdout);
	if (is_special(path))
		return write_in_place(output, s, options, path);
	pa_buf_init(&name);
	pa_buf_addf(&name, "%s.XXXXXX", path);
	rpt_xcheck(pa_buf_error(&name));
	err = write_temporary(output, s, options, (char *)name.data);
	if (err == 0 && rename((char *)name.data, path))
		err = -errno;
	if (err < 0)
		unlink((char *)name.data);
	pa_buf_fini(&name);
	return err;
}
