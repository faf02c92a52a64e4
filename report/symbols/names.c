// SPDX-License-Identifier: GPL-2.0-or-later
/* Choosing and demangling the names of frames. */
#include "report/symbols/names.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "report/symbols/symbols.h"
#include "report/xmem.h"

struct rpt_demangled {
	const char *name; /* interned */
	const char *text;
};

void rpt_names_fini(struct rpt_names *n)
{
	free(n->demangled);
	pa_htab_fini(&n->demangled_index);
	rpt_arena_fini(&n->arena);
	*n = (struct rpt_names){0};
}

const char *rpt_names_keep(struct rpt_names *n, const char *text)
{
	return rpt_arena_intern(&n->arena, text);
}

static bool equal(const void *ctx, uint32_t value, const void *key)
{
	return ((const struct rpt_names *)ctx)->demangled[value].name == key;
}

/* name is interned. */
static const char *demangle(struct rpt_names *n, const char *name)
{
	uint64_t hash = pa_hash_u64((uintptr_t)name);
	const char *text = name;
	uint32_t value;
	char *copy;

	if (n->no_demangle || name[0] != '_')
		return name;
	if (pa_htab_get(&n->demangled_index, hash, equal, n, name, &value))
		return n->demangled[value].text;
	copy = rpt_demangle(name);
	if (copy)
		text = rpt_names_keep(n, copy);
	free(copy);
	rpt_xgrow(&n->demangled, &n->demangled_cap, n->demangled_count + 1, sizeof(*n->demangled));
	n->demangled[n->demangled_count] = (struct rpt_demangled){name, text};
	rpt_xcheck(pa_htab_add(&n->demangled_index, hash, (uint32_t)n->demangled_count++));
	return text;
}

/* Whether a mangled symbol may stand for what DWARF calls by its short name: "~box", "grow<int>". */
static bool is_mangled_from(const char *symbol, const char *name)
{
	size_t len;

	/* An operator's name is another one when it is mangled. */
	if (strncmp(name, "operator", 8) == 0 && name[8] && name[8] != '_' && !isalnum(name[8]))
		return true;
	if (name[0] == '~')
		name++;
	len = strcspn(name, "<");
	return len > 0 && memmem(symbol, strlen(symbol), name, len);
}

/*
 * The linkage name of the function that the machine code belongs to. DWARF is the source of names, but
 * only the symbol table knows what the compiler did to a function (".part.0", ".cold"), and it alone has
 * the full name of a function whose linkage name DWARF leaves out.
 */
static const char *choose_outermost(const struct rpt_dwarf_frame *frame, const char *symbol)
{
	const char *name = frame->linkage_name ? frame->linkage_name : frame->name;
	size_t len;

	if (!name || !symbol)
		return name ? name : symbol;
	len = strlen(name);
	if (strncmp(symbol, name, len) == 0 && symbol[len] == '.')
		return symbol;
	if (!frame->linkage_name && rpt_is_mangled(symbol) && is_mangled_from(symbol, name))
		return symbol;
	return name;
}

/*
 * Where the linkage name is the one that the source gave by hand (an assembler label, such as libc's
 * "__GI_read"), people know the function by its own name.
 */
static void set_names(struct rpt_names *n, struct rpt_frame *frame, const char *linkage_name,
		      const char *own_name)
{
	frame->linkage_name = rpt_names_keep(n, linkage_name);
	if (own_name && !rpt_is_mangled(linkage_name))
		frame->function = rpt_names_keep(n, own_name);
	else
		frame->function = demangle(n, frame->linkage_name);
}

static const char *keep_or_null(struct rpt_names *n, const char *text)
{
	return text ? rpt_names_keep(n, text) : NULL;
}

size_t rpt_names_make(struct rpt_names *n, const struct rpt_dwarf_answer *answer,
		      const char *symbol, bool no_inlines, const struct rpt_frame **frames)
{
	static const struct rpt_dwarf_frame unknown;
	size_t total = answer->count ? answer->count : 1, made = 0;
	size_t first = no_inlines ? total - 1 : 0, i;
	struct rpt_frame *out = rpt_arena_alloc(&n->arena, (total - first) * sizeof(*out));

	for (i = first; i < total; i++) {
		const struct rpt_dwarf_frame *in = answer->count ? &answer->frames[i] : &unknown;
		bool at_address = i == 0 || no_inlines;
		const char *name = in->linkage_name ? in->linkage_name : in->name;

		if (i == total - 1)
			name = choose_outermost(in, symbol);
		if (!name || !*name)
			continue;
		/* A name that the symbol table gave is the better one: it tells more. */
		set_names(n, &out[made], name, name == in->linkage_name ? in->name : NULL);
		out[made].file = keep_or_null(n, at_address ? answer->file : in->file);
		out[made].line = at_address ? answer->line : in->line;
		out[made].start_line = in->start_line;
		out[made].inlined = in->inlined;
		made++;
	}
	*frames = out;
	return made;
}
