// SPDX-License-Identifier: GPL-2.0-or-later
/* Opening what foreign processes have at a path, without trusting it. */
#include "record/open.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "format/util/err.h"
#include "record/procfs.h"

static int open_in(int dir, const char *path, uint64_t flags, uint64_t resolve)
{
	struct open_how how = {.flags = flags | O_CLOEXEC, .resolve = resolve};
	int fd = (int)syscall(SYS_openat2, dir, path, &how, sizeof(how));

	return fd < 0 ? -errno : fd;
}

int rec_open_regular(int root, const char *path, bool follow, struct stat *st)
{
	uint64_t resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS;
	int handle = open_in(root, path, O_PATH | (follow ? 0 : O_NOFOLLOW), resolve), fd;
	char self[64];

	if (handle < 0)
		return handle;
	if (fstat(handle, st) < 0) {
		fd = -errno;
	} else if (!S_ISREG(st->st_mode)) {
		fd = PA_E_NOT_FOUND;
	} else {
		snprintf(self, sizeof(self), "/proc/self/fd/%d", handle);
		fd = open(self, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
		fd = fd < 0 ? -errno : fd;
	}
	close(handle);
	return fd;
}

/*
 * Whether an open file is the one that is mapped. On file systems that show other devices in maps
 * than in stat, the inode has to do.
 */
static bool is_mapped_file(int fd, const struct stat *st, const struct rec_maps_line *line)
{
	uint64_t device = (uint64_t)major(st->st_dev) << 32 | minor(st->st_dev);
	struct statfs fs;

	if (st->st_ino != line->inode)
		return false;
	if (device == line->device)
		return true;
	return fstatfs(fd, &fs) == 0 &&
	       (fs.f_type == OVERLAYFS_SUPER_MAGIC || fs.f_type == BTRFS_SUPER_MAGIC);
}

/* Opens path below a directory and checks that it is the mapped file; fd or an error. */
static int try_mapped(int dir, const char *root, const char *path, const struct rec_maps_line *line)
{
	struct stat st;
	int at = openat(dir, root, O_PATH | O_DIRECTORY | O_CLOEXEC), fd;

	if (at < 0)
		return -errno;
	fd = rec_open_regular(at, path, true, &st);
	close(at);
	if (fd >= 0 && !is_mapped_file(fd, &st, line)) {
		close(fd);
		return PA_E_MISMATCH;
	}
	return fd;
}

/* The executable that a process runs can be opened even where it has no path any more. */
static int try_exe(int dir, const struct rec_maps_line *line)
{
	struct stat st;
	int fd;

	if (fstatat(dir, "exe", &st, 0) < 0)
		return -errno;
	if (!S_ISREG(st.st_mode))
		return PA_E_NOT_FOUND;
	fd = openat(dir, "exe", O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0)
		return -errno;
	if (fstat(fd, &st) == 0 && is_mapped_file(fd, &st, line))
		return fd;
	close(fd);
	return PA_E_MISMATCH;
}

int rec_open_mapped(int dir, const struct rec_maps_line *line, const char *path)
{
	int other, fd = -ENOENT;

	if (!line->deleted) {
		fd = try_mapped(dir, "root", path, line);
		if (fd >= 0)
			return fd;
		/* Of a process in a chroot, maps shows the path outside of it. */
		other = try_mapped(AT_FDCWD, "/", path, line);
		if (other >= 0)
			return other;
	}
	other = try_exe(dir, line);
	return other >= 0 ? other : fd;
}
