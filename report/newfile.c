// SPDX-License-Identifier: GPL-2.0-or-later
/* Files that are written under another name first. */
#include "report/newfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "format/util/buf.h"
#include "report/xmem.h"

int rpt_new_file_open(struct rpt_new_file *f, const char *path)
{
	struct pa_buf name;

	*f = (struct rpt_new_file){.path = path, .fd = STDOUT_FILENO};
	if (strcmp(path, "-") == 0)
		return 0;
	pa_buf_init(&name);
	pa_buf_addf(&name, "%s.XXXXXX", path);
	rpt_xcheck(pa_buf_error(&name));
	f->temporary = rpt_xstrdup(pa_buf_str(&name));
	pa_buf_fini(&name);
	f->fd = mkostemp(f->temporary, O_CLOEXEC); /* mode 0600 */
	return f->fd < 0 ? -errno : 0;
}

int rpt_new_file_write(void *file, const void *data, size_t len)
{
	const struct rpt_new_file *f = file;
	const char *p = data;

	while (len) {
		ssize_t n = write(f->fd, p, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		p += n;
		len -= (size_t)n;
	}
	return 0;
}

int rpt_new_file_close(struct rpt_new_file *f, int err)
{
	bool made = f->temporary && f->fd >= 0;

	if (made && fsync(f->fd) && !err)
		err = -errno;
	if (made && close(f->fd) && !err)
		err = -errno;
	if (made && !err && rename(f->temporary, f->path))
		err = -errno;
	if (made && err)
		unlink(f->temporary);
	free(f->temporary);
	return err;
}
