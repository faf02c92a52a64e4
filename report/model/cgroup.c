// SPDX-License-Identifier: GPL-2.0-or-later
/* Container and pod ids in cgroup paths. */
#include "report/model/cgroup.h"

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#define STATIC_POD_CHARS 32

static size_t hex_digits(const char *text, size_t len)
{
	size_t n = 0;

	while (n < len && isxdigit((unsigned char)text[n]))
		n++;
	return n;
}

/* The part's text before what systemd adds. */
static size_t without_suffix(const char *part, size_t len)
{
	static const char *const suffixes[] = {".scope", ".service", ".slice"};
	size_t i, n;

	for (i = 0; i < sizeof(suffixes) / sizeof(*suffixes); i++) {
		n = strlen(suffixes[i]);
		if (len > n && memcmp(part + len - n, suffixes[i], n) == 0)
			return len - n;
	}
	return len;
}

static bool ends_in(const char *text, size_t len, const char *end)
{
	size_t n = strlen(end);

	return len >= n && memcmp(text + len - n, end, n) == 0;
}

/* [MANAGER-]ID; the container's monitor, which has its id too, is not within. */
static bool take_container(struct rpt_container *c, const char *part, size_t len)
{
	size_t before;

	if (len < RPT_CONTAINER_ID_CHARS)
		return false;
	before = len - RPT_CONTAINER_ID_CHARS;
	if (hex_digits(part + before, RPT_CONTAINER_ID_CHARS) != RPT_CONTAINER_ID_CHARS ||
	    (before && part[before - 1] != '-') || ends_in(part, before, "conmon-"))
		return false;
	memcpy(c->id, part + before, RPT_CONTAINER_ID_CHARS);
	c->id[RPT_CONTAINER_ID_CHARS] = '\0';
	return true;
}

/* systemd has '_' in place of '-', which means a parent there. */
static bool is_uid(const char *text, size_t len)
{
	size_t i;

	if (len == STATIC_POD_CHARS)
		return hex_digits(text, len) == len;
	if (len != RPT_POD_UID_CHARS)
		return false;
	for (i = 0; i < len; i++) {
		if (i == 8 || i == 13 || i == 18 || i == 23) {
			if (text[i] != '-' && text[i] != '_')
				return false;
		} else if (!isxdigit((unsigned char)text[i])) {
			return false;
		}
	}
	return true;
}

static bool take_pod(struct rpt_container *c, const char *part, size_t len)
{
	size_t at, i;

	for (at = 0; at + 3 < len; at++) {
		if (memcmp(part + at, "pod", 3) != 0 || (at && part[at - 1] != '-') ||
		    !is_uid(part + at + 3, len - at - 3))
			continue;
		for (i = 0; i < len - at - 3; i++)
			c->pod[i] = (char)(part[at + 3 + i] == '_' ? '-' : part[at + 3 + i]);
		c->pod[i] = '\0';
		return true;
	}
	return false;
}

void rpt_container_of(struct rpt_container *c, const char *path)
{
	size_t len;

	*c = (struct rpt_container){0};
	for (; *path; path += len + (path[len] != '\0')) {
		size_t bare;

		len = strcspn(path, "/:");
		bare = without_suffix(path, len);
		/* What is in a pod's cgroup is in no container of an outer one. */
		if (take_pod(c, path, bare))
			c->id[0] = '\0';
		else
			take_container(c, path, bare);
	}
}
