// SPDX-License-Identifier: GPL-2.0-or-later
/* The page of a snapshot: deadlocks first, then who breaks a rule, then all threads by stack. */
#include <string.h>

#include "report/analyse/waits.h"
#include "report/output/text.h"

#define INDENT 6
#define NAMES 8 /* threads of a group that are named */
#define FRAMES 12 /* of a stack that are shown */
#define HOLDERS 10

static void add_thread(struct rpt_page *p, const struct rpt_snapshot_thread *t)
{
	rpt_page_thread(p, t->task->thread);
}

static void add_blocked_for(struct rpt_page *p, uint64_t ns)
{
	if (!ns) {
		pa_buf_add_str(&p->out, ", for a time that is not known");
		return;
	}
	pa_buf_add_str(&p->out, ", for ");
	rpt_add_duration(&p->out, ns);
}

/* The innermost frame of the program's own code; 0 = there is none. */
static uint32_t own_call(const struct rpt_page *p, uint32_t call)
{
	const struct rpt_code *c = &p->s->code;

	for (; call; call = c->calls[call].parent) {
		const struct rpt_location *l = &c->locations[c->calls[call].location];
		uint32_t function = c->functions[c->lines[l->first_line].function].same_name;
		uint32_t kind = p->s->model.modules.items[l->module].kind;

		if (kind != RPT_MODULE_KERNEL && kind != RPT_MODULE_MARKER &&
		    !p->s->wait_sites.library[function])
			return call;
	}
	return 0;
}

/* The stack below a line, from the program's own code on. */
static void add_stack_line(struct rpt_page *p, uint32_t call)
{
	uint32_t own = own_call(p, call);
	size_t line = p->out.len;

	call = own ? own : call;
	if (!call)
		return;
	pa_buf_addf(&p->out, "%*s", INDENT, "");
	rpt_page_stack(p, line, call);
	pa_buf_add_char(&p->out, '\n');
}

/* --- deadlocks --- */

static void add_cycle(struct rpt_page *p, uint32_t cycle)
{
	const struct rpt_snapshot *s = &p->s->snapshot;
	uint32_t first = 0, at, count = 0;
	size_t i;

	for (i = s->count; i > 0; i--) {
		if (s->threads[i - 1].cycle == cycle) {
			first = (uint32_t)i;
			count++;
		}
	}
	if (count == 1)
		rpt_page_heading(p, "DEADLOCK: a thread waits for a lock that it holds");
	else
		rpt_page_heading(p, "DEADLOCK: %u threads wait for each other's locks", count);
	at = first;
	do {
		const struct rpt_snapshot_thread *t = &s->threads[at - 1];

		pa_buf_add_str(&p->out, "  ");
		add_thread(p, t);
		pa_buf_addf(&p->out, " waits for lock 0x%llx, held by ",
			    (unsigned long long)t->lock);
		add_thread(p, &s->threads[t->owner - 1]);
		add_blocked_for(p, t->blocked_ns);
		pa_buf_add_char(&p->out, '\n');
		add_stack_line(p, t->call);
		at = t->owner;
	} while (at != first);
}

/* Threads that hold locks, and are blocked in something that is no lock of somebody else. */
static void add_holders(struct rpt_page *p)
{
	const struct rpt_snapshot *s = &p->s->snapshot;
	size_t i, shown = 0;

	for (i = 0; i < s->count && shown < HOLDERS; i++) {
		const struct rpt_snapshot_thread *t = &s->threads[i];

		if (!t->waiters || t->cycle || t->owner)
			continue;
		if (!shown++)
			rpt_page_heading(p, "LOCKS THAT OTHERS WAIT FOR");
		pa_buf_add_str(&p->out, "  ");
		add_thread(p, t);
		pa_buf_add_str(&p->out, " holds what ");
		rpt_add_count(&p->out, t->waiters, "thread");
		pa_buf_addf(&p->out, " %s for, and is ", t->waiters == 1 ? "waits" : "wait");
		if (!t->blocked) {
			pa_buf_addf(&p->out, "%s\n", rpt_state_text(t->task->state));
			continue;
		}
		pa_buf_add_str(&p->out, "blocked in ");
		if (t->task->syscall)
			rpt_add_call(&p->out, &p->s->model, t);
		else
			pa_buf_add_str(&p->out, rpt_wait_classes[t->class].name);
		add_blocked_for(p, t->blocked_ns);
		pa_buf_add_char(&p->out, '\n');
		add_stack_line(p, t->call);
	}
}

/* --- rules --- */

static void add_breaches(struct rpt_page *p)
{
	const struct rpt_snapshot *s = &p->s->snapshot;
	uint64_t shown = 0;
	size_t i;

	if (!p->s->rules->thread_count)
		return;
	rpt_page_heading(p, "THREADS THAT BREAK A RULE");
	if (!s->breach_count)
		pa_buf_add_str(&p->out, "  none: every thread is where its rule expects it\n");
	for (i = 0; i < s->count && shown < p->options->top; i++) {
		const struct rpt_snapshot_thread *t = &s->threads[i];

		if (t->breach == RPT_BREACH_NONE)
			continue;
		shown++;
		pa_buf_add_str(&p->out, "  ");
		add_thread(p, t);
		pa_buf_add_str(&p->out, t->breach == RPT_BREACH_NEVER ? ": must never block in " :
									": blocked in ");
		if (t->task->syscall)
			rpt_add_call(&p->out, &p->s->model, t);
		else
			pa_buf_add_str(&p->out, rpt_wait_classes[t->class].name);
		add_blocked_for(p, t->blocked_ns);
		if (t->breach == RPT_BREACH_PERIOD) {
			pa_buf_add_str(&p->out, ", normal up to ");
			rpt_add_duration(&p->out, t->rule->period_ns);
		}
		pa_buf_add_str(&p->out, " (");
		rpt_add_text(&p->out, p->s->rules->file, 0);
		pa_buf_addf(&p->out, ":%u)\n", t->rule->line);
		add_stack_line(p, t->call);
	}
	if (shown < s->breach_count)
		pa_buf_addf(&p->out, "  and %zu more (--top)\n", s->breach_count - shown);
}

/* --- all of them --- */

/* File and line of a frame where they are known, else the module. */
static void add_place(struct rpt_page *p, size_t line, const struct rpt_function *f, uint32_t at)
{
	const char *file = rpt_text(&p->s->model, f->file), *slash = strrchr(file, '/');
	uint32_t module = p->s->model.modules.items[f->module].name;

	if (at && *file) {
		pa_buf_add_str(&p->out, "  ");
		rpt_add_text(&p->out, slash && !p->options->verbose ? slash + 1 : file, 0);
		pa_buf_addf(&p->out, ":%u", at);
	} else if (!f->unnamed && module) {
		pa_buf_add_str(&p->out, "  ");
		rpt_page_name(p, line, module);
	}
}

static void add_frames(struct rpt_page *p, uint32_t call)
{
	const struct rpt_code *c = &p->s->code;
	uint32_t i, shown = 0;

	for (; call; call = c->calls[call].parent) {
		const struct rpt_location *l = &c->locations[c->calls[call].location];

		for (i = 0; i < l->line_count; i++) {
			const struct rpt_line *at = &c->lines[l->first_line + i];
			const struct rpt_function *f = &c->functions[at->function];
			size_t line = p->out.len;

			if (p->s->wait_sites.plumbing[f->same_name] && !p->options->verbose)
				continue;
			if (shown++ == FRAMES && !p->options->verbose) {
				pa_buf_addf(&p->out, "%*s...\n", INDENT + 2, "");
				return;
			}
			pa_buf_addf(&p->out, "%*s", INDENT + 2, "");
			rpt_page_name(p, line, f->name);
			add_place(p, line, f, at->line);
			pa_buf_add_char(&p->out, '\n');
		}
	}
}

/* The members, with the call of each where they differ. */
static void add_members(struct rpt_page *p, const struct rpt_stack_group *g)
{
	const struct rpt_snapshot *s = &p->s->snapshot;
	const struct rpt_snapshot_thread *t = &s->threads[s->order[g->first]];
	unsigned long long switches;
	size_t i;

	for (i = 0; i < g->count && (i < NAMES || p->options->verbose); i++) {
		t = &s->threads[s->order[g->first + i]];
		pa_buf_addf(&p->out, "%*s", INDENT, "");
		add_thread(p, t);
		if (t->task->syscall) {
			pa_buf_add_str(&p->out, "  ");
			rpt_add_call(&p->out, &p->s->model, t);
		}
		if (t->owner) {
			pa_buf_add_str(&p->out, ", held by ");
			add_thread(p, &s->threads[t->owner - 1]);
		}
		if (t->blocked_ns) {
			pa_buf_add_str(&p->out, "  ");
			rpt_add_duration(&p->out, t->blocked_ns);
		} else if (t->blocked) {
			pa_buf_add_str(&p->out, "  since when is not known");
		}
		switches = t->task->voluntary + t->task->involuntary;
		pa_buf_addf(&p->out, "  (CPU %.2f s, switches %llu)\n",
			    (double)(t->task->user_ns + t->task->system_ns) / 1e9, switches);
	}
	if (i < g->count)
		pa_buf_addf(&p->out, "%*sand %zu more (--verbose)\n", INDENT, "", g->count - i);
}

static void add_group(struct rpt_page *p, const struct rpt_stack_group *g)
{
	pa_buf_add_str(&p->out, "  ");
	rpt_add_count(&p->out, g->count, "thread");
	pa_buf_addf(&p->out, ", %s", rpt_state_text(g->state));
	if (g->state <= PA_STATE_DISK)
		pa_buf_addf(&p->out, ", %s%s", rpt_wait_classes[g->class].name,
			    rpt_wait_classes[g->class].idle ? " (idle)" : "");
	if (g->longest_ns) {
		pa_buf_add_str(&p->out, g->count > 1 ? ", up to " : ", for ");
		rpt_add_duration(&p->out, g->longest_ns);
	}
	pa_buf_add_char(&p->out, '\n');
	add_members(p, g);
	add_frames(p, g->call);
}

void rpt_text_snapshot(struct rpt_page *p)
{
	const struct rpt_snapshot *s = &p->s->snapshot;
	uint32_t cycle;
	size_t i;

	if (!s->count)
		return;
	rpt_page_heading(p, "SNAPSHOT");
	pa_buf_add_str(&p->out, "  ");
	rpt_add_count(&p->out, s->count, "thread");
	pa_buf_addf(&p->out, ": %zu blocked, %zu running, %zu waiting for a CPU or exiting\n",
		    s->blocked_count, s->running_count,
		    s->count - s->blocked_count - s->running_count);
	for (cycle = 1; cycle <= s->cycle_count; cycle++)
		add_cycle(p, cycle);
	add_holders(p);
	add_breaches(p);
	rpt_page_heading(p, "THREADS, BY STACK");
	for (i = 0; i < s->group_count && (i < p->options->top || p->options->verbose); i++)
		add_group(p, &s->groups[i]);
	if (i < s->group_count)
		pa_buf_addf(&p->out, "  and %zu more stacks (--top)\n", s->group_count - i);
}
