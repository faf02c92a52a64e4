// SPDX-License-Identifier: GPL-2.0-or-later
/* The files of a process under /proc. */
#include "record/procfs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "format/pa-format.h"
#include "format/util/buf.h"
#include "format/util/err.h"
#include "format/util/mem.h"

/* --- words of a line: each returns false, and the line is malformed, when it isn't there --- */

struct scan {
	const char *p, *end;
};

static bool scan_char(struct scan *s, char c)
{
	if (s->p == s->end || *s->p != c)
		return false;
	s->p++;
	return true;
}

static int digit_value(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return 99;
}

static bool scan_number(struct scan *s, unsigned base, uint64_t *value)
{
	const char *begin = s->p;
	uint64_t v = 0;

	while (s->p < s->end && (unsigned)digit_value(*s->p) < base) {
		if (!pa_mul_ok(v, (uint64_t)base, &v) ||
		    !pa_add_ok(v, (uint64_t)digit_value(*s->p), &v))
			return false;
		s->p++;
	}
	*value = v;
	return s->p > begin;
}

static void scan_blanks(struct scan *s)
{
	while (s->p < s->end && (*s->p == ' ' || *s->p == '\t'))
		s->p++;
}

/* The next line without its newline; false at the end of the text. */
static bool next_line(const char *text, size_t len, size_t *pos, struct scan *line, bool *complete)
{
	const char *newline;

	if (*pos >= len)
		return false;
	line->p = text + *pos;
	newline = memchr(line->p, '\n', len - *pos);
	*complete = newline != NULL;
	line->end = newline ? newline : text + len;
	*pos = (size_t)(line->end - text) + (newline ? 1 : 0);
	return true;
}

/* --- maps --- */

bool rec_procfs_cut_deleted(const char *path, size_t *len)
{
	static const char suffix[] = " (deleted)";
	const size_t n = sizeof(suffix) - 1;

	if (*len <= n || memcmp(path + *len - n, suffix, n) != 0)
		return false;
	*len -= n;
	return true;
}

static bool scan_protection(struct scan *s, struct rec_maps_line *line)
{
	if (s->end - s->p < 4)
		return false;
	line->prot =
		(s->p[0] == 'r' ? 1u : 0) | (s->p[1] == 'w' ? 2u : 0) | (s->p[2] == 'x' ? 4u : 0);
	line->shared = s->p[3] == 's';
	s->p += 4;
	return true;
}

/* 7f0123456000-7f0123458000 r-xp 00001000 08:02 12345      /usr/bin/x */
static bool parse_maps_line(struct scan s, struct rec_maps_line *line)
{
	uint64_t major, minor;

	if (!scan_number(&s, 16, &line->start) || !scan_char(&s, '-') ||
	    !scan_number(&s, 16, &line->end) || !scan_char(&s, ' ') || !scan_protection(&s, line) ||
	    !scan_char(&s, ' ') || !scan_number(&s, 16, &line->offset_bytes) ||
	    !scan_char(&s, ' ') || !scan_number(&s, 16, &major) || !scan_char(&s, ':') ||
	    !scan_number(&s, 16, &minor) || !scan_char(&s, ' ') ||
	    !scan_number(&s, 10, &line->inode))
		return false;
	if (line->end <= line->start || major > UINT32_MAX || minor > UINT32_MAX)
		return false;
	scan_blanks(&s);
	line->device = major << 32 | minor;
	line->path = s.p;
	line->path_len = (size_t)(s.end - s.p);
	line->deleted = rec_procfs_cut_deleted(line->path, &line->path_len);
	return true;
}

bool rec_maps_next(struct rec_maps_cursor *c, struct rec_maps_line *line)
{
	struct scan text;
	bool complete;

	while (next_line(c->text, c->len, &c->pos, &text, &complete)) {
		if (complete && parse_maps_line(text, line))
			return true;
		c->malformed++;
	}
	return false;
}

void rec_maps_add_path(struct pa_buf *out, const struct rec_maps_line *line)
{
	const char *p = line->path, *end = p + line->path_len, *escape;

	/* The kernel escapes newlines alone. */
	while ((escape = memmem(p, (size_t)(end - p), "\\012", 4)) != NULL) {
		pa_buf_add(out, p, (size_t)(escape - p));
		pa_buf_add_char(out, '\n');
		p = escape + 4;
	}
	pa_buf_add(out, p, (size_t)(end - p));
}

static bool has_prefix(const char *path, size_t len, const char *prefix)
{
	size_t n = strlen(prefix);

	return len >= n && memcmp(path, prefix, n) == 0;
}

uint32_t rec_path_module_kind(const char *path, size_t len)
{
	static const struct {
		const char *prefix;
		uint32_t kind;
	} kinds[] = {
		{"[vdso]", PA_MODULE_VDSO},
		{"[anon", PA_MODULE_ANON}, /* [anon], [anon:name], [anon_shmem:name] */
		{"[heap]", PA_MODULE_ANON},
		{"[stack", PA_MODULE_ANON},
		{"//anon", PA_MODULE_ANON}, /* so in mmap events */
		{"[", PA_MODULE_SPECIAL}, /* [vsyscall], [uprobes], [vvar] */
		{"/memfd:", PA_MODULE_MEMFD},
		{"/SYSV", PA_MODULE_SPECIAL},
		{"/dev/", PA_MODULE_SPECIAL},
		{"/anon_hugepage", PA_MODULE_ANON},
		{"anon_inode:", PA_MODULE_SPECIAL},
		{"socket:", PA_MODULE_SPECIAL},
		{"/", PA_MODULE_FILE},
	};
	size_t i;

	if (len == 0)
		return PA_MODULE_ANON;
	/* Files may lie below /dev, in shared memory for instance. */
	if (has_prefix(path, len, "/dev/shm/"))
		return PA_MODULE_FILE;
	for (i = 0; i < PA_ARRAY_LEN(kinds); i++)
		if (has_prefix(path, len, kinds[i].prefix))
			return kinds[i].kind;
	return PA_MODULE_SPECIAL;
}

/* --- status --- */

/* In status, a newline in a name is "\n" and a backslash "\\"; other odd bytes are octal. */
static void unescape_name(char *to, size_t size, struct scan s)
{
	size_t n = 0;

	for (; s.p < s.end && n + 1 < size; s.p++) {
		char c = *s.p;

		if (c == '\\' && s.end - s.p >= 2) {
			if (s.p[1] == 'n' || s.p[1] == '\\') {
				c = s.p[1] == 'n' ? '\n' : '\\';
				s.p++;
			} else if (s.end - s.p >= 4 && s.p[1] >= '0' && s.p[1] <= '3') {
				c = (char)((s.p[1] - '0') * 64 + (s.p[2] - '0') * 8 +
					   (s.p[3] - '0'));
				s.p += 3;
			}
		}
		to[n++] = c;
	}
	to[n] = 0;
}

/* Numbers separated by blanks; returns how many there were, at most cap of them stored. */
static uint32_t scan_numbers(struct scan s, uint32_t *values, uint32_t cap)
{
	uint32_t n = 0;
	uint64_t v;

	for (scan_blanks(&s); n < cap && scan_number(&s, 10, &v); scan_blanks(&s))
		values[n++] = (uint32_t)v;
	return n;
}

static bool status_key(struct scan *s, const char *key)
{
	size_t n = strlen(key);

	if (!has_prefix(s->p, (size_t)(s->end - s->p), key))
		return false;
	s->p += n;
	return true;
}

static void parse_status_line(struct scan s, struct rec_proc_status *status)
{
	uint32_t flag;

	if (status_key(&s, "Name:\t"))
		unescape_name(status->name, sizeof(status->name), s);
	else if (status_key(&s, "Tgid:"))
		scan_numbers(s, &status->tgid, 1);
	else if (status_key(&s, "Pid:"))
		scan_numbers(s, &status->pid, 1);
	else if (status_key(&s, "PPid:"))
		scan_numbers(s, &status->ppid, 1);
	else if (status_key(&s, "Uid:"))
		status->uid_known = scan_numbers(s, status->uid, 4) == 4;
	else if (status_key(&s, "Gid:"))
		scan_numbers(s, status->gid, 4);
	else if (status_key(&s, "NSpid:"))
		status->ns_pid_count = scan_numbers(s, status->ns_pids, REC_NS_PIDS);
	else if (status_key(&s, "Threads:"))
		scan_numbers(s, &status->threads, 1);
	else if (status_key(&s, "VmSize:"))
		status->kernel_thread = false;
	else if (status_key(&s, "Kthread:") && scan_numbers(s, &flag, 1) == 1)
		status->kernel_thread = flag != 0;
}

int rec_status_parse(const char *text, size_t len, struct rec_proc_status *status)
{
	struct scan line;
	bool complete;
	size_t pos = 0;

	/* Until a line says otherwise: kernel threads have no VmSize (nor have zombies). */
	*status = (struct rec_proc_status){.kernel_thread = true};
	while (next_line(text, len, &pos, &line, &complete))
		parse_status_line(line, status);
	return status->tgid && status->pid ? 0 : PA_E_CORRUPT;
}

/* --- others --- */

bool rec_cgroup_parse(const char *text, size_t len, const char **path, size_t *path_len)
{
	struct scan s;
	bool complete, found = false;
	size_t pos = 0;

	while (next_line(text, len, &pos, &s, &complete)) {
		bool unified = has_prefix(s.p, (size_t)(s.end - s.p), "0::");
		const char *colon = memchr(s.p, ':', (size_t)(s.end - s.p));

		colon = colon ? memchr(colon + 1, ':', (size_t)(s.end - colon - 1)) : NULL;
		if (!colon || colon + 1 == s.end || colon[1] != '/')
			continue;
		if (!found || unified || (size_t)(s.end - colon - 1) > *path_len) {
			*path = colon + 1;
			*path_len = (size_t)(s.end - colon - 1);
			found = true;
		}
		if (unified)
			break;
	}
	return found;
}

static bool is_plain(const char *word, size_t len)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				    "_-+=./,:@%^";
	size_t i;

	for (i = 0; i < len; i++)
		if (!memchr(plain, word[i], sizeof(plain) - 1))
			return false;
	return len > 0;
}

static void add_quoted(struct pa_buf *out, const char *word, size_t len)
{
	size_t i;

	pa_buf_add_char(out, '\'');
	for (i = 0; i < len; i++) {
		if (word[i] == '\'')
			pa_buf_add_str(out, "'\\''");
		else
			pa_buf_add_char(out, word[i]);
	}
	pa_buf_add_char(out, '\'');
}

void rec_cmdline_add(struct pa_buf *out, const char *text, size_t len)
{
	size_t pos = 0;

	while (pos < len) {
		const char *word = text + pos, *nul = memchr(word, 0, len - pos);
		size_t n = nul ? (size_t)(nul - word) : len - pos;

		if (pos > 0)
			pa_buf_add_char(out, ' ');
		if (is_plain(word, n))
			pa_buf_add(out, word, n);
		else
			add_quoted(out, word, n);
		pos += n + 1;
	}
}

/* --- reading --- */

int rec_procfs_open(pid_t pid)
{
	char path[32];
	int fd;

	snprintf(path, sizeof(path), "/proc/%d", (int)pid);
	fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return errno == ENOENT ? -ESRCH : -errno;
	return fd;
}

/* Whether the thread of a directory has memory still. */
static bool has_memory(int dir)
{
	int fd = openat(dir, "maps", O_RDONLY | O_CLOEXEC);
	ssize_t n;
	char c;

	if (fd < 0)
		return false;
	n = read(fd, &c, 1);
	close(fd);
	return n == 1;
}

/* The directory of a living thread among those of a process, or -1. */
static int open_thread(int dir)
{
	int fd = openat(dir, "task", O_RDONLY | O_DIRECTORY | O_CLOEXEC), thread = -1;
	DIR *list = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;

	while (list && thread < 0 && (entry = readdir(list)) != NULL) {
		if (entry->d_name[0] == '.')
			continue;
		thread = openat(fd, entry->d_name, O_PATH | O_DIRECTORY | O_CLOEXEC);
		if (thread >= 0 && !has_memory(thread)) {
			close(thread);
			thread = -1;
		}
	}
	if (list)
		closedir(list);
	else if (fd >= 0)
		close(fd);
	return thread;
}

int rec_procfs_open_memory(pid_t pid)
{
	int dir = rec_procfs_open(pid), thread;

	if (dir < 0 || has_memory(dir))
		return dir;
	thread = open_thread(dir);
	if (thread < 0)
		return dir;
	close(dir);
	return thread;
}

int rec_procfs_read_fd(int fd, struct pa_buf *out, size_t max)
{
	char chunk[16384];
	size_t total = 0;

	for (;;) {
		ssize_t n = read(fd, chunk, sizeof(chunk));

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (n == 0)
			return pa_buf_error(out);
		if ((size_t)n > max - total) {
			pa_buf_add(out, chunk, max - total);
			return PA_E_LIMIT;
		}
		pa_buf_add(out, chunk, (size_t)n);
		total += (size_t)n;
	}
}

int rec_procfs_read(int dir, const char *name, struct pa_buf *out, size_t max)
{
	int fd = openat(dir, name, O_RDONLY | O_CLOEXEC | O_NOCTTY), err;

	if (fd < 0)
		return -errno;
	err = rec_procfs_read_fd(fd, out, max);
	close(fd);
	return err;
}

int rec_procfs_read_link(int dir, const char *name, struct pa_buf *out)
{
	char path[PATH_MAX];
	ssize_t n = readlinkat(dir, name, path, sizeof(path));

	if (n < 0)
		return -errno;
	if ((size_t)n == sizeof(path))
		return -ENAMETOOLONG;
	pa_buf_add(out, path, (size_t)n);
	return pa_buf_error(out);
}
