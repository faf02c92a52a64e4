// SPDX-License-Identifier: GPL-2.0-or-later
/* Which part of the traces is reported. */
#include "report/model/filter.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "format/cli/values.h"
#include "report/model/model.h"

#define NS_PER_S 1000000000ull
#define DAY_NS (86400ull * NS_PER_S)
#define MIN_CONTAINER_CHARS 8

/* --- time --- */

/* ".25", "" or "Z" behind the seconds. */
static bool parse_fraction(const char *text, uint64_t *ns)
{
	uint64_t unit = NS_PER_S / 10;

	*ns = 0;
	if (*text == '.') {
		for (text++; isdigit((unsigned char)*text); text++, unit /= 10)
			*ns += (uint64_t)(*text - '0') * unit;
	}
	return *text == '\0' || strcmp(text, "Z") == 0 || strcmp(text, " UTC") == 0;
}

bool rpt_when_parse(const char *text, struct rpt_when *when)
{
	struct tm tm = {0};
	const char *rest;
	uint64_t fraction;

	if (pa_value_duration(text, &when->ns)) {
		when->kind = RPT_WHEN_RELATIVE;
		return true;
	}
	rest = strptime(text, "%Y-%m-%dT%H:%M:%S", &tm);
	if (!rest)
		rest = strptime(text, "%Y-%m-%d %H:%M:%S", &tm);
	when->kind = RPT_WHEN_WALL;
	if (!rest) {
		tm = (struct tm){.tm_year = 70, .tm_mday = 1};
		rest = strptime(text, "%H:%M:%S", &tm);
		when->kind = RPT_WHEN_CLOCK;
	}
	if (!rest || !parse_fraction(rest, &fraction) || timegm(&tm) < 0)
		return false;
	when->ns = (uint64_t)timegm(&tm) * NS_PER_S + fraction;
	return true;
}

static uint64_t moment_of(const struct rpt_when *when, const struct rpt_trace *t, uint64_t none)
{
	uint64_t wall = when->ns, midnight, at;

	switch (when->kind) {
	case RPT_WHEN_RELATIVE:
		return pa_add_ok(t->start_ns, when->ns, &at) ? at : UINT64_MAX;
	case RPT_WHEN_CLOCK:
		midnight = t->start_wall_ns - t->start_wall_ns % DAY_NS;
		wall = midnight + when->ns;
		if (wall + DAY_NS / 2 < t->start_wall_ns)
			wall += DAY_NS;
		break;
	case RPT_WHEN_WALL:
		break;
	case RPT_WHEN_NONE:
		return none;
	}
	if (wall < t->start_wall_ns)
		return t->start_ns - PA_MIN(t->start_wall_ns - wall, t->start_ns);
	return pa_add_ok(t->start_ns, wall - t->start_wall_ns, &at) ? at : UINT64_MAX;
}

void rpt_filter_window(const struct rpt_filter *f, const struct rpt_trace *t, uint64_t *from_ns,
		       uint64_t *to_ns)
{
	*from_ns = moment_of(&f->from, t, 0);
	*to_ns = moment_of(&f->to, t, UINT64_MAX);
}

/* --- identity --- */

bool rpt_filter_is_empty(const struct rpt_filter *f)
{
	return !f->from.kind && !f->to.kind && !f->pids.count && !f->tids.count && !f->cpus.count &&
	       !f->comms.count && !f->cgroups.count && !f->containers.count;
}

static bool has_number(const struct rpt_names *list, uint32_t number)
{
	uint64_t wanted;
	size_t i;

	for (i = 0; i < list->count; i++)
		if (pa_value_uint(list->items[i], &wanted) && wanted == number)
			return true;
	return list->count == 0;
}

static bool has_name(const struct rpt_names *list, const char *name)
{
	size_t i;

	for (i = 0; i < list->count; i++)
		if (strcmp(list->items[i], name) == 0)
			return true;
	return list->count == 0;
}

static bool is_within(const struct rpt_names *list, const char *path)
{
	size_t i, len;

	for (i = 0; i < list->count; i++) {
		len = strlen(list->items[i]);
		while (len > 1 && list->items[i][len - 1] == '/')
			len--;
		if (strncmp(path, list->items[i], len) == 0 &&
		    (path[len] == '\0' || path[len] == '/' || list->items[i][len - 1] == '/'))
			return true;
	}
	return list->count == 0;
}

/* Ids are hexadecimal; runtimes put words around them: "docker-ID.scope", "cri-containerd-ID". */
static bool is_in_container(const struct rpt_names *list, const char *path)
{
	const char *at;
	size_t i;

	for (i = 0; i < list->count; i++)
		for (at = path; (at = strstr(at, list->items[i])); at++)
			if (at == path || !isalnum((unsigned char)at[-1]))
				return true;
	return list->count == 0;
}

static bool wants_process(const struct rpt_filter *f, const struct rpt_model *m, uint32_t process)
{
	const struct rpt_process *p = &m->processes.processes[process];
	const char *cgroup = rpt_text(m, p->cgroup);

	return has_number(&f->pids, p->pid) && is_within(&f->cgroups, cgroup) &&
	       is_in_container(&f->containers, cgroup);
}

bool rpt_filter_wants(const struct rpt_filter *f, const struct rpt_model *m,
		      const struct rpt_site *site, bool has_cpu, uint32_t cpu)
{
	const struct rpt_thread *t = &m->processes.threads[site->thread];

	if (f->cpus.count && (!has_cpu || !has_number(&f->cpus, cpu)))
		return false;
	return has_number(&f->tids, t->tid) && has_name(&f->comms, rpt_text(m, site->comm)) &&
	       wants_process(f, m, t->process);
}

static bool has_pid(const struct rpt_model *m, uint64_t pid)
{
	size_t i;

	for (i = 1; i < m->processes.process_count; i++)
		if (m->processes.processes[i].pid == pid)
			return true;
	return false;
}

static bool has_tid(const struct rpt_model *m, uint64_t tid)
{
	size_t i;

	for (i = 1; i < m->processes.thread_count; i++)
		if (m->processes.threads[i].tid == tid)
			return true;
	return false;
}

static bool has_cpu(const struct rpt_model *m, uint64_t cpu)
{
	size_t i;

	for (i = 0; i < m->trace_count; i++)
		if (cpu < PA_MAX(m->traces[i].cpu_count, (size_t)m->traces[i].cpus))
			return true;
	return false;
}

const char *rpt_filter_unknown(const struct rpt_filter *f, const struct rpt_model *m,
			       const char **what)
{
	const struct {
		const struct rpt_names *list;
		bool (*has)(const struct rpt_model *m, uint64_t number);
		const char *what;
	} lists[] = {
		{&f->pids, has_pid, "process"},
		{&f->tids, has_tid, "thread"},
		{&f->cpus, has_cpu, "CPU"},
	};
	uint64_t number;
	size_t i, k;

	for (i = 0; i < PA_ARRAY_LEN(lists); i++) {
		*what = lists[i].what;
		for (k = 0; k < lists[i].list->count; k++)
			if (!pa_value_uint(lists[i].list->items[k], &number) ||
			    !lists[i].has(m, number))
				return lists[i].list->items[k];
	}
	return NULL;
}

/* --- sums --- */

/* Whether all names that a thread had are wanted, or some. */
static bool wants_names(struct rpt_model *m, uint32_t thread)
{
	const struct rpt_thread *t = &m->processes.threads[thread];
	size_t i, wanted = 0;

	for (i = 0; i < t->name_count; i++)
		wanted += has_name(&m->filter->comms, rpt_text(m, t->names[i].name));
	if (wanted && wanted < t->name_count)
		m->left_out.threads_renamed++;
	return wanted == t->name_count;
}

static void drop_cpu_sums(struct rpt_model *m)
{
	size_t i, k;

	for (i = 0; i < m->trace_count; i++) {
		for (k = 0; k < m->traces[i].cpu_count; k++) {
			struct rpt_cpu *cpu = &m->traces[i].cpu[k];

			cpu->has_sum = false;
			cpu->observed_ns = cpu->idle_ns = cpu->switches = 0;
		}
	}
	for (i = 1; i < m->counter_count; i++) {
		free(m->counters[i].cpus);
		m->counters[i].cpus = NULL;
		m->counters[i].cpu_count = 0;
	}
}

static void cut_lengths(struct rpt_model *m)
{
	size_t i;

	for (i = 0; i < m->trace_count; i++) {
		struct rpt_trace *t = &m->traces[i];

		rpt_filter_window(m->filter, t, &t->from_ns, &t->to_ns);
		t->is_cut = m->filter->from.kind || m->filter->to.kind;
	}
}

void rpt_filter_sums(struct rpt_model *m)
{
	const struct rpt_filter *f = m->filter;
	struct rpt_site site = {0};
	uint32_t i;

	if (!f || rpt_filter_is_empty(f))
		return;
	cut_lengths(m);
	if (f->from.kind || f->to.kind)
		m->left_out.sums_reason = "not known for a part of the time";
	else if (f->cpus.count)
		m->left_out.sums_reason = "not known for single CPUs";
	drop_cpu_sums(m);
	for (i = 1; i < m->processes.thread_count; i++) {
		struct rpt_filter who = *f;

		who.comms.count = who.cpus.count = 0;
		site.thread = i;
		if (m->left_out.sums_reason || !rpt_filter_wants(&who, m, &site, false, 0) ||
		    (f->comms.count && !wants_names(m, i)))
			rpt_thread_stats_drop(&m->processes.threads[i]);
	}
}
