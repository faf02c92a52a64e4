// SPDX-License-Identifier: GPL-2.0-or-later
/* The table of outputs, and how one gets into a file. */
#include "report/output/outputs.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "format/util/buf.h"
#include "format/util/err.h"
#include "report/xmem.h"

const struct rpt_output *const rpt_outputs[] = {
	&rpt_out_text,    &rpt_out_pprof,
	&rpt_out_html,    &rpt_out_perfetto,
	&rpt_out_firefox, &rpt_out_perf_data,
	&rpt_out_stat,    &rpt_out_missing,
	&rpt_out_explain, &rpt_out_folded,
	&rpt_out_sqlite,  &rpt_out_json,
	&rpt_out_diff,    NULL,
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

static int write_stream(const struct rpt_output *output, const struct rpt_session *s,
			const struct rpt_output_options *options, int fd)
{
	FILE *out;
	int err;

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

/* --- what is interrupted leaves nothing --- */

static const int signals[] = {SIGHUP, SIGINT, SIGTERM};
static char *volatile unfinished; /* name of the file that is being written */

static void remove_unfinished(int number)
{
	if (unfinished)
		unlink(unfinished);
	/* The default action is back in place. */
	raise(number);
}

static void watch_signals(char *name)
{
	struct sigaction action = {.sa_handler = remove_unfinished, .sa_flags = SA_RESETHAND};
	struct sigaction before;
	size_t i;

	unfinished = name;
	for (i = 0; name && i < PA_ARRAY_LEN(signals); i++)
		if (sigaction(signals[i], NULL, &before) == 0 && before.sa_handler == SIG_DFL)
			sigaction(signals[i], &action, NULL);
}

struct file_names {
	char *temporary;
	const char *path;
};

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

static int write_temporary(const struct rpt_output *output,
			   const struct rpt_session *const *sessions, size_t count,
			   const struct rpt_output_options *options, struct file_names names)
{
	int fd = mkostemp(names.temporary, O_CLOEXEC);

	if (fd < 0)
		return -errno;
	set_mode(fd);
	if (output->write)
		return write_stream(output, sessions[0], options, fd);
	close(fd);
	return output->write_file(sessions, count, options, names.temporary, names.path);
}

int rpt_output_to_file(const struct rpt_output *output, const struct rpt_session *const *sessions,
		       size_t count, const struct rpt_output_options *options, const char *path)
{
	struct file_names names = {.path = path};
	struct pa_buf name;
	int err;

	if (output->write && strcmp(path, "-") == 0)
		return write_and_flush(output, sessions[0], options, stdout);
	if (output->write && is_special(path))
		return write_in_place(output, sessions[0], options, path);
	if (strcmp(path, "-") == 0 || is_special(path))
		return PA_E_UNSUPPORTED;
	pa_buf_init(&name);
	pa_buf_addf(&name, "%s.XXXXXX", path);
	rpt_xcheck(pa_buf_error(&name));
	names.temporary = (char *)name.data;
	watch_signals(names.temporary);
	err = write_temporary(output, sessions, count, options, names);
	if (err == 0 && rename(names.temporary, path))
		err = -errno;
	watch_signals(NULL);
	if (err < 0)
		unlink(names.temporary);
	pa_buf_fini(&name);
	return err;
}
