// SPDX-License-Identifier: GPL-2.0-or-later
/* Names as people write them: C++, Rust and D, by libiberty, within bounds. */
#include "report/symbols/symbols.h"

#include <ctype.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include <libiberty/demangle.h>

#include "format/util/mem.h"

/* Longer names than these are not worth the time: nobody reads them, and substitutions in a short name
 * can grow its text exponentially. */
#define MAX_MANGLED 4096
#define MAX_MANGLED_D 512 /* that demangler cannot be stopped on its way */
#define MAX_DEMANGLED ((size_t)16 << 10)

struct sink {
	char *data;
	size_t len;
	size_t cap;
	jmp_buf stop; /* no memory, or more text than anybody would read */
};

/* libiberty's printers cannot be told to stop, but keep all their state on the stack. */
static void sink_add(const char *text, size_t len, void *opaque)
{
	struct sink *s = opaque;

	if (len > MAX_DEMANGLED - s->len || pa_grow(&s->data, &s->cap, s->len + len + 1, 1) < 0)
		longjmp(s->stop, 1);
	memcpy(s->data + s->len, text, len);
	s->len += len;
	s->data[s->len] = '\0';
}

/* _ZN...17h<16 hex digits>E, and nothing behind it but a compiler's suffix: Rust before v0. */
static bool is_rust_legacy(const char *name)
{
	const char *hash = name;
	size_t i;

	while ((hash = strstr(hash, "17h"))) {
		for (i = 3; i < 19 && isxdigit((unsigned char)hash[i]); i++)
			;
		if (i == 19 && hash[i] == 'E' && (hash[i + 1] == '\0' || hash[i + 1] == '.'))
			return true;
		hash++;
	}
	return false;
}

static bool demangle_cxx(const char *name, struct sink *s)
{
	return cplus_demangle_v3_callback(name, DMGL_PARAMS | DMGL_ANSI, sink_add, s);
}

static bool demangle_rust(const char *name, struct sink *s)
{
	return rust_demangle_callback(name, DMGL_PARAMS | DMGL_ANSI, sink_add, s);
}

static bool demangle_d(const char *name, struct sink *s)
{
	char *text = strlen(name) <= MAX_MANGLED_D ? dlang_demangle(name, DMGL_PARAMS) : NULL;
	size_t len = text ? strlen(text) : 0;

	if (len > 0 && len <= MAX_DEMANGLED)
		sink_add(text, len, s);
	free(text);
	return len > 0;
}

static bool demangle_any(const char *name, struct sink *s)
{
	if (setjmp(s->stop))
		return false;
	if (strncmp(name, "_R", 2) == 0)
		return demangle_rust(name, s);
	if (strncmp(name, "_Z", 2) == 0)
		return is_rust_legacy(name) ? demangle_rust(name, s) : demangle_cxx(name, s);
	if (strncmp(name, "_D", 2) == 0)
		return demangle_d(name, s);
	return false;
}

bool rpt_is_mangled(const char *name)
{
	return name[0] == '_' && name[1] && strchr("ZRD", name[1]);
}

char *rpt_demangle(const char *name)
{
	struct sink s = {0};

	if (name[0] == '_' && strlen(name) <= MAX_MANGLED && demangle_any(name, &s) && s.len > 0)
		return s.data;
	free(s.data);
	return strdup(name);
}
