// SPDX-License-Identifier: GPL-2.0-or-later
/* Which stacks are reported, and how they begin. */
#include "report/analyse/stack_filter.h"

#include <regex.h>
#include <stdlib.h>
#include <string.h>

#include "format/util/buf.h"
#include "report/xmem.h"

/* Addresses of the frames that --by makes, among those of markers. */
#define FIRST_BY 1000

struct filter {
	const struct rpt_stack_filter *asked;
	struct rpt_model *m;
	struct rpt_code *c;
	bool *has, *excluded, *focused; /* by function; NULL = not asked for */
	uint32_t marker_module;
	uint32_t *stack; /* calls of the stack at hand, innermost first */
	size_t stack_cap;
};

char *rpt_regex_fault(const char *regex)
{
	char text[256];
	regex_t compiled;
	int r = regcomp(&compiled, regex, REG_EXTENDED | REG_NOSUB);

	if (r == 0) {
		regfree(&compiled);
		return NULL;
	}
	regerror(r, &compiled, text, sizeof(text));
	return rpt_xstrdup(text);
}

/* Which functions a regular expression matches; what has been checked before is one. */
static bool *match_names(const struct filter *f, const char *regex)
{
	bool *matches;
	regex_t compiled;
	size_t i;

	if (!regex || regcomp(&compiled, regex, REG_EXTENDED | REG_NOSUB) != 0)
		return NULL;
	matches = rpt_xcalloc(f->c->function_count, sizeof(*matches));
	for (i = 1; i < f->c->function_count; i++)
		matches[i] = regexec(&compiled, rpt_text(f->m, f->c->functions[i].name), 0, NULL,
				     0) == 0;
	regfree(&compiled);
	return matches;
}

/* A function by its name, or its name without its parameters. */
static bool *match_focus(const struct filter *f, const char *focus)
{
	bool *matches;
	size_t i, len;

	if (!focus)
		return NULL;
	len = strlen(focus);
	matches = rpt_xcalloc(f->c->function_count, sizeof(*matches));
	for (i = 1; i < f->c->function_count; i++) {
		const char *name = rpt_text(f->m, f->c->functions[i].name);

		matches[i] =
			strncmp(name, focus, len) == 0 && (name[len] == '\0' || name[len] == '(');
	}
	return matches;
}

static bool location_has(const struct rpt_code *c, uint32_t location, const bool *functions)
{
	const struct rpt_location *l = &c->locations[location];
	uint32_t i;

	for (i = 0; i < l->line_count; i++)
		if (functions[c->lines[l->first_line + i].function])
			return true;
	return false;
}

static bool stack_has(const struct rpt_code *c, uint32_t call, const bool *functions)
{
	for (; call; call = c->calls[call].parent)
		if (location_has(c, c->calls[call].location, functions))
			return true;
	return false;
}

/* --- how stacks begin --- */

static void name_group(const struct filter *f, const struct rpt_site *site, struct pa_buf *out)
{
	const struct rpt_processes *p = &f->m->processes;
	const struct rpt_thread *t = &p->threads[site->thread];
	const struct rpt_process *process = &p->processes[t->process];
	const struct rpt_trace *trace = &f->m->traces[process->trace];
	size_t i;

	switch (f->asked->by) {
	case RPT_BY_THREAD:
		pa_buf_addf(out, "thread %s/%u", rpt_text(f->m, site->comm), t->tid);
		break;
	case RPT_BY_PROCESS:
		pa_buf_addf(out, "process %s/%u", rpt_text(f->m, rpt_process_name(p, t->process)),
			    process->pid);
		break;
	case RPT_BY_CPU:
		if (site->cpu)
			pa_buf_addf(out, "CPU %u", site->cpu - 1);
		else
			pa_buf_add_str(out, "CPU not known");
		break;
	case RPT_BY_CGROUP:
		pa_buf_addf(out, "cgroup %s",
			    process->cgroup ? rpt_text(f->m, process->cgroup) : "not known");
		break;
	case RPT_BY_TAG:
		pa_buf_add_str(out, trace->tags.count ? "tag" : "no tags");
		for (i = 0; i < trace->tags.count; i++)
			pa_buf_addf(out, "%s %s=%s", i ? "," : "",
				    rpt_text(f->m, trace->tags.items[i].key),
				    rpt_text(f->m, trace->tags.items[i].value));
		break;
	case RPT_BY_NONE:
		break;
	}
}

/* The location that stands for what a site belongs to. */
static uint32_t by_location(struct filter *f, const struct rpt_site *site)
{
	struct rpt_function function = {.module = f->marker_module};
	uint32_t location;
	struct pa_buf text;

	pa_buf_init(&text);
	pa_buf_add_char(&text, '[');
	name_group(f, site, &text);
	pa_buf_add_char(&text, ']');
	rpt_xcheck(pa_buf_error(&text));
	function.name = rpt_strings_add(&f->m->strings, pa_buf_str(&text));
	function.linkage_name = function.name;
	pa_buf_fini(&text);
	/* A string is one number, so equal names are one location. */
	location = rpt_code_location(f->c, f->marker_module, FIRST_BY + (uint64_t)function.name, 0);
	if (!f->c->locations[location].line_count)
		rpt_code_add_line(f->c, location, rpt_code_function(f->c, &function), 0);
	return location;
}

/* The stack from the outermost call that is focused on inwards, below what it belongs to. */
static uint32_t rebase(struct filter *f, const struct rpt_site *site, uint32_t call)
{
	struct rpt_code *c = f->c;
	size_t depth = 0, kept = 0;
	uint32_t at, base = 0;

	for (at = call; at; at = c->calls[at].parent) {
		rpt_xgrow(&f->stack, &f->stack_cap, depth + 1, sizeof(*f->stack));
		f->stack[depth++] = c->calls[at].location;
		if (!f->focused || location_has(c, c->calls[at].location, f->focused))
			kept = depth;
	}
	if (f->asked->by)
		base = rpt_code_call(c, 0, by_location(f, site));
	while (kept-- > 0)
		base = rpt_code_call(c, base, f->stack[kept]);
	return base;
}

static bool wants(const struct filter *f, uint32_t call)
{
	return (!f->has || stack_has(f->c, call, f->has)) &&
	       (!f->excluded || !stack_has(f->c, call, f->excluded)) &&
	       (!f->focused || stack_has(f->c, call, f->focused));
}

/* A thread's exact sums are of all its stacks: what is taken out has to be known there. */
static void note_left_out(struct rpt_left_out *out, const struct rpt_group *g)
{
	rpt_add_saturated(&out->recorded_ns[g->site.thread], g->weight);
	rpt_add_saturated(&out->thinned_ns[g->site.thread], g->thinned_ns);
}

/* Groups are taken out, and what stays moves together: calls and points go with it. */
static void filter_groups(struct filter *f, struct rpt_groups *groups, struct rpt_points *points,
			  uint64_t *left_out)
{
	bool blocks = groups == &f->m->blocks;
	uint32_t *calls = blocks ? f->c->block_calls : f->c->sample_calls;
	uint32_t *moved = rpt_xcalloc(groups->count, sizeof(*moved));
	size_t i, kept = 0;

	for (i = 0; i < groups->count; i++) {
		struct rpt_group *g = &groups->items[i];

		if (!wants(f, calls[i])) {
			rpt_add_saturated(left_out, g->count);
			rpt_add_saturated(left_out, g->thinned_count);
			if (blocks)
				note_left_out(&f->m->left_out, g);
			free(g->counters);
			continue;
		}
		calls[kept] = calls[i];
		if (blocks)
			f->c->waker_calls[kept] = f->c->waker_calls[i];
		groups->items[kept] = *g;
		moved[i] = (uint32_t)++kept;
		if (f->focused || f->asked->by)
			calls[kept - 1] = rebase(f, &g->site, calls[kept - 1]);
	}
	groups->count = kept;
	for (i = kept = 0; i < points->count; i++) {
		if (!moved[points->items[i].group])
			continue;
		points->items[kept] = points->items[i];
		points->items[kept].group = moved[points->items[i].group] - 1;
		kept++;
	}
	points->count = points->sorted = kept;
	free(moved);
}

void rpt_stack_filter_apply(const struct rpt_stack_filter *asked, struct rpt_model *m,
			    struct rpt_code *c)
{
	struct filter f = {.asked = asked, .m = m, .c = c};
	struct rpt_module marker = {.kind = RPT_MODULE_MARKER};

	if (!asked->has && !asked->exclude && !asked->focus && !asked->by)
		return;
	f.has = match_names(&f, asked->has);
	f.excluded = match_names(&f, asked->exclude);
	f.focused = match_focus(&f, asked->focus);
	f.marker_module = rpt_modules_add(&m->modules, &m->strings, &marker);
	if (f.has || f.excluded || f.focused)
		m->left_out.stacks = true;
	m->left_out.recorded_ns = rpt_xcalloc(m->processes.thread_count, sizeof(uint64_t));
	m->left_out.thinned_ns = rpt_xcalloc(m->processes.thread_count, sizeof(uint64_t));
	filter_groups(&f, &m->samples, &m->sample_points, &m->left_out.samples);
	filter_groups(&f, &m->blocks, &m->block_points, &m->left_out.intervals);
	free(f.has);
	free(f.excluded);
	free(f.focused);
	free(f.stack);
}
